"""What a reader is given: one file's bytes, and what is known of it beforehand."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TypeAlias

from hlg.ingest.load.limits import Limits
from hlg.records import Document
from hlg.reports import Failure


@dataclass(frozen=True, slots=True)
class RecordFields:
    """Names of the fields of a record that hold its text, its id and its title.

    Without a name, the text is ``text``; the id ``_id`` or ``id``; the title ``title``.
    """

    text: str = ""
    id: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """A file's bytes; ``name`` is its name with the suffix, ``title`` what to call it if
    it has no title of its own."""

    data: bytes
    uri: str
    name: str
    title: str = ""
    limits: Limits = field(default_factory=Limits)
    fields: RecordFields = field(default_factory=RecordFields)
    ocr_languages: str = ""
    """What scans are in, by tesseract's codes joined by ``+``; empty: what is installed."""

    @property
    def suffix(self) -> str:
        """The last suffix of its name in small letters, with the dot, or nothing."""
        return suffix_of(self.name)

    def inside(self, data: bytes, name: str) -> "File":
        """A file that this one holds, such as a message's attachment."""
        return replace(self, data=data, uri=f"{self.uri}#{name}", name=name, title="")


Reader: TypeAlias = Callable[[File], Iterable[Document | Failure]]
"""The documents in a file. Raises InputError where it can't be read as that kind of file."""


def suffix_of(name: str) -> str:
    """The last suffix of a file's name in small letters, with the dot, or nothing."""
    return PurePosixPath(name).suffix.lower()


def one(
    file: File,
    text: str,
    title: str = "",
    metadata: "dict[str, object] | None" = None,
    media_type: str = "text/markdown",
) -> Iterator[Document]:
    """The single document that most files are."""
    yield Document(file.uri, title.strip() or file.title, text, metadata or {}, media_type)
