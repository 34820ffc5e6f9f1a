"""Under what condition or in what setting a clause holds: "if sales fall", "in rodents"."""

from collections.abc import Iterator

from hlg.ingest.extract.local.facts.phrases import LONGEST_INNER_OBJECT, noun_phrase
from hlg.ingest.extract.local.facts.settings import setting_before, setting_behind
from hlg.ingest.extract.local.parse import Sentence

__all__ = [
    "conditions",
    "has_loose_condition",
    "is_hypothetical",
    "is_if",
    "is_inverted",
    "is_past_state",
    "is_subject",
]

LONGEST_CONDITION = 16
"""Words of a condition that a predicate can hold."""

_IF = frozenset(
    (
        "if",
        "unless",
        "whether",
        "lest",
        "like",
        "provided",
        "providing",
        "supposing",
        "assuming",
        "till",
    )
)
_WHEN = frozenset(("when", "whenever", "wherever", "once", "until", "before", "where"))
_CONDITIONS = _IF | {"until", "whenever", "once", "when"}
_PRESENT = frozenset(("VBZ", "VBP", "VB"))
_INVERTED = frozenset(("had", "were", "should"))
_LOOSE_CONDITIONS = (
    " provided that ",
    " as long as ",
    " so long as ",
    " on condition that ",
    " in the event ",
    " in case ",
)
_SUBJECTS = frozenset(("nsubj", "nsubjpass"))


def conditions(sentence: Sentence, verb: int) -> Iterator[str]:
    """The conditions of a verb, as they stand; empty for one too long to keep."""
    token = verb
    while True:
        for child in sentence.children[token]:
            if sentence.deps[child] in ("advcl", "ccomp") and _is_condition(sentence, child):
                first, end = sentence.left_edge(child), sentence.right_edge(child) + 1
                while end > first and not sentence.words[end - 1][0].isalnum():
                    end -= 1
                short = end - first <= LONGEST_CONDITION and not first <= verb < end
                yield _lowered(sentence.text(first, end)) if short else ""
            elif (setting := setting_before(sentence, child)) or (
                token == verb
                and _has_long_object(sentence, verb, child)
                and (setting := setting_behind(sentence, child))
            ):
                yield setting
        head = sentence.heads[token]
        leans = sentence.deps[token] == "conj" or (sentence.deps[token] == "xcomp")
        own = any(is_subject(sentence, child) for child in sentence.children[token])
        if head == token or not leans or own:
            return
        token = head


def _has_long_object(sentence: Sentence, verb: int, preposition: int) -> bool:
    """Whether a verb's object is too long for its predicate to hold it before a preposition."""
    for child in sentence.children[verb]:
        if sentence.deps[child] in ("dobj", "attr", "acomp") and verb < child < preposition:
            first, end = noun_phrase(sentence, child)
            needed = end if sentence.words[child + 1 : child + 2] == ["of"] else child + 1
            return needed - first > LONGEST_INNER_OBJECT
    return False


def _is_condition(sentence: Sentence, clause: int) -> bool:
    if sentence.deps[clause] == "ccomp":
        return is_inverted(sentence, clause)
    if not is_hypothetical(sentence, clause):
        return False
    begins = sentence.words[sentence.left_edge(clause)].lower()
    words = {begins, *_markers(sentence, clause)}
    return bool(words & _CONDITIONS) or begins in _INVERTED or "case" in words


def is_hypothetical(sentence: Sentence, verb: int) -> bool:
    """Whether an adverbial clause leaves open if it is so."""
    markers = _markers(sentence, verb)
    first = sentence.left_edge(verb)
    begins = sentence.words[first].lower()
    if begins in _IF or not _IF.isdisjoint(markers):
        return True
    if any(word in _WHEN for word in (begins, *markers)):
        helpers = [
            sentence.tags[child]
            for child in sentence.children[verb]
            if sentence.deps[child].startswith("aux")
        ]
        bare = sentence.tags[verb] == "VBN" and not helpers
        present = not _PRESENT.isdisjoint((sentence.tags[verb], *helpers[:1]))
        return present or bare or "even" in (begins, *markers)
    if begins == "as" and sentence.words[first + 1].lower() in ("if", "though"):
        return True
    if begins in _INVERTED and not markers and first < verb:
        return any(
            first < child < verb for child in sentence.children[verb] if is_subject(sentence, child)
        )
    in_case = sentence.words[max(0, first - 1) : first + 2]
    if "case" in (word.lower() for word in in_case):
        return True
    modal = any(sentence.tags[child] == "MD" for child in sentence.children[verb])
    return modal and begins in ("so", "that", "in")


def is_past_state(sentence: Sentence, verb: int) -> bool:
    """Whether a clause says how things were at another time: "when I was younger"."""
    times = _WHEN | {"while", "as", "after", "since"}
    return sentence.words[verb].lower() in ("was", "were") and any(
        word in times for word in _markers(sentence, verb)
    )


def is_inverted(sentence: Sentence, verb: int) -> bool:
    """Whether a clause is a condition by its order: "had X bought Y"."""
    first = sentence.left_edge(verb)
    return (
        sentence.words[first].lower() in _INVERTED
        and sentence.heads[first] == verb
        and any(
            first < child < verb and is_subject(sentence, child)
            for child in sentence.children[verb]
        )
    )


def _markers(sentence: Sentence, verb: int) -> list[str]:
    """The words that a subordinate clause begins with: "if", "as if", "when"."""
    return [
        sentence.words[child].lower()
        for child in sentence.children[verb]
        if sentence.deps[child] in ("mark", "advmod", "prep") and child < verb
    ]


def _lowered(text: str) -> str:
    """A clause's text with a small first letter."""
    return text[0].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def has_loose_condition(sentence: Sentence) -> bool:
    """Whether a condition stands in a sentence that the parser hangs on no verb."""
    text = f" {' '.join(sentence.words).lower()} "
    return any(phrase in text for phrase in _LOOSE_CONDITIONS)


def is_subject(sentence: Sentence, token: int) -> bool:
    return sentence.deps[token] in _SUBJECTS


def is_if(sentence: Sentence, verb: int) -> bool:
    """Whether a clause begins as a condition or an indirect question."""
    return not _IF.isdisjoint(_markers(sentence, verb))
