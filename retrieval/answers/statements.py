"""What a statement is to a question: whether it says something, what is shown of it, its order."""

import re
from collections.abc import Sequence
from dataclasses import replace

from hlg.names import is_reference_section, normalize_name
from hlg.records import Passage
from hlg.retrieval.answers.asked import NAME, TEXT, Asked
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.parts import FIELD, UNSAID
from hlg.retrieval.answers.words import keys
from hlg.retrieval.arrays.passages import subject

FEWEST_WORDS = 4
LEAST_WORDS = 0.1
"""Of a statement at least so much is words: a row of nothing but figures says nothing, unless it
has headers."""
LONGEST_LIST = 4_000
"""Characters of a list that is shown whole."""

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


def is_asked(statement: EvidenceStatement, question: str, asked: Asked) -> bool:
    """Whether a statement is more than a field that nobody asks for: "Date: 1 May" tells when,
    and says nothing of what is wrong; "Subject: " and the title never says more than that."""
    part = statement.part
    if part is None or part.kind != FIELD:
        return True
    own = statement.passage.text
    value = own.partition(":")[2]
    if normalize_name(value) == normalize_name(statement.passage.source.title):
        return False
    return asked.kind not in (TEXT, NAME) or not set(keys(question)).isdisjoint(keys(own))


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


def is_how_to(question: str, asked: Asked) -> bool:
    """Whether a question asks how something is done: for steps, or for all of a list."""
    return asked.kind == TEXT and _HOW_TO.match(question.strip()) is not None


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
