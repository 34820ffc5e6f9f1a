"""An answer without a language model: the span that answers, and the statements that say so."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.names import normalize_name
from hlg.retrieval.answers.answerable import answer_chance
from hlg.retrieval.answers.asked import DATE, NAME, ORGANIZATION, PERSON, PLACE, TEXT, YES_NO, Asked
from hlg.retrieval.answers.attributes import accounted
from hlg.retrieval.answers.compare import compare
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.leads import Likeliest, chances, lead_signals, likeliest
from hlg.retrieval.answers.read_evidence import ReadEvidence
from hlg.retrieval.answers.reading.reader import Offer
from hlg.retrieval.answers.relevance import chosen_statements, relevances, statement_signals
from hlg.retrieval.answers.signals import Read, read
from hlg.retrieval.answers.spans import PHRASE, Span
from hlg.retrieval.answers.statements import is_how_to
from hlg.retrieval.answers.words import keys


@dataclass(frozen=True, slots=True)
class Extracted:
    """What answers: a lead with the places of the statements that it rests on, those of all
    statements of the answer, the best first, and how likely they answer, from 0 to 1. The lead is
    empty where nothing short answers, or hardly can (:data:`hlg.retrieval.answers.leads.LEAST`)."""

    lead: str
    rests_on: tuple[int, ...]
    places: tuple[int, ...]
    chance: float


def extract(evidence: ReadEvidence) -> Extracted:
    """The answer that evidence holds."""
    lead, rests_on = "", tuple[int, ...]()
    if verdict := compare(evidence.question, evidence.asked, evidence.statements):
        lead, rests_on = verdict.text, verdict.places
    elif may_lead(evidence.question, evidence.asked):
        found = choice(evidence)
        if found is not None and (best := found.likeliest(chances(found.signals))).leads:
            span = found.spans[best.place]
            lead, rests_on = span.text, (span.place,)
    signals = statement_signals(evidence)
    relevant = relevances(signals)
    chosen = chosen_statements(evidence, relevant, rests_on)
    chance = answer_chance(evidence, chosen, signals, relevant)
    return Extracted(lead, rests_on, tuple(chosen), chance)


def may_lead(question: str, asked: Asked) -> bool:
    """Whether a span may answer at all: nothing that takes steps, nor yes or no."""
    return asked.kind != YES_NO and not is_how_to(question, asked)


_FILE = re.compile(r"\S+\.[a-z]{1,5}")
_CODE = re.compile(r"[\\{}<>=|`]")
_MARK = re.compile(r"[^\w.&+#-]+")
_LIVES = frozenset(keys("born died"))
_LIFE = re.compile(r"\([^)]*\d{3}")
_DENIED = frozenset(("neither", "no", "nor", "not", "without"))
_DAYS_OF_TALK = frozenset(("now", "today", "tomorrow", "tonight", "yesterday"))
FEWEST_OF_A_REASON = 3
"""Words."""
_WHY = re.compile(r"\W*why\b", re.IGNORECASE)
_LIVING = frozenset((PERSON, PLACE, ORGANIZATION))


def _plain(text: str) -> str:
    return " ".join(_MARK.sub(" ", normalize_name(text)).split()).rstrip(".")


def _is_no_answer(question: str, asked: Asked, span: Span, text: str) -> bool:
    """Whether a span of a text can be no answer: the question's own words, code, a file's name for
    a person or a place, the number of an item, a name for a reason, or what the
    statement is about where a thing of an unknown kind is asked for."""
    if f" {_plain(span.text)} " in f" {_plain(question)} ":
        return True
    if _CODE.search(span.text) or (asked.kind in _LIVING and _FILE.fullmatch(span.text)):
        return True
    if span.key in _DAYS_OF_TALK and asked.kind != DATE:
        return True
    if text[max(span.start - 1, 0) : span.end + 1] == f"({span.text})" and len(span.text) < 3:
        return True
    if asked.kind == TEXT and _WHY.match(question):
        return span.kind != PHRASE or len(span.text.split()) < FEWEST_OF_A_REASON
    return asked.kind == NAME and span.start < 0 and span.kind in ("Thing", "Concept")


@dataclass(frozen=True, slots=True)
class Choice:
    """The spans that could lead, and what speaks for each, shape (spans, signals)."""

    spans: tuple[Span, ...]
    signals: NDArray[np.float32]

    def likeliest(self, chance: NDArray[np.float64]) -> Likeliest:
        """Which span answers best, by how likely each is right, shape (spans,)."""
        return likeliest([span.key for span in self.spans], chance, self.signals)


def choice(evidence: ReadEvidence) -> Choice | None:
    """What could lead the answer, where there are choices only those; None where nothing could."""
    question, asked, statements = evidence.question, evidence.asked, evidence.statements
    offered = [span for offer in evidence.offers if (span := _offered(offer, statements)).text]
    if offered and _is_denied(offered[0], statements):
        return None
    found = read(question, asked, statements, offered)
    choices = {each.casefold() for each in asked.choices}
    chained = accounted(question, statements, found.spans)
    fits = found.columns["fits"]
    elsewhere = _is_elsewhere(found, chained)
    untold = [_is_untold(question, each.passage.text) for each in statements]
    possible = [
        place
        for place, span in enumerate(found.spans)
        if span.place in evidence.told
        and not elsewhere[place]
        and (chained[place].any() or not untold[span.place])
        and (
            span.text.casefold() in choices
            if choices
            else (asked.kind == TEXT or fits[place] >= 0)
            and not _is_no_answer(question, asked, span, statements[span.place].passage.text)
        )
    ]
    if not possible:
        return None
    spans = tuple(found.spans[place] for place in possible)
    return Choice(spans, lead_signals(found, possible, chained, evidence))


def _is_denied(span: Span, evidence: Sequence[EvidenceStatement]) -> bool:
    """Whether a statement says of a span that it is not so: "neither fuel nor a keeper"."""
    before = evidence[span.place].passage.text[: span.start].lower().split()
    return not _DENIED.isdisjoint(before[-2:])


def _is_untold(question: str, text: str) -> bool:
    """Whether a birth or a death is asked about, and a text tells of none: nor has it years in
    brackets, which stand for them."""
    asked = _LIVES.intersection(keys(question))
    return bool(asked) and not asked.intersection(keys(text)) and _LIFE.search(text) is None


def _is_elsewhere(found: Read, chained: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which spans another source than the one that the question names says, and nothing leads
    there: the date of another contract. Shape (spans,)."""
    about, by_title, by_name = (
        found.columns[name] for name in ("title_asked", "title_bridge", "entity_bridge")
    )
    is_led_to = (by_title > 0) | (by_name > 0) | (chained.max(axis=1, initial=0.0) > 0)
    found_elsewhere: NDArray[np.bool_] = (about < about.max(initial=0.0)) & ~is_led_to
    return found_elsewhere


def _offered(offer: Offer, evidence: Sequence[EvidenceStatement]) -> Span:
    """What the network offers, without the mark that ends the sentence."""
    text = evidence[offer.place].passage.text[offer.start : offer.end]
    told = text.rstrip(" ,;:!?")
    told = told[:-1] if told.endswith(".") and "." not in told[:-1] else told
    return Span(offer.place, told, offer.start, offer.start + len(told), PHRASE)
