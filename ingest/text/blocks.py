"""Layout of a text: headings, paragraphs, list items and table rows with their exact spans.

Plain text and Markdown go through the same scanner: much plain text carries Markdown's
marks, and unmarked headings stand in both.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest
from statistics import median

from hlg.ingest.text.fields import field_of, field_runs, front_matter_end
from hlg.ingest.text.sections import (
    is_caption,
    is_contents,
    is_entry,
    is_flat_row,
    is_no_prose,
    is_numbered,
    numbered_headings,
    running_titles,
)
from hlg.ingest.text.tables import TableRow, csv_rows, pipe_table, spaced_table, tab_table
from hlg.ingest.text.turns import are_turns
from hlg.names import is_reference_section

LONGEST_BLOCK = 2_000
"""Characters that the parser gets at once; longer paragraphs are cut at a sentence's end."""
LONGEST_HEADING = 300
"""Characters; a longer line with a heading's mark is prose."""
HEADING_WORDS, HEADING_CHARACTERS = 12, 90
UNMARKED = 5
"""The level of a heading that nothing marks as one; it may be a statement as well."""
MOST_AFTER = 12
"""Lines after one without a mark that are looked at for a sentence."""
WRAPPED_AT = 120
"""Lines of wrapped text are no longer than this, and most are nearly as long as the longest."""
DELIMITERS = {
    "text/csv": ",",
    "text/tab-separated-values": "\t",
    "text/csv;delimiter=semicolon": ";",
    "text/csv;delimiter=pipe": "|",
}

_LINE = re.compile(r"[^\n\r]+")
_MARKED_HEADING = re.compile(r"(#{1,6})\s+(?=\S)")
_CLOSING_MARKS = re.compile(r"\s+#+$")
_BOLD_HEADING = re.compile(r"(\*\*|__)(?=\S)[^*_]{2,80}\1:?$")
_ITEM = re.compile(r"(?:[-*+•◦▪–]|\(?\d{1,3}[.)]|[a-z]\))\s+(?=\S)")
MOST_CAPTIONS = 3
CAPTION_CHARACTERS = 160
"""So many lines of so many characters over a table are its caption, units and periods."""

