"""EPUB books: their chapters in reading order, each an HTML page."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote
from zipfile import ZipFile

from hlg.errors import InputError
from hlg.ingest.load.archive import opened_zip
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.ingest.load.readers.html import declared_charset, html_to_markdown
from hlg.ingest.load.readers.xml import local_name, parsed_xml, properties_of
from hlg.records import Document

_CONTAINER = "META-INF/container.xml"
_PROPERTIES = {"publisher": "publisher", "date": "date"}


def read_epub(file: File) -> Iterator[Document]:
    """A book's text: every page of its spine, pages of navigation aside."""
    with opened_zip(file, "EPUB") as archive:
        package, properties = _package(archive)
        pages = []
        for name in package:
            if name not in archive.namelist():
                continue
            data = archive.read(name)
            text = html_to_markdown(decode(data, declared_charset(data)), whole=True).text
            file.spent.add(text)
            pages.append(text)
    text = "\n\n".join(page for page in pages if page.strip())
    yield from one(file, text, properties.pop("title", ""), properties)


def _package(archive: ZipFile) -> tuple[list[str], dict[str, str]]:
    """The names of a book's pages in order, and what it says of itself."""
    if _CONTAINER not in archive.namelist():
        raise InputError(f"broken EPUB: no {_CONTAINER} in it")
    container = parsed_xml(archive.read(_CONTAINER))
    paths = [e.get("full-path") for e in container.iter() if local_name(e) == "rootfile"]
    if not paths or not paths[0]:
        raise InputError("broken EPUB: it names no package")
    root = parsed_xml(archive.read(paths[0]))
    folder = posixpath.dirname(paths[0])
    items: dict[str, str] = {}
    spine: list[str] = []
    for element in root.iter():
        name = local_name(element)
        if name == "item" and "nav" not in (element.get("properties") or "").split():
            path = posixpath.join(folder, unquote(element.get("href") or ""))
            items[element.get("id") or ""] = posixpath.normpath(path)
        elif name == "itemref":
            spine.append(element.get("idref") or "")
    return [items[each] for each in spine if each in items], properties_of(root, _PROPERTIES)
