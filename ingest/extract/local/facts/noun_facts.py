"""What a noun phrase says by itself: appositions, and roles before names."""

from collections.abc import Iterator, Sequence

from hlg.ingest.extract.local.facts.denials import is_denied, is_doubtful
from hlg.ingest.extract.local.facts.phrases import noun_phrase
from hlg.ingest.extract.local.facts.prepositions import prepositional, prepositions_of
from hlg.ingest.extract.local.facts.scope import is_aside
from hlg.ingest.extract.local.facts.triples import Triple
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.lexicon import NOUN_CLASSES, PERSON, WORK

__all__ = ["noun_triples"]

LONGEST_ROLE = 3
"""Words before a role that are told with it."""
_BEFORE_ROLES = ("compound", "amod", "nmod")


def noun_triples(sentence: Sentence, noun: int, named: Sequence[int]) -> Iterator[Triple]:
    """What stands in apposition to a noun, and the role before a name."""
    deps = sentence.deps
    for child in sentence.children[noun]:
        dep = deps[child]
        if dep == "appos":
            yield from _apposition(sentence, noun, child, named)
    if named[noun] >= 0:
        yield from _role(sentence, noun, named)


def _apposition(
    sentence: Sentence, noun: int, apposition: int, named: Sequence[int]
) -> Iterator[Triple]:
    """ "X, the author of Y" and "the author of Y, X"."""
    if named[noun] >= 0 and named[apposition] < 0:
        name, role = noun, apposition
    elif named[apposition] >= 0 and named[noun] < 0:
        name, role = apposition, noun
    else:
        return
    if sentence.tags[role] != "NN" or sentence.words[role].lower() not in NOUN_CLASSES:
        return
    before = sentence.left_edge(apposition) - 1
    if any(is_denied(sentence, token) or is_doubtful(sentence, token) for token in (name, role)):
        return
    if before >= 0 and sentence.words[before] in ("(", "["):
        return
    if is_aside(sentence, noun, apposition) or sentence.words[before : before + 1] == [":"]:
        return
    if noun < sentence.heads[noun] < apposition or _is_of_denied(sentence, role):
        return  # "Ada was led in by Bea — sister of Cy"
    if role == apposition and any(
        sentence.tags[child] == "PRP$" for child in sentence.children[role]
    ):
        return
    yield Triple(name, "is", role, noun_phrase(sentence, role))
    called = f"is {_called(sentence, role)}"
    for child in prepositions_of(sentence, role):
        lead = f"{called} {sentence.text(role + 1, child)}".strip()
        for words, object_, phrase in prepositional(sentence, lead, child, named):
            if named[object_] >= 0:
                yield Triple(name, words, object_, phrase)
    for child in sentence.children[role]:
        if sentence.deps[child] == "poss":
            yield Triple(name, f"{called} of", child, noun_phrase(sentence, child))


def _is_of_denied(sentence: Sentence, role: int) -> bool:
    """Whether a role is one that somebody is said not to have: "not trained as an engineer"."""
    preposition = sentence.heads[role]
    verb = sentence.heads[preposition]
    return sentence.deps[role] == "pobj" and any(
        sentence.deps[child] == "neg" for child in sentence.children[verb]
    )


def _is_hyphen(sentence: Sentence, token: int) -> bool:
    """Whether a hyphen joins a token to the one before it."""
    return token > 0 and sentence.tags[token - 1] == "HYPH"


def _called(sentence: Sentence, role: int) -> str:
    """A role with the words that are needed to name it: "prime minister", "cult hero"."""
    first = role
    while (
        first > 0
        and role - first < LONGEST_ROLE
        and (sentence.deps[first - 1] in (*_BEFORE_ROLES, "advmod") or _is_hyphen(sentence, first))
        and not sentence.words[first - 1][0].isupper()
    ):
        first -= 1
    if _is_hyphen(sentence, first):
        first += 1  # not half a word
    elif sentence.tags[first] == "HYPH":
        first += 2
    words = sentence.text(first, role + 1).split()
    return " ".join(word if word.isupper() else word.lower() for word in words)


def _role(sentence: Sentence, name: int, named: Sequence[int]) -> Iterator[Triple]:
    """ "film director Steven Spielberg" and "Apple's CEO Tim Cook"."""
    span = _role_span(sentence, name, named)
    if span is None:
        return
    role = " ".join(
        word if word.isupper() else word.lower() for word in sentence.text(*span).split()
    )
    yield Triple(name, "is", span[1] - 1, span)
    for token in (*range(*span), name):
        for child in sentence.children[token]:
            if sentence.deps[child] == "poss" and child < span[0]:
                yield Triple(name, f"is {role} of", child, noun_phrase(sentence, child))


def _role_span(sentence: Sentence, noun: int, named: Sequence[int]) -> tuple[int, int] | None:
    """The common nouns right before a name: "film director" Steven Spielberg."""
    first = noun
    while first > 0 and named[first - 1] == named[noun]:
        first -= 1
    end = first
    while (
        first > 0
        and named[first - 1] < 0
        and sentence.heads[first - 1] >= end - 1
        and _in_role(sentence, first - 1)
    ):
        first -= 1
    if first == end or sentence.tags[end - 1] != "NN":
        return None
    if NOUN_CLASSES.get(sentence.words[end - 1].lower(), "") not in (PERSON, WORK):
        return None
    return first, end


def _in_role(sentence: Sentence, token: int) -> bool:
    tag, dep = sentence.tags[token], sentence.deps[token]
    return tag in ("NN", "NNP", "JJ", "VBN", "HYPH") and dep in (*_BEFORE_ROLES, "punct")
