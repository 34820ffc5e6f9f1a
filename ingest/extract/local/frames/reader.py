"""The learned reader of frames: two small networks over the default embedder's word vectors.

The first reads a sentence once and says which words are predicates; the second says for each
of them what every word of the sentence is to it. ``benchmarks/frames.py`` trains them.
"""

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from hlg.errors import ModelError
from hlg.ingest.extract.local.frames.decode import KINDS, Frame, decode
from hlg.ingest.extract.local.frames.features import (
    Features,
    branches,
    distances,
    features,
    padded_words,
)
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.onnx_embedder import WordVectors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

__all__ = ["FrameReader", "shipped"]

LEAST = 0.2
"""Chance from which on a word is looked at as a predicate."""
BATCH_PIECES = 1_500
"""Word pieces of sentences that are read together."""
LONGEST = 100
"""Words of the longest sentence that is read: people marked none so long."""
_STATES, _ROLES = "states.onnx", "roles.onnx"


@cache
def shipped(style: int = 0) -> "FrameReader":
    """The one that comes with hlg, loaded when it is first asked."""
    return FrameReader(cast(Path, resources.files(__package__)), style)


class FrameReader:
    """A folder with the files that ``benchmarks/frames.py`` writes.

    :param style: 0 to cut frames as hlg does, 1 as CaRB's tuples are cut.
    :raises ModelError: at first use, when they are missing or damaged.
    """

    def __init__(self, folder: Path, style: int = 0) -> None:
        self._folder = folder
        self._style = style

    def read(self, sentences: Sequence[Sentence]) -> list[tuple[Frame, ...]]:
        """The frames of each sentence, in the order of their heads."""
        found: list[tuple[Frame, ...]] = [()] * len(sentences)
        seen = {
            at: features(sentence)
            for at, sentence in enumerate(sentences)
            if 2 <= len(sentence.words) <= LONGEST and any(sentence.deps)
        }
        for batch in _batches({at: len(each.pieces) for at, each in seen.items()}):
            words, kinds = self._states_of([seen[at] for at in batch])
            for row, at in enumerate(batch):
                count = len(seen[at])
                found[at] = self._frames(sentences[at], words[row, :count], kinds[row, :count])
        return found

    def _states_of(
        self, batch: Sequence[Features]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        pieces = max(len(each.pieces) for each in batch)
        width = max(len(each) for each in batch)
        ids = padded_words([np.array(each.pieces, np.int64) for each in batch], pieces)
        lengths = np.array([len(each.pieces) for each in batch])
        forms = np.zeros((len(batch), width, 4), np.int64)
        for at, each in enumerate(batch):
            forms[at, : len(each)] = each.forms
        words, kinds = self._states.run(
            None,
            {
                "vectors": self._vectors.of(ids),
                "mask": (np.arange(pieces)[None] < lengths[:, None]).astype(np.int64),
                "firsts": padded_words([np.array(each.firsts, np.int64) for each in batch], width),
                "forms": forms,
            },
        )
        return words, kinds

    def _frames(
        self, sentence: Sentence, words: NDArray[np.float32], kinds: NDArray[np.float32]
    ) -> tuple[Frame, ...]:
        count = len(words)
        powers = np.exp(kinds - kinds.max(axis=1, keepdims=True))
        chances = powers / powers.sum(axis=1, keepdims=True)
        heads = np.flatnonzero(1 - chances[:, 0] >= LEAST).tolist()
        if not heads:
            return ()
        (logits,) = self._roles.run(
            None,
            {
                "words": np.repeat(words[None], len(heads), axis=0),
                "heads": words[heads],
                "branches": np.stack([branches(sentence, head)[:count] for head in heads]),
                "distances": np.stack([distances(count, head) for head in heads]),
                "mask": np.ones((len(heads), count), np.int64),
                "styles": np.full(len(heads), self._style, np.int64),
            },
        )
        return tuple(
            Frame(
                head,
                KINDS[1 + int(chances[head, 1:].argmax())],
                float(1 - chances[head, 0]),
                tuple(spans),
            )
            for head, spans in zip(heads, decode(logits), strict=True)
        )

    @cached_property
    def _vectors(self) -> WordVectors:
        return WordVectors()

    @cached_property
    def _states(self) -> "InferenceSession":
        return self._session(_STATES)

    @cached_property
    def _roles(self) -> "InferenceSession":
        return self._session(_ROLES)

    def _session(self, name: str) -> "InferenceSession":
        from onnxruntime import InferenceSession, SessionOptions

        options = SessionOptions()
        options.intra_op_num_threads = 1  # documents are read in a process a core
        options.inter_op_num_threads = 1
        options.enable_mem_pattern = False
        path = self._folder / name
        try:
            return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            # onnxruntime raises bare exceptions of its own.
            reason = str(error).strip().partition("\n")[0]
            raise ModelError(f"{path} can't be read ({reason}): install hlg again") from error


def _batches(lengths: dict[int, int]) -> Iterator[list[int]]:
    """All places in batches of like lengths."""
    batch: list[int] = []
    for at in sorted(lengths, key=lambda at: lengths[at]):
        if batch and (len(batch) + 1) * lengths[at] > BATCH_PIECES:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch
