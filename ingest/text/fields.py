"""Fields: lines of a name, a colon and a value, and what stands before a text about itself.

"Opening hours: 9 to 5" is one where others stand beside it, as on cards, in data sheets and in
settings. Lines that begin with the same name again and again are a chat, and sentences with a
colon in them are prose.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

MOST_SAID = 4
"""One line of so many may end like a sentence."""
FEWEST, FEWEST_APART = 2, 3
"""Fields in lines that follow each other, and with blank lines between them."""
LONGEST_NAME, NAME_WORDS = 60, 6
LONGEST_VALUE, SENTENCE_WORDS = 200, 3
"""Characters of a value; words from which on one that ends like a sentence is one."""
_MARK = r"(?:\*\*|__)?"
_FIELD = re.compile(
    rf"{_MARK}(?P<name>[^\W\d_][^:=*\n|]{{0,{LONGEST_NAME}}}?)(?::{_MARK}|{_MARK}\s?:)[ \t]+"
    rf"{_MARK}(?P<value>\S[^\n]*?){_MARK}$"
)
_SETTING = re.compile(rf"(?P<name>[\w.-]{{1,{LONGEST_NAME}}})[ \t]*=[ \t]*(?P<value>\S[^\n]*)$")
_ITEM = re.compile(r"(?:[-*+•◦▪–])\s+")
_ENDS = re.compile(r"[.!?…][\"'”’)]*$")
_FRONT = re.compile(r"(---|\+\+\+)[ \t]*\r?\n")
_QUOTES = "\"'"
MOST_FRONT = 65_536
"""Characters in which what stands before a text has to end."""


class Field(NamedTuple):
    name: str
    value: str


def field_of(line: str, *, settings: bool = False) -> Field | None:
    """The field that a line is; None for any other.

    :param settings: ``name = value`` is one too.

    >>> field_of("- **Books:** 84,000")
    Field(name='Books', value='84,000')
    >>> field_of("Note: we were late, and the ship had sailed.") is None
    True
    """
    found = _named_line(line) or (_SETTING.match(_bare(line)) if settings else None)
    if found is None:
        return None
    name, value = found["name"].strip(), found["value"]
    if len(value) > 1 and value[0] == value[-1] and value[0] in _QUOTES:
        value = value[1:-1]
    if not value.strip() or len(value) > LONGEST_VALUE or len(name.split()) > NAME_WORDS:
        return None
    is_sentence = _ENDS.search(value) and len(value.split()) >= SENTENCE_WORDS
    return None if is_sentence else Field(name, value)


def field_runs(lines: Sequence[tuple[str, bool]]) -> Iterator[list[int]]:
    """The places of lines (each with whether a blank one precedes it) that are fields, by runs."""
    place = 0
    while place < len(lines):
        end, names, gaps, said = place, list[str](), 0, 0
        listed = _ITEM.match(lines[place][0]) is not None
        while end < len(lines) and (found := _named_line(lines[end][0])):
            if (_ITEM.match(lines[end][0]) is not None) != listed:
                break
            gaps += end > place and lines[end][1]
            said += _ENDS.search(found["value"]) is not None
            names.append(found["name"].strip().lower())
            end += 1
        fields = [at for at in range(place, end) if field_of(lines[at][0]) is not None]
        enough = len(fields) >= (FEWEST_APART if gaps else FEWEST)
        # A line that ends like a sentence among a few is something said.
        if enough and len(set(names)) == len(names) and MOST_SAID * said <= len(names):
            yield fields
        place = max(end, place + 1)


def _named_line(line: str) -> re.Match[str] | None:
    """The name and what stands behind its colon, be it a value or something said."""
    return _FIELD.match(_bare(line))


def _bare(line: str) -> str:
    """A line without an item's mark."""
    item = _ITEM.match(line)
    return line[item.end() :] if item else line


def front_matter_end(text: str) -> int:
    """Where the front matter of a text ends, its last line included; 0 where it has none."""
    opening = _FRONT.match(text)
    if opening is None:
        return 0
    closing = re.compile(rf"^(?:{re.escape(opening[1])}|\.\.\.)[ \t]*\r?$", re.MULTILINE)
    found = closing.search(text, opening.end(), MOST_FRONT)
    return found.end() if found else 0
