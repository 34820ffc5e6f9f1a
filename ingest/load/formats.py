"""Which kinds of files there are, which reader each has, and how a kind is recognised."""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hlg.errors import InputError
from hlg.ingest.load.archive import gunzipped, opened_zip
from hlg.ingest.load.encoding import SAMPLE, is_binary
from hlg.ingest.load.file import File, Reader, RecordFields, suffix_of
from hlg.ingest.load.language import detect_language
from hlg.ingest.load.limits import Limits, check_size
from hlg.ingest.load.readers.code import LANGUAGES, OTHER_LANGUAGES
from hlg.ingest.load.readers.mail import is_mailbox
from hlg.ingest.load.readers.office import OLE
from hlg.ingest.load.readers.records import read_jsonl
from hlg.records import Document
from hlg.registry import Registry, Row
from hlg.reports import Failure

GZIP = b"\x1f\x8b"
PICTURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*")
"""How PNG, JPEG and TIFF files begin. Folders are searched for the last alone."""
PLAIN_TEXT = "plain text"


@dataclass(frozen=True, slots=True)
class FileRow(Row[Reader]):
    """A kind of file: what its reader keeps of it, and the suffixes of its files."""

    suffixes: tuple[str, ...] = ()


def _row(summary: str, reader: str, *suffixes: str) -> FileRow:
    """A row whose reader is ``module.function`` of :mod:`hlg.ingest.load.readers`."""
    module, _, function = reader.partition(".")
    return FileRow(summary, f"hlg.ingest.load.readers.{module}", function, suffixes=suffixes)


