"""What a table's rows say: the section that a row is of, rows that say nothing alone, and headers
that are predicates.

Statements of accounts have a column of labels without a name. A label that ends with a colon
opens a section, down to its total; and a label such as "Percentage of total revenues", one
that the table has twice, or a bare number under percentages means nothing without the rows
around it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hlg.ingest.text.tables import TableRow
from hlg.ingest.words.lexicon import CALENDAR

__all__ = ["RowPlace", "is_period", "is_predicate", "row_places"]

LONGEST_SECTION = 80
"""Characters of a line that opens a section."""
LONGEST_PREDICATE = 2
"""Words of a column's header that can be a predicate of words; a number may have a longer."""
_ALONE = re.compile(
    r"(?:as an? )?(?:percent(?:age)?|per cent|%|share|portion|ratio) of\b"
    r"|(?:sub)?total(?: (?:current|deferred|other|net|gross|non-?current))?$"
    r"|(?:net |opening |closing |beginning |ending )?balances?\b"
    r"|(?:granted|exercised|forfeited|expired|vested|cancell?ed|issued|outstanding|exercisable"
    r"|additions?|acquisitions?|disposals?|effects? of)\b"
    r"|(?:others?|current|deferred)$",
    re.IGNORECASE,
)
"""Labels that say what is counted only with the table's title or other rows."""
_NUMBER, _PERCENT = re.compile(r"[\s$€£¥()+\-.,\d]+$"), re.compile(r"[\s(+\-.,\d)]+%$")
_CURRENCY = re.compile(r"[$€£¥]")
_SCALE = re.compile(
    r"\bin ((?:(?:[a-z.]+ )?(?:thousand|million|billion)s?)(?: of [a-z.]+(?: dollars)?)?)\b",
    re.IGNORECASE,
)
_SCALED = re.compile(
    r"[(\s]*((?:[a-z]{0,3}[$€£¥] ?|[a-z]{3} )?(?:thousand|million|billion)s?)[)\s]*", re.I
)
"""A column of labels' header that is nothing but a scale: "€ million"."""
_WITHOUT_SCALE = re.compile(
    r"\bper (?:\w+ )?(?:share|unit)|\bshares\b|\brates?\b|\bratio\b|%|\bpercent|\bnumber of\b"
    r"|\bemployees\b|\bheadcount\b|\b(?:days|weeks|months|years)\b",
    re.IGNORECASE,
)
"""Labels whose numbers are not in the thousands of the others."""
_DASHES = " -–—−."
"""Cells of these alone have nothing in them."""
_CHANGE = re.compile(
    r"(?i)\b(?:change|difference|increase|decrease|variance)s?\W*(?:(?:in|of)\W*)?$"
)
"""Headers of numbers that say what changed only beside the columns before."""
_NOTES = frozenset(("note", "notes", "ref", "ref."))
"""Headers of columns that say where to read on."""
_FIGURES = re.compile(r"[\s$€£¥%()+\-.,\d:/]+$")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|\b\d\d/\d\d\b")


@dataclass(frozen=True, slots=True)
class RowPlace:
    """The section that a row is of, empty for none; whether its cells say something alone; and
    what its numbers are counted in."""

    section: str = ""
    speaks: bool = True
    scale: str = ""

    def measured(self, header: str, cell: str) -> str:
        """A cell with the scale of its table's numbers: "18,514 (in thousands)"."""
        told = not self.scale or "%" in header or _SCALE.search(header) is not None
        return cell if told or not _is_number(cell) else f"{cell} ({self.scale})"


def row_places(rows: Sequence[TableRow]) -> list[RowPlace]:
    """The place of each row of one table, from top to bottom."""
    sections = _sections(rows)
    labels = Counter(
        (section, row.cells[0][1]) for section, row in zip(sections, rows, strict=True)
    )
    shares = _are_shares(rows)
    places = []
    for section, row in zip(sections, rows, strict=True):
        label = row.cells[0][1]
        twice = labels[section, label] > 1
        share = shares and any(_is_number(cell) for _, cell in row.cells[1:])
        unclear = _is_labelled(row) and (twice or share or bool(_ALONE.match(label)))
        places.append(RowPlace(section, not unclear and not _is_unit(row), _scale(row)))
    return places


def _scale(row: TableRow) -> str:
    """What a row's numbers are counted in, as its table's notes or first header say."""
    if _WITHOUT_SCALE.search(row.cells[0][1]):
        return ""
    if alone := _SCALED.fullmatch(row.cells[0][0]):
        return alone.group(1)
    told = (*row.notes, row.cells[0][0])
    found = next((match for each in told if (match := _SCALE.search(each))), None)
    return f"in {found.group(1)}" if found else ""


def _sections(rows: Sequence[TableRow]) -> list[str]:
    """The section of each row: from a label with a colon to its total."""
    found, section = [], ""
    for row in rows:
        label = row.cells[0][1]
        if len(row.cells) == 1:
            opens = label.endswith(":") and len(label) <= LONGEST_SECTION
            section = label.rstrip(": ") if opens else ""
        found.append(section if _is_labelled(row) else "")
        if label.lower().startswith("total"):
            section = ""
    return found


def _is_labelled(row: TableRow) -> bool:
    """Whether the first cell is a label in a column without a name."""
    return not row.cells[0][0]


def _are_shares(rows: Sequence[TableRow]) -> bool:
    """Whether the first numbers are shares of a whole: those below are too, without saying so."""
    first = next((row for row in rows if len(row.cells) > 1), None)
    return first is not None and all(_PERCENT.match(cell) for _, cell in first.cells[1:])


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.match(cell)) and any(map(str.isdigit, cell))


def _is_unit(row: TableRow) -> bool:
    """Whether all cells but the first are one unit, that of the columns below: "S$ Mil"."""
    cells = {cell for _, cell in row.cells[1:]}
    if len(row.cells) < 3 or len(cells) > 1:
        return False
    (cell,) = cells
    return not any(map(str.isdigit, cell)) and (_is_labelled(row) or bool(_CURRENCY.search(cell)))


def is_period(header: str) -> bool:
    """Whether a column's header says only when: "2019", "December 31, 2018"."""
    return all(
        word.strip(".,").lower() in CALENDAR or any(map(str.isdigit, word))
        for word in header.split()
    )


def is_predicate(header: str, cell: str) -> bool:
    """Whether a column's header says what a cell is; a row of cells may stand as the header."""
    if header.endswith(("$", "()")) or header.lower() in _NOTES or not cell.strip(_DASHES):
        return False
    if _FIGURES.match(cell):
        told = _YEAR.search(header) is not None or (header[:1].isalpha() and len(header) > 2)
        return told and not _CHANGE.search(header)
    named = header[:1].isalpha() and len(header) > 1
    return len(header.split()) <= LONGEST_PREDICATE and (named or bool(_YEAR.search(header)))
