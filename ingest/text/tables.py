"""Tables in text: rows with the header of every cell, and exact spans.

CSV and TSV as in RFC 4180 (a quoted cell may hold the delimiter, quotes and newlines),
tables drawn with pipes as Markdown has them, and columns that tabs or spaces part.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise

from hlg.ingest.text.table_header import NARROW, SAMPLE_ROWS, looks_like_header

LONGEST_ROW = 20_000
"""A quote that isn't closed within so many characters is taken for a plain character."""
LONGEST_HEADER = 200
"""Characters of a column's header that are repeated with each of its cells."""
FIGURES = re.compile(r"[\s$€£¥%()+\-.,\d:/]+$")
"""A cell without words."""

# Possessive: linear on a line of any length.
_SEPARATOR = re.compile(r"\|?\s*+:?-{2,}+:?\s*+(?:\|\s*+:?-{2,}+:?\s*+)*+\|?\s*+$")
_PIPE = re.compile(r"(?<!\\)\|")
_TAB = re.compile(r"\t")
_GAP = re.compile(r"\S {2,}\S")
_RULED = re.compile(r"[-=_+ ]*[-=_]{2}[-=_+ ]*")
_GUTTER = re.compile("(?<=1)00+(?=1)")
_UNIT = re.compile(r"(?:(?:all )?(?:amounts |figures |dollars )?in \S|\(.*\)$)", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_TIME = re.compile(
    r"(?i)(?:as (?:of|at)|(?:for )?(?:the )?(?:fiscal |three |six |nine |twelve )*"
    r"(?:years?|quarters?|months?|weeks?|fiscal)\b|(?:jan|febr)uary|march|april|may|june|july"
    r"|august|(?:sept|nov|dec)ember|october)\b"
)
_HALVES = (" than", " over", " and", " of", " to", " in", "-")
"""How a header's cell ends that goes on in the cell below it."""
FEWEST_LINES = 3
"""Lines of a table that nothing marks as one."""
WIDEST = 400
"""Characters of a line of a table whose columns spaces part."""
MOST_HEADERS = 4
"""Lines of a table that can be its header, one above the other."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row's span in the text and its cells with their headers, empty cells left out.

    ``notes`` hold for the whole table: its caption, units and periods.
    """

    start: int
    end: int
    cells: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()

    def details(self) -> str:
        """The cells with their headers, then the notes: ``Year: 2023; Revenue: 5.1; in EUR``."""
        cells = [f"{header}: {value}" if header else value for header, value in self.cells]
        return "; ".join([*cells, *self.notes])


def csv_rows(text: str, delimiter: str) -> Iterator[TableRow]:
    """The rows of a CSV text under its header; where it has none, columns go by their number.

    Records of one cell above the header, or of few, are the table's notes: caption, units, periods.
    """
    records = (
        (start, end, [" ".join(cell.split()) for cell in _cells(text[start:end], delimiter)])
        for start, end in _records(text, delimiter)
    )
    sample = list(islice(records, SAMPLE_ROWS + MOST_HEADERS + 1))
    if not sample:
        return
    above = _rows_above([cells for _, _, cells in sample])
    notes = tuple(
        f"{delimiter} ".join(filter(None, cells))[:LONGEST_HEADER] for _, _, cells in sample[:above]
    )
    cells, body = sample[above][2], [row for _, _, row in sample[above + 1 :]]
    if looks_like_header(cells, body):
        headers, first = _headers(cells), above + 1
    else:
        width = max(map(len, (cells, *body)))
        headers, first = [f"column {number + 1}" for number in range(width)], above
    for start, end, cells in chain(sample[first:], records):
        if row := _row(start, end, headers, cells, notes):
            yield row


def _rows_above(sample: Sequence[Sequence[str]]) -> int:
    """How many records stand above a table: of one cell, or of few over its header."""
    filled = [sum(map(bool, cells)) for cells in sample]
    width = sorted(filled)[len(filled) // 2]
    most = min(MOST_HEADERS, len(sample) - 1)
    narrow = next((at for at in range(most) if filled[at] >= max(2, NARROW * width)), most)
    if width > 1 and looks_like_header(sample[narrow], sample[narrow + 1 :]):
        return narrow
    return next((at for at in range(most) if filled[at] != 1 or width < 2), most)


def _records(text: str, delimiter: str) -> Iterator[tuple[int, int]]:
    """Spans of records: lines, but that a newline inside quotes ends none."""
    special = re.compile(r'["\n\r' + re.escape(delimiter) + "]")
    start = position = 0
    cell_begins = True
    while match := special.search(text, position):
        at, character = match.start(), match.group()
        cell_begins = cell_begins and not text[position:at].strip()
        position = at + 1
        if character == '"':
            if cell_begins:
                position = _closing_quote(text, at) or position
            cell_begins = False
            continue
        cell_begins = True
        if character != delimiter:
            yield from _stripped(text, start, at)
            start = position
    yield from _stripped(text, start, len(text))


def _closing_quote(text: str, opening: int) -> int | None:
    """Position after the quote that closes the one at ``opening``; None where none does."""
    limit = opening + LONGEST_ROW
    position = opening + 1
    while (at := text.find('"', position, limit)) >= 0:
        if text[at + 1 : at + 2] != '"':
            return at + 1
        position = at + 2
    return None


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    record = text[start:end]
    if record.strip():
        yield start + len(record) - len(record.lstrip()), start + len(record.rstrip())


def _cells(record: str, delimiter: str) -> list[str]:
    if '"' not in record:
        return record.split(delimiter)
    # NUL is a line's end to the csv module.
    reader = csv.reader([record.replace("\0", " ")], delimiter=delimiter, skipinitialspace=True)
    try:
        return next(reader, [])
    except csv.Error:
        return record.split(delimiter)


def pipe_table(lines: Iterable[tuple[int, str]]) -> tuple[int, list[TableRow]]:
    """The table that begins at the first of ``lines`` (offset and text, stripped).

    Lines with the same number of pipes are a table where a Markdown separator comes
    second or there are three of them at least. Gives the lines used, 0 for no table;
    none is looked at beyond the first that isn't in it.
    """
    table = _alike(lines, _PIPE)
    separated = len(table) > 1 and _SEPARATOR.match(table[1][1]) is not None
    if len(table) < FEWEST_LINES and not separated:
        return 0, []
    rows = [
        (start, start + len(text), pipe_cells(text))
        for start, text in table
        if not _SEPARATOR.match(text)
    ]
    return len(table), _under_headers(rows, headed=separated)


def tab_table(lines: Iterable[tuple[int, str]]) -> tuple[int, list[TableRow]]:
    """Likewise, of three lines at least whose cells tabs part."""
    table = _alike(lines, _TAB)
    inside = sum("\t" in text.strip() for _, text in table)
    if len(table) < FEWEST_LINES or 2 * inside < len(table):
        return 0, []  # few, or lines that are only moved in
    rows = [
        (start, start + len(text), [" ".join(cell.split()) for cell in text.split("\t")])
        for start, text in table
    ]
    return len(table), _under_headers(rows, headed=False)


def spaced_table(lines: Iterable[tuple[int, int, str]]) -> tuple[int, list[TableRow]]:
    """Likewise, of three lines at least (offset, column and text) in which columns stay blank from
    top to bottom."""
    table: list[tuple[int, int, str]] = []
    gutters: list[int] = []
    used = taken = 0
    is_ruled = False
    for line in lines:
        _, column, text = line
        if len(table) == 1 and _RULED.fullmatch(text):
            is_ruled = True
        elif _GAP.search(text) is None or column + len(text) > WIDEST:
            break
        else:
            more = taken | _letters(column, text)
            found = _gutters(more)
            looked_at = [line] if len(found) == len(gutters) else [*table, line]
            if any(sum(map(bool, _between(each, found))) < 2 for each in looked_at):
                break
            taken, gutters = more, found
            table.append(line)
        used += 1
    if len(table) < FEWEST_LINES:
        return 0, []
    rows = [(each[0], each[0] + len(each[2]), _between(each, gutters)) for each in table]
    return used, _under_headers(rows, headed=is_ruled)


def _letters(column: int, text: str) -> int:
    """The columns that a line has letters in, as bits."""
    return sum(1 << place for place, letter in enumerate(text, start=column) if letter != " ")


def _gutters(taken: int) -> list[int]:
    """Where columns begin that stay blank between others, two characters or more."""
    return [each.start() for each in _GUTTER.finditer(f"{taken:b}"[::-1])]


def _between(line: tuple[int, int, str], gutters: Sequence[int]) -> list[str]:
    """What stands in a line between gutters."""
    _, column, text = line
    bounds = [0, *(max(gutter - column, 0) for gutter in gutters), len(text)]
    return [" ".join(text[start:end].split()) for start, end in pairwise(bounds)]


def _alike(lines: Iterable[tuple[int, str]], mark: re.Pattern[str]) -> list[tuple[int, str]]:
    """The first lines, as far as they have the same number of marks between cells."""
    table: list[tuple[int, str]] = []
    marks = 0
    for line in lines:
        here = len(mark.findall(line[1]))
        if not here or (table and here != marks):
            break
        marks = here
        table.append(line)
    return table


def _under_headers(rows: Sequence[tuple[int, int, list[str]]], *, headed: bool) -> list[TableRow]:
    """A table's rows, each cell under its header; ``headed``: the first row is one for sure."""
    title: tuple[str, ...] = ()
    if _is_titled([cells for _, _, cells in rows]):
        title, rows, headed = (rows[0][2][0],), rows[1:], True
    stacked = [_headers(rows[0][2])] if rows else []
    stacked += [_headers(cells) for _, _, cells in rows[1 : _more_headers(rows)]]
    headers, notes = _joined_headers(stacked)
    body = rows[len(stacked) :]
    if not headed and not _has_header(stacked, headers, [cells for _, _, cells in body]):
        headers, notes, body = [], (), rows
    notes = (*title, *notes)
    found = (_row(start, end, headers, cells, notes) for start, end, cells in body)
    return [row for row in found if row]


def _is_titled(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is a title: a cell alone over a row that names each column."""
    if len(rows) < FEWEST_LINES or len(rows[0]) < FEWEST_LINES or not rows[0][0]:
        return False
    names = [cell for cell in rows[1] if not FIGURES.match(cell)]
    return (
        not any(rows[0][1:])
        and len(set(names)) == len(rows[1])
        and looks_like_header(rows[1], rows[2:])
    )


def _has_header(
    stacked: Sequence[Sequence[str]], headers: Sequence[str], body: Sequence[Sequence[str]]
) -> bool:
    """Whether a table's first lines name its columns: words or years over columns of numbers, or
    cells that stand over several."""
    if len(stacked) > 1:
        return looks_like_header(headers, body)
    columns = [[cell for cell in column if cell] for column in zip(*body, strict=False)]
    counted = any(column and all(FIGURES.match(cell) for cell in column) for column in columns)
    return counted and looks_like_header(headers, body)


def _more_headers(rows: Sequence[tuple[int, int, list[str]]]) -> int:
    """How many rows are the header: the first, and those that go on with it.

    They do below a first cell that is empty, as is theirs above the rows' names; and below cells
    that stand over several columns, with the first cell empty or the same.
    """
    first = rows[0][2]
    number = 1
    for _, _, cells in rows[1 : MOST_HEADERS + 1]:
        below = [cell for over, cell in zip(first, cells, strict=False) if cell and not over]
        named = any(below) and all(
            _YEAR.fullmatch(each) or not FIGURES.match(each) for each in below
        )
        filled = [cell for cell in cells[1:] if cell]
        dated = bool(filled) and all(map(_YEAR.search, filled)) and number == 1
        corner = cells[0] in ("", first[0]) or (
            not first[0] and dated and not any(map(_YEAR.search, first))
        )
        if not corner or not (named or not first[0]):
            return number
        number += 1
    return 1


def _joined_headers(stacked: Sequence[Sequence[str]]) -> tuple[list[str], tuple[str, ...]]:
    """One header a column, from the top, and what stands alone in a line: units and periods.

    A cell that stands over several columns is written over the first of them; one of the
    lowest line, and half a phrase ("Less than"), over its own alone.
    """
    if len(stacked) == 1:
        return list(stacked[0]), ()
    notes = [cells for cells in stacked if _is_note(cells)]
    lines = [cells for cells in stacked if not _is_note(cells)]
    columns: list[list[str]] = [[] for _ in stacked[0]]
    lowest = lines[-1] if lines else []
    dated = any(_YEAR.search(cell) for cell in lowest)
    for cells in lines:
        # A cell that is in the lowest line too stands over its own column alone.
        below = ["" for _ in cells] if cells is lowest else lowest
        pairs = zip(cells[1:], below[1:], strict=False)
        filled = [cell for cell, under in pairs if cell and cell != under]
        # A line that fills most of the columns spans none.
        spans = len(filled) == 1 or (cells is not lowest and 0 < 2 * len(filled) < len(columns))
        over = filled[0] if len(filled) == 1 else ""
        over = "" if over.lower().endswith(_HALVES) else over
        shared = _shared_columns(cells, len(columns)) if spans else {}
        for number, column in enumerate(columns[1:], start=1):
            own = shared.get(number) or (cells[number] if number < len(cells) else "")
            over = own or (over if spans and not over.lower().endswith(_HALVES) else "")
            under = lowest[number] if number < len(lowest) else ""
            strange = dated and under and not _YEAR.search(under) and _TIME.match(over)
            if over and over not in column and not (strange and not own):
                column.append(over)
    told = tuple(dict.fromkeys(cell for cells in notes for cell in cells if cell))
    corner = next((cells[0] for cells in stacked if cells[0]), "")
    return [corner, *(" ".join(column) for column in columns[1:])], told


def _shared_columns(cells: Sequence[str], count: int) -> dict[int, str]:
    """The cell over each column where cells share the columns evenly, each within its part:
    in its middle or at its end as well as over its first."""
    filled = {number: cell for number, cell in enumerate(cells[1:count]) if cell}
    part, rest = divmod(count - 1, max(len(filled), 1))
    evenly = (
        len(filled) > 1
        and part > 1
        and not rest
        and [at // part for at in filled] == list(range(len(filled)))
    )
    return {
        1 + part * place + at: cell
        for place, cell in enumerate(filled.values() if evenly else ())
        for at in range(part)
    }


def _is_note(cells: Sequence[str]) -> bool:
    """Whether a line of a header says only what the table is counted in."""
    filled = {cell for cell in cells if cell}
    return len(filled) == 1 and all(map(_UNIT.match, filled))


def _headers(cells: Sequence[str]) -> list[str]:
    return [cell[:LONGEST_HEADER].strip("*_ ") for cell in cells]


def pipe_cells(text: str) -> list[str]:
    """The cells of a line that is drawn with pipes."""
    inner = text.removeprefix("|").removesuffix("|")
    return [" ".join(cell.replace("\\|", "|").split()) for cell in _PIPE.split(inner)]


def _row(
    start: int, end: int, headers: list[str], cells: list[str], notes: tuple[str, ...]
) -> TableRow | None:
    filled = tuple(
        (headers[column] if column < len(headers) else "", cell)
        for column, cell in enumerate(cells)
        if cell
    )
    return TableRow(start, end, filled, notes) if filled else None
