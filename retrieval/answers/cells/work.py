"""What the cells of a row, or of a column, come to: differences, means, counts, the largest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import fsum

from hlg.retrieval.answers.cells import wanted as hows
from hlg.retrieval.answers.cells.match import Candidate
from hlg.retrieval.answers.cells.table import Cell, Row, scaled, size, years
from hlg.retrieval.answers.cells.wanted import Wanted
from hlg.words.units import split_unit, with_unit

_SIGNS = ("$", "€", "£", "¥")
LARGER = 10
"""A limit that is so many times what is in the cells is in ones, where they are in thousands."""
_YES, _NO = ("yes", "y", "true", "x", "✓", "✔"), ("no", "n", "false", "-", "–", "✗", "✘")
DIGITS = 2
"""Digits behind the point of what is worked out."""


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """What answers, what it was worked out over, empty for a cell as it stands, and the cells."""

    text: str
    over: str
    cells: tuple[Cell, ...]


def work_out(wanted: Wanted, candidate: Candidate) -> WorkedOut | None:
    """What a question wants of a row's cells; None where they do not give it."""
    return _WORK.get(wanted.how, _look_up)(wanted, candidate)


def _look_up(wanted: Wanted, candidate: Candidate) -> WorkedOut | None:
    if wanted.of_rows and candidate.cells[0].text.strip().casefold() in (*_YES, *_NO):
        return _holding(candidate)
    cells = candidate.cells if wanted.several else candidate.cells[:1]
    if len(cells) < len(wanted.years) and wanted.several:
        return None
    return WorkedOut(", ".join(cell.text.strip() for cell in cells), "", cells)


def _holding(candidate: Candidate) -> WorkedOut | None:
    """The rows that have a "yes" in a column of nothing but "yes" and "no"."""
    header = candidate.cells[0].header
    column = [(row, each) for row in candidate.table.rows for each in row.cells]
    told = [(row, each) for row, each in column if each.header == header]
    said = [each.text.strip().casefold() for _, each in told]
    if not all(each in (*_YES, *_NO) for each in said):
        return None
    held = [one for one, word in zip(told, said, strict=True) if word in _YES]
    text = ", ".join(row.label.strip() for row, _ in held) or "none"
    over = f"{len(held)} of {len(told)} rows of column {header}"
    return WorkedOut(text, over, tuple(cell for _, cell in held or told))


def _over_years(wanted: Wanted, candidate: Candidate) -> tuple[Cell, ...]:
    """The cells that are worked with: of the years asked for, and between them."""
    cells = candidate.cells
    if not wanted.years:
        return tuple(cell for cell in candidate.others if len(years(cell.header)) == 1)
    if not wanted.is_span or len(cells) != 2:
        return cells
    first, last = sorted(wanted.years)[0], sorted(wanted.years)[-1]
    between = tuple(
        cell
        for cell in candidate.others
        if (told := years(cell.header)) and first <= told[0] <= last
    )
    return between if len(between) > len(cells) else cells


def _change(wanted: Wanted, candidate: Candidate) -> WorkedOut | None:
    """The later year's number less the earlier one's, and what share of that it is."""
    row, cells = candidate.row, candidate.cells
    if not wanted.years:
        cells = tuple(cell for cell in candidate.others if len(years(cell.header)) == 1)
    if len(cells) != 2:
        return None
    earlier, later = sorted(cells, key=lambda cell: years(cell.header) or years(row.label))
    first, last = earlier.value, later.value
    if first is None or last is None:
        return None
    over = f"{_named(row)}, {later.header} less {earlier.header}"
    if wanted.how == hows.DIFFERENCE:
        return WorkedOut(_amount(last - first, row, later), over, (earlier, later))
    if not first:
        return None
    share = 100 * (last - first) / first
    return WorkedOut(f"{_digits(share)} percent", f"{over}, by {earlier.header}", (earlier, later))


def _of_all(
    wanted: Wanted, candidate: Candidate, name: str, work: Callable[[Sequence[float]], float]
) -> WorkedOut | None:
    cells = _over_years(wanted, candidate)
    values = [cell.value for cell in cells if cell.value is not None]
    if len(values) < max(2, len(wanted.years)):
        return None
    over = f"{name} of {len(values)} cells of {_named(candidate.row)}"
    return WorkedOut(_amount(work(values), candidate.row, cells[0]), over, cells)


def _count(wanted: Wanted, candidate: Candidate) -> WorkedOut | None:
    """How many cells of a row are above or below a limit, which is in ones or in their scale."""
    row = candidate.row
    cells = [cell for cell in candidate.others if cell.value is not None]
    if len(cells) < 2:
        return None
    chosen = sum(_is_within(wanted, row, cell, cells) for cell in cells)
    return WorkedOut(str(chosen), f"of {len(cells)} cells of {_named(row)}", tuple(cells))


def _limited(wanted: Wanted, candidate: Candidate) -> WorkedOut | None:
    """The years in which a row is above or below a limit."""
    row, cells = candidate.row, [cell for cell in candidate.others if years(cell.header)]
    chosen = [cell for cell in cells if _is_within(wanted, row, cell, cells)]
    if len(cells) < 2 or not chosen:
        return None
    text = ", ".join(years(cell.header)[0] for cell in chosen)
    side = "below" if wanted.is_below else "above"
    over = f"{side} {_digits(wanted.limit)} of {len(cells)} cells of {_named(row)}"
    return WorkedOut(text, over, tuple(cells))


