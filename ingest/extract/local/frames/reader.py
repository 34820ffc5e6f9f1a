"""The learned reader of frames and names: three small networks over the default embedder's word
vectors.

The first reads a sentence once and says which words are predicates; the second says for each
of them what every word of the sentence is to it; the third, from the states of the first, which
words are names. ``benchmarks/frames.py`` trains them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.extract.local.frames.decode import KINDS, Frame, decode, softmax
from hlg.ingest.extract.local.frames.features import (
    Features,
    branches,
    distances,
    features,
    padded_words,
)
from hlg.ingest.extract.local.frames.named import Name, names_of
from hlg.ingest.extract.local.frames.spelling import spellings
from hlg.ingest.extract.local.parse import Sentence, no_states
from hlg.models.onnx_embedder import WordVectors
from hlg.models.weights import own_network

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

__all__ = ["FrameReader", "Read", "shipped"]

LEAST = 0.2
"""Chance from which on a word is looked at as a predicate."""
BATCH_PIECES = 1_500
"""Word pieces of sentences that are read together."""
LONGEST = 100
"""Words of the longest sentence that frames are read in: people marked none so long."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a sentence says: its frames in the order of their heads, and its names; where it
    has any, the ``states`` of its words (words, width)."""

    frames: tuple[Frame, ...] = ()
    names: tuple[Name, ...] = ()
    states: NDArray[np.float16] = field(default_factory=no_states, compare=False)


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

    def read(self, sentences: Sequence[Sentence]) -> list[Read]:
        """The frames and names of each sentence; nothing of one that was not parsed."""
        found = [Read()] * len(sentences)
        seen = {
            at: parts
            for at, sentence in enumerate(sentences)
            if any(sentence.deps) and len(parts := features(sentence))
        }
        for batch in _batches({at: len(each.pieces) for at, each in seen.items()}):
            given = [seen[at] for at in batch]
            words, kinds, states = self.states_of(given)
            names = self._names_of([sentences[at] for at in batch], given, states)
            told = self._frames([sentences[at] for at in batch], given, words, kinds)
            for at, frames, named, row in zip(batch, told, names, words, strict=True):
                has_any = frames or named
                its = row[: len(seen[at])].astype(np.float16) if has_any else no_states()
                found[at] = Read(frames, named, its)
        return found

    def states_of(self, batch: Sequence[Features]) -> tuple[NDArray[np.float32], ...]:
        """States of words, logits of their kinds, and all that the reader of names is given of
        them, each of shape (sentences, words, …)."""
        pieces = max(len(each.pieces) for each in batch)
        width = max(len(each) for each in batch)
        ids = padded_words([np.array(each.pieces, np.int64) for each in batch], pieces)
        firsts = padded_words([np.array(each.firsts, np.int64) for each in batch], width)
        lengths = np.array([len(each.pieces) for each in batch])
        vectors = self._vectors.of(ids)
        words, kinds, states = _session(self._folder / "states.onnx").run(
            None,
            {
                "vectors": vectors,
                "mask": (np.arange(pieces)[None] < lengths[:, None]).astype(np.int64),
                "firsts": firsts,
                "forms": padded_words([each.forms for each in batch], width),
            },
        )
        return words, kinds, np.concatenate([words, states, _means(vectors, batch, width)], axis=2)

    def _names_of(
        self, sentences: Sequence[Sentence], batch: Sequence[Features], states: NDArray[np.float32]
    ) -> Iterator[tuple[Name, ...]]:
        width = states.shape[1]
        counts = [len(each) for each in batch]
        spelt = [
            spellings(each.words[:count]) for each, count in zip(sentences, counts, strict=True)
        ]
        (logits,) = _session(self._folder / "names.onnx").run(
            None,
            {
                "states": states,
                "forms": padded_words([each.forms for each in batch], width),
                "spellings": padded_words(spelt, width),
                "mask": (np.arange(width)[None] < np.array(counts)[:, None]).astype(np.int64),
            },
        )
        return names_of(logits, counts)

    def _frames(
        self,
        sentences: Sequence[Sentence],
        batch: Sequence[Features],
        words: NDArray[np.float32],
        kinds: NDArray[np.float32],
    ) -> Iterator[tuple[Frame, ...]]:
        chances = softmax(kinds)
        heads: list[list[int]] = []
        logits: list[NDArray[np.float32]] = []
        for row, (sentence, seen) in enumerate(zip(sentences, batch, strict=True)):
            found = np.flatnonzero(1 - chances[row, : len(seen), 0] >= LEAST).tolist()
            heads.append(found if 2 <= len(sentence.words) <= LONGEST else [])
            if heads[-1]:
                logits.append(self._roles_of(sentence, heads[-1], words[row, : len(seen)]))
        spans = iter(decode(logits))
        for row, places in enumerate(heads):
            yield tuple(
                Frame(
                    head,
                    KINDS[1 + int(chances[row, head, 1:].argmax())],
                    float(1 - chances[row, head, 0]),
                    tuple(its),
                )
                for head, its in zip(places, next(spans) if places else [], strict=True)
            )

    def _roles_of(
        self, sentence: Sentence, heads: Sequence[int], words: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """By one sentence at a time: a batch's activations are quantized together, so that what
        is read in one would depend on the others."""
        count = len(words)
        (logits,) = _session(self._folder / "roles.onnx").run(
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
        return cast("NDArray[np.float32]", logits)

    @cached_property
    def _vectors(self) -> WordVectors:
        return WordVectors()


@cache
def _session(path: Path) -> "InferenceSession":
    return own_network(path)  # documents are read in a process a core


def _means(
    vectors: NDArray[np.float32], batch: Sequence[Features], width: int
) -> NDArray[np.float32]:
    """The mean of the vectors of each word's pieces."""
    found = np.zeros((len(batch), width, vectors.shape[2]), np.float32)
    for row, each in enumerate(batch):
        firsts = np.array(each.firsts)
        sizes = np.diff([*each.firsts, len(each.pieces) - 1])
        sums = np.add.reduceat(vectors[row, : len(each.pieces) - 1], firsts, axis=0)
        found[row, : len(each)] = sums / sizes[:, None]
    return found


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
