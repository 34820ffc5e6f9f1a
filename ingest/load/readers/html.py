"""HTML as text that keeps its blocks, in Markdown: headings, lists, tables, code.

Only what a page is about: navigation, side bars, footers and links to a heading itself
are left out, and so is what a browser would not show.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hlg.ingest.load.blocks import fenced
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.records import Document
from hlg.words import word_set

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_NO_FIELDS = frozenset(("dt", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "pre", "table", "ul"))
_FIELD = re.compile(r"[^:]{1,60}:")
"""The name of a field in a list of such."""
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_UNSEEN_TAGS = word_set("""
audio canvas head iframe math noscript object script select style svg template video
""")
_BLOCK_TAGS = word_set("""
address article aside blockquote body caption center dd details dialog div dl dt fieldset
figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary
table tbody td tfoot th thead tr ul
""")
_CELLS = ("td", "th")
MOST_COLUMNS, MOST_ROWS = 50, 1_000
"""A cell over more counts as one over so many."""
MOST_REPEATED = 1_000_000
"""Characters that the cells of a page which stand over several rows may repeat in all."""
_SPACE = re.compile(r"[ \t\n\r\f\v]+")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)

_FURNITURE_TAGS = frozenset(("nav", "footer", "button"))
_FURNITURE_ROLES = frozenset(("navigation", "banner", "contentinfo", "search", "menu", "menubar"))
_FURNITURE_NAMES = word_set("""
anchor-link breadcrumb breadcrumbs clickable-header edit-link footer headerlink mw-editsection
navbar navfooter navheader navigation permalink prev-next-area qindex related
rst-footer-buttons side-nav sidebar sidebar-drawer sidebarwrapper skip-link sphinxsidebar toc
toc-drawer wy-breadcrumbs wy-nav-side
""")
"""Classes and ids of navigation in what common generators of documentation write."""
_MAIN = ("//main", "//*[@role='main']", "//article")
_LEAST_MAIN = 0.3
"""Part of a page's text that its main element must hold to be believed."""
_METADATA = {
    "author": "author",
    "article:author": "author",
    "description": "description",
    "og:description": "description",
    "keywords": "keywords",
    "date": "date",
    "dc.date": "date",
    "dcterms.date": "date",
    "article:published_time": "date",
    "og:site_name": "site",
}


@dataclass(frozen=True, slots=True)
class Page:
    """What a page shows, as Markdown; its title, and what its head says of it."""

    text: str = ""
    title: str = ""
    first_heading: str = ""
    metadata: dict[str, object] = field(default_factory=dict)


def read_html(file: File) -> Iterator[Document]:
    """An HTML page without its navigation."""
    page = html_to_markdown(decode(file.data, declared_charset(file.data)))
    file.spent.add(page.text)
    yield from one(file, page.text, page.title, page.metadata)


def declared_charset(data: bytes) -> str:
    """The encoding that an HTML file says it has in its first kilobytes, or nothing."""
    match = _META_CHARSET.search(data, 0, 4096)
    return match[1].decode("ascii") if match else ""


def html_to_markdown(html: str, *, whole: bool = False) -> Page:
    """A page as Markdown. Its title is ``<title>``, else ``<h1>``.

    :param whole: all that is shown, navigation too: for HTML that is no web page.
    """
    from lxml.etree import ParserError
    from lxml.html import HTMLParser, document_fromstring

    # As bytes: a str with an XML declaration is refused.
    parser = HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    data = html.encode("utf-8", "replace")
    try:
        root = document_fromstring(data, parser=parser)
    except ParserError:  # there is no element in it at all
        return Page()
    text = _Writer(whole=whole).markdown(root if whole else _main(root))
    if not text and not whole:  # all of it looked like navigation
        text = _Writer(whole=True).markdown(root)
    title, first_heading = _first(root, ".//title", ".//h1"), _first(root, ".//h1", ".//h2")
    return Page(text, title, first_heading, _metadata(root))


def _main(root: "HtmlElement") -> "HtmlElement":
    """The one element that says it holds what the page is about, if it holds enough."""
    for path in _MAIN:
        found = root.xpath(path)
        if len(found) == 1:
            if _length(found[0]) >= _LEAST_MAIN * _length(root):
                return found[0]
            break
    return root


