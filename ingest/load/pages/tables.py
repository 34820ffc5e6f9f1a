"""The tables of a page: lines with wide gaps one above the other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from hlg.ingest.load.blocks import pipe_table
from hlg.ingest.load.pages.lines import Line, Piece

NEAR = 0.5
"""How far from a column's edge a cell of it begins or ends, by the height of its line."""
LONGEST_CELL = 40
"""Characters of a table's cells, most of them."""


def table_rows(lines: Sequence[Line], position: int) -> list[Line]:
    """The rows of the table that begins at a line: three or more of several cells each, one under
    the other; none where there is no table."""
    rows: list[Line] = []
    columns: Columns | None = None
    for line in lines[position:]:
        if line.fixed or (len(line.cells) < 2 and not rows):
            break
        if len(line.cells) < 2:
            columns = columns or Columns.of(rows)
            if len(columns.cells(line)) != len(columns.lefts):
                break
        if rows and not 0 < rows[-1].bottom - line.bottom < 3 * line.size:
            break
        rows.append(line)
    if len(rows) < 3:
        return []
    cells = [text for row in rows for _, text in row.cells]
    return rows if median(map(len, cells)) <= LONGEST_CELL else []


def table_of(lines: Sequence[Line]) -> str:
    """Rows as Markdown, cells under the column that begins nearest to where they do."""
    columns = Columns.of(lines)
    most = len(columns.lefts)
    rows = []
    for line in lines:
        row, cells = [""] * most, columns.cells(line)
        for number, (left, text) in enumerate(cells):
            place = number
            if len(cells) != most:
                place = min(range(most), key=lambda i: abs(columns.lefts[i] - left))
            row[place] = f"{row[place]} {text}".strip()
        rows.append(row)
    return pipe_table(rows)


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the columns of a table begin, and their cells' edges and middles where those are
    known, by its lines with most cells."""

    lefts: tuple[float, ...]
    aligned: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "Columns":
        most = max((len(line.cells) for line in lines), default=0)
        full = [line for line in lines if len(line.cells) == most]
        lefts = tuple(median(line.cells[i][0] for line in full) for i in range(most))
        spans = [_spans(line) for line in full if line.pieces]
        return cls(lefts, tuple(map(_median_edges, zip(*spans, strict=True))))

    def cells(self, line: Line) -> Sequence[tuple[float, str]]:
        """A line's cells, one that reaches over a gap into the next column as two."""
        if len(line.cells) >= len(self.lefts) or not line.pieces:
            return line.cells
        starts = {left for left, _ in line.cells}
        cells: list[tuple[float, str]] = []
        for piece in line.pieces:
            if not cells or piece.left in starts or self._has(piece, NEAR * line.size):
                cells.append((piece.left, piece.text))
            else:
                cells[-1] = cells[-1][0], f"{cells[-1][1]} {piece.text}"
        return cells

    def _has(self, piece: Piece, near: float) -> bool:
        """Whether words stand under a column's: their left, their right, or their middle."""
        edges = _edges(piece.left, piece.right)
        return any(
            abs(edge - other) < near
            for column in self.aligned
            for edge, other in zip(edges, column, strict=True)
        )


def _spans(line: Line) -> list[tuple[float, float]]:
    """Where each cell of a line begins and ends; its words may be written from right to left."""
    begins = [left for left, _ in line.cells]
    limits = [*begins[1:], math.inf]
    return [
        (
            begin,
            max((each.right for each in line.pieces if begin <= each.left < limit), default=begin),
        )
        for begin, limit in zip(begins, limits, strict=True)
    ]


def _edges(left: float, right: float) -> tuple[float, float, float]:
    return left, right, (left + right) / 2


def _median_edges(spans: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    edges = [_edges(*span) for span in spans]
    return tuple(median(each) for each in zip(*edges, strict=True))
