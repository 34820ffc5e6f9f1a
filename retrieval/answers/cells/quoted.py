"""Questions in a table's own words: which rows have a cell that a question quotes ("Which plan has
phone support?"), and which row has most of what one of its columns counts ("Which part has the
highest torque?")."""

from collections.abc import Sequence

from hlg.retrieval.answers.cells.match import PRICE, Candidate
from hlg.retrieval.answers.cells.table import Cell, Row, Table, scaled
from hlg.retrieval.answers.cells.wanted import LOOK_UP, WHICH, Wanted
from hlg.retrieval.answers.cells.work import WorkedOut, work_out
from hlg.retrieval.answers.words import GROUP, keys
from hlg.words.units import is_money

NEAREST = 2
"""Rank of the last hit whose tables are near enough for that."""


def quoting_rows(what: Wanted, tables: Sequence[Table]) -> tuple[WorkedOut, Table] | None:
    """The labels of the rows that have a cell all of whose words the question has, in the first
    table whose column of labels is what the question asks for; None where there are none.

    A cell with a digit has to be asked for by its header too.
    """
    if what.how != LOOK_UP or not what.of_rows:
        return None
    asked = frozenset(what.words).union(what.years)
    for table in tables:
        labels = frozenset(keys(table.corner))
        if labels.isdisjoint(asked):
            continue
        held = {
            row.label.strip(): cell
            for row in table.rows
            for cell in row.cells
            if _is_quoted(cell, asked - labels)
        }
        if held and len(held) < len(table.rows):
            cells = tuple(held.values())
            return WorkedOut(", ".join(held), _over(cells), cells), table
    return None


def ranked_rows(what: Wanted, tables: Sequence[Table]) -> tuple[WorkedOut, Table] | None:
    """The row with the largest or smallest cell of the one column that a question asks for, in the
    first table whose column of labels is what the question asks for; None where there is none.

    A measure that is asked for ("cheapest" of prices) has to be that column's; a number in the
    question is a limit, and no row is ranked by it.
    """
    if what.how != WHICH or any(map(str.isdigit, "".join((*what.words, *what.years)))):
        return None
    asked = frozenset(what.words)
    measures = frozenset(key for key in asked if key.startswith(GROUP))
    for table in tables:
        labels = frozenset(keys(table.corner))
        if table.rank > NEAREST or labels.isdisjoint(asked):
            continue
        row = table.rows[0]
        wanted = measures or asked - labels
        columns = [cell for cell in row.cells if not wanted.isdisjoint(_counted(row, cell))]
        if len(columns) == 1 and len({each.section for each in table.rows}) == 1:
            worked = work_out(what, Candidate(table, row, tuple(columns), row.cells))
            return (worked, table) if worked is not None else None
    return None


def _counted(row: Row, cell: Cell) -> frozenset[str]:
    """What a column counts, by the words of its header; money is a price."""
    if cell.value is None:
        return frozenset()
    return frozenset(keys(f"{cell.header} {PRICE if is_money(scaled(row, cell)[1]) else ''}"))


def _is_quoted(cell: Cell, asked: frozenset[str]) -> bool:
    said, headed = frozenset(keys(cell.text)), frozenset(keys(cell.header))
    is_bare = any(map(str.isdigit, cell.text)) and headed.isdisjoint(asked)
    return bool(said - headed) and said <= asked and not is_bare


def _over(cells: Sequence[Cell]) -> str:
    header, text = cells[0].header, cells[0].text.strip()
    return f"{header}: {text}" if header else text
