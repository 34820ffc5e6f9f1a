"""What the words of the evidence say of a span as the answer: its kind, its place, its statement.

A question of two hops names one thing and asks about another: "the director of Wings". The
statement that names what is asked about leads on to others by what else it mentions (the
director): such a *bridge* stands for what the question does not name.
"""

import re
from collections.abc import Mapping, Sequence
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
_BORN = frozenset(("born", "birth", "birthplace", "birthday"))
_DIED = frozenset(("died", "die", "dies", "death"))
_LAST_EVENT = re.compile(r"\b(born|birth|died|death)\b(?!.*\b(?:born|birth|died|death)\b)", re.I)
_DASH = re.compile(r"\d{3,4}.*?[-–—]")
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

OF_STATEMENT = ("overlap", "text_overlap", "title_asked", "title_bridge", "entity_bridge")
"""How much of the question a statement says, with all that it stands under and alone; whether the
question names its source; how well what leads on to its source or to a name of it fits."""
OF_SPAN = ("fits", "in_question", "nearest", "words", "is_title", "statements", "life")
"""How well a span's kind fits what is asked for, how much of it the question says, how many words
it is from the nearest of the question's, how many it has, whether it is its source's subject, how
many statements have it, whether it tells of the birth or death that is asked about."""
OF_WORDS = (*OF_SPAN, *OF_STATEMENT)
"""What is seen of a span and of its statement."""


@dataclass(frozen=True, slots=True)
class Read:
    """The spans of the evidence with :data:`OF_WORDS` of each, shape (spans,)."""

    spans: tuple[Span, ...]
    columns: Mapping[str, NDArray[np.float64]]


def read(
    question: str, asked: Asked, evidence: Sequence[EvidenceStatement], offered: Sequence[Span] = ()
) -> Read:
    """The spans of evidence that may answer a question, and what speaks for each.

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
    text = normalize_name(question)
    asked_keys = keys(question)
    whole = words_about(evidence)
    weights = weigh(asked_keys, whole)
    rows = np.array(_of_statements(f" {text} ", evidence, whole, weights))
    rows = rows.reshape(-1, len(OF_STATEMENT))
    columns = dict(zip(OF_STATEMENT, rows[[span.place for span in spans]].T, strict=True))
    statements: dict[str, set[int]] = {}
    for span in spans:
        statements.setdefault(span.key, set()).add(span.place)
    titles = [_title(each) for each in evidence]
    words = frozenset(text.split())
    event = next((each for each in (_BORN, _DIED) if each & words), frozenset[str]())
    told = [
        (
            _fit(asked.kind, span.kind),
            _in_question(span, f" {text} ", frozenset(asked_keys)),
            _nearest(evidence[span.place].passage.text, span, weights),
            len(span.text.split()),
            span.key == titles[span.place],
            len(statements[span.key]),
            _life(evidence[span.place].passage.text, span, event),
        )
        for span in spans
    ]
    own = np.array(told, float).reshape(-1, len(OF_SPAN)).T
    return Read(tuple(spans), dict(zip(OF_SPAN, own, strict=True)) | columns)


def _title(statement: EvidenceStatement) -> str:
    return subject(normalize_name(statement.passage.source.title))


def _of_statements(
    question: str,
    evidence: Sequence[EvidenceStatement],
    whole: Sequence[frozenset[str]],
    weights: Mapping[str, float],
) -> list[tuple[float, ...]]:
    """:data:`OF_STATEMENT` of each statement."""

    def is_asked(name: str) -> bool:
        return bool(name) and f" {name} " in question

    titles = [_title(each) for each in evidence]
    names = [{normalize_name(entity.name) for entity in each.entities} for each in evidence]
    overlaps = [share(weights, words) for words in whole]
    bridges: dict[str, float] = {}
    for title, named, overlap in zip(titles, names, overlaps, strict=True):
        if is_asked(title) or any(map(is_asked, named)):
            for name in (*named, title):
                if not is_asked(name):
                    bridges[name] = max(bridges.get(name, 0.0), overlap)
    return [
        (
            overlaps[place],
            share(weights, frozenset(keys(each.passage.text))),
            float(is_asked(titles[place])),
            bridges.get(titles[place], 0.0),
            max((bridges.get(name, 0.0) for name in names[place]), default=0.0),
        )
        for place, each in enumerate(evidence)
    ]


def _fit(asked: str, kind: str) -> float:
    """How well a span's kind fits what is asked for, from -1 to 2."""
    fits = _FITS.get(asked)
    if fits is None:
        return _ANY_NAME.get(kind, 1.0)
    return fits.get(kind, -1.0 if kind in _ANY_NAME else 0.0)


def _in_question(span: Span, question: str, asked: frozenset[str]) -> float:
    if span.key and f" {span.key} " in question:
        return 1.0
    held = frozenset(keys(span.text))
    return len(held & asked) / len(held) if held else 0.0


def _nearest(text: str, span: Span, weights: Mapping[str, float]) -> float:
    """Words between a span and the nearest word of the question outside it."""
    if span.start < 0:
        return float(_FAR)
    sides = keys(text[: span.start])[::-1], keys(text[span.end :])
    found = (
        next((at for at, key in enumerate(words[:_FAR]) if weights.get(key)), _FAR)
        for words in sides
    )
    return float(min(found))


def _life(text: str, span: Span, event: frozenset[str]) -> float:
    """1 for what a parenthesis such as "(3 May 1904 in Hest – 1951)" says of the birth that is
    asked about, -1 for what it says of the death; the other way round likewise."""
    if not event or span.start < 0:
        return 0.0
    opened = text.rfind("(", 0, span.start)
    if opened < 0 or ")" in text[opened : span.start] or not any(map(str.isdigit, text[opened:])):
        said = _LAST_EVENT.search(text, max(0, span.start - 60), span.start)
        return 0.0 if said is None else 1.0 if said[1].lower() in event else -1.0
    is_after = _DASH.search(text, opened, span.start) is not None
    return 1.0 if is_after == (event is _DIED) else -1.0
