"""Works that many texts mention, whole: "The Last of Us", "Baldur's Gate 3", "FIFA 23"."""

import re
from collections.abc import Iterator

from hlg.ingest.extract.local.names.spans import Span
from hlg.ingest.extract.local.parse import Sentence
from hlg.words import words
from hlg.words.work_names import NUMBERED_WORKS, WORK_NAMES

__all__ = ["FAMED", "famed_works"]

FAMED = "FAMED"
"""Label of a work that is known by its name."""
_LONGEST = 2 * max(len(name.split()) for name in WORK_NAMES)
"""Tokens of the longest of the names: marks and what has an owner are tokens of their own."""
_NUMBER = re.compile(r"(?:\d{1,2}|\d{4}|[IVX]{1,4}|2K\d\d)")
_PARTS = frozenset(["book", "chapter", "episode", "part", "season", "series", "volume"])
_WORD = re.compile(r"[^\W_]+")
_SMALL = words("names", "small in titles")
_COUNTED = words("names", "counted")


def _first_word(text: str) -> str:
    word = _WORD.match(text)
    return word[0] if word else ""


_FIRST_WORDS = frozenset(_first_word(name) for name in WORK_NAMES | NUMBERED_WORKS)


def famed_works(sentence: Sentence) -> Iterator[Span]:
    """Where a work is named that is in the list, with the number that it has in its series."""
    words = sentence.words
    for first, word in enumerate(words):
        if word[0].islower() or _first_word(word.lower()) not in _FIRST_WORDS:
            continue
        for end in range(min(first + _LONGEST, len(words)), first, -1):
            text = sentence.text(first, end)
            name = text.lower().replace("’", "'")
            stop = _numbered(sentence, end)
            if _has_capitals(text) and (
                name in WORK_NAMES or (stop > end and name in NUMBERED_WORKS)
            ):
                yield first, stop, FAMED
                break


def _has_capitals(text: str) -> bool:
    return all(not word[0].islower() or word in _SMALL for word in text.split())


def _numbered(sentence: Sentence, end: int) -> int:
    """Where a name ends with its number, also "Part II", that counts nothing: "Portal 2 times"
    has none."""
    words = sentence.words
    start = end + (words[end : end + 1] != [] and words[end].lower() in _PARTS)
    if start >= len(words) or not _NUMBER.fullmatch(words[start]):
        return end
    return start + 1 if _COUNTED.isdisjoint(words[start + 1 : start + 2]) else end
