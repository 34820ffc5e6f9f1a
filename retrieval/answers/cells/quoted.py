"""Which rows have a cell that a question quotes: "Which plan has phone support?"."""

from collections.abc import Sequence

from hlg.retrieval.answers.cells.table import Cell, Table
from hlg.retrieval.answers.cells.wanted import LOOK_UP, Wanted
from hlg.retrieval.answers.cells.work import WorkedOut
from hlg.retrieval.answers.words import keys


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


def _is_quoted(cell: Cell, asked: frozenset[str]) -> bool:
    said, headed = frozenset(keys(cell.text)), frozenset(keys(cell.header))
    is_bare = any(map(str.isdigit, cell.text)) and headed.isdisjoint(asked)
    return bool(said - headed) and said <= asked and not is_bare


def _over(cells: Sequence[Cell]) -> str:
    header, text = cells[0].header, cells[0].text.strip()
    return f"{header}: {text}" if header else text
