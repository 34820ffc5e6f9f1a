"""Records as documents: JSONL line by line, and JSON that is a record or a list of them."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from hlg.errors import InputError
from hlg.ingest.load.limits import check_size
from hlg.records import Document
from hlg.reports import Failure

_IDS = ("_id", "id")


def read_jsonl(
    readline: Callable[[int], bytes], uri: str, max_bytes: int
) -> Iterator[Document | Failure]:
    """The records of JSONL, one line in memory at a time.

    A line that is no record is a failure of its own, ``uri:number``.

    :param readline: gives the next line, at most so many bytes of it.
    """
    return _documents(_lines(readline, max_bytes), uri)


def read_json(text: str, uri: str, title: str) -> Iterator[Document | Failure]:
    """A record, a list of records, or any other JSON as a text.

    :raises InputError: it is not JSON.
    """
    value = parse_json(text)
    if is_record(value):
        yield from _documents([("1", value)], uri)
    elif isinstance(value, list) and value and is_record(value[0]):
        yield from _documents(((str(i), item) for i, item in enumerate(value, 1)), uri)
    else:
        yield Document(uri, title, text, media_type="application/json")


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


def is_record(value: object) -> bool:
    """Whether a JSON value is an object with a text."""
    return isinstance(value, dict) and isinstance(value.get("text"), str)


def _lines(
    readline: Callable[[int], bytes], max_bytes: int
) -> Iterator[tuple[str, object | InputError]]:
    """Each line that isn't blank, by its number: what it says, or why it can't be read."""
    number = 0
    while line := readline(max_bytes + 1):
        number += 1
        try:
            check_size(len(line), max_bytes, "line")
        except InputError as error:
            while line and not line.endswith(b"\n"):
                line = readline(max_bytes)
            yield str(number), error
            continue
        if not line.isspace():
            yield str(number), _line(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)


def _line(line: bytes) -> object | InputError:
    try:
        value: object = parse_json(line.decode("utf-8"))
        return value
    except UnicodeDecodeError:
        return InputError("not UTF-8, which JSONL has to be")
    except InputError as error:
        return error


def _documents(
    items: Iterable[tuple[str, object | InputError]], uri: str
) -> Iterator[Document | Failure]:
    places: dict[str, str] = {}
    empty = True
    for number, item in items:
        empty = False
        place = f"{uri}:{number}"
        if isinstance(item, InputError):
            yield Failure(place, str(item))
            continue
        try:
            document = _document(item, uri, number)
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


def _document(item: object, uri: str, number: str) -> Document:
    if not isinstance(item, dict) or not is_record(item):
        raise InputError('no record: an object with a string "text" is needed')
    text = item["text"]
    if not text.strip():
        raise InputError("empty text")
    title = item.get("title")
    if not isinstance(title, str | int | float | None):
        raise InputError('its "title" is no text')
    identity = next((item[key] for key in _IDS if item.get(key) not in (None, "")), None)
    if not isinstance(identity, str | int | None):
        raise InputError("its id is neither text nor a number")
    return Document(
        uri=f"{uri}#{number if identity is None else identity}",
        title="" if title is None else str(title).strip(),
        text=text,
        metadata=_metadata(item),
    )


def _metadata(item: Mapping[str, Any]) -> dict[str, Any]:
    """All other fields; BEIR keeps them in an object called ``metadata``."""
    others = {
        key: value
        for key, value in item.items()
        if key not in (*_IDS, "title", "text") and value not in (None, {})
    }
    nested = others.pop("metadata", {})
    return {**nested, **others} if isinstance(nested, dict) else {**others, "metadata": nested}
