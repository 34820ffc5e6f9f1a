"""The learned judge of names: is it one, and of which class.

It weighs the traits of a name (``traits.py``). ``benchmarks/name_judge.py`` trains it from names
that people marked, and writes ``names_model.npz`` beside this module; its ``provenance`` says
what from.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.extract.local.judge import Judge
from hlg.ingest.words.lexicon import (
    CONCEPT,
    EVENT,
    GROUP,
    ORGANIZATION,
    PERSON,
    PLACE,
    PRODUCT,
    THING,
    WORK,
)

__all__ = ["CLASSES", "Named", "are_names", "judged"]

CLASSES = (PERSON, PLACE, ORGANIZATION, WORK, EVENT, GROUP, THING, "")
"""What a name can be: THING is any other name or term, the empty string none at all."""
SURE_OF_CLASS, DOUBTED = 0.5, 0.25
"""A name stays if it has its likeliest class with the first chance, and is none with less than
the second."""
LIKELY, SURE_OF_NONE, CERTAIN_OF_NONE = 0.4, 0.7, 0.93
"""A class that a name's words give away stays with the first chance; where it is less likely,
the name goes if it is none with the second, and where a fact is about it, with the third."""
_MODEL = "names_model.npz"
_LOOSE = frozenset((THING, PRODUCT, CONCEPT))


@dataclass(frozen=True, slots=True)
class Named:
    """One thing that a document names.

    ``keys`` are all its names, ``forms`` how they are written, ``traits`` what is seen of
    them. ``given``: its words give its class away. ``is_topic``: the document is about it.
    """

    keys: tuple[str, ...]
    name: str
    entity_class: str
    forms: set[str]
    traits: Mapping[str, float]
    given: bool
    is_topic: bool


@cache
def _shipped() -> Judge:
    return Judge.load(cast(Path, resources.files(__package__) / _MODEL))


def are_names(chances: NDArray[np.floating[Any]]) -> NDArray[np.bool_]:
    """For each row of chances whether it is a name of a class, as far as one can tell."""
    likeliest = chances[:, :-1].max(axis=1)
    kept: NDArray[np.bool_] = (likeliest >= SURE_OF_CLASS) & (chances[:, -1] < DOUBTED)
    return kept


def judged(names: Sequence[Named], told: Set[str] = frozenset()) -> list[Named]:
    """Those that are names, as far as the judge can tell, each with its class.

    What a document is about always stays. A class that a name's own words give away stays
    unless the judge is sure of another; elsewhere the judge says it. A name of which it knows
    no class goes, but for those that something is said of: they go if they are no names for
    sure.

    :param told: keys that facts are about.
    """
    if not names:
        return []
    chances = _shipped().chances([each.traits for each in names])
    places = chances[:, :-1].argmax(axis=1).tolist()
    sure = are_names(chances).tolist()
    found: list[Named] = []
    for each, place, row, is_sure in zip(names, places, chances.tolist(), sure, strict=True):
        given = THING if each.entity_class in _LOOSE else each.entity_class
        likely = each.given and row[CLASSES.index(given)] >= LIKELY
        bound = CERTAIN_OF_NONE if not told.isdisjoint(each.keys) else SURE_OF_NONE * each.given
        if likely:
            found.append(each)
        elif is_sure:
            found.append(_as(each, CLASSES[place]))
        elif each.is_topic or row[-1] < bound:
            found.append(each if each.given else _as(each, CLASSES[place]))
    return found


def _as(named: Named, class_: str) -> Named:
    """With the judge's class, which knows no term or product from another thing."""
    if class_ == THING and named.entity_class in _LOOSE:
        return named
    return replace(named, entity_class=class_)
