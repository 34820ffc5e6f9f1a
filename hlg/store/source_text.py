"""A source's text, put together again from its chunks to the character.

Chunks have no white space at their ends, and a chunker may leave more out: what no chunk holds
is kept in the source's metadata, under :data:`hlg.records.BETWEEN`, in the order of the text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hlg.records import BETWEEN, Chunk, Source


@dataclass(frozen=True, slots=True)
class SourceText:
    """A source with its text, and its chunks in the order of the text."""

    source: Source
    text: str
    chunks: tuple[Chunk, ...] = ()


def between_chunks(text: str, chunks: Iterable[Chunk]) -> str:
    """What of a text no chunk holds."""
    parts, at = [], 0
    for chunk in _in_order(chunks):
        parts.append(text[at : chunk.start])
        at = max(at, chunk.end)
    return "".join([*parts, text[at:]])


def put_together(source: Source, chunks: Iterable[Chunk]) -> SourceText:
    """The text of a source.

    Of a source that nobody kept what is between its chunks of, that is lines' ends, so that
    every character still stands where it stood.
    """
    ordered = _in_order(chunks)
    between = source.metadata.get(BETWEEN)
    kept = between if isinstance(between, str) else ""
    parts: list[str] = []
    at = used = 0
    for chunk in ordered:
        if (gap := chunk.start - at) > 0:
            parts.append(kept[used : used + gap].ljust(gap, "\n"))
            used, at = used + gap, chunk.start
        if chunk.end > at:
            # A text of another length than its span stands there as far as it goes.
            parts.append(chunk.text[at - chunk.start :].ljust(chunk.end - at, "\n"))
            at = chunk.end
    return SourceText(source, "".join([*parts, kept[used:]]), tuple(ordered))


def _in_order(chunks: Iterable[Chunk]) -> Sequence[Chunk]:
    return sorted(chunks, key=lambda chunk: (chunk.start, chunk.ordinal))