def _is_within(wanted: Wanted, row: Row, cell: Cell, cells: Sequence[Cell]) -> bool:
    """Whether a cell is on the asked side of a limit, which is in ones or in their scale."""
    sizes = [abs(value) for each in cells if (value := size(row, each)) is not None]
    plain = [abs(each.value or 0.0) for each in cells]
    value = cell.value
    if value is None or not sizes:
        return False
    if wanted.limit > LARGER * max(plain) or max(sizes) == max(plain):
        value = size(row, cell) or 0.0
    return value < wanted.limit if wanted.is_below else value > wanted.limit


def _years(wanted: Wanted, candidate: Candidate) -> WorkedOut | None:
    """The years that a table has columns for."""
    headers = candidate.table.headers()
    told = list(dict.fromkeys(year for each in headers for year in years(each)[:1]))
    cells = [cell for cell in candidate.others if years(cell.header)]
    if not told or not cells:
        return None
    return WorkedOut(", ".join(told), f"the columns of {_named(candidate.row)}", tuple(cells))


def work_out_pair(wanted: Wanted, one: Candidate, other: Candidate) -> WorkedOut | None:
    """What the cells of two rows under one header come to."""
    first, second = one.cells[0], other.cells[0]
    a, b = first.value, second.value
    if a is None or b is None or one.row == other.row or first.is_percent != second.is_percent:
        return None
    names = _named(one.row), _named(other.row)
    cells = (first, second)
    if wanted.how == hows.PAIR_SUM:
        return WorkedOut(_amount(a + b, one.row, first), f"{names[0]} and {names[1]}", cells)
    if wanted.how == hows.PAIR_DIFFERENCE:
        return WorkedOut(_amount(a - b, one.row, first), f"{names[0]} less {names[1]}", cells)
    if not b:
        return None
    over = f"{names[0]} by {names[1]}"
    share = f"{_digits(100 * a / b)} percent" if wanted.how == hows.SHARE else _digits(a / b)
    return WorkedOut(share, over, cells)


def _when(wanted: Wanted, candidate: Candidate) -> WorkedOut | None:
    """The year, or the header, of a row's largest or smallest cell."""
    cells = candidate.cells if len(wanted.years) > 1 else candidate.others
    best = _extreme(wanted, [(candidate.row, cell) for cell in cells])
    if best is None:
        return None
    _, cell, count = best
    told = years(cell.header)
    others = [years(each.header)[:1] for each in cells]
    text = told[0] if told and others.count(told[:1]) == 1 else cell.header
    over = f"{_extent(wanted)} of {count} cells of {_named(candidate.row)}"
    return WorkedOut(text, over, tuple(cells))


def _which(wanted: Wanted, candidate: Candidate) -> WorkedOut | None:
    """The row that has the largest or smallest number in a column; sums count for none."""
    header, table = candidate.cells[0].header, candidate.table
    section = candidate.row.section
    pairs = [
        (row, cell)
        for row in table.rows
        for cell in row.cells
        if cell.header == header
        and row.section == section
        and not row.label.lower().startswith(("total", "sum", "net "))
    ]
    best = _extreme(wanted, pairs)
    if best is None:
        return None
    row, _, count = best
    told = split_unit(header)[0] or "amount"
    over = f"{_extent(wanted)} of {count} rows of column {told}"
    cells = tuple(sorted((cell for _, cell in pairs), key=lambda cell: cell.start))
    return WorkedOut(row.label.strip(), over, cells)


def _extreme(wanted: Wanted, pairs: Sequence[tuple[Row, Cell]]) -> tuple[Row, Cell, int] | None:
    """The largest or smallest of cells that are counted in one unit, and of how many it is."""
    known = [(row, cell, size(row, cell)) for row, cell in pairs]
    sized = [(row, cell, value) for row, cell, value in known if value is not None]
    units = {scaled(row, cell)[1] for row, cell, _ in sized}
    is_mixed = len(units - {""}) > 1 or {"%", ""} <= units
    if len(sized) < 2 or is_mixed:
        return None
    values = sorted(value for _, _, value in sized)
    edge = values[0] if wanted.is_least else values[-1]
    if values.count(edge) > 1:
        return None
    row, cell, _ = next(each for each in sized if each[2] == edge)
    return row, cell, len(sized)


def _extent(wanted: Wanted) -> str:
    return "smallest" if wanted.is_least else "largest"


def _named(row: Row) -> str:
    return f"row {row.label.strip()}" if row.label.strip() else "the row"


def _amount(value: float, row: Row, cell: Cell) -> str:
    factor, unit = scaled(row, cell)
    if unit == "%":
        return f"{_digits(value)} percent"
    said = f"{_digits(value)} {factor}".strip()
    if unit in _SIGNS:
        return f"-{unit}{said[1:]}" if value < 0 else f"{unit}{said}"
    return with_unit(said, unit)


def _digits(value: float) -> str:
    """A number with its thousands marked, and no more digits than it has.

    >>> _digits(-23371.0), _digits(14.6789), _digits(16820.5)
    ('-23,371', '14.68', '16,820.5')
    """
    rounded = round(value, DIGITS) + 0.0
    text = f"{rounded:,.{DIGITS}f}"
    return text.rstrip("0").rstrip(".")


_WORK: dict[str, Callable[[Wanted, Candidate], WorkedOut | None]] = {
    hows.DIFFERENCE: _change,
    hows.PERCENT: _change,
    hows.MEAN: partial(_of_all, name="mean", work=lambda values: fsum(values) / len(values)),
    hows.SUM: partial(_of_all, name="sum", work=fsum),
    hows.COUNT: _count,
    hows.WHEN: _when,
    hows.WHICH: _which,
    hows.YEARS: _years,
    hows.LIMITED: _limited,
}
