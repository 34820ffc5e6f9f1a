"""What prepositions lead to, of a verb or a noun, as predicate and object."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from hlg.ingest.extract.local.facts.denials import is_denied, is_doubtful
from hlg.ingest.extract.local.facts.phrases import (
    BEFORE_NOUNS,
    LONGEST_INNER_OBJECT,
    NO_OBJECTS,
    leans_on_joined,
    noun_phrase,
    with_conjuncts,
)
from hlg.ingest.extract.local.facts.predicates import is_negative
from hlg.ingest.extract.local.facts.settings import GIVEN_NOUNS
from hlg.ingest.extract.local.names.attached import is_in_brand
from hlg.ingest.extract.local.parse import Sentence
from hlg.words import words
from hlg.words.vague import ADVERBS_OF_DOUBT, ADVERBS_OF_EXTENT, SET_PHRASE_NOUNS

__all__ = ["Complement", "inner_object", "prepositional", "prepositions_of"]

Complement: TypeAlias = tuple[str, int, tuple[int, int]]
"""A predicate, the token of an object, and the span of the object's phrase."""
_NOT_A_RELATION = frozenset(
    (
        "according",
        "as",
        "because",
        "despite",
        "except",
        "including",
        "like",
        "per",
        "such",
        "than",
        "unlike",
    )
)
_IDIOMS = words("facts", "idioms")
"""Nouns that with a preposition are an adverb: "by default", "out of the box"."""
_IDIOMS_OF = frozenset(("brink", "heels", "hopes", "light", "midst", "top", "verge", "wake", "way"))
"""Nouns that with "of" behind them are part of a preposition: "in light of"."""
_LIMITING = (
    ADVERBS_OF_DOUBT
    | ADVERBS_OF_EXTENT
    | {
        "especially",
        "even",
        "exclusively",
        "notably",
        "particularly",
        "specifically",
    }
)
"""Adverbs right before a preposition that say of how much of it something is so."""
_COUNT = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+) (?:\w+ ){0,2}\w+s$")
_CONFINED = frozenset(("confined", "exclusive", "limited", "restricted"))
_PARTICIPLES = frozenset(("VBD", "VBG", "VBN"))


def prepositional(
    sentence: Sentence, predicate: str, preposition: int, named: Sequence[int], depth: int = 0
) -> Iterator[Complement]:
    word = sentence.words[preposition].lower()
    if word in _NOT_A_RELATION or not word.isalpha() or _is_set_against(sentence, preposition):
        return
    limit = sentence.words[preposition - 1].lower() if preposition else ""
    limits = limit in _LIMITING and sentence.heads[preposition - 1] == preposition
    manner = word == "of" and limit.endswith("ly") and sentence.tags[preposition - 1] == "RB"
    if (limits or manner) and not predicate.endswith(f" {limit}"):
        predicate = f"{predicate} {limit}"
    said = predicate.endswith(f" {word}") or is_in_brand(sentence, preposition)
    words, tags = predicate if said else f"{predicate} {word}", sentence.tags
    for child in sentence.children[preposition]:
        if sentence.deps[child] == "pobj":
            objects = with_conjuncts(sentence, child)
            if len(objects) > 1 and _is_of_all(predicate, word):
                continue
            for object_ in objects:
                if tags[object_] in NO_OBJECTS and named[object_] < 0:
                    continue
                if is_doubtful(sentence, object_) and named[object_] >= 0:
                    continue
                if object_ != child and _is_stray(sentence, child, object_, named):
                    continue
                if _is_doing(sentence, preposition, object_, named):
                    continue
                if named[object_] < 0 and (
                    _is_adverbial(sentence, preposition, object_)
                    or leans_on_joined(sentence, object_, objects)
                ):
                    continue
                no = ""
                if is_denied(sentence, object_):
                    if is_negative(predicate):
                        continue
                    no = " no"
                first, end = noun_phrase(sentence, object_)
                while first < object_ and sentence.words[first].lower() in BEFORE_NOUNS:
                    first += 1
                yield words + no, object_, (first, end)
                if named[object_] < 0 and depth < 2:
                    yield from _inner_names(sentence, words + no, object_, named, depth)
        elif sentence.deps[child] == "prep" and depth < 2 and not _leads(sentence, preposition):
            yield from prepositional(sentence, words, child, named, depth + 1)


