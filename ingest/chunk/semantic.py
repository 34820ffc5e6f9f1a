"""Chunks that end where the text turns to something else (thesis §3.1.2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray

from hlg.ingest.chunk.splitter import CHARACTERS_A_TOKEN, Splitter, make_chunks
from hlg.ingest.text.sentences import sentence_spans
from hlg.ingest.text.spans import Span
from hlg.models.base import Embedder
from hlg.records import Chunk, Document, Embeddings


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticOptions:
    """What is particular to ``semantic``.

    :param percentile: of a document's distances, those above it end a chunk; the thesis
        compares 80 and 90 (``breakpointPercentileThreshold``, §4.2).
    :param window: sentences on each side that are compared with those at a gap;
        the thesis compares 0 (eq. 2) and 1 (``bufferSize``, §4.2).
    """

    percentile: Annotated[float, Ge(0), Le(100)] = 95
    window: Annotated[int, Ge(0), Le(100)] = 1


class SemanticChunker:
    """Groups of sentences, cut where the distance between neighbours is greatest.

    A group over the bound is cut again at its own greatest distance, a sentence over it
    at its words; chunks do not overlap.
    """

    def __init__(self, tokens: int, _: float, embedder: Embedder, options: SemanticOptions) -> None:
        self._tokens = tokens
        self._embedder = embedder
        self._options = options
        self._splitter = Splitter(tokens, embedder.count_tokens)

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        """The document's chunks in order; none where it has only white space."""
        text = document.text
        sentences = sentence_spans(text)
        embeddings = self._embedder.embed([text[i:j] for i, j in sentences])
        distances = gap_distances(embeddings, self._options.window)
        cuts = percentile_cuts(distances, self._options.percentile)

        def span(first: int, last: int) -> Span:
            return sentences[first][0], sentences[last - 1][1]

        def fits(first: int, last: int) -> bool:
            start, end = span(first, last)
            longest = CHARACTERS_A_TOKEN * (self._tokens + 1)
            return end - start < longest and self._splitter.size(text[start:end]) <= self._tokens

        spans: list[Span] = []
        for first, last in groups(len(sentences), cuts, distances, fits):
            start, end = span(first, last)
            if fits(first, last):
                spans.append((start, end))
            else:
                pieces = self._splitter.spans(text[start:end])
                spans += ((start + i, start + j) for i, j in pieces)
        return make_chunks(document, source_id, ((span, None) for span in spans))


def gap_distances(embeddings: Embeddings, window: int) -> NDArray[np.float32]:
    """Cosine distance across each gap between sentences: shape (n - 1,).

    The means of the ``window + 1`` sentences before and after it are compared: where the
    window is 0, two sentences (thesis, eq. 2); where it is more, one odd sentence makes no
    break.
    """
    count = len(embeddings)
    sums = np.zeros((count + 1, embeddings.shape[1]), np.float64)
    np.cumsum(embeddings, axis=0, dtype=np.float64, out=sums[1:])
    gaps = np.arange(1, count)
    held = window + 1
    before = sums[gaps] - sums[np.maximum(gaps - held, 0)]
    after = sums[np.minimum(gaps + held, count)] - sums[gaps]
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    cosines = (before * after).sum(axis=1) / np.maximum(lengths, 1e-12)
    distances: NDArray[np.float32] = (1 - cosines).astype(np.float32)
    return distances


def percentile_cuts(distances: NDArray[np.float32], percentile: float) -> list[int]:
    """Sentences that begin a chunk: those behind a gap above the percentile."""
    if not len(distances):
        return []
    above = distances > np.percentile(distances, percentile)
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
