"""Which chunks hold a span of a text."""

from collections.abc import Sequence

import numpy as np

from hlg.ingest.base import leaves
from hlg.records import Chunk


class ChunkPlaces:
    """The chunks of a text by position; of parents and children only the children."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = sorted(leaves(chunks), key=lambda chunk: (chunk.start, chunk.ordinal))
        self._starts = np.array([chunk.start for chunk in self._chunks])
        self._ends = np.array([chunk.end for chunk in self._chunks])
        self._latest = np.maximum.accumulate(self._ends)
        """The latest end of a chunk and of all before it."""

    def chunks_of(self, start: int, end: int) -> tuple[str, ...]:
        """Chunks that hold a span whole, or the one that holds most of it."""
        first = int(self._latest.searchsorted(start, "right"))
        last = int(self._starts.searchsorted(end))
        # Chunks that touch the span; where none does, all are looked at for the nearest.
        near = slice(first, last) if first < last else slice(None)
        starts, ends = self._starts[near], self._ends[near]
        holding = np.flatnonzero((starts <= start) & (ends >= end))
        if not holding.size:
            overlap = np.minimum(ends, end) - np.maximum(starts, start)
            holding = np.array([overlap.argmax()])
        rows = [self._chunks[row + (near.start or 0)] for row in holding.tolist()]
        return tuple(chunk.id for chunk in sorted(rows, key=lambda chunk: chunk.ordinal))
