"""What speaks for a span as the answer: the signals that the reader weighs.

A question of two hops names one thing and asks about another: "the director of Wings". The
statement that names what is asked about leads on to others by what else it mentions (the
director): such a *bridge* stands for what the question does not name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.names import normalize_name
from hlg.retrieval.answers import asked as kinds
from hlg.retrieval.answers.asked import Asked
from hlg.retrieval.answers.evidence import EvidenceStatement, words_about
from hlg.retrieval.answers.shapes import DAY, FIGURE, QUOTED, RUN, YEAR
from hlg.retrieval.answers.spans import PHRASE, Span, answer_spans
from hlg.retrieval.answers.words import keys, share, weigh
from hlg.retrieval.arrays.passages import subject

_FAR = 30
"""Words; what is farther off has nothing to do with it."""
_KINDS_OF_SPANS = (
    "Person",
    "Place",
    "Organization",
    "Work",
    "Group",
    DAY,
    YEAR,
    FIGURE,
    RUN,
    PHRASE,
)
_KINDS_ASKED = (kinds.PERSON, kinds.PLACE, kinds.DATE, kinds.NUMBER, kinds.NAME, kinds.WORK)
_BORN = frozenset(("born", "birth", "birthplace", "birthday"))
_DIED = frozenset(("died", "die", "dies", "death"))
_LAST_EVENT = re.compile(r"\b(born|birth|died|death)\b(?!.*\b(?:born|birth|died|death)\b)", re.I)
_DASH = re.compile(r"\d{3,4}.*?[-–—]")
_CUES = {
    kinds.PLACE: frozenset(("in", "at", "from", "near")),
    kinds.PERSON: frozenset(("by", "with", "and")),
    kinds.DATE: frozenset(("in", "on", "since", "until")),
    kinds.ORGANIZATION: frozenset(("by", "for", "with", "at")),
}
_FITS: dict[str, dict[str, float]] = {
    kinds.PERSON: {"Person": 2, "Animal": 1, RUN: 1, "Thing": 1, "Group": 0.5, QUOTED: 0.5},
    kinds.PLACE: {"Place": 2, "Organization": 1, RUN: 1, "Thing": 1, "Group": 0.5, "Event": 0.2},
    kinds.ORGANIZATION: {"Organization": 2, RUN: 1, "Thing": 1, "Group": 1, "Place": 0.5},
    kinds.WORK: {"Work": 2, QUOTED: 2, RUN: 1, "Thing": 1, "Product": 1},
    kinds.EVENT: {"Event": 2, RUN: 1, "Thing": 1, "Work": 0.5},
    kinds.GROUP: {"Group": 2, "Place": 1, RUN: 0.5, PHRASE: 0.5, "Thing": 0.5, "Concept": 0.5},
    kinds.DATE: {DAY: 2, YEAR: 2, PHRASE: 0.2},
    kinds.NUMBER: {FIGURE: 2, YEAR: 0.2, PHRASE: 0.5},
}
_ANY_NAME = {DAY: -1.0, YEAR: -1.0, FIGURE: -0.5, PHRASE: 0.5}

SIGNALS = (
    "fits", "in_question", "noun_in_span", "noun_near", "cosine", "cosine_gap", "rank",
    "overlap", "text_overlap", "new_overlap", "title_asked", "title_bridge", "entity_bridge",
    "names_asked", "nearest", "nearest_heavy", "is_title", "fact_subject", "fact_object",
    "fact_relation", "fact_object_relation", "fact_subject_asked", "fact_subject_bridge",
    "order", "position", "words", "is_told", "cue", "rivals", "statements", "sources",
    "bridge", "life", "asked_year", "asked_noun", "noun_after", "measured",
    *(f"span_{kind}" for kind in _KINDS_OF_SPANS),
    *(f"asked_{kind}" for kind in _KINDS_ASKED),
)  # fmt: skip
"""The columns of the reader, in order."""


@dataclass(frozen=True, slots=True)
class Read:
    """The spans of the evidence with their signals, shape (spans, len(SIGNALS))."""

    spans: tuple[Span, ...]
    matrix: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A statement as signals see it."""

    text_keys: tuple[str, ...]
    """Of the words of the text."""
    keys: frozenset[str]
    """Of text, details and title."""
    title: str
    names: frozenset[str]
    overlap: float
    text_overlap: float


