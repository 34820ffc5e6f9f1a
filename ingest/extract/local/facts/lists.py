"""What a line that leads a list in says of each item: "Oake Yard built three ships:"."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from hlg.ingest.extract.local.facts.assertions import Called, find_claim
from hlg.ingest.extract.local.facts.complements import complements
from hlg.ingest.extract.local.facts.denials import is_denied, is_doubtful
from hlg.ingest.extract.local.facts.find import verb_predicate, verb_subjects
from hlg.ingest.extract.local.facts.phrases import noun_phrase
from hlg.ingest.extract.local.facts.predicates import is_negative
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.lexicon import SPEECH_VERBS
from hlg.words.verbs import ACCOUNT_FORMS, HOLDING_FORMS, MADE_OF_FORMS

__all__ = [
    "COLON",
    "LONGEST_ITEM",
    "GroupLead",
    "VerbLead",
    "find_lead",
    "inline_items",
    "is_in_list",
]

COLON = ":"
MOST_ITEMS, LONGEST_ITEM = 40, 6
"""Items of a list within a sentence, and words of one."""
_OF = frozenset(("of", "into"))
_PLURAL = frozenset(("NNS", "NNPS"))
_ARE = frozenset(("are", "were"))
_IN_GROUP = frozenset(
    ("AFX", "CC", "CD", "DT", "FW", "HYPH", "IN", "JJ", "JJS", "NN", "NNP", "NNPS", "NNS", "POS")
)
_NO_GROUP = frozenset(
    ("following", "example", "examples", "e.g.", "e.g", "such", "other", "others")
)


@dataclass(frozen=True, slots=True)
class VerbLead:
    """The items are what the token ``subject`` does something to."""

    subject: int
    predicate: str


@dataclass(frozen=True, slots=True)
class GroupLead:
    """The items are, or were, among what the tokens ``[first, end)`` call."""

    first: int
    end: int
    predicate: str


def find_lead(
    sentence: Sentence, colon: int, named: Sequence[int], values: Set[int], called: Called
) -> VerbLead | GroupLead | None:
    """What the tokens before a colon say of what stands behind it, where that is plain.

    :param named: for each token the number of the name that it is part of, or -1.
    """
    if not any(tag.startswith("VB") or tag == "MD" for tag in sentence.tags[:colon]):
        return _group(sentence, colon)
    roots = [token for token in range(colon) if sentence.heads[token] == token]
    if len(roots) != 1 or not sentence.tags[roots[0]].startswith("VB"):
        return None
    (verb,) = roots
    word = sentence.words[verb].lower()
    claim = find_claim(sentence, verb, called)
    subjects = [each for each in verb_subjects(sentence, verb, named) if each < colon]
    told = word in SPEECH_VERBS or word in ACCOUNT_FORMS
    if not claim.asserted or len(subjects) != 1 or told:
        return None
    (subject,) = subjects
    helpers = (child for child in sentence.children[verb] if sentence.deps[child][:3] == "aux")
    if any(helper < subject for helper in helpers):
        return None  # it asks
    predicate = verb_predicate(sentence, verb, denied=False)
    if predicate is None or is_denied(sentence, subject) or is_doubtful(sentence, subject):
        return None
    if word in _ARE and verb == colon - 1:
        return _members(sentence, subject, verb, claim.suffix)
    taken = _taken(sentence, verb, colon, predicate, named, values, called)
    return None if taken is None else VerbLead(subject, taken + claim.suffix)


def _taken(
    sentence: Sentence,
    verb: int,
    colon: int,
    predicate: str,
    named: Sequence[int],
    values: Set[int],
    called: Called,
) -> str | None:
    """The predicate that the items complete; None where they may do something else."""
    last = sentence.words[colon - 1].lower()
    word = sentence.words[verb].lower()
    if verb == colon - 1:
        return predicate if word in HOLDING_FORMS else None
    if last in _OF and word in MADE_OF_FORMS and sentence.deps[colon - 1] == "prep":
        return f"{predicate} {last}"
    for words, object_, _ in complements(sentence, verb, predicate, named, values, called):
        first, end = noun_phrase(sentence, object_)
        announced = "following" in (each.lower() for each in sentence.words[first:end])
        whole = "IN" not in sentence.tags[first:end]
        if end == colon and (announced or (whole and sentence.tags[object_] in _PLURAL)):
            return words
    return None


def _members(sentence: Sentence, subject: int, verb: int, suffix: str) -> GroupLead | None:
    """ "The members of the board are:"."""
    first = sentence.left_edge(subject)
    plural = sentence.tags[subject] in _PLURAL
    if not plural or suffix or is_negative(sentence.words[verb]) or subject == verb - 1 == first:
        return None
    was = "were" if sentence.words[verb].lower() == "were" else "is"
    return _whole_group(sentence, first, verb, "was among" if was == "were" else "is among")


def _group(sentence: Sentence, colon: int) -> GroupLead | None:
    """ "In addition, the packages in non-free:": a plural that something more is said of."""
    first = colon
    while first > 0 and sentence.words[first - 1] != ",":
        first -= 1
    return _whole_group(sentence, first, colon, "is among")


def _whole_group(sentence: Sentence, first: int, end: int, predicate: str) -> GroupLead | None:
    tags = sentence.tags[first:end]
    words = [word.lower() for word in sentence.words[first:end]]
    plural = next((at for at, tag in enumerate(tags) if tag in _PLURAL), None)
    if plural is None or not _IN_GROUP.issuperset(tags) or not _NO_GROUP.isdisjoint(words):
        return None
    before = [tag for tag in tags[:plural] if tag not in ("DT", "CD")]
    told = "IN" in tags[plural + 1 :] or any(tag.startswith("NN") for tag in before)
    joined = "IN" in before or "CC" in tags
    return GroupLead(first, end, predicate) if told and not joined else None


def inline_items(sentence: Sentence, colon: int) -> list[tuple[int, int]]:
    """The items behind a colon, ``[first, end)`` each; none where what stands there is no list."""
    end = len(sentence.words)
    while end > colon + 1 and sentence.words[end - 1] in (".", ";"):
        end -= 1
    items: list[tuple[int, int]] = []
    start = colon + 1
    for token in range(colon + 1, end + 1):
        if token < end and sentence.words[token].lower() not in (",", ";", "and"):
            continue
        if token > start:
            items.append((start, token))
        start = token + 1
    short = all(last - first <= LONGEST_ITEM for first, last in items)
    return items if 2 <= len(items) <= MOST_ITEMS and short else []


def is_in_list(sentence: Sentence, first: int, end: int, *, of_group: bool) -> bool:
    """Whether tokens are a noun's phrase that can be an item.

    :param of_group: it is said to be in a group; then any one word will do, as in "the
        colours of the flag: red, white".
    """
    tags = sentence.tags[first:end]
    if len(tags) == 1 and of_group:
        return tags[0] in ("FW", "JJ") or tags[0].startswith("NN")
    if len(tags) > 1 and tags[-1] == "CD" and sentence.words[first][:1].isupper():
        tags = [*tags[:-2], "NNP"]  # "Loctite 243"
    return bool(tags) and tags[-1].startswith("NN") and _IN_GROUP.issuperset(tags)
