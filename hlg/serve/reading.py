"""A source's text as it was read: what statements say, what none says, what is cited."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from hlg.records import SourceGraph

WINDOW = 30_000
"""Characters that a page shows at once."""
_BEFORE = 4_000
"""A cited place stands so far below the beginning of what is shown."""
_SAID, _CITED = 1, 2


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text that is shown in one way.

    ``is_said``: a statement holds it; ``is_cited``: it is what was asked for. Of ``missing``
    characters no chunk has the text.
    """

    start: int
    text: str
    is_said: bool = False
    is_cited: bool = False
    missing: int = 0


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
    length = max((chunk.end for chunk in made.chunks), default=0)
    held, flags = bytearray(length), bytearray(length)
    text = [""] * length
    for chunk in made.chunks:
        text[chunk.start : chunk.end] = chunk.text
        held[chunk.start : chunk.end] = b"\1" * (chunk.end - chunk.start)
    for statement in made.statements:
        if statement.is_aligned:
            flags[statement.start : statement.end] = b"\1" * (statement.end - statement.start)
    said = flags.count(_SAID) / length if length else 0.0
    start, end = (min(max(place, 0), length) for place in (start, end))
    for place in range(start, end):
        flags[place] |= _CITED
    first = max(0, start - _BEFORE) if at is None else min(max(at, 0), length)
    last = min(length, max(first + WINDOW, end if at is None else 0))
    pieces = tuple(_pieces(text, held, flags, first, last))
    return Reading(pieces, first, last, length, said)


def _pieces(
    text: list[str], held: bytearray, flags: bytearray, first: int, last: int
) -> Iterator[Piece]:
    for (is_held, flag), group in groupby(range(first, last), lambda x: (held[x], flags[x])):
        places = list(group)
        if is_held:
            shown = "".join(text[places[0] : places[-1] + 1])
            yield Piece(places[0], shown, bool(flag & _SAID), bool(flag & _CITED))
        else:
            yield Piece(places[0], "", missing=len(places))
