"""Bibliographies, calendars and address books: a document an entry, a line a field."""

import quopri
import re
from collections.abc import Iterable, Iterator, Mapping

from hlg.errors import InputError
from hlg.ingest.load.blocks import one_line
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File
from hlg.ingest.load.readers.latex import enclosed, latex_text
from hlg.ingest.load.readers.records import LONGEST_ID, read_records
from hlg.records import Document
from hlg.reports import Failure
from hlg.words import word_set

Fields = list[tuple[str, str]]

_ENTRY = re.compile(r"@\s*([a-zA-Z]+)\s*([{(])\s*")
_FIELD = re.compile(r"[\s,]*([\w:.+/-]+)\s*=\s*")
_BARE, _JOINT = re.compile(r"[^\s,}#]*"), re.compile(r"\s*#\s*")
_NO_ENTRIES = ("comment", "preamble", "string")
_NOT_TOLD = frozenset(("abstractnote", "file", "keywords-plus", "mendeley-tags"))

_UNFOLD = re.compile(r"\r?\n[ \t]")
_LINE = re.compile(r"(?:[\w-]+\.)?([\w-]+)((?:;(?:\"[^\"]*\"|[^\":;])*)*):(.*)")
_STAMP = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\dZ?)?")
_ESCAPE = re.compile(r"\\(.)")
_PARTS = ("VEVENT", "VTODO", "VJOURNAL", "VCARD")
_CALLED_SO = word_set("""
ATTENDEE CATEGORIES COMMENT COMPLETED CONTACT DESCRIPTION DUE DURATION NICKNAME NOTE ORGANIZER ROLE
STATUS
""")
_CALLED = {name: name.lower() for name in _CALLED_SO} | {
    "FN": "name",
    "SUMMARY": "title",
    "ORG": "organization",
    "TITLE": "position",
    "TEL": "phone",
    "EMAIL": "email",
    "ADR": "address",
    "BDAY": "birthday",
    "URL": "address on the web",
    "LOCATION": "place",
    "DTSTART": "start",
    "DTEND": "end",
    "RRULE": "repeats",
}
"""The properties that a person reads, of RFC 5545 and RFC 6350, and what they are called here."""
_TIMES = ("start", "end", "due", "completed", "birthday")
_PEOPLE = ("organizer", "attendee")


def read_bibliography(file: File) -> Iterator[Document | Failure]:
    """A document an entry of a BibTeX file, by its key."""
    yield from _documents(file, _bibliography(decode(file.data)))


def read_cards(file: File) -> Iterator[Document | Failure]:
    """A document an event, task or note of a calendar (.ics), or a card of an address book."""
    yield from _documents(file, _parts(decode(file.data)))


def _documents(file: File, entries: Iterable[tuple[str, Fields]]) -> Iterator[Document | Failure]:
    """Entries by their ids, each called by its title or name."""
    records = []
    for identity, fields in entries:
        called: Mapping[str, str] = dict(reversed(fields))
        record = {"title": called.get("title") or called.get("name") or identity}
        record["text"] = "\n".join(f"{name}: {value}" for name, value in fields)
        if identity and len(identity) <= LONGEST_ID:
            record["id"] = identity
        records.append(record)
    if not records:
        raise InputError("no entry in it")
    yield from read_records(records, file.uri)


def _bibliography(text: str) -> Iterator[tuple[str, Fields]]:
    at = 0
    while match := _ENTRY.search(text, at):
        kind, at = match[1].lower(), match.end()
        if kind in _NO_ENTRIES:
            continue
        key = text[at : at + LONGEST_ID].partition(",")[0].strip()
        at += len(key)
        fields = [("kind", kind)]
        while field := _FIELD.match(text, at):
            value, at = _value(text, field.end())
            name = field[1].lower()
            if value and name not in _NOT_TOLD:
                fields.append((name, value))
        yield key, fields


def _value(text: str, at: int) -> tuple[str, int]:
    """A field's value, and where it ends: in braces, in quotes, or a bare word; joined by #."""
    pieces = []
    while at < len(text):
        if text[at] in '{"':
            piece, end = enclosed(text, at)
        else:
            bare = _BARE.match(text, at)
            piece, end = (bare[0], bare.end()) if bare else ("", at)
        pieces.append(piece)
        joint = _JOINT.match(text, end)
        if not joint:
            return one_line(latex_text("".join(pieces))), end
        at = joint.end()
    return "", at


def _parts(text: str) -> Iterator[tuple[str, Fields]]:
    """The entries of a calendar or address book; what is in one, such as an alarm, is not told."""
    fields: Fields = []
    inside: list[str] = []
    identity = ""
    for line in _UNFOLD.sub("", text).splitlines():
        match = _LINE.match(line)
        if not match:
            continue
        name, parameters, value = match[1].upper(), match[2].upper(), match[3]
        if name == "BEGIN":
            inside.append(value.strip().upper())
            if inside[-1] in _PARTS:
                fields, identity = [], ""
        elif name == "END" and inside:
            if inside.pop() in _PARTS and fields:
                yield identity, fields
        elif inside and inside[-1] in _PARTS:
            if name == "UID":
                identity = value.strip()
            elif called := _CALLED.get(name):
                said = _said(called, parameters, value, match[2])
                fields += [(called, said)] if said else []


def _said(called: str, parameters: str, value: str, names: str) -> str:
    """A property's value as a person writes it."""
    if "BASE64" in parameters or "ENCODING=B" in parameters or value.startswith("data:"):
        return ""
    if "QUOTED-PRINTABLE" in parameters:
        value = quopri.decodestring(value.encode("utf-8", "replace")).decode("utf-8", "replace")
    if called in _TIMES and (stamp := _STAMP.match(value)):
        day = "-".join(stamp.groups()[:3])
        return f"{day} {stamp[4]}:{stamp[5]}" if stamp[4] else day
    if called in _PEOPLE:
        value = re.sub(r"^mailto:", "", value, flags=re.IGNORECASE)
        common = re.search(r'CN="?([^";:]+)', names, re.IGNORECASE)
        return f"{common[1]} <{value}>" if common else value
    if called in ("address", "organization"):
        value = ", ".join(filter(None, (part.strip() for part in re.split(r"(?<!\\);", value))))
    return one_line(_ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], value))
