"""Lists: their items carry the predicate of the line that leads them in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from hlg.facts import denies
from hlg.ingest.extract.local.drafts import PHRASE_KEY, DraftFact
from hlg.ingest.extract.local.parse import Sentence
from hlg.ingest.text.blocks import Block
from hlg.records import AFFIRMED, DENIED

Led = TypeVar("Led")
COLON = ":"
MOST_ITEMS, LONGEST_ITEM = 40, 6
"""Items of a list within a sentence, and words of one."""


AWAITS_VERB = re.compile(
    r"\b(?:must|can|may|should|shall|will|cannot|\w+n['’]t|not|to|either|also|only|you|them|us):$"
)
"""What items go on with that begin with a verb, and order nothing: "The tenant must:"."""
SUPPOSED = re.compile(r"\b(?:if|unless|whether)\b[^,:]*:$")
"""What items follow that are only supposed: "You can claim if both apply:"."""
LONGEST_BEGINNING = 200
"""Characters that an item may complete: they are read again with each of them."""
_LAST_SENTENCE = re.compile(r"(?:.*[.!?:;]\s+)?(.+):", re.DOTALL)


def beginnings(text: str, blocks: Sequence[Block]) -> dict[int, str]:
    """By where an item starts, the words above the list that it completes: "You must not" of
    "leave the harbour"."""
    found: dict[int, str] = {}
    items = ListItems[str](text)
    for block in blocks:
        if block.kind == "item":
            if led := items.lead_of(block.start):
                found[block.start] = led
            continue
        above = text[block.start : block.end] if block.kind == "text" else ""
        last = _LAST_SENTENCE.fullmatch(above) if AWAITS_VERB.search(above) else None
        begun = " ".join(last[1].split()) if last else ""
        items.begin(begun if 0 < len(begun) <= LONGEST_BEGINNING else None)
    return found


def completed(beginning: str, item: str) -> str:
    """An item behind the words that it completes, as one sentence."""
    first, _, rest = item.partition(" ")
    is_name = rest[:1].isupper() or not first[1:].islower()
    return f"{beginning} {item if is_name else item[:1].lower() + item[1:]}"


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
        chance, polarity = round(self.chance, 3), DENIED if denies(self.predicate) else AFFIRMED
        found: list[DraftFact] = []
        for subject in self.subjects:
            if subject != item.key:
                key = None if subject.startswith(PHRASE_KEY) else item.key
                said = self.predicate, key, None if key else item.words
                found.append(DraftFact(subject, *said, confidence=chance, polarity=polarity))
        return found


class ListItems(Generic[Led]):
    """Follows the list under a line, of which something is true or not; items below an item are
    no items of the line's."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lead: Led | None = None
        self._indent: int | None = None

    def begin(self, lead: Led | None) -> None:
        """A line has ended that leads a list in, or does not."""
        self._lead, self._indent = lead, None

    def lead_of(self, start: int) -> Led | None:
        """What leads in the item that begins there."""
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
    behind = range(colon + 1, end)
    marks = [at for at in behind if sentence.words[at].lower() in (",", ";", "and")]
    items = [(one + 1, other) for one, other in pairwise([colon, *marks, end]) if other > one + 1]
    short = all(last - first <= LONGEST_ITEM for first, last in items)
    return items if 2 <= len(items) <= MOST_ITEMS and short else []
