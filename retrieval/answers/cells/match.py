"""Which row of which table a question is about, and which of its cells.

A linear score of what the question's words, years and months have in common with a row's label,
its section, the headers of its cells and what stands around the table.
``python -m benchmarks.cell_answers`` weighs what speaks for a row.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.names import normalize_name
from hlg.retrieval.answers.cells.table import Cell, Row, Table, scaled, years
from hlg.retrieval.answers.cells.wanted import Wanted, months
from hlg.retrieval.answers.words import keys, share, weigh
from hlg.words.units import is_money

SIGNALS = (
    "label_told", "row_told", "all_told", "label_asked", "section_asked", "header_asked",
    "header_told", "verbatim", "years_told", "dated", "month", "rank", "column", "total",
    "label_words", "number",
)  # fmt: skip
"""What speaks for a row and its cells: how much of the question its label, with section and
headers, with all around it tell; how much of label, section and header the question asks for;
whether the label stands in it as it is; years, months and places."""
MOST_ROWS = 400
PRICE = "price"
"""What a sum of money tells, whatever its header."""
_TOTAL = re.compile(r"(?i)\btotal\b")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row of a table with the cells of it that a question may ask for."""

    table: Table
    row: Row
    cells: tuple[Cell, ...]
    others: tuple[Cell, ...] = ()
    """The further cells of the row under headers of the same kind."""


@dataclass(frozen=True, slots=True)
class Matched:
    """Candidates with their signals, shape (candidates, len(SIGNALS))."""

    candidates: tuple[Candidate, ...]
    matrix: NDArray[np.float64]


def match(question: str, wanted: Wanted, tables: Sequence[Table]) -> Matched:
    """The rows and cells that a question may ask for, and what speaks for each."""
    turned = [each for table in tables if (each := table.turned()) is not None]
    found = [each for table in (*tables, *turned) for each in _candidates(question, wanted, table)]
    if not found:
        return Matched((), np.zeros((0, len(SIGNALS))))
    reading = _Reading(question, wanted, found)
    return Matched(tuple(found), np.array([reading.signals(each) for each in found]))


def _candidates(question: str, wanted: Wanted, table: Table) -> Iterator[Candidate]:
    for row in table.rows[:MOST_ROWS]:
        for kind, cells in _kinds(row).items():
            dated = [cell for cell in cells if len(years(cell.header)) == 1]
            if wanted.years and dated:
                chosen = tuple(
                    cell for year in wanted.years for cell in _of_year(question, year, dated)
                )
                if chosen:
                    yield Candidate(table, row, chosen, tuple(cells))
            elif dated and kind is not None:
                yield Candidate(table, row, tuple(cells[:1]), tuple(cells))
            else:
                yield from (Candidate(table, row, (cell,), tuple(cells)) for cell in cells)


def _kinds(row: Row) -> Mapping[str | None, list[Cell]]:
    """The cells of a row by what their headers say beside years."""
    found: dict[str | None, list[Cell]] = {}
    for cell in row.cells:
        kind = re.sub(r"(?:19|20)\d\d", "", cell.header).casefold().strip(" ,")
        key = kind if years(cell.header) else cell.header
        found.setdefault(key, []).append(cell)
    dated = [cell for cell in row.cells if years(cell.header)]
    if len(found) > 1 and len(dated) == len(row.cells) and len(found) == len(dated):
        return {"": dated}  # "March 31, 2019", "December 31, 2018"
    return found


def _of_year(question: str, year: str, cells: Sequence[Cell]) -> list[Cell]:
    """The cell under a year; of several the one whose month is asked for, else the first."""
    found = [cell for cell in cells if years(cell.header) == [year]]
    asked = months(question)
    near = [cell for cell in found if asked & months(cell.header)]
    return (near or found)[:1]


class _Reading:
    """A question and all candidates, so that rare words weigh more."""

    def __init__(self, question: str, wanted: Wanted, candidates: Sequence[Candidate]) -> None:
        self._question = f" {normalize_name(question)} "
        self._wanted = wanted
        self._months = months(question)
        self._asks_total = _TOTAL.search(question) is not None
        rows = [frozenset(keys(f"{each.row.label} {each.row.section}")) for each in candidates]
        self._weights = weigh(wanted.words, rows)
        self._asked = frozenset(wanted.words)

    def signals(self, candidate: Candidate) -> list[float]:
        """In the order of :data:`SIGNALS`."""
        table, row, cells = candidate.table, candidate.row, candidate.cells
        label, section = keys(row.label), keys(row.section)
        headers = [key for cell in cells for key in keys(cell.header) if not key.isdecimal()]
        near = {*label, *section, *headers, *keys(table.corner)}
        if any(is_money(scaled(row, cell)[1]) for cell in cells):
            near.update(keys(PRICE))
        around = near | {
            *keys(table.heading),
            *keys(table.context),
            *keys(table.passage.source.title),
        }
        told = {year for cell in cells for year in years(f"{cell.header} {row.label}")}
        asked_years = self._wanted.years
        at = candidate.others.index(cells[0]) if cells[0] in candidate.others else 0
        plain = normalize_name(re.sub(r"\([^()]*\)", "", row.label)).strip()
        return [
            share(self._weights, label),
            share(self._weights, near),
            share(self._weights, around),
            self._share(label),
            self._share(section) if section else 0.5,
            self._share(headers) if headers else 0.0,
            share(self._weights, headers),
            float(len(plain) > 2 and f" {plain} " in self._question),
            len(told & set(asked_years)) / len(asked_years) if asked_years else 1.0,
            float(bool(told)),
            float(any(self._months & months(cell.header) for cell in cells)),
            1.0 / table.rank,
            1.0 / (1 + at),
            float(self._asks_total == bool(_TOTAL.search(row.label))),
            min(len(label), 10) / 10,
            float(all(cell.value is not None for cell in cells)),
        ]

    def _share(self, words: Sequence[str]) -> float:
        """How many of some words the question has, of 1."""
        return sum(word in self._asked for word in words) / len(words) if words else 0.0
