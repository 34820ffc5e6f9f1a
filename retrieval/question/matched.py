"""A question as the ranker sees it: its words, its vector, and what it names of the graph."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.analysis import STOP_WORDS
from hlg.names import normalize_name
from hlg.records import Embeddings
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.question.clauses import apart, clauses
from hlg.strings import Strings

LONGEST_NAME = 10
"""Words that a name in a question is at most taken to have."""
MAX_WORDS = 400
"""Only so many words of a question are looked up as names."""

_WORD = re.compile(r"\S+")
_EDGE = re.compile(r"^\W+|\W+$")


@dataclass(frozen=True, slots=True)
class MatchedQuestion:
    """A question with what it was matched to in a snapshot."""

    text: str
    embedding: NDArray[np.float32]
    """Shape (d,), unit length."""
    clauses: Embeddings
    """Of its :func:`~hlg.retrieval.question.clauses.clauses`; itself where it has none."""
    clauses_apart: NDArray[np.bool_]
    """Which of its clauses have no words in common, shape (clauses, clauses)."""
    terms: tuple[str, ...]
    """Its analysed words, each once."""
    entities: NDArray[np.int32]
    """Entities that it names, ascending."""
    sources: NDArray[np.int32]
    """Sources whose title it names, ascending."""
    source_words: NDArray[np.int32]
    """With how many words it names each of ``sources``."""

    @classmethod
    def of(cls, text: str, vectors: Embeddings, passages: Passages) -> "MatchedQuestion":
        """Match a question to a snapshot.

        :param vectors: of the question, then of each of its clauses.
        """
        snapshot = passages.snapshot
        spans = clauses(text) or [(0, len(text))]
        entities = {row for row, _ in longest_matches(text, snapshot.entity_keys)}
        aliases = [row for row, _ in longest_matches(text, snapshot.alias_keys)]
        entities.update(snapshot.alias_entity[aliases].tolist())
        words: dict[int, int] = {}
        for name, length in longest_matches(text, passages.names):
            for source in passages.named_sources.row(name):
                words[int(source)] = max(length, words.get(int(source), 0))
        sources = sorted(words)
        return cls(
            text,
            vectors[0],
            vectors[1:] if len(vectors) > 1 else vectors,
            apart(spans),
            tuple(dict.fromkeys(snapshot.chunk_words.terms(text))),
            np.array(sorted(entities), np.int32),
            np.array(sources, np.int32),
            np.array([words[source] for source in sources], np.int32),
        )


def longest_matches(text: str, keys: Strings) -> list[tuple[int, int]]:
    """Rows of sorted keys that the words of a text name, with how many words each takes.

    A run of words within a longer match is not looked up again, nor is a run of stop words.
    """
    words = _WORD.findall(text)[:MAX_WORDS]
    found: dict[int, int] = {}
    ranges: dict[str, tuple[int, int]] = {}
    taken = bytearray(len(words))
    for length in range(min(LONGEST_NAME, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            if 1 in taken[start : start + length]:
                continue
            run = words[start : start + length]
            if length == 1 and _EDGE.sub("", run[0]).lower() in STOP_WORDS:
                continue
            key = normalize_name(" ".join(run))
            first = key.partition(" ")[0]
            if first not in ranges:
                ranges[first] = keys.starting_with(first)
            row = keys.find(key, ranges[first])
            if row >= 0:
                found.setdefault(row, length)
                taken[start : start + length] = b"\1" * length
    return list(found.items())
