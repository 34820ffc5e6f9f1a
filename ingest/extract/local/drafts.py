"""Statements and facts before the names in them are settled."""

from collections.abc import Container
from dataclasses import dataclass, field

from hlg.records import Factuality

PHRASE_KEY = " "
"""What the key of a subject begins with that stands for no entity, and that of no name does."""


@dataclass(frozen=True, slots=True)
class DraftFact(Factuality):
    """A fact by keys of names; the object is a key or a value."""

    subject: str
    predicate: str
    object_key: str | None
    object_value: str | None

    @property
    def is_phrase(self) -> bool:
        """Whether its subject stands for no entity: "we", "each party"."""
        return self.subject.startswith(PHRASE_KEY)

    @property
    def keys(self) -> tuple[str, ...]:
        """Of its subject and of its object, if they are names."""
        subject = () if self.is_phrase else (self.subject,)
        return subject if self.object_key is None else (*subject, self.object_key)


@dataclass(slots=True)
class Draft:
    """A statement before names are settled; ``antecedents`` are keys that complete it, ``told``
    those that only its facts name."""

    start: int
    end: int
    headings: tuple[str, ...]
    antecedents: list[str] = field(default_factory=list)
    context: str = ""
    keys: list[str] = field(default_factory=list)
    facts: list[DraftFact] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    told: frozenset[str] = frozenset()

    def drop(self, wrong: Container[DraftFact]) -> None:
        """Take facts out, with what nothing but they named."""
        self.facts = [fact for fact in self.facts if fact not in wrong]
        still = {key for fact in self.facts for key in fact.keys}
        self.keys = [key for key in self.keys if key not in self.told or key in still]

    def keep(self, known: Container[str]) -> None:
        """Drop what is said of keys that turned out to name nothing."""
        self.keys = [key for key in self.keys if key in known]
        self.antecedents = [key for key in self.antecedents if key in known]
        self.facts = [fact for fact in self.facts if all(key in known for key in fact.keys)]
