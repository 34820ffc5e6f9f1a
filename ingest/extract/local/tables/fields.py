"""Which lines and rows of a text are fields, and what their records call themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from hlg.ingest.extract.local.tables.cells import may_be_named, named_by, says_nothing
from hlg.ingest.text.blocks import Block
from hlg.ingest.text.fields import NAME_WORDS, Field, field_of, front_matter_end

FEWEST_ROWS = 3
"""Rows of a table without headers whose two columns are names and values."""
_VALUES = frozenset(("value", "values", "data", "details", "detail"))
"""Headers of a column that has the value of what the column before it names."""


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """A field; whether it stands before the text; and what its record is called, by a field of
    its own or by the line above, empty where nothing calls it."""

    field: Field
    is_front: bool = False
    record: str = ""


def field_places(text: str, blocks: Sequence[Block]) -> dict[int, FieldPlace]:
    """The fields of a text by where their blocks begin."""
    front = front_matter_end(text)
    found: dict[int, FieldPlace] = {}
    at = 0
    for kind, run in groupby(blocks, lambda block: _kind(block, front)):
        members = list(run)
        if kind:
            fields, record = list(_fields(text, kind, members)), ""
            if kind != "front":
                over = _line_over(text, blocks[at - 1]) if at else ""
                record = named_by([each for _, each in fields]) or over
            for start, field in fields:
                found[start] = FieldPlace(field, kind == "front", record)
        at += len(members)
    return found


def _kind(block: Block, front: int) -> str:
    if block.kind == "field":
        return "front" if block.end <= front else "field"
    return "row" if block.row is not None else ""


def _fields(text: str, kind: str, blocks: Sequence[Block]) -> Iterator[tuple[int, Field]]:
    if kind == "row":
        yield from _of_rows(blocks)
        return
    for block in blocks:
        line = text[block.start : block.end]
        if field := field_of(line, settings=kind == "front"):
            yield block.start, field


def _of_rows(blocks: Sequence[Block]) -> Iterator[tuple[int, Field]]:
    """A table's rows, where they are a name and a value each, as in a box of facts."""
    rows = [block.row for block in blocks if block.row is not None]
    pairs = [row.cells for row in rows if len(row.cells) == 2]
    names = [name for (_, name), _ in pairs]
    headers = {header.lower() for _, (header, _) in pairs}
    plain = len(pairs) == len(rows) >= FEWEST_ROWS and all(
        name[:1].isalpha() and len(name.split()) <= NAME_WORDS and not says_nothing(name)
        for name in names
    )
    if plain and headers <= _VALUES | {""} and len({name.lower() for name in names}) == len(names):
        for block, ((_, name), (_, value)) in zip(blocks, pairs, strict=True):
            yield block.start, Field(name.strip("*_: "), value)


def _line_over(text: str, block: Block) -> str:
    """What a short line over fields names."""
    line = " ".join(text[block.start : block.end].split()).strip("*_")
    is_line = block.kind in ("text", "aside") and line[-1:].isalnum()
    return line if is_line and len(line.split()) <= NAME_WORDS and may_be_named(line) else ""