def _length(element: "HtmlElement") -> int:
    return sum(len(text) for text in element.itertext())


def _first(root: "HtmlElement", *paths: str) -> str:
    """The text of the first element that has one."""
    for path in paths:
        element = root.find(path)
        if element is not None and (title := _heading_text(element)):
            return title
    return ""


def _heading_text(element: "HtmlElement") -> str:
    """A heading's text without the link to itself behind it."""
    parts = [element.text or ""]
    for child in element:
        if not _is_furniture(child):
            parts.append(str(child.text_content()) if isinstance(child.tag, str) else "")
        parts.append(child.tail or "")
    return _collapsed("".join(parts))


def _metadata(root: "HtmlElement") -> dict[str, object]:
    metadata: dict[str, object] = {}
    for element in root.iterfind(".//meta"):
        name = (element.get("name") or element.get("property") or "").lower()
        if (key := _METADATA.get(name)) and (value := _collapsed(element.get("content") or "")):
            metadata.setdefault(key, value)
    for element in root.iterfind(".//link[@rel='canonical']"):
        if url := element.get("href"):
            metadata["url"] = url
    return metadata


def _collapsed(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


@dataclass(slots=True)
class _Writer:
    """Collects a page's blocks; runs of text inside one are joined with single spaces."""

    blocks: list[tuple[str, str]] = field(default_factory=list)
    """Each with what parts it from the block before."""
    inline: list[str] = field(default_factory=list)
    prefix: str = ""
    term: str = ""
    """What a list of fields calls the text that comes next: "Number of rows:"."""
    lists: list[int | None] = field(default_factory=list)
    """The open lists: the number of the latest item, None where they have none."""
    item_before: bool = False
    """Whether the latest block belongs to the list at hand."""
    rows: int = 0
    row: list[str] | None = None
    spanned: dict[int, tuple[int, str]] = field(default_factory=dict)
    """By column the cell that stands over further rows: over how many, and what it says."""
    repeated: int = 0
    table: "HtmlElement | None" = None
    in_pre: bool = False
    whole: bool = False
    """Whether navigation is written too."""

    def markdown(self, root: "HtmlElement") -> str:
        from lxml.etree import iterwalk

        walker = iterwalk(root, events=("start", "end"))
        for event, element in walker:
            tag = element.tag if isinstance(element.tag, str) else ""
            if event == "start":
                if self.leaves_out(element, tag):
                    walker.skip_subtree()
                    continue
                self.open(element, tag)
                self.inline.append(element.text or "")
            else:
                if not self.leaves_out(element, tag):
                    self.close(element, tag)
                if element is not root:
                    self.inline.append(element.tail or "")
        self.flush()
        return "".join(part for block in self.blocks for part in block).strip("\n")

    def leaves_out(self, element: "HtmlElement", tag: str) -> bool:
        return _unseen(element, tag) or (not self.whole and _is_furniture(element))

    def open(self, element: "HtmlElement", tag: str) -> None:
        if self.table is not None:
            self.open_in_table(tag)
            return
        if tag == "br":
            self.inline.append("\n" if self.in_pre else "\r")
            return
        if tag not in _BLOCK_TAGS:
            return
        self.flush()
        if tag in _NO_FIELDS:
            self.close_term()
        if tag in _HEADINGS:
            self.prefix = _HEADINGS[tag]
        elif tag in ("ul", "ol"):
            self.lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            self.prefix = self.bullet()
        elif tag == "pre":
            self.in_pre = True
        elif tag == "table" and _holds_rows(element):
            self.table = element
            self.rows = 0

    def open_in_table(self, tag: str) -> None:
        if tag == "tr":
            self.row = []
            self.inline.clear()
        elif tag in _BLOCK_TAGS or tag == "br":
            self.inline.append(" ")

    def close(self, element: "HtmlElement", tag: str) -> None:
        if self.table is not None:
            self.close_in_table(element, tag)
        elif tag == "dt" and _FIELD.fullmatch(_collapsed("".join(self.inline))):
            self.term = _collapsed("".join(self.inline))
            self.inline.clear()
        elif tag in _BLOCK_TAGS:
            self.flush()
            self.prefix = ""
            if tag in ("dd", "dl"):
                self.close_term()
            if tag in ("ul", "ol") and self.lists:
                self.lists.pop()
                self.item_before = bool(self.lists)
            elif tag == "pre":
                self.in_pre = False

    def close_in_table(self, element: "HtmlElement", tag: str) -> None:
        if tag in _CELLS and self.row is not None:
            self.repeat_spanned(self.row)
            text = _collapsed("".join(self.inline)).replace("|", "\\|")
            width = _over(element, "colspan", MOST_COLUMNS)
            height = _over(element, "rowspan", MOST_ROWS)
            if height > 1:
                at = len(self.row)
                self.spanned |= {at + i: (height, "" if i else text) for i in range(width)}
            self.row += [text, *[""] * (width - 1)]
            self.inline.clear()
        elif tag == "tr" and self.row is not None:
            self.repeat_spanned(self.row)
            self.spanned = {
                at: (left - 1, text) for at, (left, text) in self.spanned.items() if left > 1
            }
            self.close_row(element, self.row)
            self.row = None
        elif tag == "caption":
            self.flush()
        elif element is self.table:
            self.table = None
            self.spanned.clear()
            self.inline.clear()

    def repeat_spanned(self, row: list[str]) -> None:
        """Write in a row what stands over it from the rows before, as far as its next own cell."""
        while len(row) in self.spanned and self.repeated < MOST_REPEATED:
            row.append(self.spanned[len(row)][1])
            self.repeated += len(row[-1]) + 1

    def close_row(self, element: "HtmlElement", cells: list[str]) -> None:
        if not any(cells):
            return
        self.rows += 1
        self.blocks.append(("\n" if self.rows > 1 else "\n\n", f"| {' | '.join(cells)} |"))
        if self.rows == 1 and all(cell.tag == "th" for cell in element if cell.tag in _CELLS):
            self.blocks.append(("\n", f"|{' --- |' * len(cells)}"))

    def bullet(self) -> str:
        if not self.lists:
            return "- "
        indent = "  " * (len(self.lists) - 1)
        number = self.lists[-1]
        if number is None:
            return f"{indent}- "
        self.lists[-1] = number + 1
        return f"{indent}{number + 1}. "

    def flush(self) -> None:
        """End the block at hand."""
        raw = "".join(self.inline)
        self.inline.clear()
        if self.in_pre:
            code = raw.replace("\r", "\n").strip("\n")
            if code.strip():
                self.blocks.append(("\n\n", fenced(code)))
            return
        lines = [_collapsed(line) for line in raw.replace("\n", " ").split("\r")]
        separator = " " if self.prefix.startswith("#") else "\n"
        text = separator.join(line for line in lines if line)
        if text:
            if self.term:
                text, self.term = f"{self.term} {text}", ""
            self.blocks.append(("\n" if self.item_before else "\n\n", self.prefix + text))
            self.item_before = bool(self.lists)
            self.prefix = ""

    def close_term(self) -> None:
        """Let a field's name stand alone, as what comes next is no text beside it."""
        if self.term:
            self.blocks.append(("\n" if self.item_before else "\n\n", self.term))
            self.term = ""


def _unseen(element: "HtmlElement", tag: str) -> bool:
    return (
        not tag
        or tag in _UNSEEN_TAGS
        or "hidden" in element.attrib
        or bool(_HIDDEN.search(element.get("style", "")))
    )


def _is_furniture(element: "HtmlElement") -> bool:
    """Whether an element leads to other pages, and says nothing of this one's subject."""
    if element.tag in _FURNITURE_TAGS or element.get("role") in _FURNITURE_ROLES:
        return True
    if element.tag in ("body", "main", "article", "html"):
        return False
    names = (element.get("class") or "").lower().split()
    return not _FURNITURE_NAMES.isdisjoint([*names, (element.get("id") or "").lower()])


def _over(cell: "HtmlElement", attribute: str, most: int) -> int:
    """How many columns or rows a cell stands over."""
    given = cell.get(attribute, "")
    wide = given.isascii() and given.isdigit()
    return max(1, min(int(given[:9]), most)) if wide else 1


def _holds_rows(table: "HtmlElement") -> bool:
    """Whether a table is one of data: rows of several cells, and no page's layout."""
    return table.find(".//table") is None and any(
        sum(cell.tag in _CELLS for cell in row) > 1 for row in table.iter("tr")
    )
