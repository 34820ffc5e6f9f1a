"""Statements and facts before the names in them are settled."""

from dataclasses import dataclass, field

__all__ = ["Draft", "DraftFact"]


@dataclass(frozen=True, slots=True)
class DraftFact:
    """A fact by keys of names; the object is a key or a value."""

    subject: str
    predicate: str
    object_key: str | None
    object_value: str | None


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
