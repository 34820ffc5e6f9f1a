"""What a table's rows are, by the totals that they add up to: "Total operating expenses"."""

import re
from collections.abc import Mapping, Sequence

from hlg.ingest.text.tables import TableRow
from hlg.words.accounts import MEASURES

MOST_SUMMED = 60
"""Rows above a total that are looked at."""
_NUMERAL = re.compile(r"\d{1,15}(?:\.\d{1,6})?")
_CURRENCIES, _MINUS = " $€£¥", ("(", "-", "–", "−")
_AROUND = " $€£¥()-–−"
_TOTAL = re.compile(r"(?i)total (?P<what>[a-z][^\d:]+?)(?:,? net)?$")


def totalled(rows: Sequence[TableRow]) -> list[str]:
    """For each row what the total below it counts: "operating expenses" where the numbers down to
    "Total operating expenses" make it up, in every column; empty elsewhere."""
    found = [""] * len(rows)
    values = [_values(row) for row in rows]
    first: dict[int, int] = {}
    for at, row in enumerate(rows):
        total = _TOTAL.match(row.cells[0][1])
        if total and values[at] and MEASURES.search(total["what"]):
            begin = _summands(values, at, first)
            if begin is not None:
                first[at] = begin
                for each in range(begin, at):
                    found[each] = found[each] or ("" if each in first else total["what"].lower())
    return found


def _summands(
    values: Sequence[Mapping[str, float]], at: int, first: Mapping[int, int]
) -> int | None:
    """The first of the rows, two at least, that a total is the sum of; None if there are none.

    :param first: of the totals above; such a one counts for the rows that it is made of.
    """
    total = values[at]
    sums = dict.fromkeys(total, 0.0)
    row, summands = at - 1, 0
    while row >= max(0, at - MOST_SUMMED):
        for header in sums:
            sums[header] += values[row].get(header, 0.0)
        summands += bool(values[row])
        row = first.get(row, row)
        if summands > 1 and all(
            abs(sums[each] - total[each]) <= _rounding(total[each], summands) for each in sums
        ):
            return row
        row -= 1
    return None


def _rounding(total: float, summands: int) -> float:
    """What a sum may be off by where each summand was rounded to its last digit."""
    digit = 1.0 if total == int(total) else 0.1
    return 0.5 * digit * min(summands, 4)


def _values(row: TableRow) -> dict[str, float]:
    """The numbers of a row by header."""
    return {header: value for header, cell in row.cells[1:] if (value := _value(cell)) is not None}


def _value(cell: str) -> float | None:
    bare = cell.replace(",", "").strip(_AROUND)
    if not _NUMERAL.fullmatch(bare):
        return None
    return -float(bare) if cell.lstrip(_CURRENCIES)[:1] in _MINUS else float(bare)
