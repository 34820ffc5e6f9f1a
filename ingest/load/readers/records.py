"""Records as documents: JSONL line by line, and JSON that is a record or a list of them."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

from hlg.errors import InputError
from hlg.ingest.load.blocks import pipe_table
from hlg.ingest.load.encoding import decode, text_lines
from hlg.ingest.load.file import File, RecordFields, one
from hlg.records import Document
from hlg.reports import Failure

ANY_FIELDS = RecordFields()
_IDS = ("_id", "id")
LONGEST_ID = 1_000
"""Characters; a longer id is no name that a person could cite."""


def read_json_file(file: File) -> Iterator[Document | Failure]:
    """A record; a list with a document an item; or what else an object or a list says."""
    text = decode(file.data)
    return read_value(file, text, parse_json(text), "application/json")


def read_value(
    file: File, text: str, value: object, media_type: str
) -> Iterator[Document | Failure]:
    """What a file's value holds: records; of another object its fields, a line each; any other
    value as it stands.

    An object of a list that has no text of its own gives its fields likewise.
    """
    holds_objects = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    if holds_objects or is_record(value, file.fields):
        yield from read_records(value, file.uri, file.fields)
    elif isinstance(value, dict) and (said := "\n".join(field_lines(value))):
        title = value.get("title")
        yield from one(file, said, title if isinstance(title, str) else "", media_type=media_type)
    else:
        yield from one(file, text, media_type=media_type)


def read_jsonl_file(file: File) -> Iterator[Document | Failure]:
    """A file of JSON lines, as :func:`read_jsonl`."""
    most = file.spent.limits.file_bytes
    return read_jsonl(BytesIO(file.data).readline, file.uri, most, file.fields)


def read_jsonl(
    readline: Callable[[int], bytes], uri: str, max_bytes: int, fields: RecordFields
) -> Iterator[Document | Failure]:
    """The records of JSONL, one line in memory at a time.

    A line that is no record is a failure of its own, ``uri:number``.

    :param readline: gives the next line, at most so many bytes of it.
    """
    lines = text_lines(readline, max_bytes, "JSONL has", "; raise the setting max_file_mb")
    return _documents(((str(number), _value(line)) for number, line in lines), uri, fields)


def read_records(
    value: object, uri: str, fields: RecordFields = ANY_FIELDS
) -> Iterator[Document | Failure]:
    """A document for a record, or for each object of a list.

    Where none has a text, the fields of each are its text, a line each: ``name: value``.

    :raises InputError: no object has a text in the field that is named for it.
    """
    items = value if isinstance(value, list) else [value]
    if not any(is_record(item, fields) for item in items):
        if fields.text:
            raise InputError(f"no object in it has a field {fields.text!r} with a text")
        items = [
            {**item, "text": "\n".join(field_lines(item))} if isinstance(item, dict) else item
            for item in items
        ]
    yield from _documents(((str(i), item) for i, item in enumerate(items, 1)), uri, fields)


def parse_json(text: str) -> Any:
    """The value of a JSON text.

    :raises InputError: it is none; says where.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, " if "\n" in text.rstrip() else ""
        raise InputError(f"not valid JSON: {error.msg} ({place}column {error.colno})") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid JSON: {str(error).partition(';')[0]}") from error


def is_record(value: object, fields: RecordFields) -> bool:
    """Whether a JSON value is an object with a text."""
    return isinstance(value, dict) and isinstance(value.get(fields.text or "text"), str)


def field_lines(item: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """An object's fields, ``name: value`` each, those of objects in it by ``name.name``, and a
    list of objects as a table under its name."""
    for key, value in item.items():
        if isinstance(value, dict):
            yield from field_lines(value, f"{prefix}{key}.")
        elif isinstance(value, list) and (rows := _rows(value)):
            yield f"\n{prefix}{key}:\n\n{pipe_table(rows)}\n"
        elif said := _cell(value):
            yield f"{prefix}{key}: {said}"


def _rows(items: Sequence[Any]) -> list[list[str]]:
    """Objects that have most of their fields in common, under the names of these; else none."""
    if not all(isinstance(item, dict) for item in items):
        return []
    names = list(dict.fromkeys(name for item in items for name in item))
    if not names or 2 * sum(map(len, items)) < len(items) * len(names):
        return []
    return [names, *([_cell(item.get(name)) for name in names] for item in items)]


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(field_lines(value))
    if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
        return ", ".join(map(str, value))
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


def _value(line: str | InputError) -> object | InputError:
    try:
        return line if isinstance(line, InputError) else parse_json(line)
    except InputError as error:
        return error


def _documents(
    items: Iterable[tuple[str, object | InputError]], uri: str, fields: RecordFields
) -> Iterator[Document | Failure]:
    places: dict[str, str] = {}
    empty = True
    for number, item in items:
        empty = False
        place = f"{uri}:{number}"
        try:
            if isinstance(item, InputError):
                raise item
            document = _document(item, uri, number, fields)
        except InputError as error:
            yield Failure(place, str(error))
            continue
        first = places.setdefault(document.uri, place)
        if first is place:
            yield document
        else:
            yield Failure(place, f"has the same id as {first}, which was kept")
    if empty:
        yield Failure(uri, "empty")


def _document(item: object, uri: str, number: str, fields: RecordFields) -> Document:
    text_field, title_field = fields.text or "text", fields.title or "title"
    ids = (fields.id,) if fields.id else _IDS
    if not isinstance(item, dict) or not is_record(item, fields):
        raise InputError(f'no record: an object with a string "{text_field}" is needed')
    text = item[text_field]
    if not text.strip():
        raise InputError("empty text")
    title = item.get(title_field)
    if not isinstance(title, str | int | float | None):
        raise InputError(f'its "{title_field}" is no text')
    identity = next((item[key] for key in ids if item.get(key) not in (None, "")), None)
    if not isinstance(identity, str | int | None):
        raise InputError("its id is neither text nor a number")
    if fields.id and identity is None:
        raise InputError(f'it has no "{fields.id}"')
    if len(str(identity)) > LONGEST_ID:
        raise InputError(f"its id is longer than {LONGEST_ID:,} characters")
    return Document(
        uri=f"{uri}#{number if identity is None else identity}",
        title="" if title is None else str(title).strip(),
        text=text,
        metadata=_metadata(item, (*ids, title_field, text_field)),
    )


def _metadata(item: Mapping[str, Any], taken: Sequence[str]) -> dict[str, Any]:
    """All other fields; BEIR keeps them in an object called ``metadata``."""
    others = {
        key: value for key, value in item.items() if key not in taken and value not in (None, {})
    }
    nested = others.pop("metadata", {})
    return {**nested, **others} if isinstance(nested, dict) else {**others, "metadata": nested}
