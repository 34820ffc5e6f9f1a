"""Which kinds of files there are, which reader each has, and how a kind is recognised."""

import re
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from zipfile import BadZipFile, ZipFile

from hlg.ingest.load.file import File, Reader, suffix_of
from hlg.ingest.load.readers.code import LANGUAGES
from hlg.ingest.load.readers.office import OLE
from hlg.registry import Registry, Row

PICTURES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*")
"""How PNG, JPEG and TIFF files begin. Folders are searched for the last alone."""
PLAIN_TEXT = "plain text"
ARCHIVE = "ZIP archive"


@dataclass(frozen=True, slots=True)
class FileRow(Row[Reader]):
    """A kind of file: what its reader keeps of it, and the suffixes of its files."""

    suffixes: tuple[str, ...] = ()


_MARKUP = "headings, lists, tables, code"
_MANUAL = ".1 .2 .3 .4 .5 .6 .7 .8 .1ssl .3am .3perl .3pm .3ssl .5ssl .7ssl .man .mdoc"
_KINDS = (
    (PLAIN_TEXT, "readers.plain.read_text", ".txt .text .log", "the text as it is"),
    ("subtitles", "readers.plain.read_subtitles", ".srt .vtt",
     "what is said, a paragraph until a pause"),
    ("Markdown", "readers.plain.read_markdown", ".md .markdown .mdx .qmd .rmd",
     "the text as it is; title, front matter as metadata"),
    ("reStructuredText", "readers.rst.read_rst", ".rst .rest", _MARKUP),
    ("Org", "readers.markup.read_org", ".org", _MARKUP),
    ("AsciiDoc", "readers.markup.read_asciidoc", ".adoc .asciidoc", _MARKUP),
    ("MediaWiki", "readers.markup.read_mediawiki", ".mediawiki .wiki",
     "headings, lists, tables; no templates and references"),
    ("LaTeX", "readers.latex.read_latex", ".tex .latex",
     "sections, lists, tables, formulas; title, author"),
    ("manual page", "readers.manual.read_manual", _MANUAL,
     "headings, lists, code of man(7) and mdoc(7)"),
    ("HTML", "readers.html.read_html", ".html .htm .xhtml",
     "headings, lists, tables, code; title and metadata; no navigation"),
    ("XML, DocBook", "readers.xml.read_xml", ".xml .dbk .docbook", "titles, paragraphs, tables"),
    ("PDF", "readers.pdf.read_pdf", ".pdf", "headings, paragraphs, tables, page numbers"),
    ("picture", "readers.pictures.read_picture", ".tif .tiff",
     "a scan's text, by tesseract; page numbers"),
    ("Word", "readers.office.read_word", ".docx .docm",
     "headings, lists, tables, notes, properties"),
    ("PowerPoint", "readers.office.read_powerpoint", ".pptx .pptm",
     "a section a slide, tables, notes"),
    ("workbook", "readers.office.read_workbook", ".xlsx .xlsm .xlsb .xls .ods", "a table a sheet"),
    ("OpenDocument", "readers.opendocument.read_opendocument", ".odt .odp .ott",
     "headings, lists, tables"),
    ("old Office", "readers.office.refuse_old_office", ".doc .ppt",
     "nothing: it says what to save as"),
    ("RTF", "readers.plain.read_rtf", ".rtf", "the text"),
    ("EPUB", "readers.epub.read_epub", ".epub", "chapters in order; title, author, language"),
    ("e-mail", "readers.mail.read_message", ".eml",
     "decoded text, sender, date, thread, attachments"),
    ("mailbox", "readers.mail.read_mailbox", ".mbox", "a document a message, as e-mail"),
    (ARCHIVE, "reading.read_archive", ".zip", "the files in it that a folder is searched for"),
    ("notebook", "readers.notebook.read_notebook", ".ipynb", "prose, code, printed output"),
    ("CSV", "readers.delimited.read_delimited", ".csv .tsv .tab", "rows under their header"),
    ("JSON", "readers.records.read_json_file", ".json",
     "a document a record of a list, else a line a value"),
    ("JSONL", "readers.records.read_jsonl_file", ".jsonl .ndjson",
     "a document a line, fields as metadata"),
    ("GeoJSON", "readers.settings.read_geojson", ".geojson",
     "a document a feature: its properties"),
    ("YAML, TOML", "readers.settings.read_settings", ".yaml .yml .toml",
     "a document a record of a list, else a line a value"),
    ("BibTeX", "readers.entries.read_bibliography", ".bib",
     "a document an entry, a line a field"),
    ("calendar, address book", "readers.entries.read_cards", ".ics .vcf",
     "a document an event or card, a line a field"),
    ("source code", "readers.code.read_code", " ".join(sorted(LANGUAGES)),
     "definitions as sections, docstrings and comments as text"),
)  # fmt: skip
"""By name its reader, a function of a module in this folder, its suffixes, and a summary."""


def _row(reader: str, suffixes: str, summary: str) -> FileRow:
    module, _, function = f"hlg.ingest.load.{reader}".rpartition(".")
    return FileRow(summary, module, function, suffixes=tuple(suffixes.split()))


FORMATS: Registry[FileRow] = Registry(
    "kind of file", {name: _row(*given) for name, *given in _KINDS}
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
_BEGINNINGS = {"PDF": (b"%PDF-",), "RTF": (b"{\\rtf",), "picture": PICTURES}
_MAILBOX = re.compile(rb"From [^\r\n]*\d{4}[^\r\n]*\r?\n[\w-]+:")
"""A line "From ", then headers."""
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
    if data.startswith(b"PK\x03\x04"):
        return _zipped(file)
    for kind, beginnings in _BEGINNINGS.items():
        if data.startswith(beginnings):
            return kind
    if data.startswith(OLE) and file.suffix not in (".xls", ".docx", ".pptx", ".xlsx"):
        return "old Office"
    if file.suffix in ("", ".txt", ".text"):
        if _HTML_BEGINNING.match(data[:1024]):
            return "HTML"
        if _MAILBOX.match(data[:1024]):
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
