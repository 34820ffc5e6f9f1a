"""A question as the ranker sees it: its words, its vector, and what it names of the graph."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.analysis import STOP_WORDS
from hlg.names import normalize_name
from hlg.records import Embeddings
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.question.clauses import clauses, disjoint
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
    disjoint_clauses: NDArray[np.bool_]
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
        runs = _runs(text)
        entities = {row for row, _ in longest_matches(runs, snapshot.entity_keys)}
        aliases = [row for row, _ in longest_matches(runs, snapshot.alias_keys)]
        entities.update(snapshot.alias_entity[aliases].tolist())
        words: dict[int, int] = {}
        for name, length in longest_matches(runs, passages.names):
            for source in passages.named_sources.row(name):
                words[int(source)] = max(length, words.get(int(source), 0))
        sources = sorted(words)
        return cls(
            text,
            vectors[0],
            vectors[1:] if len(vectors) > 1 else vectors,
            disjoint(spans),
            tuple(dict.fromkeys(snapshot.chunk_words.terms(text))),
            np.array(sorted(entities), np.int32),
            np.array(sources, np.int32),
            np.array([words[source] for source in sources], np.int32),
        )


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of words of a text, and the name that it would be."""

    start: int
    words: int
    key: str
    first: str
    """The key's first word."""


def _runs(text: str) -> list[_Run]:
    """The runs of words that may be names, longest first; stop words alone are none."""
    words = _WORD.findall(text)[:MAX_WORDS]
    found = []
    for length in range(min(LONGEST_NAME, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            if length == 1 and _EDGE.sub("", words[start]).lower() in STOP_WORDS:
                continue
            key = normalize_name(" ".join(words[start : start + length]))
            found.append(_Run(start, length, key, key.partition(" ")[0]))
    return found


def longest_matches(runs: Sequence[_Run], keys: Strings) -> list[tuple[int, int]]:
    """Rows of sorted keys that runs of words name, with how many words each takes.

    A run within a longer match is not looked up again.
    """
    found: dict[int, int] = {}
    ranges: dict[str, tuple[int, int]] = {}
    taken: set[int] = set()
    for run in runs:
        if run.first not in ranges:
            ranges[run.first] = keys.starting_with(run.first)
        low, high = ranges[run.first]
        if low == high or not taken.isdisjoint(range(run.start, run.start + run.words)):
            continue
        row = keys.find(run.key, (low, high))
        if row >= 0:
            found.setdefault(row, run.words)
            taken.update(range(run.start, run.start + run.words))
    return list(found.items())
