"""Headings of Markdown text, and the trail of them that a place in the text stands under."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_LINE = re.compile(
    r"^ {0,3}(?:(?P<fence>```+|~~~+)[^\n]*|(?P<marks>#{1,6})(?:[ \t]+(?P<title>[^\n]*))?)$",
    re.MULTILINE,
)
_CLOSING_MARKS = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading line at ``[start, end)`` of a text; ``level`` is 1 to 6."""

    start: int
    end: int
    level: int
    title: str


def markdown_headings(text: str) -> list[Heading]:
    """The ``#`` headings of a text in order, those in fenced code aside."""
    headings = []
    fence = ""
    for match in _LINE.finditer(text):
        if mark := match["fence"]:
            if not fence:
                fence = mark
            elif mark.startswith(fence):
                fence = ""
        elif not fence:
            title = _CLOSING_MARKS.sub("", match["title"] or "").strip()
            if title:
                headings.append(Heading(match.start(), match.end(), len(match["marks"]), title))
    return headings


def heading_trail(headings: Sequence[Heading], position: int) -> list[str]:
    """Titles of the headings that ``position`` stands under, the outermost first.

    A heading that begins at ``position`` ends those before it, but is not above itself.
    """
    trail: list[Heading] = []
    begun = bisect_right(headings, position, key=lambda heading: heading.start)
    for heading in reversed(headings[:begun]):
        if not trail or heading.level < trail[-1].level:
            trail.append(heading)
        if heading.level == 1:
            break
    return [heading.title for heading in reversed(trail) if heading.start < position]
