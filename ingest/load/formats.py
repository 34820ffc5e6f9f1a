"""Which kinds of files there are, which reader each has, and how a kind is recognised."""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hlg.errors import InputError
from hlg.ingest.load.archive import gunzipped, opened_zip
from hlg.ingest.load.encoding import SAMPLE, decode, is_binary
from hlg.ingest.load.file import File, Reader, RecordFields, suffix_of
from hlg.ingest.load.language import detect_language
from hlg.ingest.load.limits import Limits, check_size
from hlg.ingest.load.readers import code, mail
from hlg.ingest.load.readers.delimited import read_delimited
from hlg.ingest.load.readers.epub import read_epub
from hlg.ingest.load.readers.html import read_html
from hlg.ingest.load.readers.notebook import read_notebook
from hlg.ingest.load.readers.office import OLE, read_powerpoint, read_word, read_workbook
from hlg.ingest.load.readers.opendocument import read_opendocument
from hlg.ingest.load.readers.pdf import read_pdf
from hlg.ingest.load.readers.plain import read_markdown, read_rtf, read_text
from hlg.ingest.load.readers.records import read_json, read_jsonl
from hlg.ingest.load.readers.rst import read_rst
from hlg.ingest.load.readers.xml import read_xml
from hlg.records import Document
from hlg.reports import Failure

GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: the suffixes of its files, its reader, and what a reader keeps of it."""

    name: str
    suffixes: tuple[str, ...]
    read: Reader
    keeps: str


def _read_json(file: File) -> Iterator[Document | Failure]:
    text = decode(file.data)
    if not text.strip():
        raise InputError("empty")
    yield from read_json(text, file.uri, file.title, file.fields)


def _read_jsonl(file: File) -> Iterator[Document | Failure]:
    from io import BytesIO

    readline = BytesIO(file.data).readline
    yield from read_jsonl(readline, file.uri, file.limits.file_bytes, file.fields)


def _read_message(file: File) -> Iterator[Document | Failure]:
    yield from mail.read_message(file, _read_attachment)


def _read_mailbox(file: File) -> Iterator[Document | Failure]:
    yield from mail.read_mailbox(file, _read_attachment)


def _read_attachment(file: File) -> Iterator[Document | Failure]:
    """An attachment of a kind that folders are searched for; pictures and the like are none."""
    if file.suffix in SUFFIXES:
        yield from read_inside(file)


def _refuse_old_office(file: File) -> Iterator[Document]:
    new = {".doc": ".docx", ".ppt": ".pptx"}.get(file.suffix, ".docx")
    raise InputError(f"a file of an old Office; save it as {new}")
    yield


FORMATS: tuple[Format, ...] = (
    Format("plain text", (".txt", ".text", ".log", ".srt", ".vtt"), read_text, "the text as it is"),
    Format(
        "Markdown",
        (".md", ".markdown", ".mdx", ".qmd", ".rmd"),
        read_markdown,
        "the text as it is; title, front matter as metadata",
    ),
    Format("reStructuredText", (".rst", ".rest"), read_rst, "headings, lists, tables, code"),
    Format(
        "HTML",
        (".html", ".htm", ".xhtml"),
        read_html,
        "headings, lists, tables, code; title and metadata; no navigation",
    ),
    Format("XML, DocBook", (".xml", ".dbk", ".docbook"), read_xml, "titles, paragraphs, tables"),
    Format("PDF", (".pdf",), read_pdf, "headings, paragraphs, tables, page numbers"),
    Format("Word", (".docx", ".docm"), read_word, "headings, lists, tables, notes, properties"),
    Format("PowerPoint", (".pptx", ".pptm"), read_powerpoint, "a section a slide, tables, notes"),
    Format(
        "workbook", (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), read_workbook, "a table a sheet"
    ),
    Format("OpenDocument", (".odt", ".odp", ".ott"), read_opendocument, "headings, lists, tables"),
    Format("old Office", (".doc", ".ppt"), _refuse_old_office, "nothing: it says what to save as"),
    Format("RTF", (".rtf",), read_rtf, "the text"),
    Format("EPUB", (".epub",), read_epub, "chapters in order; title, author, language"),
    Format("e-mail", (".eml",), _read_message, "decoded text, sender, date, thread, attachments"),
    Format("mailbox", (".mbox",), _read_mailbox, "a document a message, as e-mail"),
    Format("notebook", (".ipynb",), read_notebook, "prose, code, printed output"),
    Format("CSV", (".csv", ".tsv", ".tab"), read_delimited, "rows under their header"),
    Format("JSON", (".json",), _read_json, "a document a record of a list"),
    Format("JSONL", (".jsonl", ".ndjson"), _read_jsonl, "a document a line, fields as metadata"),
    Format(
        "source code",
        tuple(sorted({*code.LANGUAGES, *code.OTHER_LANGUAGES})),
        code.read_code,
        "definitions as sections, docstrings and comments as text",
    ),
)
"""All formats; a file without a suffix is plain text, and ``.gz`` any of them, packed."""

_BY_SUFFIX = {suffix: each for each in FORMATS for suffix in each.suffixes}
_BY_NAME = {each.name: each for each in FORMATS}
_JSONL = _BY_NAME["JSONL"]
_PLAIN = _BY_NAME["plain text"]
SUFFIXES = frozenset(_BY_SUFFIX)
"""Kinds of files that are looked for in folders."""
_ZIPPED = (
    ("word/document.xml", "Word"),
    ("ppt/presentation.xml", "PowerPoint"),
    ("xl/workbook.xml", "workbook"),
    ("xl/workbook.bin", "workbook"),
    ("META-INF/container.xml", "EPUB"),
    ("content.xml", "OpenDocument"),
)
_HTML_BEGINNING = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype html|<html[\s>])", re.IGNORECASE
)


def format_of(name: str) -> Format | None:
    """The format that a file's name says it has; packed ones by the name inside."""
    suffix = suffix_of(name.lower().removesuffix(".gz"))
    return _BY_SUFFIX.get(suffix) or (_PLAIN if not suffix else None)


