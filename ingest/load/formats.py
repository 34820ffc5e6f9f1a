"""Which kinds of files there are, which reader each has, and how a kind is recognised."""

import re
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from zipfile import BadZipFile, ZipFile

from hlg.ingest.load.file import File, Reader, suffix_of
from hlg.ingest.load.readers.code import LANGUAGES, OTHER_LANGUAGES
from hlg.ingest.load.readers.mail import is_mailbox
from hlg.ingest.load.readers.office import OLE
from hlg.registry import Registry, Row

PICTURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*")
"""How PNG, JPEG and TIFF files begin. Folders are searched for the last alone."""
PLAIN_TEXT = "plain text"
ARCHIVE = "ZIP archive"
READING = "hlg.ingest.load.reading"
"""Where files are read that hold others, of any kind."""


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
        "plain text": _row("the text as it is", "plain.read_text", ".txt", ".text", ".log"),
        "subtitles": _row(
            "what is said, a paragraph until a pause", "plain.read_subtitles", ".srt", ".vtt"
        ),
        "Markdown": _row(
            "the text as it is; title, front matter as metadata",
            "plain.read_markdown",
            *(".md", ".markdown", ".mdx", ".qmd", ".rmd"),
        ),
        "reStructuredText": _row("headings, lists, tables, code", "rst.read_rst", ".rst", ".rest"),
        "Org": _row("headings, lists, tables, code", "markup.read_org", ".org"),
        "AsciiDoc": _row(
            "headings, lists, tables, code", "markup.read_asciidoc", ".adoc", ".asciidoc"
        ),
        "MediaWiki": _row(
            "headings, lists, tables; no templates and references",
            "markup.read_mediawiki",
            *(".mediawiki", ".wiki"),
        ),
        "LaTeX": _row(
            "sections, lists, tables, formulas; title, author", "latex.read_latex", ".tex", ".latex"
        ),
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
            READING,
            "read_message",
            suffixes=(".eml",),
        ),
        "mailbox": FileRow(
            "a document a message, as e-mail", READING, "read_mailbox", suffixes=(".mbox",)
        ),
        ARCHIVE: FileRow(
            "the files in it that a folder is searched for",
            READING,
            "read_archive",
            suffixes=(".zip",),
        ),
        "notebook": _row("prose, code, printed output", "notebook.read_notebook", ".ipynb"),
        "CSV": _row("rows under their header", "delimited.read_delimited", ".csv", ".tsv", ".tab"),
        "JSON": _row("a document a record of a list", "records.read_json_file", ".json"),
        "JSONL": _row(
            "a document a line, fields as metadata", "records.read_jsonl_file", ".jsonl", ".ndjson"
        ),
        "GeoJSON": _row(
            "a document a feature: its properties", "settings.read_geojson", ".geojson"
        ),
        "YAML, TOML": _row(
            "a document a record of a list, else a line a value",
            "settings.read_settings",
            *(".yaml", ".yml", ".toml"),
        ),
        "BibTeX": _row("a document an entry, a line a field", "entries.read_bibliography", ".bib"),
        "calendar, address book": _row(
            "a document an event or card, a line a field", "entries.read_cards", ".ics", ".vcf"
        ),
        "source code": _row(
            "definitions as sections, docstrings and comments as text",
            "code.read_code",
            *sorted({*LANGUAGES, *OTHER_LANGUAGES}),
        ),
    },
)
"""All formats; a file without a suffix is plain text, and ``.gz`` any of them, packed."""


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
    suffix = suffix_of(unpacked_name(name))
    return _BY_SUFFIX.get(suffix) or (PLAIN_TEXT if not suffix else None)


def recognised(file: File) -> str | None:
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


def _zipped(file: File) -> str:
    """The format of a ZIP file by what is in it."""
    named = _BY_SUFFIX.get(file.suffix, ARCHIVE)
    try:
        with ZipFile(BytesIO(file.data)) as members:
            names = set(members.namelist())
            if "mimetype" in names and b"spreadsheet" in members.open("mimetype").read(80):
                return "workbook"
    except (BadZipFile, NotImplementedError, RuntimeError):
        return named  # its reader says what is wrong with it
    return next((kind for member, kind in _ZIPPED if member in names), named)


def unpacked_name(name: str) -> str:
    """A file's name without ``.gz``."""
    return re.sub(r"\.gz$", "", name, flags=re.IGNORECASE)


def title_of_name(name: str) -> str:
    """A file's name as a title: ``annual_report-2023.txt`` as ``annual report 2023``."""
    stem = PurePosixPath(unpacked_name(name)).stem
    return re.sub(r"[_\-\s]+", " ", stem).strip() or stem
