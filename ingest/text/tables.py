"""Tables in text: rows with the header of every cell, and exact spans.

CSV and TSV as in RFC 4180 (a quoted cell may hold the delimiter, quotes and newlines),
and tables drawn with pipes as Markdown has them.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from hlg.ingest.text.table_header import SAMPLE_ROWS, looks_like_header, numbered_columns

__all__ = ["TableRow", "csv_rows", "pipe_table"]

LONGEST_ROW = 20_000
"""A quote that isn't closed within so many characters is taken for a plain character."""
LONGEST_HEADER = 200
"""Characters of a column's header that are repeated with each of its cells."""

# Possessive: linear on a line of any length.
_SEPARATOR = re.compile(r"\|?\s*+:?-{2,}+:?\s*+(?:\|\s*+:?-{2,}+:?\s*+)*+\|?\s*+$")
_PIPE = re.compile(r"(?<!\\)\|")
_NUMBER = re.compile(r"[\s$€£¥%()+\-.,\d:/]+$")
_UNIT = re.compile(r"(?:(?:all )?(?:amounts |figures |dollars )?in \S|\(.*\)$)", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_TIME = re.compile(
    r"(?i)(?:as (?:of|at)|(?:for )?(?:the )?(?:fiscal |three |six |nine |twelve )*"
    r"(?:years?|quarters?|months?|weeks?|fiscal)\b|(?:jan|febr)uary|march|april|may|june|july"
    r"|august|(?:sept|nov|dec)ember|october)\b"
)
_HALVES = (" than", " over", " and", " of", " to", " in", "-")
"""How a header's cell ends that goes on in the cell below it."""
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

    Records of one cell above the header are the table's notes: caption, units, periods.
    """
    notes: list[str] = []
    records = _filled_records(text, delimiter)
    for start, end, cells in records:
        filled = [cell for cell in cells if cell]
        if len(cells) > 1 and len(filled) == 1 and len(notes) < MOST_HEADERS:
            notes.append(filled[0][:LONGEST_HEADER])
            continue
        sample = list(islice(records, SAMPLE_ROWS))
        body = [row for _, _, row in sample]
        if looks_like_header(cells, body):
            headers, above = _headers(cells), []
        else:
            headers = numbered_columns(max(map(len, (cells, *body))))
            above = [(start, end, cells)]
        for start, end, cells in chain(above, sample, records):
            if row := _row(start, end, headers, cells, tuple(notes)):
                yield row


def _filled_records(text: str, delimiter: str) -> Iterator[tuple[int, int, list[str]]]:
    """Spans of records, each with its cells."""
    for start, end in _records(text, delimiter):
        cells = _cells(text[start:end], delimiter)
        yield start, end, [" ".join(cell.split()) for cell in cells]


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
    table: list[tuple[int, str]] = []
    pipes = 0
    for line in lines:
        here = len(_PIPE.findall(line[1]))
        if not here or (table and here != pipes):
            break
        pipes = here
        table.append(line)
    separated = len(table) > 1 and _SEPARATOR.match(table[1][1]) is not None
    if len(table) < 3 and not separated:
        return 0, []
    body = [
        (start, start + len(text), _pipe_cells(text))
        for start, text in table[2 if separated else 1 :]
        if not _SEPARATOR.match(text)
    ]
    if not separated and not _has_header(table):
        first = [(start, start + len(text), _pipe_cells(text)) for start, text in table[:1]]
        rows = (_row(start, end, [], cells) for start, end, cells in first + body)
        return len(table), [row for row in rows if row]
    stacked = [_headers(_pipe_cells(table[0][1]))]
    stacked += [_headers(cells) for _, _, cells in body[: _more_headers(stacked[0], body)]]
    headers, notes = _joined_headers(stacked)
    rows = (
        _row(start, end, headers, cells, notes) for start, end, cells in body[len(stacked) - 1 :]
    )
    return len(table), [row for row in rows if row]


def _has_header(table: Sequence[tuple[int, str]]) -> bool:
    """Whether the first of a table's lines names its columns: words over a column of numbers."""
    first, *body = [_pipe_cells(text) for _, text in table]
    columns = [[cell for cell in column if cell] for column in zip(*body, strict=False)]
    return not any(_NUMBER.match(cell) for cell in first if cell) and any(
        column and all(_NUMBER.match(cell) for cell in column) for column in columns
    )


def _more_headers(first: Sequence[str], body: Sequence[tuple[int, int, list[str]]]) -> int:
    """How many rows go on with a header whose first cell, above the rows' names, is empty."""
    if first[0]:
        return 0
    for number, (_, _, cells) in enumerate(body[:MOST_HEADERS]):
        if cells[0]:
            return number
    return 0


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
        filled = [cell for cell in cells if cell]
        # A line that fills most of the columns spans none.
        spans = len(filled) == 1 or (cells is not lowest and 2 * len(filled) < len(columns))
        over = filled[0] if len(filled) == 1 else ""
        over = "" if over.lower().endswith(_HALVES) else over
        shared = _shared_columns(cells, len(columns)) if spans else {}
        for number, column in enumerate(columns):
            own = shared.get(number) or (cells[number] if number < len(cells) else "")
            over = own or (over if spans and not over.lower().endswith(_HALVES) else "")
            below = lowest[number] if number < len(lowest) else ""
            strange = dated and below and not _YEAR.search(below) and _TIME.match(over)
            if over and over not in column and not (strange and not own):
                column.append(over)
    told = tuple(dict.fromkeys(cell for cells in notes for cell in cells if cell))
    return ["", *(" ".join(column) for column in columns[1:])], told


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


def _pipe_cells(text: str) -> list[str]:
    inner = text.removeprefix("|").removesuffix("|")
    return [" ".join(cell.replace("\\|", "|").split()) for cell in _PIPE.split(inner)]


def _row(
    start: int, end: int, headers: list[str], cells: list[str], notes: tuple[str, ...] = ()
) -> TableRow | None:
    filled = tuple(
        (headers[column] if column < len(headers) else "", cell)
        for column, cell in enumerate(cells)
        if cell
    )
    return TableRow(start, end, filled, notes) if filled else None
