"""Chunks that end where the text turns to something else (thesis, §3.1)."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.chunk.chunkers import CHARACTERS_A_TOKEN, Splitter, make_chunks
from hlg.ingest.text.sentences import sentence_spans
from hlg.ingest.text.spans import Span
from hlg.models.base import Embedder
from hlg.records import Chunk, Document, Embeddings

PERCENTILE = 95
"""Of a document's distances, those above it end a chunk."""
WINDOW = 2
"""Sentences on each side of a gap that are held against each other."""


class SemanticChunker:
    """Groups of sentences, cut where the distance between neighbours is greatest.

    A group over the bound is cut again at its own greatest distance, a sentence over it
    at its words; chunks do not overlap.
    """

    def __init__(self, tokens: int, embedder: Embedder) -> None:
        self._tokens = tokens
        self._embedder = embedder
        self._splitter = Splitter(tokens, 0, embedder.count_tokens)

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        """The document's chunks in order; none where it has only white space."""
        text = document.text
        sentences = sentence_spans(text)
        distances = gap_distances(self._embedder.embed([text[i:j] for i, j in sentences]))

        def span(first: int, last: int) -> Span:
            return sentences[first][0], sentences[last - 1][1]

        def fits(first: int, last: int) -> bool:
            start, end = span(first, last)
            longest = CHARACTERS_A_TOKEN * (self._tokens + 1)
            return end - start < longest and self._splitter.size(text[start:end]) <= self._tokens

        spans: list[Span] = []
        for first, last in groups(len(sentences), percentile_cuts(distances), distances, fits):
            start, end = span(first, last)
            if fits(first, last):
                spans.append((start, end))
            else:
                pieces = self._splitter.spans(text[start:end])
                spans += ((start + i, start + j) for i, j in pieces)
        return make_chunks(document, source_id, ((span, None) for span in spans))


def gap_distances(embeddings: Embeddings) -> NDArray[np.float32]:
    """Cosine distance across each gap between sentences: shape (n - 1,).

    The means of the ``WINDOW`` sentences before and after it are compared, so that one
    odd sentence makes no break.
    """
    count = len(embeddings)
    sums = np.zeros((count + 1, embeddings.shape[1]), np.float64)
    np.cumsum(embeddings, axis=0, dtype=np.float64, out=sums[1:])
    gaps = np.arange(1, count)
    before = sums[gaps] - sums[np.maximum(gaps - WINDOW, 0)]
    after = sums[np.minimum(gaps + WINDOW, count)] - sums[gaps]
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    cosines = (before * after).sum(axis=1) / np.maximum(lengths, 1e-12)
    distances: NDArray[np.float32] = (1 - cosines).astype(np.float32)
    return distances


def percentile_cuts(distances: NDArray[np.float32]) -> list[int]:
    """Sentences that begin a chunk: those behind a gap above the percentile."""
    if not len(distances):
        return []
    above = distances > np.percentile(distances, PERCENTILE)
    return [int(gap) + 1 for gap in np.flatnonzero(above)]


def groups(
    count: int,
    cuts: Sequence[int],
    distances: NDArray[np.float32],
    fits: Callable[[int, int], bool],
) -> list[Span]:
    """Ranges ``[first, last)`` of sentences between cuts, those that don't fit cut again."""
    bounds = [0, *cuts, count]
    waiting = [(i, j) for i, j in pairwise(bounds) if i < j][::-1]
    done = []
    while waiting:
        first, last = waiting.pop()
        if last - first == 1 or fits(first, last):
            done.append((first, last))
        else:
            cut = first + 1 + int(distances[first : last - 1].argmax())
            waiting += [(cut, last), (first, cut)]
    return done
