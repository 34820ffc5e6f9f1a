"""Tables as questions are asked of them: rows with a label, cells with a header and exact spans."""

import re
from dataclasses import dataclass, replace

from hlg.records import Passage
from hlg.words.units import factor_of, is_unit, scale_in_words, signed, split_unit

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
_MARKS = re.compile(
    r"[\s$€£¥%()+\-–−.,\d]|[A-Z]{1,3}(?=[$€£¥\d ])|(?i:thousand|million|billion|bn|mn)"
)
_MINUS = re.compile(r"^\W*[-–−(]\s*[$€£¥]?\s*[\d.]")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: what stands in it, under which header, and where in its source."""

    header: str
    text: str
    start: int
    end: int

    @property
    def value(self) -> float | None:
        """The number that it is, with a unit or without; None for words. What stands in brackets
        is below zero.

        >>> Cell("", "$ (1,640)", 0, 0).value, Cell("", "3.05 m", 0, 0).value
        (-1640.0, 3.05)
        """
        found = _NUMBER.findall(self.text)
        if len(found) != 1 or not (self.unit or not _MARKS.sub("", self.text).strip(" .'’*")):
            return None
        size = float(found[0].replace(",", ""))
        return -size if _MINUS.match(self.text) else size

    @property
    def unit(self) -> str:
        """The unit that stands behind its number, empty for none."""
        before, _, after = _NUMBER.sub("\n", self.text, count=1).partition("\n")
        return after.strip() if not before.strip(" -–−(") and is_unit(after) else ""

    @property
    def is_percent(self) -> bool:
        """Whether it counts hundredths."""
        return "%" in self.text or split_unit(self.header)[1] == "%"


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its label, what it stands under, what its numbers are counted in, its cells."""

    label: str
    cells: tuple[Cell, ...]
    section: str = ""
    scale: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a passage that was found: ``rank`` is that of its hit, ``heading`` what stands
    above it, ``context`` the words around it."""

    passage: Passage
    rank: int
    rows: tuple[Row, ...]
    corner: str = ""
    heading: str = ""
    context: str = ""

    def headers(self) -> list[str]:
        """Those of its columns, from left to right."""
        return list(dict.fromkeys(cell.header for row in self.rows for cell in row.cells))

    def turned(self) -> "Table | None":
        """The table with its columns as rows, where the labels of several rows tell a year."""
        dated = [row for row in self.rows if _YEAR.search(row.label)]
        if len(dated) < 2:
            return None
        rows = []
        for header in self.headers():
            cells = tuple(
                replace(cell, header=row.label)
                for row in self.rows
                for cell in row.cells
                if cell.header == header
            )
            rows.append(Row(header, cells, "", dated[0].scale, cells[0].start, cells[-1].end))
        return replace(self, rows=tuple(rows))


def years(text: str) -> list[str]:
    """The years of a text, in order."""
    return list(dict.fromkeys(_YEAR.findall(text)))


def scaled(row: Row, cell: Cell) -> tuple[str, str]:
    """What a cell's number is counted in: a factor and a unit, in words, each empty for none.

    >>> row = Row("Revenue", (), scale="in thousands of EUR")
    >>> scaled(row, Cell("2023", "3,120", 0, 0)), scaled(row, Cell("2023", "4 %", 0, 0))
    (('thousand', '€'), ('', '%'))
    """
    if cell.is_percent:
        return "", "%"
    unit = split_unit(cell.header)[1] or split_unit(row.section)[1] or split_unit(row.label)[1]
    if not (unit or row.scale) and cell.unit and factor_of(cell.unit) == 1:
        return "", signed(cell.unit)
    factor, currency = scale_in_words(unit or row.scale)
    if unit and not factor:
        return "", signed(unit)
    return factor, signed(currency or scale_in_words(cell.text)[1])


def size(row: Row, cell: Cell) -> float | None:
    """A cell's number in ones, so that cells of several scales can be compared."""
    value = cell.value
    return None if value is None else value * factor_of(scaled(row, cell)[0])
