"""Lines by what they are to a text: headings by their numbers, captions, rows of figures without
marks, entries of references; and what is no prose: running titles, page numbers, lone words.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from hlg.names import is_reference_section

FEWEST_PAGES = 3
"""How often a line stands alone that runs over the pages of a text."""
FEWEST_FIGURES = 3
"""Words without a first letter in a row of figures."""
LONGEST_WORD = 24
LONGEST_NUMBERED = 90
"""Characters of a line that a number makes a heading."""

_CAPTION = re.compile(
    r"(?:Table|TABLE|Figure|FIGURE|Fig\.|FIG\.)\s+(?:[A-Z]?[\d.]+|[A-Z]|[IVX]+)\b"
)
_CONTENTS = re.compile(
    r"(?i)(?:table of )?contents|inhalt(?:sverzeichnis)?|table des matières|sommaire"
)
_ENTRY = re.compile(
    r"\[[\w+., -]{1,40}\]|\b(?:1[5-9]|20)\d\d|https?:|\bdoi\b|\bet al\b|\bn\.d\.", re.I
)
_LISTING = re.compile(r"\d+:\s*[^\W\dA-Z]")
"""A numbered line of code: "7: end if"."""
_PAGE = re.compile(r"(?i)\W*(?:page\s+)?\d{1,4}(?:\s*(?:/|of)\s*\d+)?\W*")
_FIGURES = re.compile(r"\d+")
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*\S{0,6}$")
_NUMBERED = re.compile(
    r"(?:(?:Appendix|Chapter|Section|Part) )?((?:\d{1,2}|[A-H])(?:\.\d{1,2}){0,3})\.? [A-Z]"
)
_INITIALS = re.compile(r"(?:\b\w\.){2,}$")
_ENDS = (".", "!", "?", ":", ";", ",", "…", "。", "！", "？")

_Number = tuple[str, ...]


def is_caption(line: str) -> bool:
    """Whether a line is the caption of a table or a figure."""
    return _CAPTION.match(line) is not None


def is_contents(heading: str) -> bool:
    """Whether a heading is that of a table of contents."""
    return _CONTENTS.fullmatch(heading.strip("*_:# ")) is not None


def is_entry(text: str) -> bool:
    """Whether a paragraph in a section of references is one of them."""
    return _ENTRY.search(text) is not None


def is_flat_row(line: str) -> bool:
    """Whether a line is a row of a table whose marks are lost, or a line of code."""
    figures = sum(not word[0].isalpha() for word in line.replace("(", "").split())
    return figures >= FEWEST_FIGURES or "\t" in line or _LISTING.match(line) is not None


def is_no_prose(text: str) -> bool:
    """Whether a paragraph is a page's number, a line of a table of contents, or a lone word or
    cell."""
    if _PAGE.fullmatch(text) or _LEADERS.search(text):
        return True
    words = text.replace("|", " ").split()
    if "|" not in text and len(words) > 1:
        return False
    return len(words) < 3 and all(map(_is_word, words)) and not text.endswith(_ENDS)


def _is_word(word: str) -> bool:
    """Whether it is a word as those that spaces part, and no address, figure or whole sentence of a
    script without spaces."""
    return len(word) <= LONGEST_WORD and (
        not any(map(str.isalnum, word))
        or (word.lower() != word.upper() and not re.search(r"[\d@/]", word))
    )


def running_titles(alone: Iterable[str]) -> set[str]:
    """Those of the lines that stand alone which come again and again, whatever numbers are in
    them, and end no sentence."""
    lines = [line for line in alone if not line.endswith(_ENDS)]
    counts = Counter(_FIGURES.sub("#", line) for line in lines)
    return {line for line in lines if counts[_FIGURES.sub("#", line)] >= FEWEST_PAGES}


def is_numbered(line: str) -> bool:
    """Whether a number stands before a few words that end like no sentence: "3. Any other
    business", "4 A.O.B."."""
    is_ended = line.endswith(_ENDS) and not _INITIALS.search(line)
    return len(line) <= LONGEST_NUMBERED and not is_ended and _NUMBERED.match(line) is not None


def numbered_headings(alone: Iterable[str]) -> dict[str, int]:
    """The levels of those of the lines that stand alone which are headings: "References",
    "Contents", and numbers that count on ("2.1 Data", "2.2 Models", "Appendix B Proofs")."""
    levels: dict[str, int] = {}
    numbers: dict[str, _Number] = {}
    for line in alone:
        if len(line) > LONGEST_NUMBERED or is_flat_row(line):
            continue
        is_named = line[0].isalnum() and not line.endswith(_ENDS)
        if is_named and (is_reference_section(line) or is_contents(line)):
            levels[line] = 2
        elif is_numbered(line) and (match := _NUMBERED.match(line)):
            numbers[line] = tuple(match[1].split("."))
    known = set(numbers.values())
    is_counted = any(number[0].isdigit() for number in known)
    for line, number in numbers.items():
        is_appendix = number == ("A",) and is_counted
        if is_appendix or not known.isdisjoint(_beside(number)):
            levels[line] = min(len(number) + 1, 4)
    return levels


def _beside(number: Sequence[str]) -> set[_Number]:
    """The numbers that stand next to one: before and after it, above and first below it."""
    *above, last = number
    code = int(last) if last.isdigit() else ord(last)
    steps = (code - 1, code + 1)
    beside = [str(step) if last.isdigit() else chr(step) for step in steps]
    around = {(*above, each) for each in beside} | {(*number, "1")}
    return around | ({tuple(above)} if above else set())
