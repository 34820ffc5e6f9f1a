"""Which statements answer a question, and in which order they are read."""

import re
from collections.abc import Container, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hlg.names import is_reference_section, normalize_name
from hlg.records import Passage
from hlg.retrieval.answers.asked import DATE, NAME, NUMBER, TEXT, Asked
from hlg.retrieval.answers.evidence import EvidenceStatement, above
from hlg.retrieval.answers.parts import FIELD, LIST, STEPS, UNSAID
from hlg.retrieval.answers.shapes import DAY, FIGURE, YEAR, shapes, worded_dates
from hlg.retrieval.answers.words import keys, share, weigh
from hlg.retrieval.arrays.passages import subject

__all__ = [
    "DEFINES",
    "MOST",
    "chosen_statements",
    "described",
    "in_reading_order",
    "is_how_to",
    "says_something",
    "shown_part",
]

MOST = 3
"""Statements of an answer, beside those that its lead rests on."""
FEWEST_WORDS = 4
LEAST_WORDS = 0.1
"""Of a statement at least so much is words: a row of nothing but figures says nothing, unless it
has headers."""
WORD_SHARE, RANK_SHARE = 0.5, 0.15
"""What the words of the question in a statement, and the rank of its hit, weigh beside its
cosine with the question."""
LEAST = 0.75
"""A statement beside the best one has at least this share of its score, and says something of
the question that the others do not, or stands where they stand."""

KIND_SHARE = 0.1
"""What it weighs that the kind of thing which is asked for is there."""
STEPS_SHARE = {STEPS: 0.3, LIST: 0.15}
"""What it weighs, where somebody asks how to do something, that a list says it."""
LONGEST_LIST = 4_000
"""Characters of a list that is shown whole."""

DEFINES = 1.0
"""What it weighs that a statement begins the source about the thing that is asked about."""
_WHAT_IS = re.compile(r"(?:what|who) (?:is|are|was|were) (?:an? |the )?(.+?)\s*\?*$", re.IGNORECASE)
_HOW_TO = re.compile(
    r"(?:how (?:do|does|can|could|should|shall|must|to|would|is|are)\b|what (?:are|is) the "
    r"(?:steps|way|procedure|process)|what (?:do|should|must) (?:i|we|you|one) do\b)",
    re.IGNORECASE,
)
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
    part = statement.part
    if part is not None and (part.kind == UNSAID or is_reference_section(part.heading)):
        return False
    own = statement.passage.text.strip()
    if own.endswith(("?", ":")) or own.startswith("#"):
        return False
    if _GREETING.match(own) and len(own.split()) < 2 * FEWEST_WORDS:
        return False
    is_row = part is not None and part.cells
    text = (statement.passage.details if is_row else shown_part(statement).text).strip()
    words = _WORD.findall(text)
    if len(words) < FEWEST_WORDS:
        return False
    if sum(word[0].isalpha() for word in words) < LEAST_WORDS * len(words):
        return False
    is_sentence = text[-1:] in '.!…"”’)。' or any(char in ".;:|" for char in text)
    return bool(statement.facts) or is_sentence or bool(part and part.items)


def is_asked(statement: EvidenceStatement, asked: Asked, words: Container[str]) -> bool:
    """Whether a statement is more than a field that nobody asks for: "Date: 1 May" tells when,
    and says nothing of what is wrong; "Subject: " and the title never says more than that.

    :param words: keys of the question.
    """
    part = statement.part
    if part is None or part.kind != FIELD:
        return True
    own = statement.passage.text
    value = own.partition(":")[2]
    if normalize_name(value) == normalize_name(statement.passage.source.title):
        return False
    return asked.kind not in (TEXT, NAME) or any(key in words for key in keys(own))


def shown_part(statement: EvidenceStatement, *, whole: bool = False) -> Passage:
    """What is shown of a statement's source: its :class:`Part`, as a passage.

    :param whole: of a list, not the statement's item alone, but all of them in order.
    """
    passage, part = statement.passage, statement.part
    if part is None:
        return passage
    whole = whole and part.end - part.start <= LONGEST_LIST
    start, end = part.shown(passage.start, passage.end, whole=whole)
    text = part.text[start - part.start : end - part.start]
    return replace(passage, text=text, start=start, end=end)


def chosen_statements(
    question: str,
    asked: Asked,
    evidence: Sequence[EvidenceStatement],
    cosines: NDArray[np.floating],
    taken: Sequence[int] = (),
    most: int = MOST,
) -> list[int]:
    """The places of the statements that answer, those already taken first, then the best.

    How well a statement answers is its cosine with the question, the rank of its hit, and what
    is shown with it: the question's words in it by how rare they are among the statements,
    what the question asks for, and steps for who asks how to. Each one more has to add words
    of the question that those before lack, and come close to the best. Where none says
    something, the best one of the first hit is better than nothing.

    :param cosines: of statements and question, shape (statements,).
    """
    whole = is_how_to(question, asked)
    shown = [shown_part(each, whole=whole) for each in evidence]
    held = [
        frozenset(keys(f"{above(each)} {part.text} {worded_dates(part.text)}"))
        for each, part in zip(evidence, shown, strict=True)
    ]
    weights = weigh(keys(question), held)
    defining = described(question, evidence)
    scores = np.array(
        [
            float(cosines[place])
            + DEFINES * (place in defining)
            + WORD_SHARE * share(weights, held[place])
            + RANK_SHARE / each.rank
            + KIND_SHARE * fits(asked, shown[place].text)
            + (STEPS_SHARE.get(each.part.kind, 0.0) if whole and each.part else 0.0)
            for place, each in enumerate(evidence)
        ]
    )
    able = [
        place
        for place, each in enumerate(evidence)
        if says_something(each) and is_asked(each, asked, weights)
    ]
    if not able:
        able = [place for place, each in enumerate(evidence) if each.rank == 1]
    chosen = list(dict.fromkeys(taken))
    spans = {(shown[place].source.id, shown[place].start) for place in chosen}
    said = {key for place in chosen for key in held[place]}
    best = max((scores[place] for place in able), default=-1.0)
    for place in sorted(able, key=lambda place: (-scores[place], place)):
        if len(chosen) >= most or scores[place] < LEAST * best:
            break
        span = shown[place].source.id, shown[place].start
        new = sum(weight for key, weight in weights.items() if key in held[place] - said)
        if span not in spans and (not chosen or new > 0):
            chosen.append(place)
            spans.add(span)
            said |= held[place]
    return chosen


def is_how_to(question: str, asked: Asked) -> bool:
    """Whether a question asks how something is done: for steps, or for all of a list."""
    return asked.kind == TEXT and _HOW_TO.match(question.strip()) is not None


def fits(asked: Asked, text: str) -> bool:
    """Whether a text has what a question asks for: a date, a number, a sum of money."""
    if asked.kind not in (DATE, NUMBER):
        return False
    wanted = (DAY, YEAR) if asked.kind == DATE else (FIGURE,)
    return any(shaped.shape in wanted for shaped in shapes(text))


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