def prepositions_of(sentence: Sentence, noun: int) -> Iterator[int]:
    """The prepositions behind a noun that nothing but a few words parts from it: "director of
    strategy at"."""
    for child in sentence.children[noun]:
        if sentence.deps[child] == "prep" and child > noun:
            between = sentence.tags[noun + 1 : child]
            plain = all(tag[0].isalpha() and not tag.startswith("VB") for tag in between)
            if plain and len(between) <= LONGEST_INNER_OBJECT:
                yield child


def _inner_names(
    sentence: Sentence, predicate: str, object_: int, named: Sequence[int], depth: int
) -> Iterator[Complement]:
    """Names behind a common noun: in the state "of Sinaloa"."""
    first = noun_phrase(sentence, object_)[0]
    if object_ + 1 - first > LONGEST_INNER_OBJECT:
        return
    for child in prepositions_of(sentence, object_):
        words = f"{predicate} {inner_object(sentence, first, child)}"
        for complement in prepositional(sentence, words, child, named, depth + 1):
            if named[complement[1]] >= 0:
                yield complement


def _is_set_against(sentence: Sentence, preposition: int) -> bool:
    """Whether what a preposition leads to is ruled out: "in planar but not in" basal polarity."""
    before = [word.lower() for word in sentence.words[max(0, preposition - 2) : preposition]]
    return before in (["but", "not"], [",", "not"])


def _is_of_all(predicate: str, preposition: str) -> bool:
    """Whether what a preposition leads to is meant together: "between" two, "three wins against"
    three, "confined to" two."""
    if preposition == "between":
        return True
    last = predicate.rsplit(" ", 1)[-1]
    return last in _CONFINED or (preposition != "for" and _COUNT.search(predicate) is not None)


def _is_stray(sentence: Sentence, name: int, noun: int, named: Sequence[int]) -> bool:
    """Whether what is joined to a noun is of another clause, "amid claims that X did and talk of",
    or a bare role, misread as joined to a name: "based in Jordan and host of" X."""
    if any(
        name < c < noun and sentence.deps[c] in ("acl", "relcl") for c in sentence.children[name]
    ):
        return True
    bare = not any(sentence.deps[child] in ("det", "poss") for child in sentence.children[noun])
    return bare and named[name] >= 0 and named[noun] < 0 and sentence.tags[noun] == "NN"


def _is_doing(sentence: Sentence, preposition: int, name: int, named: Sequence[int]) -> bool:
    """Whether a name only does something beside the verb: "with" Robinson "ruled out"."""
    after = name + 1
    return (
        sentence.words[preposition].lower() == "with"
        and named[name] >= 0
        and after < len(sentence.tags)
        and sentence.tags[after] in _PARTICIPLES
    )


def _leads(sentence: Sentence, preposition: int) -> bool:
    """Whether a preposition has a noun of its own, as "from" 30 "to" 5 seconds."""
    return any(sentence.deps[child] == "pobj" for child in sentence.children[preposition])


def _is_adverbial(sentence: Sentence, preposition: int, object_: int) -> bool:
    """Whether a preposition and its noun say how and not what: "by default", "from top" to toe."""
    word = sentence.words[object_].lower()
    ranges = sentence.words[preposition].lower() == "from" and any(
        sentence.deps[child] == "prep" and sentence.words[child].lower() == "to"
        for child in sentence.children[preposition]
    )
    if word in GIVEN_NOUNS and sentence.heads[preposition] > preposition:
        return True  # it stands before its verb, which has it as its setting
    if word in _IDIOMS_OF and sentence.words[object_ + 1 : object_ + 2] == ["of"]:
        return True
    return (
        word in SET_PHRASE_NOUNS or word in _IDIOMS or (ranges and sentence.tags[object_] == "NN")
    )


def inner_object(sentence: Sentence, first: int, end: int) -> str:
    """An object inside a predicate, without the "no" or "my" that it begins with."""
    word = sentence.words[first].lower()
    no = word in ("no", "neither", "nor") and sentence.words[first] != "NO"
    if end - first > 1 and (sentence.tags[first] == "PRP$" or no):
        first += 1
    return sentence.text(first, end)
