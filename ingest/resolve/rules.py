"""When a candidate pair is one thing: the evidence that each rule asks for.

A wrong merge costs more than a missed one, so that a rule asks for the more, the less its
names say by themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.resolve.candidates import Candidate, Group
from hlg.ingest.resolve.names import conflict, name_parts
from hlg.ingest.resolve.support import Measures
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.lexicon import CONCEPT, GROUP, ORGANIZATION, PERSON, PLACE

_FREQUENT = 10
"""Mentions of a name from which on even two letters may stand for it."""
_SOME_SHARED = 0.4
"""About one rare neighbour in common, or two frequent ones."""


def may_be_one(one: Group, other: Group) -> bool:
    """Whether nothing in two groups' names speaks against their being one thing."""
    persons = one.entity_class == PERSON and other.entity_class == PERSON
    return not conflict(one.parts, other.parts, persons=persons)


def verdicts(
    candidates: Sequence[Candidate], measures: Measures, common_surnames: set[str]
) -> tuple[list[bool], NDArray[np.float32]]:
    """Whether candidates are accepted by their measures, and their scores from 0 to 1.

    :param common_surnames: words that end several names.
    """
    m = measures
    columns = (m.context, m.name, m.shared, m.together, m.sources)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    accepted = [
        may_be_one(each.one, each.other)
        and _RULES[each.rule][1](each, _Evidence(*row), common_surnames)
        for each, row in zip(candidates, rows, strict=True)
    ]
    strength = np.array([_RULES[each.rule][0] for each in candidates], np.float32)
    contexts = np.clip(np.nan_to_num(measures.context), 0, 1)
    support = np.maximum(contexts, np.clip(measures.shared, 0, 1))
    return accepted, ((strength + support) / 2).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Evidence:
    context: float
    name: float
    shared: float
    together: int
    sources: int

    def alike(self, context: float) -> bool:
        """Contexts this much alike; where they have no vectors, company in common."""
        if isnan(self.context):
            return self.shared >= 2 * _SOME_SHARED
        return self.context >= context

    def enough(self, context: float) -> bool:
        """The same, or a little less alike where neighbours are shared."""
        return self.alike(context) or (self.shared >= _SOME_SHARED and self.alike(context - 0.1))


def _same_name(candidate: Candidate, evidence: _Evidence, common: set[str]) -> bool:
    one, other = candidate.one, candidate.other
    classes = {one.entity_class, other.entity_class}
    key = min(one.keys & other.keys)
    fold = name_parts(key).fold
    if " " in key:
        phrase = CONCEPT in classes or other.name.islower()
        needed = 0.5 if {PERSON, ORGANIZATION} <= classes or phrase else 0.45
    elif len(fold) <= 3:
        needed = 0.75
    elif key in GIVEN_NAMES or key in common:
        needed = 0.85
    elif {PERSON, ORGANIZATION} <= classes:
        needed = 0.7
    else:
        needed = 0.65
    return evidence.enough(needed)


def _spelling(candidate: Candidate, evidence: _Evidence, _: set[str]) -> bool:
    length = len(candidate.one.parts.fold)
    return evidence.enough(0.35 if length >= 8 else 0.5 if length >= 5 else 0.7)


def _ending(candidate: Candidate, evidence: _Evidence, _: set[str]) -> bool:
    return not evidence.together and evidence.enough(0.5)


def _title(candidate: Candidate, evidence: _Evidence, _: set[str]) -> bool:
    is_person = PERSON in candidate.one.classes | candidate.other.classes
    return is_person and not evidence.together and evidence.enough(0.4)


def _initials(candidate: Candidate, evidence: _Evidence, _: set[str]) -> bool:
    return not evidence.together and evidence.enough(0.6) and evidence.shared >= _SOME_SHARED


def _alias(candidate: Candidate, evidence: _Evidence, _: set[str]) -> bool:
    if candidate.one.entity_class != candidate.other.entity_class or evidence.together:
        return False
    long_enough = min(len(g.parts.fold) for g in (candidate.one, candidate.other)) > 2
    return long_enough and evidence.alike(0.6) and evidence.shared >= 2 * _SOME_SHARED


def _near(candidate: Candidate, evidence: _Evidence, _: set[str]) -> bool:
    classes = candidate.one.classes | candidate.other.classes
    alike = evidence.name >= 0.75 and evidence.alike(0.6) and evidence.shared >= _SOME_SHARED
    if evidence.together or not alike:
        return False
    if GROUP in classes or PLACE in classes:  # Jamaican and Jamaica are two
        return False
    # Two names that are both frequent are two things: a slip of the pen is rare.
    return 5 * candidate.one.mentions <= candidate.other.mentions


def _acronym(candidate: Candidate, evidence: _Evidence, _: set[str]) -> bool:
    if len(candidate.one.parts.fold) < 3:
        frequent = candidate.other.mentions >= _FREQUENT
        return candidate.recorded and frequent and evidence.alike(0.7)
    return evidence.alike(0.55 if candidate.recorded else 0.65)


def _surname(candidate: Candidate, evidence: _Evidence, _: set[str]) -> bool:
    named_by_one_source = candidate.recorded or evidence.sources > 0
    # A name that was not taken for a person's may be another thing's.
    needed = 0.6 if candidate.one.entity_class == PERSON else 0.65
    return named_by_one_source and evidence.alike(needed) and evidence.shared > 0


_RULES = {
    "same name": (0.8, _same_name),
    "spelling": (0.9, _spelling),
    "ending": (0.8, _ending),
    "title": (0.8, _title),
    "initials": (0.6, _initials),
    "alias": (0.7, _alias),
    "near name": (0.6, _near),
    "acronym": (0.8, _acronym),
    "surname": (0.6, _surname),
}
"""How much a rule's names say by themselves, from 0 to 1, and what else it asks for."""