_RULE = re.compile(r"(?:[-*_=~]\s*){3,}$|`{3,}.*$|<!--.*-->$")
_UNDERLINE = re.compile(r"={3,}$|-{3,}$")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*\s+")
_ENDS = (".", "!", "?", ":", ";", ",", "…", '"', "”", "'", "’", "。")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch ``[start, end)`` of a text.

    ``kind`` is text, heading, item or row; field, a line of a name and a value; entry, of a list
    of references; or aside, what is no prose: a running title, a page number, a line of a table
    of contents, a lone word. ``level`` is a heading's rank (1 the highest); ``row`` holds a table
    row's cells.
    """

    kind: str
    start: int
    end: int
    level: int = 0
    row: TableRow | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str
    after_blank: bool


def split_blocks(text: str, media_type: str = "text/plain") -> Iterator[Block]:
    """Blocks of a text in order; what is blank or a rule belongs to none.

    A table's rows carry the caption, units and periods that stand in short lines over it.
    """
    blocks = _classified(text, _blocks(text, media_type))
    if all(block.kind == "aside" for block in blocks):
        blocks = [replace(block, kind="text") for block in blocks]
    over: list[str] = []
    for block, following in zip_longest(blocks, blocks[1:]):
        if block.row is not None:
            notes = (*over, *block.row.notes)
            yield replace(block, row=replace(block.row, notes=notes)) if over else block
            continue
        line = text[block.start : block.end]
        is_bold = block.kind == "heading" and text[block.start - 2 : block.start] in ("**", "__")
        if following is not None and following.row is not None and is_bold:
            block = replace(block, kind="text", level=0)
        ends = line.endswith(_ENDS[:3]) and not is_caption(line)
        if block.kind != "text" or len(line) > CAPTION_CHARACTERS or ends:
            over = []
        else:
            over = [*over[1 - MOST_CAPTIONS :], " ".join(line.replace("**", "").split())]
        yield block


def _classified(text: str, blocks: Iterable[Block]) -> list[Block]:
    """Blocks with those of references and contents, and lines that are no prose, told apart."""
    found: list[Block] = []
    cited = in_contents = False
    for block in blocks:
        piece = text[block.start : block.end]
        counted = in_contents and piece.rstrip("| ")[-1:].isdigit()
        if block.kind == "heading" and not counted and (block.level < UNMARKED or not cited):
            cited, in_contents = is_reference_section(piece), is_contents(piece)
        elif cited and block.row is None and is_entry(piece):
            block = replace(block, kind="entry")
        elif counted or (
            block.kind == "text"
            and is_no_prose(piece)
            and not text[text.rfind("\n", 0, block.start) + 1 : block.start].strip()
        ):
            block = Block("aside", block.start, block.end)
        found.append(block)
    return found


def _blocks(text: str, media_type: str) -> Iterator[Block]:
    if delimiter := DELIMITERS.get(media_type):
        for row in csv_rows(text, delimiter):
            yield Block("row", row.start, row.end, row=row)
        return
    lines = list(_lines(text))
    front = front_matter_end(text)
    yield from _front_matter(line for line in lines if line.end <= front)
    lines = [line for line in lines if line.end > front]
    runs = field_runs([(line.text, line.after_blank) for line in lines])
    fields = {lines[place].start for run in runs for place in run}
    counts = Counter(line.text for line in lines if len(line.text) <= HEADING_CHARACTERS)
    repeated = {line for line, count in counts.items() if count > 1}
    groups: list[list[_Line]] = []
    for line in lines:
        if line.after_blank or not groups:
            groups.append([])
        groups[-1].append(line)
    alone = [group for group in groups if len(group) == 1]
    apart = {group[0].start for group in (*alone, *_numbered_sections(text, groups))}
    levels = numbered_headings([group[0].text for group in groups if group[0].start in apart])
    running = running_titles([group[0].text for group in alone])
    for group in groups:
        line, rest = group[0], group
        if len(group) == 1 and line.text in running:
            yield Block("aside", line.start, line.end)
            continue
        if line.start in apart and line.text in levels:
            yield Block("heading", line.start, line.end, level=levels[line.text])
            rest = group[1:]
        yield from _group_blocks(text, rest, repeated, fields)


def _numbered_sections(text: str, groups: Sequence[Sequence[_Line]]) -> list[Sequence[_Line]]:
    """Those of the groups that begin with a number's line over a text of its own, as the items of
    minutes do; none where most have so little under them that they are items of a list."""
    found = [group for group in groups if len(group) > 1 and _stands_over(text, group)]
    told = [sum(len(line.text) for line in group[1:]) for group in found]
    return found if told and median(told) > HEADING_CHARACTERS else []


def _stands_over(text: str, lines: Sequence[_Line]) -> bool:
    """Whether a line with a number ends before its margin, and what follows is no part of it."""
    line, below = lines[0], lines[1]
    longest = max(len(each.text) for each in lines)
    return (
        is_numbered(line.text)
        and not (is_numbered(below.text) or below.text[0].islower())
        and len(line.text) + len(below.text.split(maxsplit=1)[0]) < longest
        and _column(text, below) <= _column(text, line)
    )


def _column(text: str, line: _Line) -> int:
    return line.start - text.rfind("\n", 0, line.start)


def _front_matter(lines: Iterable[_Line]) -> Iterator[Block]:
    """What a text says of itself before it begins."""
    for line in lines:
        if field_of(line.text, settings=True):
            yield Block("field", line.start, line.end)
        elif not _RULE.match(line.text) and line.text != "+++":
            yield Block("aside", line.start, line.end)


def _lines(text: str) -> Iterator[_Line]:
    """Lines that hold more than white space, stripped."""
    end = 0
    for match in _LINE.finditer(text):
        content = match.group()
        if stripped := content.strip():
            gap = text.count("\n", end, match.start()) or text.count("\r", end, match.start())
            start = match.start() + content.index(stripped[0])
            yield _Line(start, start + len(stripped), stripped, gap > 1)
            end = match.end()


def _group_blocks(
    text: str, lines: Sequence[_Line], repeated: Set[str], fields: Set[int]
) -> Iterator[Block]:
    """Blocks of the lines between two blank lines; those ``repeated`` in the text are no headings
    of their own, and those that begin where ``fields`` do are fields."""
    wrapped = _is_wrapped(lines)
    paragraph: list[_Line] = []
    kind = "text"
    position = 0
    while position < len(lines):
        line = lines[position]
        used, blocks = _marked(text, lines, position)
        if line.start in fields and not (blocks and blocks[0].row):
            mark = _ITEM.match(line.text)
            start = line.start + (mark.end() if mark else 0)
            used, blocks = 1, [Block("field", start, line.end)]
        if not used:
            used, blocks = _spaced(text, lines[position:], fields)
        is_new = used or not (wrapped or _continues(paragraph, line))
        if is_new and not used and line.text not in repeated:
            following = lines[position + 1 : position + 1 + MOST_AFTER]
            used, blocks = _unmarked_heading(line, following)
        if is_new:
            yield from _prose(text, kind, paragraph)
            paragraph, kind = [], "text"
        if used:
            position += used
            if blocks and blocks[0].kind == "item":
                start = blocks[0].start
                paragraph = [replace(line, start=start, text=line.text[start - line.start :])]
                kind = "item"
            else:
                yield from blocks
        else:
            paragraph.append(line)
            position += 1
    yield from _prose(text, kind, paragraph)


def _marked(text: str, lines: Sequence[_Line], position: int) -> tuple[int, list[Block]]:
    """Lines used by what is marked as a table, a heading, a list item or a rule at a line."""
    line = lines[position]
    table = (lines[row] for row in range(position, len(lines)))
    used, rows = 0, list[TableRow]()
    if "|" in line.text:
        used, rows = pipe_table((each.start, each.text) for each in table)
    elif "\t" in text[max(0, line.start - 1) : line.end + 1]:
        used, rows = tab_table(_with_tabs(text, each) for each in table)
    if used:
        return used, [Block("row", row.start, row.end, row=row) for row in rows]
    short = len(line.text) <= LONGEST_HEADING
    if is_caption(line.text.lstrip("#*_ ")):
        return 0, []
    if short and (mark := _MARKED_HEADING.match(line.text)) and not _in_list(lines, position):
        start, end = line.start + mark.end(), line.end
        closing = _CLOSING_MARKS.search(line.text, mark.end())
        if closing:
            end = line.start + closing.start()
        return 1, [Block("heading", start, end, level=len(mark.group(1)))]
    if _RULE.match(line.text):
        return 1, []
    if item := _ITEM.match(line.text):
        return 1, [Block("item", line.start + item.end(), line.end)]
    if short and position + 1 < len(lines) and _UNDERLINE.match(lines[position + 1].text):
        level = 1 if lines[position + 1].text[0] == "=" else 2
        return 2, [Block("heading", line.start, line.end, level=level)]
    if _BOLD_HEADING.match(line.text):
        end = line.end - line.text.endswith(":")
        return 1, [Block("heading", line.start + 2, end - 2, level=4)]
    return 0, []


def _spaced(text: str, lines: Sequence[_Line], fields: Set[int]) -> tuple[int, list[Block]]:
    """Lines used by a table whose columns spaces part: none of fields, and none that people say."""
    plain = takewhile(lambda line: line.start not in fields, lines)
    used, rows = spaced_table((line.start, _column(text, line), line.text) for line in plain)
    if not used or are_turns(line.text for line in lines[:used]):
        return 0, []
    return used, [Block("row", row.start, row.end, row=row) for row in rows]


def _with_tabs(text: str, line: _Line) -> tuple[int, str]:
    """Where a line begins, and its text, with the tabs at its ends: empty cells."""
    start, end = line.start, line.end
    while text[start - 1 : start] == "\t":
        start -= 1
    while text[end : end + 1] == "\t":
        end += 1
    return start, text[start:end]


def _in_list(lines: Sequence[_Line], position: int) -> bool:
    """Whether the line before or after one begins with a single "#" as it does: none is a
    heading, but a remark in code, or "# pages" in a list of figures."""
    beside = lines[max(0, position - 1) : position + 2]
    return sum(line.text.startswith("# ") for line in beside) > 1


def _unmarked_heading(line: _Line, following: Sequence[_Line]) -> tuple[int, list[Block]]:
    """A short line that ends like no sentence, over prose; rows of figures and lines of code are
    no headings."""
    text = line.text
    if (
        following
        and len(text) <= HEADING_CHARACTERS
        and len(text.split()) <= HEADING_WORDS
        and not text.endswith(_ENDS[:-5])
        and "(" not in text
        and (text[0].isupper() or text[0].isdigit())
        and len(following[0].text) > HEADING_CHARACTERS
        and any(_SENTENCE_END.search(f"{each.text} ") for each in following)
        and not (is_caption(text) or is_flat_row(text))
    ):
        return 1, [Block("heading", line.start, line.end, level=UNMARKED)]
    return 0, []


def _is_wrapped(lines: Sequence[_Line]) -> bool:
    """Whether the lines are one paragraph broken at a margin."""
    lengths = [line.end - line.start for line in lines]
    if len(lines) < 2 or max(lengths) > WRAPPED_AT:
        return False
    margin = 0.75 * max(lengths)
    full = sum(length >= margin for length in lengths[:-1])
    unfinished = sum(not line.text.endswith(_ENDS) for line in lines[:-1])
    return (
        max(lengths) >= 40
        and full >= 0.75 * (len(lines) - 1)
        and unfinished >= 0.5 * (len(lines) - 1)
        and not are_turns(line.text for line in lines)
    )


def _continues(paragraph: Sequence[_Line], line: _Line) -> bool:
    """Whether a line goes on with the sentence that the paragraph's last line broke off."""
    return bool(
        paragraph
        and not paragraph[-1].text.endswith(_ENDS[:3])
        and (line.text[:2].islower() or paragraph[-1].text.endswith(","))
    )


def _prose(text: str, kind: str, lines: Sequence[_Line]) -> Iterator[Block]:
    """One block of the lines, or several where they are too long for the parser."""
    if not lines:
        return
    start, end = lines[0].start, lines[-1].end
    while end - start > LONGEST_BLOCK:
        cut = _cut(text, start, start + LONGEST_BLOCK)
        yield Block(kind, start, cut)
        start = cut
    yield Block(kind, start, end)


def _cut(text: str, start: int, limit: int) -> int:
    """The last good place to cut before ``limit``: a sentence's end, a space, or there."""
    middle = start + LONGEST_BLOCK // 2
    ends = [match.end() for match in _SENTENCE_END.finditer(text, middle, limit)]
    space = text.rfind(" ", middle, limit) + 1
    return ends[-1] if ends else space or limit