def read_file(
    path: Path, uri: str, limits: Limits, fields: RecordFields | None = None
) -> Iterator[Document | Failure]:
    """The documents in a file; a kind that isn't known is read as plain text.

    Never raises: what can't be read is a failure with its reason.
    """
    fields = fields or RecordFields()
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError("not a regular file")
        with path.open("rb") as stream:
            if format_of(path.name) is _JSONL and suffix_of(path.name) != ".gz":
                found = read_jsonl(stream.readline, uri, limits.file_bytes, fields)
                yield from (_described(each, _JSONL) for each in found)
                return
            check_size(os.fstat(stream.fileno()).st_size, limits.file_bytes, "file")
            data = stream.read()
    except InputError as error:
        yield Failure(uri, str(error))
        return
    except OSError as error:
        yield Failure(uri, error.strerror or str(error))
        return
    yield from read_inside(File(data, uri, path.name, "", limits, fields))


def read_inside(file: File) -> Iterator[Document | Failure]:
    """The documents in a file's bytes; what can't be read is a failure with its reason."""
    try:
        if file.data.startswith(GZIP):
            data = gunzipped(file.data, file.limits)
            file = replace(file, data=data, name=re.sub(r"\.gz$", "", file.name, flags=re.I))
        kind = _recognised(file) or format_of(file.name) or _PLAIN
        title = file.title or title_of_name(Path(file.name).stem)
        empty = not file.data.strip()
        if empty:
            raise InputError("empty")
        for found in kind.read(replace(file, title=title)):
            if isinstance(found, Document) and not found.text.strip():
                yield Failure(found.uri, "empty")
            else:
                yield _described(found, kind)
    except InputError as error:
        yield Failure(file.uri, str(error))
    except (RecursionError, MemoryError) as error:
        yield Failure(file.uri, f"too deeply nested or too large ({type(error).__name__})")


def _described(found: Document | Failure, kind: Format) -> Document | Failure:
    """The document with its language, and the format it came from."""
    if isinstance(found, Failure):
        return found
    if found.format:  # an attachment has its own
        return found
    language = detect_language(found.text)
    metadata = found.metadata
    if language:
        metadata = {**metadata, "language": metadata.get("language") or language}
    return replace(found, metadata=metadata, format=kind.name)


def _recognised(file: File) -> Format | None:
    """The format that a file's first bytes say it has, whatever it is called."""
    data = file.data
    if data.startswith(b"%PDF-"):
        return _BY_NAME["PDF"]
    if data.startswith(b"PK\x03\x04"):
        return _zipped(file)
    if data.startswith(b"{\\rtf"):
        return _BY_NAME["RTF"]
    if data.startswith(OLE) and file.suffix not in (".xls", ".docx", ".pptx", ".xlsx"):
        return _BY_NAME["old Office"]
    if file.suffix in ("", ".txt", ".text"):
        if _HTML_BEGINNING.match(data[:1024]):
            return _BY_NAME["HTML"]
        if mail.is_mailbox(data[:1024]):
            return _BY_NAME["mailbox"]
    return None


def _zipped(file: File) -> Format | None:
    """The format of a ZIP file by what is in it.

    :raises InputError: it is broken, too large, or none of them.
    """
    named = _BY_SUFFIX.get(file.suffix)
    with opened_zip(
        file.data, file.limits, f"{named.name} file" if named else "ZIP file"
    ) as members:
        names = set(members.namelist())
        sheet = b"spreadsheet" in members.read("mimetype")[:80] if "mimetype" in names else False
    if sheet:
        return _BY_NAME["workbook"]
    found = next((kind for member, kind in _ZIPPED if member in names), None)
    if found is None and named is None:
        raise InputError("a ZIP file; unpack it and name the folder")
    return _BY_NAME[found] if found else named


def title_of_name(stem: str) -> str:
    """A file's name as a title: ``annual_report-2023`` as ``annual report 2023``."""
    return re.sub(r"[_\-\s]+", " ", stem).strip() or stem


def looks_binary(path: Path) -> bool:
    """Whether a file's beginning is no text.

    :raises OSError: it can't be read.
    """
    with path.open("rb") as file:
        return is_binary(file.read(SAMPLE))


def format_rows() -> Iterable[tuple[str, str, str]]:
    """The table of formats: each one's name, suffixes, and what is kept of it."""
    return [(each.name, " ".join(each.suffixes), each.keeps) for each in FORMATS]
