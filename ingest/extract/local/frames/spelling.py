"""What the reader of names is given of how words are written, and of lists that know them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.extract.local.frames.features import bucket
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.known_names import ORGANIZATION_NAMES, PLACE_NAMES, WORK_NAMES
from hlg.words.lexicon import (
    ANIMALS,
    CALENDAR,
    CORPORATE_ENDINGS,
    HONORIFICS,
    NAME_WORDS,
    NOUN_CLASSES,
    ORGANIZATION,
    PLACE,
    STOP_WORDS,
    WORK,
)

SPELLINGS = 1024
"""Buckets of a word's ending, its shape, the lists that have it, the known name that it is in."""
LONGEST_SHAPE = 8
_ENDING = 3
_OWN_LISTS = (GIVEN_NAMES, HONORIFICS, CORPORATE_ENDINGS, CALENDAR, ANIMALS, STOP_WORDS)
_KNOWN = {
    tuple(name.split()): class_
    for class_, names in (
        (WORK, WORK_NAMES),
        (ORGANIZATION, ORGANIZATION_NAMES),
        (PLACE, PLACE_NAMES),
    )
    for name in names
}
_BY_FIRST: dict[str, list[tuple[str, ...]]] = defaultdict(list)
for _name in sorted(_KNOWN, key=lambda name: (-len(name), name)):
    _BY_FIRST[_name[0]].append(_name)
_REPEATED = re.compile(r"(.)\1+")
_SHAPES = ((re.compile(r"\d"), "d"), (re.compile(r"[a-z]"), "x"), (re.compile(r"[A-Z]"), "X"))


def spellings(words: Sequence[str]) -> NDArray[np.int64]:
    """Four buckets a word; shape (words, 4)."""
    rows = [
        (
            bucket(f"ending {word[-_ENDING:].lower()}", SPELLINGS),
            bucket(f"shape {_shape(word)}", SPELLINGS),
            bucket(f"lists {_lists(word.lower())}", SPELLINGS),
            bucket(f"known {known}", SPELLINGS),
        )
        for word, known in zip(words, _known(words), strict=True)
    ]
    return np.array(rows, np.int64).reshape(-1, 4)


def _shape(word: str) -> str:
    for pattern, letter in _SHAPES:
        word = pattern.sub(letter, word)
    return _REPEATED.sub(r"\1", word)[:LONGEST_SHAPE]


def _lists(word: str) -> str:
    own = "".join("01"[word.strip(".") in names or word in names] for names in _OWN_LISTS)
    return f"{own} {NAME_WORDS.get(word, '')} {NOUN_CLASSES.get(word, '')}"


def _known(words: Sequence[str]) -> Iterator[str]:
    """For each word where it stands in which kind of known name: "begin Place"."""
    lowered = [word.lower() for word in words]
    at = 0
    while at < len(words):
        name = next(
            (
                each
                for each in _BY_FIRST.get(lowered[at], ())
                if tuple(lowered[at : at + len(each)]) == each
            ),
            None,
        )
        if name and any(word[0].isupper() for word in words[at : at + len(name)]):
            yield f"begin {_KNOWN[name]}"
            yield from [f"inside {_KNOWN[name]}"] * (len(name) - 1)
            at += len(name)
        else:
            yield ""
            at += 1
