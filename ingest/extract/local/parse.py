"""Grammar of a text: sentences as plain lists, made by spaCy and free of its objects."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hlg.models.spacy_pipeline import load_english

if TYPE_CHECKING:
    from spacy.tokens import Doc

BATCH_BLOCKS = 64
LONGEST_WORD = 200
"""Longer runs without a space are cut for the parser, whose patterns are slow on them."""

_UNPARSABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD},}}")
_BEGIN, _OUTSIDE = 3, 2


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence's tokens, each list one item a token.

    ``heads`` and ``children`` are positions in the sentence; a root is its own head.
    ``starts`` and ``ends`` are offsets into the document's text. ``entities`` are spans of
    tokens ``[first, end)`` with spaCy's label.
    """

    words: list[str]
    tags: list[str]
    deps: list[str]
    heads: list[int]
    children: list[list[int]]
    starts: list[int]
    ends: list[int]
    entities: list[tuple[int, int, str]]

    def left_edge(self, token: int) -> int:
        """First token of the subtree."""
        while (children := self.children[token]) and children[0] < token:
            token = children[0]
        return token

    def right_edge(self, token: int) -> int:
        """Last token of the subtree."""
        while (children := self.children[token]) and children[-1] > token:
            token = children[-1]
        return token

    def text(self, first: int, end: int) -> str:
        """Tokens ``[first, end)`` joined as they stood, any white space as one space."""
        pieces = [self.words[first]] if first < end else []
        for token in range(first + 1, end):
            if self.starts[token] > self.ends[token - 1]:
                pieces.append(" ")
            pieces.append(self.words[token])
        return " ".join("".join(pieces).split())


def parsable(text: str) -> str:
    """A copy of the same length without what spaCy chokes on.

    Control characters and lone surrogates become spaces, and so does a character in each
    200 of a longer run.
    """
    text = _UNPARSABLE.sub(" ", text)
    return _LONG_WORD.sub(_spaced, text)


def _spaced(run: re.Match[str]) -> str:
    word = run.group()
    return " ".join(
        word[start : start + LONGEST_WORD - 1] for start in range(0, len(word), LONGEST_WORD)
    ).ljust(len(word))[: len(word)]


def words_of(text: str) -> list[str]:
    """The tokens of a text, white space aside."""
    return [token.text for token in load_english().tokenizer(parsable(text)) if not token.is_space]


def parse(blocks: Iterable[tuple[int, str]]) -> Iterator[list[Sentence]]:
    """The sentences of each block of text, which begins at the offset given with it."""
    pipeline = load_english()
    pairs = ((parsable(text), start) for start, text in blocks)
    for doc, start in pipeline.pipe(pairs, as_tuples=True, batch_size=BATCH_BLOCKS):
        yield list(_sentences(doc, start))


@cache
def _string(hash_: int) -> str:
    return load_english().vocab.strings[hash_]


def _sentences(doc: "Doc", offset: int) -> Iterator[Sentence]:
    if not len(doc):
        return
    array = doc.to_array(
        ["TAG", "DEP", "HEAD", "IDX", "LENGTH", "SENT_START", "ENT_IOB", "ENT_TYPE"]
    )
    tags = [_string(tag) for tag in array[:, 0].tolist()]
    deps = [_string(dep) for dep in array[:, 1].tolist()]
    heads = (array[:, 2].astype(np.int64) + np.arange(len(array))).tolist()
    begins = array[:, 3].astype(np.int64)
    ends = (begins + array[:, 4].astype(np.int64)).tolist()
    text = doc.text
    words = [text[begin:end] for begin, end in zip(begins.tolist(), ends, strict=True)]
    starts = (begins + offset).tolist()
    ends = [end + offset for end in ends]
    iob, labels = array[:, 6].tolist(), array[:, 7].tolist()
    firsts = [0, *(np.flatnonzero(array[1:, 5] == 1) + 1).tolist(), len(words)]
    for first, end in pairwise(firsts):
        children: list[list[int]] = [[] for _ in range(end - first)]
        local = [head - first for head in heads[first:end]]
        for token, head in enumerate(local):
            if head != token:
                children[head].append(token)
        yield Sentence(
            words=words[first:end],
            tags=tags[first:end],
            deps=deps[first:end],
            heads=local,
            children=children,
            starts=starts[first:end],
            ends=ends[first:end],
            entities=_entities(iob[first:end], labels[first:end]),
        )


def _entities(iob: list[int], labels: list[int]) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    for token, (code, label) in enumerate(zip(iob, labels, strict=True)):
        if not label or code == _OUTSIDE:
            continue
        if code == _BEGIN or not found or found[-1][1] != token:
            found.append((token, token + 1, _string(label)))
        else:
            first, _, name = found[-1]
            found[-1] = (first, token + 1, name)
    return found
