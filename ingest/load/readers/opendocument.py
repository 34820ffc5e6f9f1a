"""OpenDocument texts and slides as Markdown; its sheets are read as other workbooks are."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hlg.errors import InputError
from hlg.ingest.load.archive import opened_zip
from hlg.ingest.load.blocks import heading, one_line, pipe_table
from hlg.ingest.load.file import File, one
from hlg.ingest.load.readers.xml import local_name, parsed_xml, properties_of
from hlg.records import Document
from hlg.words import word_set

if TYPE_CHECKING:
    from lxml.etree import _Element

_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_PROPERTIES = {"initial-creator": "author", "keyword": "keywords", "creation-date": "date"}
_MOST_REPEATED = 100
"""Cells may be said to repeat a million times; so many spaces or cells are believed."""
_NOT_SHOWN = word_set("""
tracked-changes annotation settings forms sequence-decls table-of-content alphabetical-index
bibliography note-citation page-number
""")


def read_opendocument(file: File) -> Iterator[Document]:
    """An .odt or .odp: headings, lists, tables, and a section a slide."""
    with opened_zip(file, "OpenDocument file") as archive:
        names = archive.namelist()
        if "content.xml" not in names:
            raise InputError("broken OpenDocument file: no content.xml in it")
        if "META-INF/manifest.xml" in names and b"encryption-data" in archive.read(
            "META-INF/manifest.xml"
        ):
            raise InputError("encrypted OpenDocument file; save a copy without its password")
        root = parsed_xml(archive.read("content.xml"))
        meta = archive.read("meta.xml") if "meta.xml" in names else b""
    properties = properties_of(parsed_xml(meta), _PROPERTIES) if meta else {}
    blocks = []
    for block, joined in _blocks(root):
        file.spent.add(block)
        blocks += ["\n" if joined else "\n\n", block]
    own_title = next((b.lstrip("# ") for b in blocks if b.startswith("# ")), "")
    title = properties.pop("title", "") or own_title
    yield from one(file, "".join(blocks).lstrip("\n"), title, properties)


def _blocks(root: "_Element") -> Iterator[tuple[str, bool]]:
    """Blocks in order, each with whether it goes on with the list before it."""
    stack: list[tuple[_Element, int]] = [(root, 0)]
    slide = 0
    in_list = False
    while stack:
        element, depth = stack.pop()
        name = local_name(element)
        if not name or name in _NOT_SHOWN:
            continue
        if name == "h":
            level = element.get(f"{_TEXT}outline-level", "1")
            if text := one_line(_text(element)):
                yield heading(int(level) if level.isdigit() else 1, text), False
        elif name == "p":
            if text := one_line(_text(element)):
                yield f"{'  ' * (depth - 1)}- {text}" if depth else text, in_list and depth > 0
                in_list = depth > 0
        elif name == "table":
            if table := pipe_table(_rows(element)):
                yield table, False
        else:
            if name == "page" and element.tag.startswith(_DRAW):
                slide += 1
                yield heading(2, element.get(f"{_DRAW}name") or f"Slide {slide}"), False
            elif name == "list":
                in_list = in_list and depth > 0
                depth += 1
            stack.extend((child, depth) for child in reversed(element))


def _rows(table: "_Element") -> Iterator[list[str]]:
    for row in table.iter(f"{_TABLE}table-row"):
        cells = []
        for cell in row:
            if local_name(cell) not in ("table-cell", "covered-table-cell"):
                continue
            paragraphs = cell.iter(f"{_TEXT}p", f"{_TEXT}h")
            text = " ".join(one_line(_text(each)) for each in paragraphs)
            repeated = cell.get(f"{_TABLE}number-columns-repeated", "1")
            times = int(repeated) if repeated.isdigit() else 1
            cells += [text] * min(times, _MOST_REPEATED)
        yield cells


def _text(element: "_Element") -> str:
    """A paragraph's text, its spaces, tabs and line breaks among it."""
    parts = [element.text or ""]
    for child in element:
        name = local_name(child)
        if name in ("s", "tab", "line-break"):
            parts.append(" ")
        elif name and name not in _NOT_SHOWN:
            inner = _text(child)
            parts.append(f" ({inner.strip()})" if name == "note" else inner)
        parts.append(child.tail or "")
    return "".join(parts)
