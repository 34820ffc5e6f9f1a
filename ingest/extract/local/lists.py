"""Lists: their items carry the predicate of the line that leads them in."""

from dataclasses import dataclass

from hlg.ingest.extract.local.drafts import PHRASE_KEY, DraftFact
from hlg.ingest.extract.local.parse import Sentence

COLON = ":"
MOST_ITEMS, LONGEST_ITEM = 40, 6
"""Items of a list within a sentence, and words of one."""


@dataclass(frozen=True, slots=True)
class Thing:
    """What an item is: a name by its key, or a value; and its words."""

    key: str | None
    words: str


@dataclass(frozen=True, slots=True)
class Lead:
    """What is said of each item of a list: that these do something to it, with the chance of it."""

    subjects: tuple[str, ...]
    predicate: str
    chance: float

    def facts(self, item: Thing) -> list[DraftFact]:
        """The facts of an item."""
        return [
            DraftFact(subject, self.predicate, None, item.words, confidence=self.chance)
            if item.key is None or subject.startswith(PHRASE_KEY)
            else DraftFact(subject, self.predicate, item.key, None, confidence=self.chance)
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


def inline_items(sentence: Sentence, colon: int) -> list[tuple[int, int]]:
    """The items behind a colon, ``[first, end)`` each; none where what stands there is no list."""
    end = len(sentence.words)
    while sentence.words[end - 1] in (".", ";"):
        end -= 1
    items: list[tuple[int, int]] = []
    start = colon + 1
    for token in range(colon + 1, end + 1):
        if token < end and sentence.words[token].lower() not in (",", ";", "and"):
            continue
        if token > start:
            items.append((start, token))
        start = token + 1
    short = all(last - first <= LONGEST_ITEM for first, last in items)
    return items if 2 <= len(items) <= MOST_ITEMS and short else []
