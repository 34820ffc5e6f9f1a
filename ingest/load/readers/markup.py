"""Org, AsciiDoc and MediaWiki as Markdown: headings, lists, tables, code; links as their text."""

import re
from collections.abc import Callable, Iterator, Sequence

from hlg.ingest.load.blocks import fenced, heading, one_line, pipe_table
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.records import Document

Lines = Sequence[str]

_ORG_KEYWORD = re.compile(r"#\+(\w+):\s*(.*)", re.IGNORECASE)
_ORG_BLOCK = re.compile(r"\s*#\+begin_(\w+)\s*(\S*)", re.IGNORECASE)
_ORG_CODE = ("src", "example")
_ORG_HEADING = re.compile(r"(\*+)\s+(?:(?:TODO|DONE)\s+)?(?:\[#\w\]\s+)?(.*?)\s*(?::[\w@:]+:)?\s*$")
_ORG_LINK = re.compile(r"\[\[([^\[\]]*)\](?:\[([^\[\]]*)\])?\]")
_ORG_SKIPPED = re.compile(r"\s*(?:# |#$|#\+|(?:CLOCK|SCHEDULED|DEADLINE|CLOSED):)")

_ADOC_HEADING = re.compile(r"(={1,6})\s+(.*)")
_ADOC_ATTRIBUTE = re.compile(r":([\w-]+)!?:\s*(.*)")
_ADOC_FENCE = re.compile(r"(-{4,}|\.{4,}|/{4,}|`{3,})\S*\s*$")
_ADOC_SKIPPED = re.compile(r"(?://|\[[^\]]*\]\s*$|(?:={4,}|\*{4,}|_{4,}|\+{4,}|--|\+)\s*$|\w+::)")
_ADOC_LINK = re.compile(r"(?:link:|xref:|mailto:)?[\w:/.@?=&%#~+-]+\[([^\]\n]+)\]")
_ADOC_REFERENCE = re.compile(r"<<[^<>,\n]+(?:,\s*([^<>\n]+))?>>|\[\[[^\[\]\n]*\]\]")
_ADOC_ITEM = re.compile(r"\s*(\*{1,5}|\.{1,5}|-)\s+(.*)")

_WIKI_GONE = re.compile(
    r"<!--.*?(?:-->|\Z)|<ref[^>/]*/>|<ref[^>]*>.*?(?:</ref>|\Z)|__[A-Z]+__",
    re.DOTALL | re.IGNORECASE,
)
_WIKI_HEADING = re.compile(r"(={1,6})\s*(.+?)\s*\1\s*$")
_WIKI_BRACKETS = re.compile(r"\{\{|\}\}|\[\[|\]\]")
_WIKI_UNSEEN = re.compile(r"(?:file|image|category|media)\s*:", re.IGNORECASE)
_WIKI_ADDRESS = re.compile(r"\[(?:https?:|mailto:)?//?\S+(?:\s+([^\]\n]*))?\]")
_WIKI_ITEM = re.compile(r"([*#:;]+)\s*(.*)")
_WIKI_QUOTES = re.compile(r"'{2,5}")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_KEPT = ("author", "date", "description", "language")


def read_org(file: File) -> Iterator[Document]:
    """An Org file."""
    yield from _read(file, _org)


def read_asciidoc(file: File) -> Iterator[Document]:
    """An AsciiDoc file."""
    yield from _read(file, _asciidoc)


def read_mediawiki(file: File) -> Iterator[Document]:
    """A page in the markup of MediaWiki, without its templates and references."""
    yield from _read(file, _mediawiki)


def _read(
    file: File, blocks: Callable[[str, dict[str, object]], Iterator[str]]
) -> Iterator[Document]:
    """A file by what gives its lines and blocks, and puts what it says of itself in a mapping."""
    said: dict[str, object] = {}
    parts = list(blocks(decode(file.data).replace("\r\n", "\n"), said))
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip("\n")
    file.spent.add(text)
    first = next((part.strip("# \n") for part in parts if part.startswith("\n# ")), "")
    title = str(said.pop("title", "")) or first
    yield from one(file, text, title, {key: said[key] for key in _KEPT if said.get(key)})


def _until(lines: Lines, at: int, is_end: Callable[[str], object]) -> int:
    """The place of the line that ends a block, or behind the last one."""
    return next((i for i in range(at, len(lines)) if is_end(lines[i])), len(lines))


def _org(text: str, said: dict[str, object]) -> Iterator[str]:
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if match := _ORG_BLOCK.match(line):
            kind = match[1].lower()
            if kind in _ORG_CODE:
                end = _until(lines, at, re.compile(rf"\s*#\+end_{kind}", re.IGNORECASE).match)
                code = "\n".join(lines[at:end])
                yield f"\n{fenced(code, match[2] if kind == 'src' else '')}\n"
                at = end + 1
        elif match := _ORG_KEYWORD.match(line):
            said.setdefault(match[1].lower(), match[2].strip())
        elif line.strip().upper() in (":PROPERTIES:", ":LOGBOOK:"):
            at = _until(lines, at, lambda x: x.strip().upper() == ":END:") + 1
        elif match := _ORG_HEADING.match(line):
            yield f"\n{heading(len(match[1]), _org_inline(match[2]))}\n"
        elif line.lstrip().startswith("|"):
            end = _until(lines, at, lambda x: not x.lstrip().startswith("|"))
            rows = [each.strip().strip("|") for each in lines[at - 1 : end]]
            cells = [row.split("|") for row in rows if not re.fullmatch(r"[-+| ]*", row)]
            yield f"\n{pipe_table([_org_inline(cell) for cell in row] for row in cells)}\n"
            at = end
        elif not _ORG_SKIPPED.match(line):
            yield _org_inline(re.sub(r"^(\s*)\+ ", r"\1- ", line))


