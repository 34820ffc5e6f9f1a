"""Rows of triples from CSV, TSV and JSONL files, one at a time, whatever their size."""

import csv
import math
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from hlg.errors import InputError
from hlg.facts import FACTUALITY
from hlg.ingest.load.encoding import BINARY, SAMPLE, is_binary, text_lines
from hlg.ingest.load.readers.records import parse_json
from hlg.records import AFFIRMED, DENIED, Factuality
from hlg.reports import Failure

ROLES = (
    "subject",
    "predicate",
    "object",
    "subject_class",
    "object_class",
    "subject_id",
    "object_id",
    "document",
    "weight",
    *FACTUALITY,
)
"""What a column can be, by its own name."""

_SUBJECTS = ("subject", "subj", "s", "head", "h", "from", "src", "start", "x", "node1", "entity1")
_OBJECTS = ("object", "obj", "o", "tail", "t", "to", "dst", "end", "y", "node2", "entity2")
_PAIRED = ("source", "target")
"""``source`` is the subject where ``target`` is there too, else the document."""
_PREDICATES = (
    *("predicate", "pred", "p", "relation", "rel", "r", "relationship", "property", "edge"),
    *("edge_type", "relation_type", "relationship_type", "display_relation", "type", "label"),
)
_DOCUMENTS = ("document", "document_id", "doc", "doc_id", "reference", "provenance", "source")
_WEIGHTS = ("weight", "score")
_NAMES, _CLASSES, _IDS = ("", "_name"), ("_class", "_type"), ("_id",)
_JOINTS = re.compile(r"[\s\-.:]+")

LONGEST_LINE = 2**20
"""Bytes; what is longer is no row."""
LONGEST_QUOTE = 20
"""Lines that a quoted cell may go over; after more the quote is taken for a plain character."""
_TRIPLES = "triples have"
_JSONL = frozenset((".jsonl", ".ndjson"))
_DELIMITERS = {".csv": ",;\t|", ".tsv": "\t", ".tab": "\t"}


@dataclass(frozen=True, slots=True)
class TripleRow:
    """A triple as its row has it; what the row doesn't say is empty."""

    subject: str
    predicate: str
    object: str
    subject_class: str = ""
    object_class: str = ""
    subject_id: str = ""
    object_id: str = ""
    document: str = ""
    weight: str = ""
    confidence: str = ""
    polarity: str = ""
    modality: str = ""
    condition: str = ""
    attributed_to: str = ""
    time: str = ""

    @property
    def factuality(self) -> Factuality:
        """How the row states its triple.

        :raises InputError: its confidence or its polarity is none.
        """
        said = {name: value for name in FACTUALITY if (value := getattr(self, name))}
        try:
            confidence = float(said.pop("confidence", 1.0))
        except ValueError:
            confidence = math.nan
        if not 0 <= confidence <= 1:
            raise InputError(f"its confidence {self.confidence!r} is no number from 0 to 1")
        if self.polarity not in ("", AFFIRMED, DENIED):
            raise InputError(f"its polarity {self.polarity!r} is neither {AFFIRMED} nor {DENIED}")
        return Factuality(confidence=confidence, **said)


@dataclass(frozen=True, slots=True)
class Columns:
    """What a file's columns were taken for, by role; empty for a file without a header."""

    uri: str
    names: Mapping[str, str]


def read_triples(path: Path, uri: str) -> Iterator[Columns | TripleRow | Failure]:
    """A file's columns, then its rows; never raises.

    A bad row is a failure of its own, ``uri:line``; a file that can't be read is one with
    its uri. Three columns without a known name are taken for subject, predicate, object.
    """
    try:
        with path.open("rb") as file:
            if is_binary(file.read(SAMPLE)):
                raise InputError(f"{BINARY}; save it as UTF-8")
            file.seek(0)
            if path.suffix.lower() in _JSONL:
                yield from _json_rows(file, uri)
            else:
                yield from _table_rows(file, uri, _DELIMITERS.get(path.suffix.lower(), "\t,;|"))
    except InputError as error:
        yield Failure(uri, str(error))
    except OSError as error:
        yield Failure(uri, error.strerror or str(error))


def find_columns(header: Sequence[str]) -> dict[str, int]:
    """The position of each of :data:`ROLES` that a header names.

    Empty where it doesn't name a subject, a predicate and an object. A subject or object
    that has an id and no name is called by its id.
    """
    keys = [_JOINTS.sub("_", name.strip().casefold()).strip("_") for name in header]
    place = {key: i for i, key in reversed(list(enumerate(keys))) if key}
    found: dict[str, int] = {}

    def take(role: str, names: Sequence[str]) -> bool:
        position = next((place[name] for name in names if name in place), None)
        if position is not None and position not in found.values():
            found[role] = position
        return role in found

    def take_end(role: str, stem: str) -> bool:
        named = take(role, [stem + ending for ending in _NAMES])
        identified = take(f"{role}_id", [stem + ending for ending in _IDS])
        if named or identified:
            take(f"{role}_class", [stem + ending for ending in _CLASSES])
            if not named:
                found[role] = found[f"{role}_id"]
        return named or identified

    subject, object_ = _PAIRED if place.keys() >= set(_PAIRED) else ("", "")
    for role, stems in (("subject", [*_SUBJECTS, subject]), ("object", [*_OBJECTS, object_])):
        if not any(take_end(role, stem) for stem in stems if stem):
            return {}
    if not take("predicate", _PREDICATES):
        return {}
    take("document", _DOCUMENTS)
    take("weight", _WEIGHTS)
    for role in FACTUALITY:
        take(role, [role])
    return {role: found[role] for role in ROLES if role in found}


