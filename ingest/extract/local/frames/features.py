"""What the reader of frames is given of a sentence: word pieces, grammar, and form."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.extract.local.parse import Sentence
from hlg.models.wordpiece import CLOSING, OPENING, word_ids

__all__ = [
    "BRANCHES",
    "DISTANCES",
    "FORMS",
    "MAX_PIECES",
    "Features",
    "branches",
    "bucket",
    "distances",
    "features",
    "padded_words",
]

MAX_PIECES = 256
"""Word pieces of a sentence that are read, with the two marks around them; the rest is not."""
FORMS = 512
"""Buckets of each word's tag, its relation to its head, how it is written, and its kind of name."""
BRANCHES = 2048
"""Buckets of how a word hangs together with a predicate."""
DISTANCES = 32
"""Of how many words lie between them, before and behind."""
DEEPEST = 40
"""Steps towards the root that are looked at."""


@dataclass(frozen=True, slots=True)
class Features:
    """Of the words of one sentence that are read.

    ``pieces`` are ids of word pieces between the two marks, ``firsts`` where each word's first
    one stands; ``forms`` has four buckets a word.
    """

    pieces: list[int]
    firsts: list[int]
    forms: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.firsts)


def features(sentence: Sentence) -> Features:
    """What is seen of a sentence; shape of ``forms`` (words, 4)."""
    pieces, firsts = [OPENING], list[int]()
    for ids in word_ids(sentence.words):
        if len(pieces) + len(ids) >= MAX_PIECES:
            break
        firsts.append(len(pieces))
        pieces += ids
    kinds = ["O"] * len(sentence.words)
    for first, end, label in sentence.entities:
        kinds[first:end] = [f"B-{label}", *[f"I-{label}"] * (end - first - 1)]
    rows = [
        (
            bucket(f"tag {sentence.tags[at]}", FORMS),
            bucket(f"dep {sentence.deps[at]}", FORMS),
            bucket(f"form {_written(word)}", FORMS),
            bucket(f"kind {kinds[at]}", FORMS),
        )
        for at, word in enumerate(sentence.words[: len(firsts)])
    ]
    return Features([*pieces, CLOSING], firsts, np.array(rows, np.int64).reshape(-1, 4))


def branches(sentence: Sentence, predicate: int) -> NDArray[np.int64]:
    """For each word the bucket of the way from the predicate to it: up to what both hang on,
    and down by which relation; whether the word itself or something above it hangs there."""
    above: dict[int, int] = {}
    token = predicate
    while token not in above and len(above) < DEEPEST:
        above[token] = len(above)
        token = sentence.heads[token]
    climbed = [sentence.deps[token] for token in above]
    found = np.empty(len(sentence.words), np.int64)
    for word in range(len(sentence.words)):
        token, below, steps = word, "", 0
        while token not in above and steps < DEEPEST:
            below = sentence.deps[token]
            token = sentence.heads[token]
            steps += 1
        height = above.get(token, DEEPEST)
        way = " ".join(climbed[: min(height, 3)])
        found[word] = bucket(f"{min(height, 4)} {way} > {below} {min(steps, 2)}", BRANCHES)
    return found


def distances(words: int, predicate: int) -> NDArray[np.int64]:
    """For each word how far it is from the predicate, in widening steps."""
    apart = np.arange(words) - predicate
    steps = np.minimum(np.log2(np.abs(apart) + 1) * 2, DISTANCES // 2 - 1).astype(np.int64)
    found: NDArray[np.int64] = np.where(apart < 0, steps, steps + DISTANCES // 2)
    return found


def _written(word: str) -> str:
    if word.isupper():
        return "capitals" if len(word) > 1 else "capital"
    if word[:1].isupper():
        return "title" if word[1:].islower() or not word[1:].isalpha() else "mixed"
    if any(map(str.isdigit, word)):
        return "digits"
    return "small" if word.isalpha() else f"mark {word[:2]}" if len(word) < 3 else "other"


def bucket(trait: str, buckets: int) -> int:
    """A trait's place in a table of so many."""
    return zlib.crc32(trait.encode("utf-8", "replace")) % buckets


def padded_words(rows: Sequence[NDArray[np.int64]], width: int) -> NDArray[np.int64]:
    """Rows of one or some numbers a word as one array, zeros behind."""
    found = np.zeros((len(rows), width, *rows[0].shape[1:]), np.int64)
    for at, row in enumerate(rows):
        found[at, : len(row)] = row[:width]
    return found
