"""One file's documents, by the kind of file that its name says it is."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from hlg.errors import InputError
from hlg.ingest.load.encoding import SAMPLE, decode, is_binary
from hlg.ingest.load.html import declared_charset, html_to_markdown
from hlg.ingest.load.limits import check_size
from hlg.ingest.load.pdf import pdf_text
from hlg.ingest.load.records import read_json, read_jsonl
from hlg.ingest.text.headings import markdown_headings
from hlg.records import Document
from hlg.reports import Failure

_FRONT_MATTER_TITLE = re.compile(
    r"\A---[ \t]*\r?\n(?:(?!---|\.\.\.).*\n)*?title[ \t]*:[ \t]*(?P<title>\S.*?)[ \t]*\r?\n"
)
_JSONL = frozenset({".jsonl", ".ndjson"})


def read_file(path: Path, uri: str, max_bytes: int) -> Iterator[Document | Failure]:
    """The documents in a file; a kind that isn't known is read as plain text.

    Never raises: what can't be read is a failure with its reason.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError("not a regular file")
        suffix = path.suffix.lower()
        with path.open("rb") as file:
            if suffix in _JSONL:
                yield from read_jsonl(file.readline, uri, max_bytes)
                return
            check_size(os.fstat(file.fileno()).st_size, max_bytes, "file")
            data = file.read()
        yield from read_bytes(data, suffix, uri, title_of_name(path.stem))
    except InputError as error:
        yield Failure(uri, str(error))
    except OSError as error:
        yield Failure(uri, error.strerror or str(error))


def read_bytes(data: bytes, suffix: str, uri: str, title: str) -> Iterator[Document | Failure]:
    """The documents in a file's bytes.

    :raises InputError: they can't be read as that kind of file, or hold no text.
    """
    if suffix == ".json":
        text = decode(data)
        if not text.strip():
            raise InputError("empty")
        yield from read_json(text, uri, title)
        return
    document = READERS.get(suffix, read_text)(data, uri, title)
    if not document.text.strip():
        raise InputError("empty")
    yield document


def read_text(data: bytes, uri: str, title: str) -> Document:
    """Plain text as it stands."""
    return Document(uri, title, decode(data))


def _read_markdown(data: bytes, uri: str, title: str) -> Document:
    text = decode(data)
    return Document(uri, markdown_title(text) or title, text, media_type="text/markdown")


def _read_html(data: bytes, uri: str, title: str) -> Document:
    text, own_title = html_to_markdown(decode(data, declared_charset(data)))
    return Document(uri, own_title or title, text, media_type="text/markdown")


def _read_pdf(data: bytes, uri: str, title: str) -> Document:
    if not data.strip():
        raise InputError("empty")
    text, own_title = pdf_text(data)
    return Document(uri, own_title or title, text, media_type="text/plain")


def _read_csv(data: bytes, uri: str, title: str) -> Document:
    return Document(uri, title, decode(data), media_type="text/csv")


def _read_tsv(data: bytes, uri: str, title: str) -> Document:
    return Document(uri, title, decode(data), media_type="text/tab-separated-values")


READERS: dict[str, Callable[[bytes, str, str], Document]] = {
    ".csv": _read_csv,
    ".htm": _read_html,
    ".html": _read_html,
    ".log": read_text,
    ".markdown": _read_markdown,
    ".md": _read_markdown,
    ".pdf": _read_pdf,
    ".rst": read_text,
    ".text": read_text,
    ".tsv": _read_tsv,
    ".txt": read_text,
    ".xhtml": _read_html,
}
SUFFIXES = frozenset(READERS) | _JSONL | {".json"}
"""Kinds of files that are looked for in folders."""


def markdown_title(text: str) -> str:
    """The title in a Markdown text's front matter, else its first heading, else nothing."""
    if match := _FRONT_MATTER_TITLE.match(text):
        return match["title"].strip("\"'")
    return next((heading.title for heading in markdown_headings(text)), "")


def title_of_name(stem: str) -> str:
    """A file's name as a title: ``annual_report-2023`` as ``annual report 2023``."""
    return re.sub(r"[_\-\s]+", " ", stem).strip() or stem


def looks_binary(path: Path) -> bool:
    """Whether a file's beginning is no text.

    :raises OSError: it can't be read.
    """
    with path.open("rb") as file:
        return is_binary(file.read(SAMPLE))
