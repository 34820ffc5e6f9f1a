"""Facts made of what was found, and what a fact says in words."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from hlg.ids import fact_id
from hlg.records import DENIED, Entity, Fact, Factuality
from hlg.schema import SURE

FACTUALITY = tuple(each.name for each in fields(Factuality))
"""The names of its fields, which are those of a fact's properties in a store."""
_PLAIN = Factuality()
DENYING = frozenset(("n't", "n’t", "nt", "neither", "never", "no", "none", "nor", "not", "nowhere"))
"""Words that deny what a predicate says."""


def fact_of(
    subject: Entity,
    predicate: str,
    object_: Entity | str,
    statement_ids: Sequence[str] = (),
    factuality: Factuality = _PLAIN,
) -> Fact:
    """The fact that joins a subject to another entity, or to a value."""
    how = factuality_of(factuality)
    is_plain = how == factuality_of(_PLAIN) | {"confidence": factuality.confidence}
    stated = () if is_plain else (how[name] for name in FACTUALITY if name != "confidence")
    is_value = isinstance(object_, str)
    key, name = (object_, object_) if isinstance(object_, str) else (object_.id, object_.name)
    return Fact(
        id=fact_id(subject.id, predicate, key, *stated),
        text=f"{subject.name} {predicate_in_words({'predicate': predicate, **how})} {name}",
        predicate=predicate,
        subject_id=subject.id,
        statement_ids=tuple(statement_ids),
        object_id=None if is_value else key,
        object_value=key if is_value else None,
        **how,
    )


class SupportedFacts:
    """The facts of one source as they are found, each once with all statements that support it."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Fact, dict[str, None]]] = {}

    def add(self, fact: Fact, statement_id: str) -> None:
        """Take in a fact that a statement supports; the highest confidence stays."""
        known, statements = self._found.setdefault(fact.id, (fact, {}))
        statements[statement_id] = None
        if fact.confidence > known.confidence:
            self._found[fact.id] = replace(known, confidence=fact.confidence), statements

    def records(self) -> tuple[Fact, ...]:
        """All of them, by id."""
        return tuple(
            replace(fact, statement_ids=tuple(statements))
            for _, (fact, statements) in sorted(self._found.items())
        )


def factuality_of(fact: Factuality) -> dict[str, Any]:
    """How a fact is stated, by the names of :data:`FACTUALITY`."""
    return {name: getattr(fact, name) for name in FACTUALITY}


def denies(predicate: str) -> bool:
    """Whether a predicate's own words say that it is not so."""
    words = predicate.lower().split()
    return "without" in words or any(
        word in DENYING or word.endswith(("n't", "n’t")) for word in words
    )


def predicate_in_words(fact: Mapping[str, Any]) -> str:
    """A fact's predicate with how it is stated: ``not bought (may; if the price falls; in 1921)``.

    :param fact: its properties in a store, or as :func:`factuality_of` has them.
    """
    return _in_words(fact, fact.get("time"))


def shown_predicate(fact: Mapping[str, Any]) -> str:
    """The same for a reader, who is told as well where a fact is less than :data:`SURE`."""
    return _in_words(fact, fact.get("time"), "" if is_confident(fact, SURE) else "unsure")


def relation_predicate(fact: Mapping[str, Any]) -> str:
    """The predicate of the relation that a fact makes: the same without the time.

    A fact that is denied, or only possible, never makes the relation of one that holds.
    """
    return _in_words(fact)


def is_confident(properties: Mapping[str, Any], least: float) -> bool:
    """Whether a node or relation has at least this confidence; what has none is sure."""
    return float(properties.get("confidence", 1.0)) >= least


def _in_words(fact: Mapping[str, Any], *more: str | None) -> str:
    """What the predicate's own words say already is not said again."""
    predicate: str = fact["predicate"]
    words = set(predicate.lower().split())
    negation = "not " if fact.get("polarity") == DENIED and not denies(predicate) else ""
    speaker = fact.get("attributed_to") or ""
    named = not speaker or speaker.lower().startswith("according to")
    attribution = speaker if named else f"according to {speaker}"
    said = (fact.get("modality"), fact.get("condition"), attribution, *more)
    how = "; ".join(each for each in said if each and not words.issuperset(each.lower().split()))
    return f"{negation}{predicate}{f' ({how})' if how else ''}"
