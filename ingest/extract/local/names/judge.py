"""The learned judge of names: is it one, and of which class.

Two models have a say: one weighs the traits of a name (``traits.py``; ``names_model.npz`` beside
this module), the other reads it in its sentence (``cross_encoder.py``). ``benchmarks/judges.py``
trains both from names that people marked.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.extract.local.cross_encoder import Pair, shipped
from hlg.ingest.extract.local.judge import Judge
from hlg.ingest.extract.local.names.attached import is_breed
from hlg.ingest.extract.local.names.nobles import is_noble
from hlg.names import normalize_name
from hlg.words.lexicon import (
    ANIMAL,
    ANIMALS,
    CONCEPT,
    EVENT,
    GROUP,
    ORGANIZATION,
    PERSON,
    PLACE,
    PRODUCT,
    THING,
    VESSELS,
    WORK,
)
from hlg.words.organization_names import MAKERS
from hlg.words.work_names import WORK_NAMES

__all__ = ["CLASSES", "Named", "both", "judged", "name_pair", "ruled"]

CLASSES = (PERSON, PLACE, ORGANIZATION, WORK, EVENT, GROUP, THING, ANIMAL, "")
"""What a name can be: THING is any other name or term, the empty string none at all."""
SURE_OF_CLASS, DOUBTED = 0.7, 0.15
"""A name stays if it has its likeliest class with the first chance, and is none with less than
the second."""
LIKELY, SURE_OF_NONE = 0.5, 0.3
"""A class that a name's words give away stays with the first chance; where it is less likely,
the name goes if it is none with the second."""
RATHER_ANIMAL = 0.3
"""Who is a person or an animal for sure is an animal from this chance on: people are far more
frequent, and what tells a pet is often said elsewhere."""
SETTLED = 0.9
"""What traits alone say with this chance needs no reading: a third of the names, of which the
cross-encoder would change next to none."""
_MODEL = "names_model.npz"
_LOOSE = frozenset((THING, PRODUCT, CONCEPT))
_CALLED = ("before={}", "compound word={}", "appos word={}", "is={}")
_NAMED = ("before 2={} called", "before 2={} named")
_OF_ANIMALS = frozenset(form.format(noun) for noun in ANIMALS for form in (*_CALLED, *_NAMED)) | {
    "before 2=furry friend",
    "before 2=furry companion",
    "before 2=named it",
}
"""Traits of an animal's name: "my dog Max", "Max, our puppy", "a cat named Max"."""
_OF_VESSELS = frozenset(
    form.format(noun) for noun in VESSELS - {"carrier", "cutter"} for form in _CALLED
)
"""And of a ship's: "the steamer Petrel"; people may be carriers too."""
_WHAT_THINGS_ARE = {
    **dict.fromkeys(map(normalize_name, MAKERS), ORGANIZATION),
    **dict.fromkeys(map(normalize_name, WORK_NAMES), WORK),
}
"""The class of what many know, where it looks like any other thing: "my Garmin died"."""


@dataclass(frozen=True, slots=True)
class Named:
    """One thing that a document names.

    ``keys`` are all its names, ``forms`` how they are written, ``traits`` what is seen of
    them. ``given``: its words give its class away. ``is_topic``: the document is about it.
    ``beside``: the words around its first mention. ``speaks``: somebody who has a turn in a chat.
    """

    keys: tuple[str, ...]
    name: str
    entity_class: str
    forms: set[str]
    traits: Mapping[str, float]
    given: bool
    is_topic: bool
    beside: str
    speaks: bool = False


@cache
def _shipped() -> Judge:
    return Judge.load(cast(Path, resources.files(__package__) / _MODEL))


def judged(names: Sequence[Named], told: Set[str] = frozenset()) -> list[Named]:
    """Those that are names, as far as the judge can tell, each with its class.

    What a document is about always stays, and a person with a place or a peerage is one. A class
    that a name's own words give away stays unless the judge is sure of another; elsewhere the
    judge says it. A name of which it knows no class goes; of those that something is said of,
    terms and the names of a text of a few sentences, where little tells a class, go only if they
    are no names for sure.

    :param told: keys that facts are about.
    """
    if not names:
        return []
    chances = _shipped().chances([each.traits for each in names])
    unsure = np.flatnonzero(chances.max(axis=1) < SETTLED).tolist()
    if unsure:
        read = shipped().names([name_pair(names[at]) for at in unsure])
        chances[unsure] = both(chances[unsure], read)
    found: list[Named] = []
    for each, row in zip(names, chances.tolist(), strict=True):
        class_ = ruled(
            row,
            each.entity_class,
            given=each.given,
            is_topic=each.is_topic,
            told=not told.isdisjoint(each.keys),
        )
        if each.entity_class == PERSON and is_noble(each.name):
            class_ = PERSON
        if class_:
            speaker = each.speaks and class_ == ANIMAL
            found.append(_as(each, PERSON if speaker else class_))
    return found


def both(seen: NDArray[np.float32], read: NDArray[np.float32]) -> NDArray[np.float32]:
    """The chances of each class by both models: the geometric mean, 1 in all."""
    mean = np.sqrt(seen * read)
    chances: NDArray[np.float32] = mean / mean.sum(axis=1, keepdims=True)
    return chances


def name_pair(named: Named) -> Pair:
    """A name and the words around it, as the cross-encoder reads them."""
    return named.name, named.beside


def ruled(
    chances: Sequence[float],
    entity_class: str,
    *,
    given: bool,
    is_topic: bool,
    told: bool,
) -> str:
    """The class of a name by the judge's chances and by the rules; empty if it is none.

    :param entity_class: by the rules.
    :param given: the name's words give that class away.
    :param is_topic: the document is about it.
    :param told: a fact is about it.
    """
    ruled_class = THING if entity_class in _LOOSE else entity_class
    none = chances[-1]
    person, animal = chances[CLASSES.index(PERSON)], chances[CLASSES.index(ANIMAL)]
    if animal >= RATHER_ANIMAL and person + animal >= SURE_OF_CLASS and none < DOUBTED:
        return ANIMAL
    if given and chances[CLASSES.index(ruled_class)] >= LIKELY:
        return ruled_class
    likeliest = max(range(len(CLASSES) - 1), key=chances.__getitem__)
    if chances[likeliest] >= SURE_OF_CLASS and none < DOUBTED:
        return CLASSES[likeliest]
    if told and entity_class == CONCEPT:
        return CONCEPT
    if is_topic or told or none < SURE_OF_NONE * given:
        return ruled_class if given else CLASSES[likeliest]
    return ""


def _as(named: Named, class_: str) -> Named:
    """With the judge's class, which knows no term or product from another thing, no ship from a
    place, and not every pet that is called one."""
    if class_ == PERSON and not _OF_ANIMALS.isdisjoint(named.traits):
        return replace(named, entity_class=ANIMAL)
    if class_ in (THING, GROUP) and is_breed(named.name):
        return replace(named, entity_class=ANIMAL)
    if class_ in (PERSON, PLACE, ORGANIZATION) and not _OF_VESSELS.isdisjoint(named.traits):
        return replace(named, entity_class=THING)
    if class_ == THING:
        class_ = _WHAT_THINGS_ARE.get(normalize_name(named.name), THING)
    if class_ == THING and named.entity_class in _LOOSE:
        return named
    return replace(named, entity_class=class_)
