"""A source's text as it was read: what statements say, what none says, what is cited."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from hlg.records import SourceGraph
from hlg.store.source_text import put_together

WINDOW = 30_000
"""Characters that a page shows at once."""
_BEFORE = 4_000
"""A cited place stands at most so far below the beginning of what is shown."""
_HELD, _SAID, _CITED = 1, 2, 4


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text that is shown in one way.

    ``is_held``: a chunk holds it, so that a search can find it; ``is_said``: a statement does;
    ``is_cited``: it is what was asked for.
    """

    start: int
    text: str
    is_held: bool
    is_said: bool
    is_cited: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """The pieces of a window ``[start, end)`` of a text of ``length`` characters, in order.

    ``said`` is the share of the whole text that statements hold.
    """

    pieces: tuple[Piece, ...]
    start: int
    end: int
    length: int
    said: float


def reading(made: SourceGraph, start: int = 0, end: int = 0, at: int | None = None) -> Reading:
    """The window of a source's text around a cited span, or from ``at`` on."""
    text = put_together(made.source, made.chunks).text
    length = len(text)
    flags = bytearray(length)
    for chunk in made.chunks:
        _mark(flags, chunk.start, chunk.end, _HELD)
    for statement in made.statements:
        if statement.is_aligned:
            _mark(flags, statement.start, statement.end, _HELD | _SAID)
    said = flags.count(_HELD | _SAID) / length if length else 0.0
    start, end = (min(max(place, 0), length) for place in (start, end))
    # What is cited is one piece, whatever statements hold of it.
    _mark(flags, start, end, _HELD | _SAID | _CITED)
    first = max(0, start - _BEFORE) if at is None else min(max(at, 0), length)
    last = min(length, first + WINDOW)
    return Reading(tuple(_pieces(text, flags, first, last)), first, last, length, said)


def _mark(flags: bytearray, start: int, end: int, flag: int) -> None:
    stop = min(end, len(flags))
    flags[start:stop] = bytes([flag]) * (stop - start)


def _pieces(text: str, flags: bytearray, first: int, last: int) -> Iterator[Piece]:
    place = first
    for flag, group in groupby(flags[first:last]):
        end = place + sum(1 for _ in group)
        held, said, cited = (bool(flag & each) for each in (_HELD, _SAID, _CITED))
        yield Piece(place, text[place:end], held, said, cited)
        place = end
