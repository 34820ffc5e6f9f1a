"""Which statements answer a question, and in which order they are read."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hlg.names import is_reference_section, normalize_name
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.words import keys, weigh
from hlg.retrieval.arrays.passages import subject

__all__ = [
    "DEFINES",
    "MOST",
    "chosen_statements",
    "described",
    "held_words",
    "in_reading_order",
    "says_something",
    "statement_scores",
]

MOST = 3
"""Statements of an answer, beside those that its lead rests on."""
FEWEST_WORDS = 4
LEAST_WORDS = 0.1
"""Of a statement at least so much is words: a row of nothing but figures says nothing."""
WORD_SHARE, RANK_SHARE = 0.5, 0.15
"""What the words of the question in a statement, and the rank of its hit, weigh beside its
cosine with the question."""
LEAST = 0.75
"""A statement beside the best one has at least this share of its score, and says something of
the question that the others do not, or stands where they stand."""

DEFINES = 1.0
"""What it weighs that a statement begins the source about the thing that is asked about."""
_WHAT_IS = re.compile(r"(?:what|who) (?:is|are|was|were) (?:an? |the )?(.+?)\s*\?*$", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_GREETING = re.compile(
    r"^\W*(?:hey|hi|hello|dear|thanks?|thank you|bye|goodbye|good (?:morning|evening|night)|wow|oh"
    r"|yeah|okay|ok|haha|lol|sure|great|cool)\b[^.]*!?$",
    re.IGNORECASE,
)


def says_something(statement: EvidenceStatement) -> bool:
    """Whether a statement can stand for an answer: no greeting, heading, question or reference.

    >>> from hlg.records import Passage, SourceRef
    >>> def said(text):
    ...     source = SourceRef("s", "uri", "title")
    ...     return says_something(EvidenceStatement(
    ...         Passage("Statement", "1", text, "", 0, 9, "c", "", source), 1))
    >>> said("Hey Yuriko!"), said("History of the yard"), said("Who built her?")
    (False, False, False)
    >>> said("She was built at Oake Yard.")
    True
    """
    if is_reference_section(statement.passage.details):
        return False
    text = statement.passage.text.strip()
    words = _WORD.findall(text)
    if text.endswith(("?", ":")) or text.startswith("#") or len(words) < FEWEST_WORDS:
        return False
    if sum(word[0].isalpha() for word in words) < LEAST_WORDS * len(words):
        return False
    if _GREETING.match(text) and len(words) < 2 * FEWEST_WORDS:
        return False
    is_sentence = text[-1:] in '.!…"”’)。' or any(char in ".;:|" for char in text)
    return bool(statement.facts) or is_sentence


def statement_scores(
    question: str, evidence: Sequence[EvidenceStatement], cosines: NDArray[np.floating]
) -> list[float]:
    """How well each statement answers: its cosine with the question, the question's words in it
    by how rare they are among the statements, the rank of its hit; -1 where it says nothing.

    :param cosines: of statements and question, shape (statements,).
    """
    held = held_words(evidence)
    weights = weigh(keys(question), held)
    total = sum(weights.values()) or 1.0
    defining = described(question, evidence)
    return [
        float(cosine)
        + DEFINES * (place in defining)
        + WORD_SHARE * sum(weight for key, weight in weights.items() if key in words) / total
        + RANK_SHARE / each.rank
        if says_something(each)
        else -1.0
        for place, (each, words, cosine) in enumerate(zip(evidence, held, cosines, strict=True))
    ]


def held_words(evidence: Sequence[EvidenceStatement]) -> list[frozenset[str]]:
    """By statement the words that it says, with its title's and its subject's."""
    return [
        frozenset(keys(f"{each.passage.source.title} {each.passage.details} {each.passage.text}"))
        for each in evidence
    ]


def chosen_statements(
    question: str,
    evidence: Sequence[EvidenceStatement],
    cosines: NDArray[np.floating],
    taken: Sequence[int] = (),
    most: int = MOST,
) -> list[int]:
    """The places of the statements that answer, those already taken first, then the best.

    Each one more has to add words of the question that those before lack, or come close to
    the best.
    """
    held = held_words(evidence)
    weights = weigh(keys(question), held)
    scores = statement_scores(question, evidence, cosines)
    chosen = list(dict.fromkeys(taken))
    said = {key for place in chosen for key in held[place]}
    best = max(scores, default=-1.0)
    for place in sorted(range(len(evidence)), key=lambda place: (-scores[place], place)):
        if len(chosen) >= most or scores[place] < max(LEAST * best, 0.0):
            break
        new = sum(weight for key, weight in weights.items() if key in held[place] - said)
        if place not in chosen and (not chosen or new > 0):
            chosen.append(place)
            said |= held[place]
    return chosen


def described(question: str, evidence: Sequence[EvidenceStatement]) -> set[int]:
    """The places that "What is the tide organ?" is about: how the sources of that title begin."""
    match = _WHAT_IS.match(question.strip())
    if match is None:
        return set()
    key = normalize_name(match[1])
    first: dict[str, int] = {}
    for place, each in enumerate(evidence):
        if subject(normalize_name(each.passage.source.title)) == key and says_something(each):
            known = first.setdefault(each.passage.source.id, place)
            if each.passage.start < evidence[known].passage.start:
                first[each.passage.source.id] = place
    return set(first.values())


def in_reading_order(places: Sequence[int], evidence: Sequence[EvidenceStatement]) -> list[int]:
    """Places by source, that of the best first, and within it in the order of its text."""
    sources: dict[str, int] = {}
    for place in places:
        sources.setdefault(evidence[place].passage.source.id, len(sources))

    def position(place: int) -> tuple[int, int]:
        passage = evidence[place].passage
        return sources[passage.source.id], passage.start

    return sorted(dict.fromkeys(places), key=position)
