"""What is asked of a reader, and what it is given: one file's bytes, and what is known of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TypeAlias

from hlg.errors import InputError
from hlg.ingest.load.limits import Limits, Spent
from hlg.records import Document
from hlg.reports import Failure, LeftOut

STREAMED = (".jsonl", ".ndjson")
"""Of these one record is read at a time, so that they may be of any size."""
MOST_NESTED = 8
"""Files in files: an archive in a message that another one forwards …"""


@dataclass(frozen=True, slots=True)
class RecordFields:
    """Names of the fields of a record that hold its text, its id and its title.

    Without a name, the text is ``text``; the id ``_id`` or ``id``; the title ``title``.
    """

    text: str = ""
    id: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class FileRequest:
    """A file that is to be read, under which uri, and what it may take."""

    path: str
    uri: str
    limits: Limits = field(default_factory=Limits)
    fields: RecordFields = field(default_factory=RecordFields)
    ocr_languages: str = ""
    """What scans are in, by tesseract's codes joined by ``+``; empty: what is installed."""

    @property
    def is_stream(self) -> bool:
        """Whether the limits are those of each record."""
        return self.path.lower().endswith(STREAMED)


@dataclass(frozen=True, slots=True)
class File:
    """A file's bytes; ``name`` is its name with the suffix, ``title`` what to call it if
    it has no title of its own."""

    data: bytes
    uri: str
    name: str
    spent: Spent
    title: str = ""
    fields: RecordFields = field(default_factory=RecordFields)
    ocr_languages: str = ""
    depth: int = 0
    """In how many files it is."""

    @property
    def suffix(self) -> str:
        """The last suffix of its name in small letters, with the dot, or nothing."""
        return suffix_of(self.name)

    def inside(self, data: bytes, name: str, uri: str = "") -> "File":
        """A file that this one, or the part of it that has ``uri``, holds.

        :raises InputError: it is in too many files.
        """
        if self.depth >= MOST_NESTED:
            raise InputError(f"it is in more than {MOST_NESTED} files, one in another")
        uri = f"{uri or self.uri}#{name}"
        return replace(self, data=data, uri=uri, name=name, title="", depth=self.depth + 1)


Found: TypeAlias = Document | Failure | LeftOut
Reader: TypeAlias = Callable[[File], Iterable[Found]]
"""The documents in a file. Raises InputError where it can't be read as that kind of file."""


def suffix_of(name: str) -> str:
    """The last suffix of a file's name in small letters, with the dot, or nothing."""
    return PurePosixPath(name).suffix.lower()


def one(
    file: File,
    text: str,
    title: str = "",
    metadata: Mapping[str, object] | None = None,
    media_type: str = "text/markdown",
) -> Iterator[Document]:
    """The single document that most files are."""
    yield Document(file.uri, title.strip() or file.title, text, dict(metadata or {}), media_type)
