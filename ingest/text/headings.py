"""Headings of Markdown text, and the trail of them that a place in the text stands under."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_LINE = re.compile(
    r"^ {0,3}(?:(?P<fence>```+|~~~+)[^\n]*|(?P<marks>#{1,6})(?:[ \t]+(?P<title>[^\n]*))?)$",
    re.MULTILINE,
)
_BLANKS = " \t"
_ABSTRACT = re.compile(r"^\W*abstract\b", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_ISSUE = re.compile(r"(?i)\b(?:vol(?:ume)?|no|issue)\b\.? *\d|\bissn\b|\bdoi\b|https?:")
FRONT_CHARACTERS = 5_000
"""Before them a paper's abstract begins."""
FEWEST_TITLE_WORDS = 4
LONGEST_TITLE, MOST_TITLE_LINES = 12, 3
"""Words of a line that is the title of plain text, and lines that it stands in."""
LONGEST_HEADING = 300
"""Characters; a longer line is prose with a mark before it."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading line at ``[start, end)`` of a text; ``level`` is 1 to 6.

    ``parent`` is the position among the text's headings of the one it stands under, -1 for
    none: the nearest before it of a higher rank.
    """

    start: int
    end: int
    level: int
    title: str
    parent: int = -1


def markdown_headings(text: str) -> list[Heading]:
    """The ``#`` headings of a text in order, those in fenced code aside."""
    headings: list[Heading] = []
    latest = [-1] * 7
    """The heading of each level that is still open."""
    fence = ""
    for match in _LINE.finditer(text):
        if mark := match["fence"]:
            if not fence:
                fence = mark
            elif mark.startswith(fence):
                fence = ""
        elif not fence:
            title = _without_closing_marks(match["title"] or "").strip()
            if title and len(title) <= LONGEST_HEADING:
                level = len(match["marks"])
                parent = max(latest[:level])
                latest[level:] = [len(headings)] + [-1] * (6 - level)
                headings.append(Heading(match.start(), match.end(), level, title, parent))
    return headings


def paper_title(text: str) -> str:
    """The title of a paper as text, which an abstract tells; nothing for any other text.

    Its first heading, or the first line of some words of which most have a capital: licences,
    numbers, journals and departments stand above titles too.
    """
    abstract = _ABSTRACT.search(text, 0, FRONT_CHARACTERS)
    front = text[: abstract.start()] if abstract else ""
    for heading in markdown_headings(front):
        return heading.title
    for line in front.splitlines():
        words = _WORD.findall(line)
        capitals = sum(word[0].isupper() for word in words)
        is_long = len(words) >= FEWEST_TITLE_WORDS and 2 * capitals > len(words)
        if is_long and not _ISSUE.search(line):
            return line.strip()
    return ""


def plain_title(text: str) -> str:
    """The title of plain text: a paper's, or the line of a few words that stands first and apart,
    such as "Minutes of the board", which a date or a place may follow; nothing where it begins
    otherwise."""
    if title := paper_title(text):
        return title
    block = text[:FRONT_CHARACTERS].strip().split("\n\n", 1)
    lines = [line.strip() for line in block[0].splitlines()]
    if len(block) == 1 or len(lines) > MOST_TITLE_LINES or not all(map(_may_be_title, lines)):
        return ""
    return lines[0] if lines[0][:1].isupper() else ""


def _may_be_title(line: str) -> bool:
    """Whether a line stands apart from prose: a few words without a mark at their end."""
    words = line.split()
    plain = 0 < len(words) <= LONGEST_TITLE and (line[-1].isalnum() or line[-1] == ")")
    return plain and ": " not in line and "\t" not in line and "|" not in line


def _without_closing_marks(title: str) -> str:
    """A heading's text without the ``##`` that may end it."""
    stripped = title.rstrip(_BLANKS)
    bare = stripped.rstrip("#")
    return bare if bare != stripped and (not bare or bare[-1] in _BLANKS) else title


def heading_trail(headings: Sequence[Heading], position: int) -> list[str]:
    """Titles of the headings that ``position`` stands under, the outermost first.

    A heading that begins at ``position`` ends those before it, but is not above itself.
    """
    trail: list[str] = []
    at = bisect_right(headings, position, key=lambda heading: heading.start) - 1
    while at >= 0:
        if headings[at].start < position:
            trail.append(headings[at].title)
        at = headings[at].parent
    return trail[::-1]
