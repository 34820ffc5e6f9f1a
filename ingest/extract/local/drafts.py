"""Statements and facts before the names in them are settled."""

from collections.abc import Container
from dataclasses import dataclass, field

__all__ = ["Draft", "DraftFact"]


@dataclass(frozen=True, slots=True)
class DraftFact:
    """A fact by keys of names; the object is a key or a value.

    ``traits`` are what the judge of facts sees of it.
    """

    subject: str
    predicate: str
    object_key: str | None
    object_value: str | None
    traits: tuple[str, ...] = field(default=(), compare=False)


@dataclass(slots=True)
class Draft:
    """A statement before names are settled. ``antecedents`` are keys that complete it."""

    start: int
    end: int
    headings: tuple[str, ...]
    antecedents: list[str] = field(default_factory=list)
    context: str = ""
    keys: list[str] = field(default_factory=list)
    facts: list[DraftFact] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)

    def keep(self, known: Container[str]) -> None:
        """Drop what is said of keys that turned out to name nothing."""
        self.keys = [key for key in self.keys if key in known]
        self.antecedents = [key for key in self.antecedents if key in known]
        self.facts = [
            fact
            for fact in self.facts
            if fact.subject in known and (fact.object_key is None or fact.object_key in known)
        ]
