"""An answer without a language model: the span that answers, and the statements that say so."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.names import normalize_name
from hlg.retrieval.answers.asked import (
    NAME,
    ORGANIZATION,
    PERSON,
    PLACE,
    TEXT,
    YES_NO,
    Asked,
    asked_for,
)
from hlg.retrieval.answers.compare import compare
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.lead_confidence import (
    HARDLY,
    LEAST,
    LEAST_ALONE,
    SURE_ALONE,
    WEIGHTS,
    Signals,
    Weights,
    chances,
    lead_signals,
)
from hlg.retrieval.answers.reading.reader import Offer, passage_reader
from hlg.retrieval.answers.signals import Read, read
from hlg.retrieval.answers.spans import PHRASE, Span
from hlg.retrieval.answers.statements import (
    chosen_statements,
    in_reading_order,
    says_something,
)

__all__ = ["Choice", "Extracted", "Score", "best_span", "choice", "extract", "may_lead"]

Score = Callable[[Read], NDArray[np.float32]]
"""How well each span answers, shape (spans,)."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What answers: a lead with the places of the statements that it rests on, and those of all
    statements of the answer in reading order. The lead is empty where nothing short answers, or
    hardly can (:data:`hlg.retrieval.answers.lead_confidence.LEAST`)."""

    lead: str
    rests_on: tuple[int, ...]
    places: tuple[int, ...]


def extract(
    question: str,
    evidence: Sequence[EvidenceStatement],
    cosines: NDArray[np.floating],
    score: Score,
    confidence: float,
) -> Extracted:
    """The answer that evidence holds.

    :param cosines: of each statement and the question, shape (len(evidence),).
    :param confidence: of the search that found it, from 0 to 1.
    """
    asked = asked_for(question)
    lead, rests_on = "", tuple[int, ...]()
    if verdict := compare(question, asked, evidence):
        lead, rests_on = verdict.text, verdict.places
    elif may_lead(asked):
        found = choice(question, asked, evidence, cosines, score, confidence)
        span = best_span(found) if found is not None else None
        if span is not None:
            lead, rests_on = span.text, (span.place,)
    chosen = chosen_statements(question, asked, evidence, cosines, rests_on)
    return Extracted(lead, rests_on, tuple(in_reading_order(chosen, evidence)))


def may_lead(asked: Asked) -> bool:
    """Whether a span may answer at all."""
    return asked.kind not in (TEXT, YES_NO)


_FILE = re.compile(r"\S+\.[a-z]{1,5}")
_CODE = re.compile(r"[\\{}<>=|`]")
_MARK = re.compile(r"[^\w.&+#-]+")
_LIVING = frozenset((PERSON, PLACE, ORGANIZATION))


def _plain(text: str) -> str:
    return " ".join(_MARK.sub(" ", normalize_name(text)).split()).rstrip(".")


def _is_no_answer(question: str, asked: Asked, span: Span) -> bool:
    """Whether a span can be no answer: the question's own words, code, a file's name for a person
    or a place, or what the statement is about where a thing of an unknown kind is asked for."""
    if f" {_plain(span.text)} " in f" {_plain(question)} ":
        return True
    if _CODE.search(span.text) or (asked.kind in _LIVING and _FILE.fullmatch(span.text)):
        return True
    return asked.kind == NAME and span.start < 0 and span.kind in ("Thing", "Concept")


@dataclass(frozen=True, slots=True)
class Choice:
    """The spans that could lead, and what speaks for each."""

    spans: tuple[Span, ...]
    signals: Signals


def choice(
    question: str,
    asked: Asked,
    evidence: Sequence[EvidenceStatement],
    cosines: NDArray[np.floating],
    score: Score,
    confidence: float,
) -> Choice | None:
    """What could lead the answer, where there are choices only those; None where nothing could.

    :param cosines: of each statement and the question, shape (len(evidence),).
    :param confidence: of the search, from 0 to 1.
    """
    told = [place for place, each in enumerate(evidence) if says_something(each)]
    reading = passage_reader().read(question, evidence, cosines, told)
    offered = [_offered(offer, evidence) for offer in reading.offers()]
    found = read(question, asked, evidence, cosines, offered)
    choices = {each.casefold() for each in asked.choices}
    possible = [
        place
        for place, span in enumerate(found.spans)
        if span.place in told
        and (
            span.text.casefold() in choices if choices else not _is_no_answer(question, asked, span)
        )
    ]
    if not possible:
        return None
    signals = lead_signals(found, asked, score(found), reading, possible, confidence)
    return Choice(tuple(found.spans[place] for place in possible), signals)


def _offered(offer: Offer, evidence: Sequence[EvidenceStatement]) -> Span:
    text = evidence[offer.place].passage.text[offer.start : offer.end]
    return Span(offer.place, text, offer.start, offer.end, PHRASE)


def best_span(choice: Choice, weights: Weights = WEIGHTS) -> Span | None:
    """The span that leads, where one is sure enough."""
    likely = chances(choice.spans, choice.signals, weights)
    best = int(np.argmax(likely))
    if likely[best] >= LEAST:
        return choice.spans[best]
    signals = choice.signals
    if signals.best < 0 or signals.alone < LEAST_ALONE:
        return None
    is_sure = signals.alone >= SURE_ALONE or likely[best] > HARDLY
    return choice.spans[signals.best] if is_sure else None
