"""A follow-up question made to stand alone, by rule: "and his wife?" is about somebody.

Without a language model: pronouns take the place of names, so the name of the last answer or
question that fits takes the place of the pronoun; a question that names nothing gets what the
last one was about.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from hlg.names import normalize_name
from hlg.retrieval.answers.evidence import EvidenceStatement, NamedEntity
from hlg.retrieval.question.keywords import name_spans, names_in
from hlg.words.given_names import gender_of
from hlg.words.lexicon import HE, PERSON, SHE


class About(NamedTuple):
    """What a conversation was about: a name, its class, and "he" or "she" where that is known."""

    name: str
    entity_class: str
    gender: str = ""


_MALE = re.compile(r"\b(he|him|his)\b", re.IGNORECASE)
_FEMALE = re.compile(r"\b(she|her|hers)\b", re.IGNORECASE)
_THING = re.compile(r"\b(it|its|they|them|their|theirs)\b", re.IGNORECASE)
_THERE = re.compile(r"\bthere\b(?!\s+(?:is|are|was|were|be|a)\b)", re.IGNORECASE)
_OWNING = frozenset(("his", "its", "their", "theirs", "hers"))
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z]\w+")
_FOLLOWS = re.compile(r"^(?:and|but|what about|how about|also|or)\b", re.IGNORECASE)
_HE_OR_SHE = frozenset(("Person", "Animal"))
FEW_WORDS = 4
"""A question of fewer words that names nothing goes on with the last one."""


def talked_of(said: str, statements: Iterable[EvidenceStatement]) -> list[About]:
    """What was named, in order, of what statements name; a name within a longer one is not meant.

    Of people it tells what their names or else the statements that name nobody else say more
    often, "he" or "she".
    """
    named: dict[str, NamedEntity] = {}
    aliases: dict[str, NamedEntity] = {}
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for statement in statements:
        for entity in statement.entities:
            named.setdefault(normalize_name(entity.name), entity)
            aliases.update((normalize_name(alias), entity) for alias in entity.aliases)
        people = {each.name for each in statement.entities if each.entity_class == PERSON}
        if len(people) == 1:
            texts[people.pop()].append(statement.passage.text)
    known = {**aliases, **named}
    meant = dict.fromkeys(known[key] for key in names_in(name_spans(said), known))
    return [
        About(each.name, each.entity_class, _gender_told(each.name, "\n".join(texts[each.name])))
        for each in meant
    ]


def _gender_told(name: str, text: str) -> str:
    male, female = len(_MALE.findall(text)), len(_FEMALE.findall(text))
    return gender_of(name) or (HE if male > female else SHE if female > male else "")


def stand_alone(question: str, about: Sequence[About]) -> str:
    """The question with names where it only points to them; "he" may be an animal too.

    :param about: what was talked of, the latest first.

    >>> wiek = [About("Jonas Wiek", "Person", "he"), About("Skarn Light", "Place")]
    >>> stand_alone("And his wife?", wiek)
    "And Jonas Wiek's wife?"
    >>> stand_alone("When was it lit?", wiek)
    'When was Skarn Light lit?'
    >>> stand_alone("Who built the Petrel?", wiek)
    'Who built the Petrel?'
    >>> stand_alone("When did she come?", wiek)
    'When did she come?'
    >>> stand_alone("When was it lit?", [About("lighthouse", "Concept")])
    'When was the lighthouse lit?'
    """
    about = [each._replace(name=_called(each.name)) for each in about]
    people = [each for each in about if each.entity_class in _HE_OR_SHE]
    person = next((each.name for each in people), "")
    thing = next((each.name for each in about if each.entity_class != "Person"), "")
    thing = thing or next((each.name for each in about if each.name != person), "")
    place = next((each.name for each in about if each.entity_class == "Place"), "")
    made = question
    for pronoun, gender in ((_MALE, HE), (_FEMALE, SHE)):
        meant = next((each.name for each in people if each.gender in ("", gender)), "")
        if meant:
            made = pronoun.sub(partial(_filled, name=meant), made)
        elif pronoun.search(question):
            about = [each for each in about if each not in people]
    if other := thing or person:
        made = _THING.sub(partial(_filled, name=other), made)
    if place:
        made = _THERE.sub(f"in {place}", made)
    if made != question or not about or _NAME.search(question):
        return made
    if _FOLLOWS.match(question) or len(question.split()) < FEW_WORDS:
        return f"{question.rstrip(' ?')}, {about[0].name}?"
    return made


def _called(name: str) -> str:
    """A name as a sentence has it: a common noun with its article."""
    return f"the {name}" if name[:1].islower() else name


def _filled(found: re.Match[str], name: str) -> str:
    """The name in the pronoun's place: "his wife" is "Jonas Wiek's wife", as is "her wife"."""
    word = found.group().lower()
    follows = found.string[found.end() :].lstrip()[:1]
    is_owning = word in _OWNING or (word == "her" and follows.isalnum())
    return f"{name}'s" if is_owning and follows.isalnum() else name