def read(
    question: str,
    asked: Asked,
    evidence: Sequence[EvidenceStatement],
    cosines: NDArray[np.floating],
    offered: Sequence[Span] = (),
) -> Read:
    """The spans of evidence that may answer a question, and what speaks for each.

    :param cosines: of each statement and the question, shape (len(evidence),).
    :param offered: spans that others found; where a text has one of ours, ours is kept, and so
        it is for what is counted.
    """
    years = asked.kind == kinds.DATE and "year" in asked.noun
    counted = asked.noun if asked.is_counted else ""
    spans = [
        span
        for place, statement in enumerate(evidence)
        for span in answer_spans(place, statement, years=years, counted=counted)
    ]
    there = {(span.place, span.start, span.end) for span in spans}
    offered = () if counted else offered
    spans += [each for each in offered if (each.place, each.start, each.end) not in there]
    if not spans:
        return Read((), np.zeros((0, len(SIGNALS)), np.float32))
    reading = _Reading(question, asked, evidence, cosines)
    rows = reading.rows(spans)
    return Read(tuple(spans), np.array(rows, np.float32))


class _Reading:
    """The evidence for one question, read once."""

    def __init__(
        self,
        question: str,
        asked: Asked,
        evidence: Sequence[EvidenceStatement],
        cosines: NDArray[np.floating],
    ) -> None:
        self._asked = asked
        self._evidence = evidence
        self._cosines = cosines
        self._best = float(cosines.max(initial=0.0))
        self._question = f" {normalize_name(question)} "
        words = self._question.split()
        self._noun = frozenset(keys(asked.noun))
        whole = words_about(evidence)
        asked_keys = keys(question)
        self._weights = weigh(asked_keys, whole)
        self._asked_keys = frozenset(asked_keys)
        heavy = sorted(self._weights.values(), reverse=True)
        self._heavy = heavy[min(2, len(heavy) - 1)] if heavy else 0.0
        self._seen = [
            self._see(statement, keys_) for statement, keys_ in zip(evidence, whole, strict=True)
        ]
        self._bridges, self._bridging = self._find_bridges()
        self._first = _first_of_source(evidence)
        self._event = next((event for event in (_BORN, _DIED) if event & set(words)), frozenset())

    def _see(self, statement: EvidenceStatement, whole: frozenset[str]) -> _Seen:
        text_keys = tuple(keys(statement.passage.text))
        return _Seen(
            text_keys,
            whole,
            subject(normalize_name(statement.passage.source.title)),
            frozenset(normalize_name(entity.name) for entity in statement.entities),
            share(self._weights, whole),
            share(self._weights, frozenset(text_keys)),
        )

    def _is_asked(self, name: str) -> bool:
        return bool(name) and f" {name} " in self._question

    def _find_bridges(self) -> tuple[dict[str, float], dict[str, int]]:
        """What statements about the question's names lead on to: by name how well the best
        of them fits the question, and its place."""
        weights: dict[str, float] = {}
        places: dict[str, int] = {}
        for place, seen in enumerate(self._seen):
            if not self._is_asked(seen.title) and not any(map(self._is_asked, seen.names)):
                continue
            for name in (*seen.names, seen.title):
                if not self._is_asked(name) and seen.overlap > weights.get(name, 0.0):
                    weights[name], places[name] = seen.overlap, place
        return weights, places

    def rows(self, spans: Sequence[Span]) -> list[list[float]]:
        """The signals of each span, in the order of :data:`SIGNALS`."""
        statements: dict[str, set[int]] = {}
        sources: dict[str, set[str]] = {}
        rivals: dict[tuple[int, str], int] = {}
        span_keys = [span.key for span in spans]
        for span, key in zip(spans, span_keys, strict=True):
            statements.setdefault(key, set()).add(span.place)
            sources.setdefault(key, set()).add(self._evidence[span.place].passage.source.id)
            rivals[span.place, span.kind] = rivals.get((span.place, span.kind), 0) + 1
        rows = []
        for span, key in zip(spans, span_keys, strict=True):
            counted = {
                "rivals": float(rivals[span.place, span.kind]),
                "statements": float(len(statements[key])),
                "sources": float(len(sources[key])),
            }
            values = (
                counted | self._of_statement(span) | self._of_span(span, key) | self._of_facts(span)
            )
            rows.append([values[name] for name in SIGNALS])
        return rows

    def _of_statement(self, span: Span) -> dict[str, float]:
        place = span.place
        seen, statement = self._seen[place], self._evidence[place]
        title_bridge = self._bridges.get(seen.title, 0.0)
        named = [(self._bridges[name], name) for name in seen.names if name in self._bridges]
        entity_bridge, name = max(named, default=(0.0, ""))
        by = seen.title if title_bridge >= entity_bridge else name
        before = self._bridging.get(by, -1)
        held = frozenset(seen.text_keys)
        new = held - self._seen[before].keys if before not in (-1, place) else held
        cosine = float(self._cosines[place])
        return {
            "cosine": cosine,
            "cosine_gap": self._best - cosine,
            "rank": float(statement.rank),
            "overlap": seen.overlap,
            "text_overlap": seen.text_overlap,
            "new_overlap": share(self._weights, new),
            "title_asked": float(self._is_asked(seen.title)),
            "title_bridge": title_bridge,
            "entity_bridge": entity_bridge,
            "names_asked": float(sum(map(self._is_asked, seen.names))),
            "order": float(place - self._first[place]),
        }

    def _of_span(self, span: Span, key: str) -> dict[str, float]:
        asked, seen = self._asked, self._seen[span.place]
        text = self._evidence[span.place].passage.text
        held = frozenset(keys(span.text))
        shared = len(held & self._asked_keys) / len(held) if held else 0.0
        nearest, heavy = self._distances(text, span)
        before = text[: max(span.start, 0)].rsplit(None, 1)
        word = before[-1].lower().strip("(,") if before else ""
        fits = _FITS.get(asked.kind, {})
        default = (
            _ANY_NAME.get(span.kind, 1.0) if not fits else -1.0 if span.kind in _ANY_NAME else 0.0
        )
        values = {
            "fits": float(fits.get(span.kind, default)),
            "in_question": max(shared, float(self._is_asked(key))),
            "noun_in_span": float(bool(self._noun & held)),
            "noun_near": float(bool(self._noun & seen.keys)),
            "nearest": nearest,
            "nearest_heavy": heavy,
            "is_title": float(key == seen.title),
            "position": span.start / max(len(text), 1),
            "words": float(len(span.text.split())),
            "is_told": float(span.start >= 0),
            "cue": float(word in _CUES.get(asked.kind, ())),
            "bridge": self._bridges.get(key, 0.0),
            "life": self._life(text, span),
            "noun_after": float(bool(self._noun & set(keys(text[span.end :])[:2]))),
            "measured": float(asked.is_measure and span.kind == FIGURE and " " in span.text),
            "asked_year": float("year" in asked.noun),
            "asked_noun": float(bool(asked.noun)),
        }
        values |= {f"span_{kind}": float(span.kind == kind) for kind in _KINDS_OF_SPANS}
        return values | {f"asked_{kind}": float(asked.kind == kind) for kind in _KINDS_ASKED}

    def _life(self, text: str, span: Span) -> float:
        """1 for what a parenthesis such as "(3 May 1904 in Hest – 1951)" says of the birth that
        is asked about, -1 for what it says of the death; the other way round likewise."""
        if not self._event or span.start < 0:
            return 0.0
        opened = text.rfind("(", 0, span.start)
        if (
            opened < 0
            or ")" in text[opened : span.start]
            or not any(map(str.isdigit, text[opened:]))
        ):
            said = _LAST_EVENT.search(text, max(0, span.start - 60), span.start)
            return 0.0 if said is None else 1.0 if said[1].lower() in self._event else -1.0
        is_after = _DASH.search(text, opened, span.start) is not None
        return 1.0 if is_after == (self._event is _DIED) else -1.0

    def _distances(self, text: str, span: Span) -> tuple[float, float]:
        """Words between a span and the nearest word of the question outside it; the same for
        its rare words."""
        if span.start < 0:
            return float(_FAR), float(_FAR)
        nearest = heavy = _FAR
        for side, backwards in ((text[: span.start], True), (text[span.end :], False)):
            words = keys(side)
            ordered = reversed(words) if backwards else iter(words)
            for distance, key in enumerate(ordered):
                if distance >= _FAR:
                    break
                weight = self._weights.get(key, 0.0)
                if weight:
                    nearest = min(nearest, distance)
                if weight and weight >= self._heavy:
                    heavy = min(heavy, distance)
                    break
        return float(nearest), float(heavy)

    def _of_facts(self, span: Span) -> dict[str, float]:
        """What the statement's facts say of a span."""
        names = ("fact_subject", "fact_object", "fact_relation", "fact_object_relation",
                 "fact_subject_asked", "fact_subject_bridge")  # fmt: skip
        values = dict.fromkeys(names, 0.0)
        key = span.key
        for fact in self._evidence[span.place].facts:
            subject_key = normalize_name(fact.subject)
            is_subject = key == subject_key
            is_object = (
                span.text in fact.object if fact.is_value else key == normalize_name(fact.object)
            )
            if not is_subject and not is_object:
                continue
            relation = share(self._weights, frozenset(keys(fact.predicate)))
            values["fact_relation"] = max(values["fact_relation"], relation)
            values["fact_subject"] = max(values["fact_subject"], float(is_subject))
            if is_object:
                values["fact_object"] = 1.0
                values["fact_object_relation"] = max(values["fact_object_relation"], relation)
                asked = float(self._is_asked(subject_key))
                values["fact_subject_asked"] = max(values["fact_subject_asked"], asked)
                bridge = self._bridges.get(subject_key, 0.0)
                values["fact_subject_bridge"] = max(values["fact_subject_bridge"], bridge)
        return values


def _first_of_source(evidence: Sequence[EvidenceStatement]) -> list[int]:
    """By statement the place of the first one of its source."""
    found: dict[str, int] = {}
    return [found.setdefault(each.passage.source.id, place) for place, each in enumerate(evidence)]
