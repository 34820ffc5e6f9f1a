"""Tables in text: rows with the header of every cell, and exact spans.

CSV and TSV as in RFC 4180 (a quoted cell may hold the delimiter, quotes and newlines),
and tables drawn with pipes as Markdown has them.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

__all__ = ["TableRow", "csv_rows", "pipe_table"]

LONGEST_ROW = 20_000
"""A quote that isn't closed within so many characters is taken for a plain character."""
LONGEST_HEADER = 200
"""Characters of a column's header that are repeated with each of its cells."""

# Possessive: linear on a line of any length.
_SEPARATOR = re.compile(r"\|?\s*+:?-{2,}+:?\s*+(?:\|\s*+:?-{2,}+:?\s*+)*+\|?\s*+$")
_PIPE = re.compile(r"(?<!\\)\|")
_NUMBER = re.compile(r"[\s$€£¥%()+\-.,\d:/]+$")


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row's span in the text and its cells with their headers, empty cells left out."""

    start: int
    end: int
    cells: tuple[tuple[str, str], ...]

    def details(self) -> str:
        """The cells with their headers: ``Year: 2023; Revenue: 5.1``."""
        return "; ".join(f"{header}: {value}" if header else value for header, value in self.cells)


def csv_rows(text: str, delimiter: str) -> Iterator[TableRow]:
    """The rows of a CSV text under its header; a header of numbers alone is a row too."""
    headers: list[str] | None = None
    for start, end in _records(text, delimiter):
        record = text[start:end]
        cells = [" ".join(cell.split()) for cell in _cells(record, delimiter)]
        if headers is None:
            headers = _headers(cells)
            if not all(_NUMBER.match(cell) for cell in cells if cell):
                continue
            headers = []
        if row := _row(start, end, headers, cells):
            yield row


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
    headers = _headers(_pipe_cells(table[0][1]))
    rows = []
    for start, text in table[2 if separated else 1 :]:
        if not _SEPARATOR.match(text) and (
            row := _row(start, start + len(text), headers, _pipe_cells(text))
        ):
            rows.append(row)
    return len(table), rows


def _headers(cells: Sequence[str]) -> list[str]:
    return [cell[:LONGEST_HEADER].strip("*_ ") for cell in cells]


def _pipe_cells(text: str) -> list[str]:
    inner = text.removeprefix("|").removesuffix("|")
    return [" ".join(cell.replace("\\|", "|").split()) for cell in _PIPE.split(inner)]


def _row(start: int, end: int, headers: list[str], cells: list[str]) -> TableRow | None:
    filled = tuple(
        (headers[column] if column < len(headers) else "", cell)
        for column, cell in enumerate(cells)
        if cell
    )
    return TableRow(start, end, filled) if filled else None
