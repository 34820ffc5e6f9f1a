"""The lines of a PDF as Markdown: headings, paragraphs, lists, tables and code.

A PDF says where characters stand, and not what they are. Headings are larger or bolder
than the text, tables have wide gaps one above the other, code is in a font of fixed
width; lines at a page's edge that return on other pages are running titles.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from hlg.ingest.load.blocks import fenced, heading
from hlg.ingest.load.pages.lines import Line, Page
from hlg.ingest.load.pages.tables import table_of, table_rows

EDGE = 0.09
"""Part of a page's height, above and below, where running titles and page numbers stand."""
LARGER = 1.12
"""How much larger than the text a heading is."""
LONGEST_HEADING = 120
MOST_LEVELS = 5
_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"\W*(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:/|of)\s*\d+)?\W*", re.I)
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*\S{0,6}$")
_ITEM = re.compile(r"(?:[•‣◦▪●○■–∗·➢✓]|\(?\d{1,2}[.)](?=\s)|\([a-z]\))\s*(?=\S)")
_NUMBERED = re.compile(r"(?:chapter\s+)?(\d+(?:\.\d+)*)\.?\s+\S", re.IGNORECASE)
_END = re.compile(r"[.!?:;…][\"'”’)\]]*$")
_WORDS = re.compile(r"\w+(?:-\w+)*")
_LAST_WORD = re.compile(r"\w+$")
_FIRST_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines of one kind: heading, text, item, table or code."""

    kind: str
    lines: list[Line]
    level: int = 0


def laid_out(pages: Sequence[Page]) -> tuple[str, list[int]]:
    """The text of all pages as Markdown, and the offset at which each page begins."""
    repeated = _running_titles(pages)
    bodies = [[line for line in page.lines if _is_text(line, page, repeated)] for page in pages]
    style = _style([line for lines in bodies for line in lines])
    pieces: list[str] = []
    starts: list[int] = []
    length = 0
    before: _Block | None = None
    for lines in bodies:
        starts.append(length)
        for number, block in enumerate(_blocks(lines, style)):
            text = _markdown(block, style)
            if not text:
                continue
            if before is None:
                separator = ""
            elif number == 0 and _goes_on(before, block):
                separator = _joint(before.lines[-1], block.lines[0], style)
            else:
                separator = "\n" if before.kind == block.kind == "item" else "\n\n"
            pieces += [separator, text]
            length += len(separator)
            if number == 0:
                starts[-1] = length
            length += len(text)
            before = block
    return "".join(pieces), starts


def _running_titles(pages: Sequence[Page]) -> frozenset[str]:
    """What stands at the edges of several pages, whatever numbers are in it."""
    counts = Counter(
        shape
        for page in pages
        for shape in {_shape(line) for line in page.lines if _at_edge(line, page)}
    )
    least = 2 if len(pages) < 6 else 3
    return frozenset(shape for shape, count in counts.items() if count >= least)


def _shape(line: Line) -> str:
    return _NUMBER.sub("#", line.text).strip().lower()


def _at_edge(line: Line, page: Page) -> bool:
    return line.bottom > (1 - EDGE) * page.height or line.top < EDGE * page.height


def _is_text(line: Line, page: Page, repeated: frozenset[str]) -> bool:
    """Whether a line is no running title, page number or line of a table of contents."""
    text = line.text
    if not text or _LEADERS.search(text):
        return False
    if not _at_edge(line, page):
        return True
    return not (_PAGE_NUMBER.fullmatch(text) or _shape(line) in repeated)


@dataclass(frozen=True, slots=True)
class _Style:
    """How a document is set: its text's size and leading, its headings' sizes, its words."""

    size: float
    leading: float
    heading_sizes: tuple[float, ...]
    words: frozenset[str]

    def heading_level(self, line: Line) -> int:
        """A heading's level by its size, or its number where it has one; 0: it is none."""
        text = line.text
        if line.fixed or len(text) > LONGEST_HEADING or not re.search(r"[^\W\d_]{2}", text):
            return 0
        if len(line.cells) > 2 or (_ITEM.match(text) and not _NUMBERED.match(text)):
            return 0
        larger = line.size >= LARGER * self.size
        if not larger and (
            not line.bold
            or line.size < 0.97 * self.size
            or text.endswith((".", ",", ";"))
            or not (text[0].isupper() or _NUMBERED.match(text))
        ):
            return 0
        if numbered := _NUMBERED.match(text):
            return min(numbered[1].count(".") + 2, MOST_LEVELS)
        if not larger:
            return MOST_LEVELS
        rank = sum(size > line.size + 0.5 for size in self.heading_sizes)
        return min(rank + 1, MOST_LEVELS - 1)


def _style(lines: Sequence[Line]) -> _Style:
    sizes: Counter[float] = Counter()
    for line in lines:
        if not line.fixed:
            sizes[round(line.size * 2) / 2] += len(line.text)
    size = max(sizes, key=lambda each: sizes[each], default=10.0)
    steps = [
        above.bottom - below.bottom
        for above, below in pairwise(lines)
        if abs(above.size - size) < 0.6 and 0.5 * size < above.bottom - below.bottom < 2.5 * size
    ]
    # Sizes of few lines each: one that a whole page is set in is no heading's.
    larger = {each for each, count in sizes.items() if each >= LARGER * size and count >= 3}
    words = frozenset(word.lower() for line in lines for word in _WORDS.findall(line.text))
    return _Style(
        size, median(steps) if steps else 1.2 * size, tuple(sorted(larger, reverse=True)), words
    )


