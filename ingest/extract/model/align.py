"""Where in a text a proposition comes from that a model wrote in words of its own.

A text is cut into sentences, and these into clauses. A proposition comes from the shortest run
of clauses of one sentence that holds the most of its terms (stems without stop words), or of two
neighbouring sentences where no single one holds enough. Names count less than other words: where
the text says "she", the proposition has the name. Pure: no model, no store.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from hlg.ingest.text.sentences import sentence_spans
from hlg.ingest.text.spans import Span, trimmed
from hlg.lexical.analysis import analyze

ENOUGH = 0.5
"""The part of a proposition's weight that its span holds at least."""
NAME_WEIGHT = 0.3
"""Of a term that is written with a capital letter, beside 1 of any other."""
MOST_CLAUSES = 40
"""Of a sentence that are looked at singly; a longer one is taken whole."""
MOSTLY_REWORDED = 0.5
"""A proposition with more terms of its own than this part is its own detail, whole."""

_BOUND = re.compile(r"[,;:–—()\n]\s*|\s+(?:and|but|while|or|who|which|where|when)\s+")
_WORD = re.compile(r"\S+")
_EDGE = " \t\n,;:–—"
_LAST = re.compile(r"[\s,;:–—(]+(?:and|but|while|or|who|which|where|when)?[\s,;:–—(]*$")


@dataclass(frozen=True, slots=True)
class _Clause:
    start: int
    end: int
    terms: frozenset[str]


class Aligner:
    """Finds the spans of propositions in one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sentences = [_clauses(text, span) for span in sentence_spans(text)]

    def span_of(self, proposition: str) -> Span | None:
        """The characters that a proposition comes from, or None where too little matches."""
        proposition = proposition.strip()
        found = self._text.find(proposition) if proposition else -1
        if found >= 0:
            return found, found + len(proposition)
        terms = _weights(proposition)
        if not terms:
            return None
        best = (
            _best(self._sentences, terms)
            or _best([one + other for one, other in pairwise(self._sentences)], terms)
            or _best(self._sentences, dict.fromkeys(terms, 1.0))
        )
        return None if best is None else self._tidy(*best)

    def _tidy(self, start: int, end: int) -> Span:
        """Without punctuation that belongs to what is left out around it."""
        piece = self._text[start:end].lstrip(_EDGE)
        start = end - len(piece)
        return trimmed(self._text, start, start + len(_LAST.sub("", piece)))


def left_out(proposition: str, text: str) -> str:
    """What a proposition says that its text does not, for a statement's details: the words
    themselves, or the whole proposition where most of it is worded otherwise."""
    known = frozenset(analyze(text))
    runs: list[list[str]] = [[]]
    own = terms = 0
    for word in _WORD.findall(proposition):
        stems = analyze(word)
        terms += len(stems)
        new = sum(stem not in known for stem in stems)
        own += new
        if new or (runs[-1] and not stems):
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    if not own:
        return ""
    if own > MOSTLY_REWORDED * terms:
        return proposition
    return "; ".join(dict.fromkeys(filter(None, map(_told, runs))))


def _told(run: list[str]) -> str:
    """A run without the stop words at its end."""
    while run and not analyze(run[-1]):
        run.pop()
    return " ".join(run).strip(_EDGE + ".")


def _weights(proposition: str) -> dict[str, float]:
    """What each of its terms counts."""
    weights: dict[str, float] = {}
    for word in _WORD.findall(proposition):
        weight = NAME_WEIGHT if word.lstrip("\"'“‘(")[:1].isupper() else 1.0
        for term in analyze(word):
            weights[term] = max(weight, weights.get(term, 0.0))
    return weights


def _clauses(text: str, sentence: Span) -> list[_Clause]:
    start, end = sentence
    cuts = [start, *(bound.end() for bound in _BOUND.finditer(text, start, end))]
    if len(cuts) > MOST_CLAUSES:
        cuts = [start]
    return [
        _Clause(first, last, frozenset(analyze(text[first:last])))
        for first, last in pairwise([*cuts, end])
        if last > first
    ]


def _best(sentences: list[list[_Clause]], terms: Mapping[str, float]) -> Span | None:
    """The shortest run with the most weight of terms; None where that is not enough."""
    best: tuple[float, int, int, int] | None = None
    for clauses in sentences:
        for start, end, held in _runs(clauses, terms):
            rated = (round(held, 6), start - end, -start, end)
            if best is None or rated > best:
                best = rated
    if best is None or best[0] < ENOUGH * sum(terms.values()):
        return None
    return -best[2], best[3]


def _runs(clauses: list[_Clause], terms: Mapping[str, float]) -> Iterator[tuple[int, int, float]]:
    """Runs of clauses that begin and end with a term: start, end, and the weight they hold."""
    holding = [clause for clause in clauses if not terms.keys().isdisjoint(clause.terms)]
    for first, clause in enumerate(holding):
        held: set[str] = set()
        for last in holding[first:]:
            held |= terms.keys() & last.terms
            yield clause.start, last.end, sum(terms[term] for term in held)