def _org_inline(text: str) -> str:
    return _ORG_LINK.sub(lambda match: match[2] or match[1], text)


def _asciidoc(text: str, said: dict[str, object]) -> Iterator[str]:
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if match := _ADOC_FENCE.match(line):
            mark = match[1]
            end = _until(lines, at, re.compile(rf"{re.escape(mark)}\s*$").match)
            if mark[0] != "/":
                yield f"\n{fenced(chr(10).join(lines[at:end]))}\n"
            at = end + 1
        elif line.startswith("|==="):
            end = _until(lines, at, lambda x: x.startswith("|==="))
            yield f"\n{_asciidoc_table(lines[at:end])}\n"
            at = end + 1
        elif match := _ADOC_ATTRIBUTE.match(line):
            said.setdefault(match[1].lower(), match[2].strip())
        elif match := _ADOC_HEADING.match(line):
            yield f"\n{heading(len(match[1]), _asciidoc_inline(match[2]))}\n"
        elif match := _ADOC_ITEM.match(line):
            mark = "1." if match[1][0] == "." else "-"
            yield f"{'  ' * (len(match[1]) - 1)}{mark} {_asciidoc_inline(match[2])}"
        elif re.match(r"\.\w", line):  # a block's title
            yield f"\n{_asciidoc_inline(line[1:])}\n"
        elif not _ADOC_SKIPPED.match(line):
            yield _asciidoc_inline(line)


def _asciidoc_inline(text: str) -> str:
    text = _ADOC_REFERENCE.sub(lambda match: match[1] or "", text)
    return _ADOC_LINK.sub(r"\1", text) if "[" in text else text


def _asciidoc_table(lines: Lines) -> str:
    """Rows of as many cells as the first line that has any."""
    cells: list[str] = []
    columns = 0
    for line in lines:
        first, *others = re.split(r"(?<!\\)[\w.+^<>]{0,4}\|", line)
        if cells and first.strip():
            cells[-1] += f" {first}"
        columns = columns or len(others)
        cells += others
    shown = [_asciidoc_inline(one_line(cell)) for cell in cells]
    return pipe_table(shown[i : i + columns] for i in range(0, len(shown), columns or 1))


def _mediawiki(text: str, said: dict[str, object]) -> Iterator[str]:
    lines = _without_brackets(_WIKI_GONE.sub("", text)).split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.lstrip().startswith("{|"):
            end = _until(lines, at, lambda x: x.lstrip().startswith("|}"))
            yield f"\n{pipe_table(_wiki_rows(lines[at:end]))}\n"
            at = end + 1
        elif match := _WIKI_HEADING.match(line):
            yield f"\n{heading(len(match[1]), _wiki_inline(match[2]))}\n"
        elif match := _WIKI_ITEM.match(line):
            mark = {"#": "1. ", "*": "- "}.get(match[1][-1], "")
            yield f"{'  ' * (len(match[1]) - 1) if mark else ''}{mark}{_wiki_inline(match[2])}"
        else:
            yield _wiki_inline(line)


def _without_brackets(text: str) -> str:
    """A page without its templates, and with its links as their text."""
    open_: list[tuple[str, list[str]]] = []
    shown: list[str] = []
    at = 0
    for mark in _WIKI_BRACKETS.finditer(text):
        shown.append(text[at : mark.start()])
        at = mark.end()
        if mark[0] in ("{{", "[["):
            open_.append((mark[0], shown))
            shown = []
        elif open_ and (open_[-1][0] == "{{") == (mark[0] == "}}"):
            inner = "".join(shown)
            shown = open_.pop()[1]
            if mark[0] == "]]" and not _WIKI_UNSEEN.match(inner):
                shown.append(inner.rpartition("|")[2])
    tail = text[at:]
    while open_:
        tail = "".join(shown) + tail
        shown = open_.pop()[1]
    return "".join(shown) + tail


def _wiki_rows(lines: Lines) -> Iterator[list[str]]:
    row: list[str] = []
    for line in map(str.strip, lines):
        if line.startswith("|-"):
            yield row
            row = []
        elif line.startswith(("|", "!")) and not line.startswith("|+"):
            cells = re.split(r"\|\||!!" if line[0] == "!" else r"\|\|", line[1:])
            row += [_wiki_inline(re.sub(r"^[^|]*=[^|]*\|", "", cell)) for cell in cells]
        elif row:
            row[-1] += f" {_wiki_inline(line)}"
    yield row


def _wiki_inline(text: str) -> str:
    text = _WIKI_ADDRESS.sub(lambda match: match[1] or "", text) if "[" in text else text
    return _WIKI_QUOTES.sub("", _TAG.sub("", text) if "<" in text else text)
