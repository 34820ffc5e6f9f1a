"""Whether a table's first row names its columns, or is one of its rows."""

import re
from collections.abc import Sequence
from itertools import pairwise

SAMPLE_ROWS = 50
"""Rows below the first that it is held against."""
FULL_COLUMN = 0.8
"""A column is of numbers where so many of its cells are."""
NARROW = 0.5
"""A first row with less than this of the cells that rows below have names no columns."""
_NUMBER = re.compile(
    r"[(+\-]?\s*[$€£¥]?\s*[+\-]?(?:\d[\d,.']*|\.\d+)(?:[eE][+\-]?\d+)?\s*[%$€£¥]?\)?"
    r"|\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?(?:[T ]\d{1,2}:\d{2}.*)?"
)
_NOTHING = frozenset(("", "na", "n/a", "nan", "null", "none", "-", "--", "?", "."))


def looks_like_header(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether a first row names the columns of the rows below it.

    It does where words stand over numbers. It does not where it is much shorter than they
    are, where numbers stand over numbers (those of a series, such as years, aside), or where
    its words say what the rows below say in the same column, or say a thing twice.
    """
    words = [cell for cell in first if not _is_nothing(cell)]
    if not words:
        return False
    if all(map(_is_number, words)):
        return not first[0] and _is_series(words)
    rows = [row for row in body[:SAMPLE_ROWS] if any(row)]
    if not rows:
        return True
    widths = sorted(sum(bool(cell) for cell in row) for row in rows)
    if len(words) < NARROW * widths[len(widths) // 2]:
        return False
    numeric = [_is_of_numbers([row[i] for row in rows if i < len(row)]) for i in range(len(first))]
    over = [cell for cell, is_numeric in zip(first, numeric, strict=True) if is_numeric]
    numbers = [cell for cell in over if _is_number(cell)]
    if any(not _is_number(cell) and not _is_nothing(cell) for cell in over):
        return not numbers or _is_series(numbers)
    if numbers:
        return _is_series(numbers)
    again = any(
        cell == row[i]
        for i, cell in enumerate(first)
        if cell and not numeric[i]
        for row in rows
        if i < len(row)
    )
    folded = [cell.casefold() for cell in words]
    return not again and len(set(folded)) == len(folded)


def _is_nothing(cell: str) -> bool:
    return cell.strip().lower() in _NOTHING


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell.strip()) is not None


def _is_of_numbers(column: Sequence[str]) -> bool:
    said = [cell for cell in column if not _is_nothing(cell)]
    return bool(said) and sum(map(_is_number, said)) >= FULL_COLUMN * len(said)


def _is_series(cells: Sequence[str]) -> bool:
    """Whether numbers count on by steps of one size, as years and months over columns do."""
    if not all(cell.strip().isdecimal() and len(cell.strip()) <= 4 for cell in cells):
        return False
    values = [int(cell) for cell in cells]
    steps = {after - before for before, after in pairwise(values)}
    if len(values) == 1:
        return 1500 <= values[0] <= 2200
    return len(steps) == 1 and steps.pop() in (-10, -5, -1, 1, 5, 10)
