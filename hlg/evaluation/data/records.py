"""Records in JSON files, each checked once, where it is read."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from hlg.errors import InputError
from hlg.whole_file import write_whole

Value = TypeVar("Value")


def listed(text: str) -> tuple[str, ...]:
    """What is written with commas between, each once."""
    return tuple(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))


def read_text(path: Path) -> str:
    """A file's text.

    :raises InputError: it can't be read, or is no UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: can't be read as UTF-8 text: {error}") from error


def json_lines(path: Path, kind: type[Value]) -> Iterator[Value]:
    """The records of a JSONL file; empty lines are passed over.

    :raises InputError: as :func:`read_text`; a line is no such record, says which.
    """
    # Not splitlines(): U+2028 and its like are ordinary characters inside a JSON string.
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            yield validated(f"{path}:{number}", kind, line)


def write_json_lines(path: Path, records: Iterable[Mapping[str, object]]) -> None:
    """Write records as a JSONL file, whole or not at all; its folder is made.

    :raises UsageError: it can't be written.
    """
    lines = ((json.dumps(record, ensure_ascii=False) + "\n").encode() for record in records)
    write_whole(path, lines, make_folder=True)


def validated(where: str | Path, kind: type[Value], text: str, wrong: str = "") -> Value:
    """JSON as what it has to be.

    :param wrong: what is said of it where it is something else.
    :raises InputError: it is; says where and what is wrong.
    """
    try:
        return TypeAdapter(kind).validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        parts = (str(where), wrong, field, first["msg"])
        raise InputError(": ".join(part for part in parts if part)) from error
