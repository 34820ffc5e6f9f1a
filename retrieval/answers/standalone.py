"""A follow-up question made to stand alone, by rule: "and his wife?" is about somebody.

Without a language model: pronouns take the place of names, so the name of the last answer or
question that fits takes the place of the pronoun; a question that names nothing gets what the
last one was about.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["About", "stand_alone"]


class About(NamedTuple):
    """What a conversation was about: a name and its class, the latest first."""

    name: str
    entity_class: str


_PERSONAL = re.compile(r"\b(he|him|his|she|her|hers)\b", re.IGNORECASE)
_THING = re.compile(r"\b(it|its|they|them|their|theirs)\b", re.IGNORECASE)
_THERE = re.compile(r"\bthere\b(?!\s+(?:is|are|was|were|be|a)\b)", re.IGNORECASE)
_OWNING = frozenset(("his", "its", "their", "theirs", "hers"))
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z]\w+")
_FOLLOWS = re.compile(r"^(?:and|but|what about|how about|also|or)\b", re.IGNORECASE)
_HE_OR_SHE = frozenset(("Person", "Animal"))
FEW_WORDS = 4
"""A question of fewer words that names nothing goes on with the last one."""


def stand_alone(question: str, about: Sequence[About]) -> str:
    """The question with names where it only points to them; "he" may be an animal too.

    :param about: what was talked of, the latest first.

    >>> wiek = [About("Jonas Wiek", "Person"), About("Skarn Light", "Place")]
    >>> stand_alone("And his wife?", wiek)
    "And Jonas Wiek's wife?"
    >>> stand_alone("When was it lit?", wiek)
    'When was Skarn Light lit?'
    >>> stand_alone("Who built the Petrel?", wiek)
    'Who built the Petrel?'
    """
    person = next((each.name for each in about if each.entity_class in _HE_OR_SHE), "")
    thing = next((each.name for each in about if each.entity_class != "Person"), "")
    thing = thing or next((each.name for each in about if each.name != person), "")
    place = next((each.name for each in about if each.entity_class == "Place"), "")
    made = question
    if person:
        made = _PERSONAL.sub(lambda found: _filled(question, found, person), made)
    if other := thing or person:
        made = _THING.sub(lambda found: _filled(question, found, other), made)
    if place:
        made = _THERE.sub(f"in {place}", made)
    if made != question or not about or _NAME.search(question):
        return made
    if _FOLLOWS.match(question) or len(question.split()) < FEW_WORDS:
        return f"{question.rstrip(' ?')}, {about[0].name}?"
    return made


def _filled(question: str, found: re.Match[str], name: str) -> str:
    """The name in the pronoun's place: "his wife" is "Jonas Wiek's wife", as is "her wife"."""
    word = found.group().lower()
    follows = question[found.end() :].lstrip()[:1]
    is_owning = word in _OWNING or (word == "her" and follows.isalnum())
    return f"{name}'s" if is_owning and follows.isalnum() else name
