"""The lines of a page, with where their words stand."""

from dataclasses import dataclass
from typing import NamedTuple


class Piece(NamedTuple):
    """Words of a line with a gap around them that is wider than a space."""

    left: float
    right: float
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its cells, each with where it begins, and its place in points from below.

    ``pieces`` are its words where they are known, cut at narrower gaps than the cells are.
    """

    cells: tuple[tuple[float, str], ...]
    left: float
    right: float
    bottom: float
    top: float
    size: float
    bold: bool
    fixed: bool
    hyphenated: bool
    pieces: tuple[Piece, ...] = ()

    @property
    def text(self) -> str:
        """The line's text, a space between cells."""
        return " ".join(text.strip() for _, text in self.cells).strip()


@dataclass(frozen=True, slots=True)
class Page:
    """A page's height in points, and its lines in reading order."""

    height: float
    lines: list[Line]
