"""Jupyter notebooks: the prose of their cells, the code, and what it printed."""

from collections.abc import Iterator
from typing import Any

from hlg.errors import InputError
from hlg.ingest.load.blocks import fenced
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.ingest.load.markdown import markdown_title
from hlg.ingest.load.readers.records import parse_json
from hlg.records import Document

_LONGEST_OUTPUT = 4_000
"""Characters of what a cell printed; logs and dumps say nothing after that."""


def read_notebook(file: File) -> Iterator[Document]:
    """A notebook (.ipynb) as Markdown: cells in order, code and printed text fenced."""
    parsed = parse_json(decode(file.data))
    notebook = parsed if isinstance(parsed, dict) else {}
    cells = notebook.get("cells")
    if cells is None:  # version 3 kept them in worksheets
        sheets = notebook.get("worksheets") or [{}]
        cells = sheets[0].get("cells") if isinstance(sheets[0], dict) else None
    if not isinstance(cells, list):
        raise InputError("no notebook: it has no cells")
    info = notebook.get("metadata")
    info = info if isinstance(info, dict) else {}
    language = _language(info)
    blocks = [
        block for cell in cells if isinstance(cell, dict) for block in _blocks(cell, language)
    ]
    text = "\n\n".join(blocks)
    title = info.get("title")
    metadata: dict[str, object] = {"programming_language": language} if language else {}
    yield from one(file, text, title if isinstance(title, str) else markdown_title(text), metadata)


def _language(info: dict[str, Any]) -> str:
    for key in ("language_info", "kernelspec"):
        value = info.get(key)
        if isinstance(value, dict):
            name = value.get("language") or value.get("name")
            if isinstance(name, str):
                return name
    return ""


def _blocks(cell: dict[str, Any], language: str) -> Iterator[str]:
    source = _joined(cell.get("source", cell.get("input", ""))).strip()
    kind = cell.get("cell_type")
    if kind == "heading" and source:
        yield f"{'#' * int(cell.get('level') or 1)} {source}"
    elif kind == "code":
        if source:
            yield fenced(source, language)
        for output in cell.get("outputs") or []:
            if isinstance(output, dict) and (printed := _printed(output).strip()):
                yield fenced(printed[:_LONGEST_OUTPUT])
    elif source:
        yield source


def _printed(output: dict[str, Any]) -> str:
    """The plain text of an output; pictures and errors' traces are left out."""
    data = output.get("data")
    if isinstance(data, dict):
        return _joined(data.get("text/plain", ""))
    return _joined(output.get("text", ""))


def _joined(value: object) -> str:
    if isinstance(value, list):
        return "".join(str(part) for part in value)
    return value if isinstance(value, str) else ""