FORMATS: Registry[FileRow] = Registry(
    "kind of file",
    {
        "plain text": _row(
            "the text as it is", "plain.read_text", ".txt", ".text", ".log", ".srt", ".vtt"
        ),
        "Markdown": _row(
            "the text as it is; title, front matter as metadata",
            "plain.read_markdown",
            *(".md", ".markdown", ".mdx", ".qmd", ".rmd"),
        ),
        "reStructuredText": _row("headings, lists, tables, code", "rst.read_rst", ".rst", ".rest"),
        "manual page": _row(
            "headings, lists, code of man(7) and mdoc(7)",
            "manual.read_manual",
            *(f".{section}" for section in range(1, 9)),
            *(".1ssl", ".3am", ".3perl", ".3pm", ".3ssl", ".5ssl", ".7ssl", ".man", ".mdoc"),
        ),
        "HTML": _row(
            "headings, lists, tables, code; title and metadata; no navigation",
            "html.read_html",
            *(".html", ".htm", ".xhtml"),
        ),
        "XML, DocBook": _row(
            "titles, paragraphs, tables", "xml.read_xml", ".xml", ".dbk", ".docbook"
        ),
        "PDF": _row("headings, paragraphs, tables, page numbers", "pdf.read_pdf", ".pdf"),
        "picture": _row(
            "a scan's text, by tesseract; page numbers", "pictures.read_picture", ".tif", ".tiff"
        ),
        "Word": _row(
            "headings, lists, tables, notes, properties", "office.read_word", ".docx", ".docm"
        ),
        "PowerPoint": _row(
            "a section a slide, tables, notes", "office.read_powerpoint", ".pptx", ".pptm"
        ),
        "workbook": _row(
            "a table a sheet",
            "office.read_workbook",
            *(".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
        ),
        "OpenDocument": _row(
            "headings, lists, tables", "opendocument.read_opendocument", ".odt", ".odp", ".ott"
        ),
        "old Office": _row(
            "nothing: it says what to save as", "office.refuse_old_office", ".doc", ".ppt"
        ),
        "RTF": _row("the text", "plain.read_rtf", ".rtf"),
        "EPUB": _row("chapters in order; title, author, language", "epub.read_epub", ".epub"),
        "e-mail": FileRow(
            "decoded text, sender, date, thread, attachments",
            __name__,
            "_read_message",
            suffixes=(".eml",),
        ),
        "mailbox": FileRow(
            "a document a message, as e-mail", __name__, "_read_mailbox", suffixes=(".mbox",)
        ),
        "notebook": _row("prose, code, printed output", "notebook.read_notebook", ".ipynb"),
        "CSV": _row("rows under their header", "delimited.read_delimited", ".csv", ".tsv", ".tab"),
        "JSON": _row("a document a record of a list", "records.read_json_file", ".json"),
        "JSONL": _row(
            "a document a line, fields as metadata", "records.read_jsonl_file", ".jsonl", ".ndjson"
        ),
        "source code": _row(
            "definitions as sections, docstrings and comments as text",
            "code.read_code",
            *sorted({*LANGUAGES, *OTHER_LANGUAGES}),
        ),
    },
)
"""All formats; a file without a suffix is plain text, and ``.gz`` any of them, packed."""


def _read_message(file: File) -> Iterator[Document | Failure]:
    from hlg.ingest.load.readers.mail import read_message

    yield from read_message(file, _read_attachment)


def _read_mailbox(file: File) -> Iterator[Document | Failure]:
    from hlg.ingest.load.readers.mail import read_mailbox

    yield from read_mailbox(file, _read_attachment)


def _read_attachment(file: File) -> Iterator[Document | Failure]:
    """An attachment of a kind that folders are searched for; pictures and the like are none."""
    if file.suffix in _BY_SUFFIX:
        yield from read_inside(file)


_BY_SUFFIX = {suffix: name for name, row in FORMATS.items() for suffix in row.suffixes}
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


def format_of(name: str) -> str | None:
    """The format that a file's name says it has; packed ones by the name inside."""
    suffix = suffix_of(name.lower().removesuffix(".gz"))
    return _BY_SUFFIX.get(suffix) or (PLAIN_TEXT if not suffix else None)


def read_file(
    path: Path,
    uri: str,
    limits: Limits,
    fields: RecordFields | None = None,
    ocr_languages: str = "",
) -> Iterator[Document | Failure]:
    """The documents in a file; a kind that isn't known is read as plain text.

    Never raises: what can't be read is a failure with its reason.
    """
    fields = fields or RecordFields()
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError("not a regular file")
        with path.open("rb") as stream:
            if format_of(path.name) == "JSONL" and suffix_of(path.name) != ".gz":
                found = read_jsonl(stream.readline, uri, limits.file_bytes, fields)
                yield from (_described(each, "JSONL") for each in found)
                return
            check_size(os.fstat(stream.fileno()).st_size, limits.file_bytes, "file")
            data = stream.read()
    except InputError as error:
        yield Failure(uri, str(error))
        return
    except OSError as error:
        yield Failure(uri, error.strerror or str(error))
        return
    yield from read_inside(File(data, uri, path.name, "", limits, fields, ocr_languages))


def read_inside(file: File) -> Iterator[Document | Failure]:
    """The documents in a file's bytes; what can't be read is a failure with its reason."""
    try:
        if file.data.startswith(GZIP):
            data = gunzipped(file.data, file.limits)
            file = replace(file, data=data, name=re.sub(r"\.gz$", "", file.name, flags=re.I))
        kind = _recognised(file) or format_of(file.name) or PLAIN_TEXT
        title = file.title or title_of_name(Path(file.name).stem)
        empty = not file.data.strip()
        if empty:
            raise InputError("empty")
        for found in FORMATS[kind].load()(replace(file, title=title)):
            if isinstance(found, Document) and not found.text.strip():
                yield Failure(found.uri, "empty")
            else:
                yield _described(found, kind)
    except InputError as error:
        yield Failure(file.uri, str(error))
    except (RecursionError, MemoryError) as error:
        yield Failure(file.uri, f"too deeply nested or too large ({type(error).__name__})")


def _described(found: Document | Failure, kind: str) -> Document | Failure:
    """The document with its language, and the format it came from."""
    if isinstance(found, Failure):
        return found
    if found.format:  # an attachment has its own
        return found
    language = detect_language(found.text)
    metadata = found.metadata
    if language:
        metadata = {**metadata, "language": metadata.get("language") or language}
    return replace(found, metadata=metadata, format=kind)


def _recognised(file: File) -> str | None:
    """The format that a file's first bytes say it has, whatever it is called."""
    data = file.data
    if data.startswith(b"%PDF-"):
        return "PDF"
    if data.startswith(b"PK\x03\x04"):
        return _zipped(file)
    if data.startswith(b"{\\rtf"):
        return "RTF"
    if data.startswith(PICTURES):
        return "picture"
    if data.startswith(OLE) and file.suffix not in (".xls", ".docx", ".pptx", ".xlsx"):
        return "old Office"
    if file.suffix in ("", ".txt", ".text"):
        if _HTML_BEGINNING.match(data[:1024]):
            return "HTML"
        if is_mailbox(data[:1024]):
            return "mailbox"
    return None


def _zipped(file: File) -> str | None:
    """The format of a ZIP file by what is in it.

    :raises InputError: it is broken, too large, or none of them.
    """
    named = _BY_SUFFIX.get(file.suffix)
    with opened_zip(file.data, file.limits, f"{named} file" if named else "ZIP file") as members:
        names = set(members.namelist())
        sheet = b"spreadsheet" in members.read("mimetype")[:80] if "mimetype" in names else False
    if sheet:
        return "workbook"
    found = next((kind for member, kind in _ZIPPED if member in names), None)
    if found is None and named is None:
        raise InputError("a ZIP file; unpack it and name the folder")
    return found or named


def title_of_name(stem: str) -> str:
    """A file's name as a title: ``annual_report-2023`` as ``annual report 2023``."""
    return re.sub(r"[_\-\s]+", " ", stem).strip() or stem


def looks_binary(path: Path) -> bool:
    """Whether a file's beginning is no text.

    :raises OSError: it can't be read.
    """
    with path.open("rb") as file:
        return is_binary(file.read(SAMPLE))
