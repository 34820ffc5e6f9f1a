"""Lists: their items carry the predicate of the line that leads them in."""

from collections.abc import Sequence
from dataclasses import dataclass

from hlg.ingest.extract.local.drafts import PHRASE_KEY, DraftFact


@dataclass(frozen=True, slots=True)
class Thing:
    """What an item is: a name by its key, or a value; and its words."""

    key: str | None
    words: str


@dataclass(frozen=True, slots=True)
class Lead:
    """What is said of each item of a list.

    With ``subjects``, that these do something to it; else that it is, by ``predicate``, in
    the ``group`` of that name.
    """

    subjects: tuple[str, ...]
    predicate: str
    group: str = ""

    def facts(self, item: Thing) -> list[DraftFact]:
        """The facts of an item; a group is said of names alone."""
        if self.group:
            return [DraftFact(item.key, self.predicate, None, self.group)] if item.key else []
        return [
            DraftFact(subject, self.predicate, None, item.words)
            if item.key is None or subject.startswith(PHRASE_KEY)
            else DraftFact(subject, self.predicate, item.key, None)
            for subject in self.subjects
            if subject != item.key
        ]


class ListItems:
    """Follows the list under a line: items below an item are no items of the line's."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lead: Lead | None = None
        self._indent: int | None = None

    def begin(self, lead: Lead | None) -> None:
        """A line has ended that leads a list in, or does not."""
        self._lead, self._indent = lead, None

    def lead_of(self, start: int) -> Lead | None:
        """What is said of the item that begins there."""
        if self._lead is None:
            return None
        line = self._text.rfind("\n", 0, start) + 1
        before = self._text[line:start]
        indent = len(before) - len(before.lstrip())
        if self._indent is None:
            self._indent = indent
        return self._lead if indent == self._indent else None


def named_like(noun: str, above: Sequence[str]) -> str | None:
    """The heading or title that "the kit" is short for: "Repair kit"."""
    for name in above:
        if len(name.split()) > 1 and name.split()[-1].lower() == noun.lower():
            return name
    return None
