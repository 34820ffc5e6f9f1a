"""XML: parsed without entities or the network, and as text that keeps titles and blocks."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from hlg.errors import InputError
from hlg.ingest.load.blocks import fenced, heading, one_line, pipe_table
from hlg.ingest.load.file import File, one
from hlg.records import Document
from hlg.words import word_set

if TYPE_CHECKING:
    from lxml.etree import _Element

_PARAGRAPHS = word_set("para simpara p term listitem li note abstract description summary entry")
_CODE = word_set("programlisting screen literallayout synopsis pre code-block")
_TITLES = frozenset(("title", "head", "refname"))
_DUBLIN_CORE = {
    "title": "title",
    "creator": "author",
    "subject": "subject",
    "keywords": "keywords",
    "language": "language",
}


def parsed_xml(data: bytes, *, recover: bool = False) -> "_Element":
    """The root element of an XML text; entities stay unresolved and nothing is fetched.

    :param recover: make what can be made of a text that isn't well-formed.
    :raises XMLSyntaxError: it isn't.
    :raises InputError: no element can be made of it.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, recover=recover
    )
    root: _Element | None = etree.fromstring(data, parser)
    if root is None:
        raise InputError("broken XML: it has no element")
    return root


def properties_of(root: "_Element", own: Mapping[str, str]) -> dict[str, str]:
    """What a file says of itself in elements of Dublin Core.

    :param own: names that only files of its kind have, and what they are called here.
    """
    names = {**_DUBLIN_CORE, **own}
    found: dict[str, str] = {}
    for element in root.iter():
        key = names.get(local_name(element))
        if key and (value := one_line(element.text or "")):
            found.setdefault(key, value)
    return found


def local_name(element: "_Element") -> str:
    """An element's tag without its namespace; nothing for comments and entities."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def read_xml(file: File) -> Iterator[Document]:
    """An XML file, DocBook among them: titles as headings, the text of elements as blocks."""
    blocks = list(_blocks(parsed_xml(file.data, recover=True)))
    title = next((b.lstrip("# ") for b in blocks if b.startswith("#")), "")
    yield from one(file, "\n\n".join(blocks), title)


def _blocks(root: "_Element") -> Iterator[str]:
    """Blocks in order; a stack, as files may nest deeper than Python does."""
    stack = [(root, 0)]
    while stack:
        element, depth = stack.pop()
        name = local_name(element)
        if not name or name in ("indexterm", "remark"):
            continue
        if name in _TITLES:
            if text := _text(element):
                yield heading(depth, text)
        elif name in _CODE:
            if (code := "".join(element.itertext()).strip("\n")).strip():
                yield fenced(code)
        elif name == "tgroup" or name == "table":
            rows = [e for e in element.iter() if local_name(e) in ("row", "tr")]
            if table := pipe_table([_text(cell) for cell in row] for row in rows):
                yield table
        elif not len(element) or (element.text or "").strip() or _is_leafy(element, name):
            if text := _text(element):
                yield f"- {text}" if name in ("listitem", "li") else text
        else:
            titled = any(local_name(child) in _TITLES for child in element)
            stack.extend((child, depth + titled) for child in reversed(element))


def _is_leafy(element: "_Element", name: str) -> bool:
    """Whether an element is one block: a paragraph, or one with text between its parts."""
    if any(local_name(child) in (*_PARAGRAPHS, *_CODE, *_TITLES) for child in element):
        return False
    return name in _PARAGRAPHS or any((child.tail or "").strip() for child in element)


def _text(element: "_Element") -> str:
    return one_line("".join(element.xpath(".//text()")))
