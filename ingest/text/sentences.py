"""Sentences by their marks: quick and exact in place, for where a parser would be too much."""

import re
from collections.abc import Iterator
from typing import Final

from hlg.ingest.text.spans import Span, trimmed
from hlg.words import words

_LINE = re.compile(r"[^\n]+")
# Possessive, and never from inside a run of marks: linear on any text.
_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s)"
    r"|(?<![。！？])[。！？]++[\"'”’）」』]*+"
)


_TITLES: Final = words("abbreviations", "titles")
"""What is followed by what it belongs to: it never ends a sentence."""
_BEFORE_NUMBER: Final = words("calendar", "short months") | {"no", "p", "c"}
"""What is followed by a number where it is an abbreviation."""
_MID_SENTENCE: Final = words("abbreviations", "mid sentence")
"""What can end a sentence; it does not where a small letter or a number follows."""
_PARTICLES: Final = words("abbreviations", "particles")
"""Words that a name with initials follows, such as "by J. Smith"."""
_LAST_WORD = re.compile(r"(?<![^\W_])[^\W_]+(?:\.[^\W\d_]+)*$")
_LONGEST_WORD = 24
_GOES_ON = re.compile(r"\s+[\"'“‘(\[]*([^\s\"'“‘(\[]?)")


def sentence_spans(text: str) -> list[Span]:
    """Spans that hold every visible character, in order; a line's end ends a sentence."""
    spans = (trimmed(text, start, end) for start, end in _pieces(text))
    return [(start, end) for start, end in spans if start < end]


def _pieces(text: str) -> Iterator[Span]:
    for line in _LINE.finditer(text):
        start = line.start()
        for mark in _END.finditer(text, start, line.end()):
            if mark.group() == "." and _is_abbreviated(text, mark.start(), line.end()):
                continue
            yield start, mark.end()
            start = mark.end()
        yield start, line.end()


def _is_abbreviated(text: str, dot: int, end: int) -> bool:
    """Whether a dot belongs to the word before it, and ends no sentence."""
    found = _LAST_WORD.search(text, max(0, dot - _LONGEST_WORD), dot)
    following = _GOES_ON.match(text, dot + 1, end)
    if found is None or following is None:
        return False
    word, first = found.group().lower(), following[1]
    if word in _TITLES:
        return True
    if word in _BEFORE_NUMBER:
        return first.isdigit()
    if word in _MID_SENTENCE:
        return first.islower() or first.isdigit()
    is_initial = len(word) == 1 and found.group().isupper() and word != "i"
    return is_initial and first.isupper() and not _letters_a_thing(text, found.start())


def _letters_a_thing(text: str, at: int) -> bool:
    """Whether a word before a single letter makes it that thing's: "vitamin C. It"."""
    before = text[max(0, at - _LONGEST_WORD) : at].split()
    word = before[-1] if before else ""
    return word.isalpha() and word.islower() and word not in _PARTICLES
