"""The tables and fields of what a search found, read by the layout of the text around them; rows
that the text alone does not tell, as those of a CSV file, by their statements."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from hlg.ingest.extract.local.tables.captions import NO_CAPTION, Caption, captions
from hlg.ingest.extract.local.tables.cells import says_nothing, worded
from hlg.ingest.extract.local.tables.fields import field_places
from hlg.ingest.extract.local.tables.labels import tells_what_follows
from hlg.ingest.extract.local.tables.rows import RowPlace, row_places
from hlg.ingest.text.blocks import Block, split_blocks
from hlg.ingest.text.tables import TableRow
from hlg.records import Hit, Passage
from hlg.retrieval.answers.cells.table import Cell, Row, Table
from hlg.retrieval.answers.evidence import EvidenceStatement

TOUCH = 2
"""Characters between passages that follow each other."""
CONTEXT = 2_000
"""Characters around a table whose words say what it is about."""


def tables_of(hits: Sequence[Hit], statements: Sequence[EvidenceStatement] = ()) -> list[Table]:
    """The tables of the passages that were found, the best hit's first; fields are one of a
    row. Passages that overlap or touch are read as one, so that a table that was cut keeps its
    headers."""
    return [
        table
        for passage, rank in _joined(hits)
        for table in _tables(passage, rank, _stated(passage, statements))
    ]


def _stated(passage: Passage, statements: Sequence[EvidenceStatement]) -> list[TableRow]:
    """The rows among the statements of a passage, from top to bottom, as places in its text."""
    found = [
        (each.passage.start, each.passage.end, each.part.cells)
        for each in statements
        if each.part is not None
        and each.part.cells
        and each.passage.source.id == passage.source.id
        and passage.start <= each.passage.start
        and each.passage.end <= passage.end
    ]
    return [
        TableRow(start - passage.start, end - passage.start, cells)
        for start, end, cells in sorted(found)
    ]


def _joined(hits: Sequence[Hit]) -> list[tuple[Passage, int]]:
    """The passages, each with the best rank of what it was made of."""
    found: list[tuple[Passage, int]] = []
    for hit in sorted(hits, key=lambda each: (each.passage.source.id, each.passage.start)):
        passage, (last, rank) = hit.passage, found[-1] if found else (None, 0)
        gap = passage.start - last.end if last is not None else TOUCH + 1
        if last is None or last.source.id != passage.source.id or gap > TOUCH:
            found.append((passage, hit.rank))
            continue
        more = "\n" * gap + passage.text if gap > 0 else passage.text[-gap:]
        text, end = last.text + more, max(last.end, passage.end)
        found[-1] = replace(last, text=text, end=end), min(rank, hit.rank)
    return sorted(found, key=lambda each: each[1])


def _tables(passage: Passage, rank: int, stated: Sequence[TableRow]) -> Iterator[Table]:
    text = passage.text
    blocks = list(split_blocks(text))
    if stated and all(block.row is None for block in blocks):
        yield from _of_rows(passage, rank, stated, passage.source.title, "")
        return
    fields = field_places(text, blocks)
    around = " ".join(text[block.start : block.end] for block in blocks if block.row is None)
    told = iter(captions(text, blocks))
    heading = passage.source.title
    for is_row, run in groupby(blocks, lambda each: each.row is not None):
        members = list(run)
        caption = next(told) if is_row else NO_CAPTION
        if not is_row:
            titles = [block for block in members if block.kind == "heading"]
            heading = text[titles[-1].start : titles[-1].end] if titles else heading
        if fields and any(block.start in fields for block in members):
            row = _of_fields(passage, heading, [each for each in members if each.start in fields])
            yield Table(passage, rank, (row,), "", heading, around[:CONTEXT])
            continue
        rows = [block.row for block in members if block.row is not None]
        yield from _of_rows(passage, rank, rows, heading, around[:CONTEXT], caption)


def _of_rows(
    passage: Passage,
    rank: int,
    rows: Sequence[TableRow],
    heading: str,
    around: str,
    caption: Caption = NO_CAPTION,
) -> Iterator[Table]:
    """The table of some rows; none where they hold nothing beside their labels."""
    places = row_places(rows, caption) if rows else []
    made = [_row(passage, *each) for each in zip(rows, places, strict=True)]
    if known := tuple(row for row in made if row is not None):
        corner = f"{rows[0].cells[0][0]} {caption.measure} {' '.join(rows[0].notes)}"
        yield Table(passage, rank, known, corner, heading, around)


def _row(passage: Passage, row: TableRow, place: RowPlace) -> Row | None:
    """A row under the label of the column that names it; None where nothing else is in it."""
    text, at = passage.text, row.start
    cells: list[Cell] = []
    for header, said in row.cells:
        begin = text.find(said, at, row.end)
        start, end = (begin, begin + len(said)) if begin >= 0 else (row.start, row.end)
        at = end if begin >= 0 else at
        cells.append(Cell(header, said, passage.start + start, passage.start + end))
    named = [cell for cell in cells if cell.header == place.name][:1] or cells[:1]
    rest = tuple(each for each in cells if each is not named[0] and not says_nothing(each.text))
    span = passage.start + row.start, passage.start + row.end
    return Row(named[0].text, rest, place.section, place.scale, *span) if rest else None


def _of_fields(passage: Passage, heading: str, blocks: Sequence[Block]) -> Row:
    """Fields as one row: each name is the header of its value."""
    places = field_places(passage.text, blocks)
    cells: list[Cell] = []
    for block in blocks:
        place = places.get(block.start)
        if place is not None:
            begin = passage.text.find(place.field.value, block.start, block.end)
            start = passage.start + (begin if begin >= 0 else block.start)
            end = start + len(place.field.value) if begin >= 0 else passage.start + block.end
            cells.append(Cell(worded(place.field.name), place.field.value, start, end))
    heading = passage.source.title if tells_what_follows(heading) else heading
    record = next((each.record for each in places.values() if each.record), "") or heading
    span = passage.start + blocks[0].start, passage.start + blocks[-1].end
    return Row(record, tuple(cells), "", "", *span)