def _json_rows(file: IO[bytes], uri: str) -> Iterator[Columns | TripleRow | Failure]:
    columns: dict[str, str] = {}
    for number, line in text_lines(file.readline, LONGEST_LINE, _TRIPLES):
        try:
            if isinstance(line, InputError):
                raise line
            record = parse_json(line)
            if not isinstance(record, dict):
                raise InputError("not a JSON object")
            found = find_columns(list(record))
            if not found:
                raise InputError(f"no subject, predicate and object among {_first_names(record)}")
            names = {role: list(record)[place] for role, place in found.items()}
            if not names.items() <= columns.items():
                columns |= names
                yield Columns(uri, names)
            row = _row({role: _scalar(record[name], name) for role, name in names.items()})
        except InputError as error:
            yield Failure(f"{uri}:{number}", str(error))
        else:
            yield row


def _scalar(value: object, name: str) -> str:
    if not isinstance(value, str | int | float | None):
        raise InputError(f"its {name!r} is neither text nor a number")
    return "" if value is None else str(value)


def _table_rows(
    file: IO[bytes], uri: str, delimiters: str
) -> Iterator[Columns | TripleRow | Failure]:
    records = _records(file, delimiters)
    number, first = next(records, (1, InputError("empty")))
    if isinstance(first, InputError):
        raise first
    places = find_columns(first)
    width = len(first)
    if places:
        names = {role: first[place].strip() for role, place in places.items()}
        yield Columns(uri, names)
    elif width == 3:
        places = {role: place for place, role in enumerate(ROLES[:3])}
        yield Columns(uri, {})
        records = chain([(number, first)], records)
    else:
        raise InputError(
            f"no columns subject, predicate and object; its first line has {_first_names(first)}"
        )
    for number, cells in records:
        try:
            if isinstance(cells, InputError):
                raise cells
            if len(cells) > width:
                said = f"{len(cells)} cells for {width} columns; quote those that need it"
                raise InputError(said)
            row = _row({role: cells[at] if at < len(cells) else "" for role, at in places.items()})
        except InputError as error:
            yield Failure(f"{uri}:{number}", str(error))
        else:
            yield row


def _row(values: Mapping[str, str]) -> TripleRow:
    """A row, white space around its values left out.

    :raises InputError: subject, predicate or object is missing, or as ``factuality`` of a row.
    """
    clean = {role: value.strip() for role, value in values.items()}
    for end in ("subject", "object"):
        clean[end] = clean[end] or clean.get(f"{end}_id", "")
    if missing := [role for role in ROLES[:3] if not clean[role]]:
        raise InputError(f"no {' and no '.join(missing)}")
    row = TripleRow(**clean)
    _ = row.factuality
    return row


def _records(file: IO[bytes], delimiters: str) -> Iterator[tuple[int, list[str] | InputError]]:
    """The cells of each record with the number of its first line; blank lines left out.

    A record goes over several lines where a quoted cell does. A quote that nothing closes
    is a plain character.
    """
    lines = text_lines(file.readline, LONGEST_LINE, _TRIPLES)
    pending: deque[tuple[int, str | InputError]] = deque()
    delimiter = ""
    while (item := pending.popleft() if pending else next(lines, None)) is not None:
        number, line = item
        if isinstance(line, InputError):
            yield number, line
            continue
        # Of those that a first line has most of, the most likely one.
        delimiter = delimiter or max(delimiters, key=line.count)
        text, taken = line, 0
        closed = _is_closed(text, delimiter)
        while not closed and taken < LONGEST_QUOTE:
            if taken == len(pending):
                pending.extend(islice(lines, 1))
            if taken == len(pending) or isinstance(more := pending[taken][1], InputError):
                break
            text, taken = f"{text}\n{more}", taken + 1
            closed = '"' in more and _is_closed(text, delimiter)
        if not closed:
            yield number, line.split(delimiter)
            continue
        for _ in range(taken):
            pending.popleft()
        yield number, _cells(text, delimiter)


def _cells(text: str, delimiter: str) -> list[str] | InputError:
    # NUL is a line's end to the csv module.
    reader = csv.reader([text.replace("\0", " ")], delimiter=delimiter, skipinitialspace=True)
    try:
        return next(reader, [])
    except csv.Error as error:
        return InputError(str(error))


def _is_closed(text: str, delimiter: str) -> bool:
    """Whether each cell that begins with a quote ends with one."""
    return '"' not in text or _closed_record(delimiter).fullmatch(text) is not None


@cache
def _closed_record(delimiter: str) -> re.Pattern[str]:
    plain = f"[^{re.escape(delimiter)}]*"
    cell = rf'(?>\s*"(?>(?:[^"]|"")*)"\s*|(?!\s*"){plain})'
    return re.compile(f"{cell}(?:{re.escape(delimiter)}{cell})*")


def _first_names(names: Sequence[str] | Mapping[str, Any]) -> str:
    shown = ", ".join(map(str, list(names)[:8]))
    return f"{shown}, …" if len(names) > 8 else shown or "nothing"
