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
from hlg.retrieval.answers.signals import Read, read
from hlg.retrieval.answers.spans import Span
from hlg.retrieval.answers.statements import chosen_statements, in_reading_order, says_something

__all__ = ["Extracted", "Score", "extract"]

Score = Callable[[Read], NDArray[np.float32]]
"""How well each span answers, shape (spans,)."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What answers: a lead (empty where nothing short does) with the places of the statements
    that it rests on, and those of all statements of the answer in reading order."""

    lead: str
    rests_on: tuple[int, ...]
    places: tuple[int, ...]


def extract(
    question: str,
    evidence: Sequence[EvidenceStatement],
    cosines: NDArray[np.floating],
    score: Score,
) -> Extracted:
    """The answer that evidence holds.

    :param cosines: of each statement and the question, shape (len(evidence),).
    """
    asked = asked_for(question)
    lead, rests_on = "", tuple[int, ...]()
    if verdict := compare(question, asked, evidence):
        lead, rests_on = verdict.text, verdict.places
    elif asked.kind not in (TEXT, YES_NO):
        span = _best(question, asked, evidence, cosines, score)
        if span is not None:
            lead, rests_on = span.text, (span.place,)
    chosen = chosen_statements(question, evidence, cosines, rests_on)
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


def _best(
    question: str,
    asked: Asked,
    evidence: Sequence[EvidenceStatement],
    cosines: NDArray[np.floating],
    score: Score,
) -> Span | None:
    """The span that answers best; among choices only those."""
    reading = read(question, asked, evidence, cosines)
    scores = score(reading)
    best, found = -np.inf, None
    choices = {choice.casefold() for choice in asked.choices}
    for span, value in zip(reading.spans, scores.tolist(), strict=True):
        if not says_something(evidence[span.place]):
            continue
        if choices and span.text.casefold() not in choices:
            continue
        if not choices and _is_no_answer(question, asked, span):
            continue
        if value > best:
            best, found = value, span
    return found
