"""What the line above a list, or before one within a sentence, says of each item."""

from collections.abc import Iterator, Sequence

from hlg.ingest.extract.local.drafts import DraftFact
from hlg.ingest.extract.local.facts.careless import is_order
from hlg.ingest.extract.local.facts.lists import (
    COLON,
    LONGEST_ITEM,
    GroupLead,
    find_lead,
    is_in_list,
)
from hlg.ingest.extract.local.facts.wording import is_prose, is_value
from hlg.ingest.extract.local.frames.asserted import is_stated
from hlg.ingest.extract.local.frames.facts import SentenceFacts
from hlg.ingest.extract.local.lists import Lead, Thing, named_like
from hlg.ingest.extract.local.names.meant import Meant, lowered
from hlg.ingest.extract.local.names.votes import UNSURE
from hlg.words.lexicon import CONCEPT

_HYPHENS = frozenset(("-", "–", "/"))
_AFTER_ITEM = frozenset((",", ";", ":", ".", "(", "—"))
"""Marks behind which an item says more of what it names."""
_NOTHING = frozenset(("no", "not", "none", "neither", "nor", "never"))


class Listed:
    """A sentence as the head of a list, as an item of one, or with one in it."""

    def __init__(self, meant: Meant, told: SentenceFacts) -> None:
        self._sentence = meant.sentence
        self._meant = meant
        self._told = told

    def facts(self) -> Iterator[tuple[int, DraftFact]]:
        """What the line says of each item of a list in it; nothing where one is unclear."""
        lead = self._lead(self._meant.colon, ()) if self._meant.items else None
        if lead is None:
            return
        group = bool(lead.group)
        things = [self._thing(first, end, of_group=group) for first, end in self._meant.items]
        if not all(things):
            return
        for (first, _), thing in zip(self._meant.items, things, strict=True):
            if thing is None:
                continue
            if lead.group and thing.key is None:
                added = self._meant.names.add(thing.words, CONCEPT, UNSURE)
                thing = Thing(added, thing.words)
            yield from ((first, fact) for fact in lead.facts(thing))

    def lead(self, above: Sequence[str]) -> Lead | None:
        """What the sentence says of each item below it, if it ends with a colon."""
        colon = len(self._sentence.words) - 1
        ends = self._sentence.words[colon] == COLON and is_prose(self._sentence)
        return self._lead(colon, above) if ends else None

    def item(self) -> Thing | None:
        """What the sentence names, where it is an item that names a thing."""
        if is_order(self._sentence):
            return None
        return self._thing(0, len(self._sentence.words))

    def _lead(self, colon: int, above: Sequence[str]) -> Lead | None:
        sentence, told = self._sentence, self._told
        found = find_lead(sentence, colon)
        if isinstance(found, GroupLead):
            first = sentence.text(found.first, found.first + 1)
            plain = self._meant.named[found.first] < 0
            rest = sentence.text(found.first + 1, found.end)
            return Lead((), found.predicate, f"{lowered(first) if plain else first} {rest}")
        if found is None or not is_stated(sentence, found.frame):
            return None
        subject = found.frame.of("subject")[0]
        predicate = " ".join(filter(None, (told.predicate(found.frame), found.preposition)))
        subjects, predicate = told.subject(subject, predicate)
        noun = sentence.words[subject.end - 1]
        if sentence.words[subject.first].lower() == "the" and subject.end - subject.first == 2:
            name = named_like(noun, above)
            subjects = (self._meant.names.add(name, CONCEPT, UNSURE),) if name else subjects
        return Lead(subjects, predicate) if subjects else None

    def _thing(self, first: int, end: int, *, of_group: bool = False) -> Thing | None:
        """What an item names at its beginning: a name, or a noun's phrase as a value."""
        sentence = self._sentence
        if sentence.words[first].lower() in _NOTHING:
            return None
        start = first + (sentence.tags[first] == "DT")
        stop = next((at for at in range(start, end) if self._ends_item(at)), end)
        for mention, key in zip(self._meant.mentions, self._meant.mention_keys, strict=True):
            if mention.first in (first, start):
                if mention.end >= stop:
                    return Thing(key, mention.name)
                break
        text = sentence.text(start, stop)
        short = stop - start <= LONGEST_ITEM and is_in_list(
            sentence, start, stop, of_group=of_group
        )
        return Thing(None, text) if short and is_value(text) else None

    def _ends_item(self, token: int) -> bool:
        """Whether what an item names is told before this mark."""
        word = self._sentence.words[token]
        apart = token > 0 and self._sentence.starts[token] > self._sentence.ends[token - 1]
        return word in _AFTER_ITEM or (word in _HYPHENS and apart)