def _blocks(lines: Sequence[Line], style: _Style) -> Iterator[_Block]:
    """A page's blocks in order."""
    position = 0
    while position < len(lines):
        block = (
            _table(lines, position)
            or _code(lines, position)
            or _heading(lines, position, style)
            or _paragraph(lines, position, style)
        )
        yield block
        position += len(block.lines)


def _table(lines: Sequence[Line], position: int) -> _Block | None:
    rows = table_rows(lines, position)
    return _Block("table", rows) if rows else None


def _code(lines: Sequence[Line], position: int) -> _Block | None:
    rows: list[Line] = []
    for line in lines[position:]:
        if not line.fixed or (rows and not -1 < rows[-1].bottom - line.bottom < 4 * line.size):
            break
        rows.append(line)
    return _Block("code", rows) if rows else None


def _heading(lines: Sequence[Line], position: int, style: _Style) -> _Block | None:
    """A heading and the lines that it goes on in."""
    first = lines[position]
    level = style.heading_level(first)
    if not level:
        return None
    rows = [first]
    for line in lines[position + 1 : position + 4]:
        same = abs(line.size - first.size) < 0.6 and line.bold == first.bold
        near = 0 <= rows[-1].bottom - line.bottom < 1.6 * line.size
        numbered = _NUMBERED.match(line.text)
        if not (same and near and style.heading_level(line)) or numbered:
            break
        rows.append(line)
    if sum(len(line.text) for line in rows) > 2 * LONGEST_HEADING:
        return None
    return _Block("heading", rows, level)


def _paragraph(lines: Sequence[Line], position: int, style: _Style) -> _Block:
    first = lines[position]
    rows = [first]
    for number in range(position + 1, len(lines)):
        line = lines[number]
        if (
            line.fixed
            or _ITEM.match(line.text)
            or style.heading_level(line)
            or _parted(rows, line, style)
            or _table(lines, number)
        ):
            break
        rows.append(line)
    return _Block("item" if _ITEM.match(first.text) else "text", rows)


def _parted(rows: Sequence[Line], line: Line, style: _Style) -> bool:
    """Whether a line begins a new paragraph after these."""
    last = rows[-1]
    if last.hyphenated:
        return False
    step = last.bottom - line.bottom
    if abs(step) < 0.6 * line.size:  # the same line, or a mark beside it
        return False
    if step < 0:  # another column
        return bool(_END.search(last.text)) or not line.text[0].islower()
    if step > 1.4 * max(style.leading, 1.15 * line.size) or abs(line.size - last.size) > 1.5:
        return True
    ended = bool(_END.search(last.text))
    indented = line.left - last.left > 0.8 * line.size
    if indented and (ended or len(rows) > 1) and not _ITEM.match(rows[0].text):
        return True
    right = max(row.right for row in rows)
    return ended and last.right < right - 4 * line.size and line.text[0].isupper()


def _goes_on(before: _Block, block: _Block) -> bool:
    """Whether a page's first block goes on with the last of the page before."""
    if before.kind not in ("text", "item") or block.kind != "text":
        return False
    last = before.lines[-1]
    if last.hyphenated:
        return True
    return not _END.search(last.text) and block.lines[0].text[0].islower()


def _markdown(block: _Block, style: _Style) -> str:
    if block.kind == "table":
        return table_of(block.lines)
    if block.kind == "code":
        return fenced(_indented(block.lines))
    text = _joined(block.lines, style)
    if block.kind == "heading":
        return heading(block.level, text)
    if block.kind == "item":
        mark = _ITEM.match(text)
        number = mark.group().strip() if mark else ""
        rest = text[mark.end() :] if mark else text
        return f"{number} {rest}" if number[:1].isdigit() else f"- {rest}"
    return text


def _joined(lines: Sequence[Line], style: _Style) -> str:
    """Lines as one, words that were broken at their ends made whole."""
    parts = [lines[0].text]
    for last, line in pairwise(lines):
        parts += [_joint(last, line, style), line.text]
    return "".join(parts)


def _joint(last: Line, line: Line, style: _Style) -> str:
    """What stands between two lines: a hyphen at a line's end may only break a word;
    ``well-known`` keeps it if the text has it so elsewhere."""
    if not last.hyphenated:
        return " "
    head, tail = _LAST_WORD.search(last.text), _FIRST_WORD.match(line.text)
    if not head or not tail or not tail.group()[0].islower():
        return "-"
    whole = f"{head.group()}{tail.group()}".lower()
    parted = f"{head.group()}-{tail.group()}".lower()
    return "-" if whole not in style.words and parted in style.words else ""


def _indented(lines: Sequence[Line]) -> str:
    """Lines of code, each as far in as it stands."""
    left = min(line.left for line in lines)
    widths = [(line.right - line.left) / len(line.text) for line in lines if line.text]
    width = max(1.0, median(widths))
    return "\n".join(" " * round((line.left - left) / width) + line.text for line in lines)
