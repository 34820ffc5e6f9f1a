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
from hlg.retrieval.answers.lead_confidence import LEAST, chance, lead_signals
from hlg.retrieval.answers.signals import Read, read
from hlg.retrieval.answers.spans import Span
from hlg.retrieval.answers.statements import chosen_statements, in_reading_order, says_something

__all__ = ["Extracted", "Score", "best_span", "extract"]

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
    elif asked.kind not in (TEXT, YES_NO):
        found = best_span(question, asked, evidence, cosines, score, confidence)
        if found is not None and chance(found[1]) >= LEAST:
            lead, rests_on = found[0].text, (found[0].place,)
    chosen = chosen_statements(question, asked, evidence, cosines, rests_on)
    return Extracted(lead, rests_on, tuple(in_reading_order(chosen, evidence)))


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


def best_span(
    question: str,
    asked: Asked,
    evidence: Sequence[EvidenceStatement],
    cosines: NDArray[np.floating],
    score: Score,
    confidence: float,
) -> tuple[Span, NDArray[np.float64]] | None:
    """The span that answers best, among choices only those, with the signals of its certainty.

    :param cosines: of each statement and the question, shape (len(evidence),).
    :param confidence: of the search, from 0 to 1.
    """
    reading = read(question, asked, evidence, cosines)
    scores = score(reading)
    choices = {choice.casefold() for choice in asked.choices}
    possible = [
        place
        for place, span in enumerate(reading.spans)
        if says_something(evidence[span.place])
        and (
            span.text.casefold() in choices if choices else not _is_no_answer(question, asked, span)
        )
    ]
    if not possible:
        return None
    best = max(possible, key=lambda place: float(scores[place]))
    return reading.spans[best], lead_signals(reading, scores, best, possible, confidence)
