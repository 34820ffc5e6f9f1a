"""What the line above a list, or before one within a sentence, says of each item."""

from collections.abc import Iterator

from hlg.ingest.extract.local.drafts import DraftFact
from hlg.ingest.extract.local.facts.wording import is_value
from hlg.ingest.extract.local.frames.asserted import is_stated
from hlg.ingest.extract.local.frames.decode import Span
from hlg.ingest.extract.local.frames.facts import SentenceFacts
from hlg.ingest.extract.local.frames.predicates import predicate_of
from hlg.ingest.extract.local.lists import COLON, LONGEST_ITEM, Lead, Thing
from hlg.ingest.extract.local.names.meant import Meant

SURE = 0.5
"""Chance of the frame that leads a list in."""
_PLURAL = frozenset(("NNS", "NNPS"))
_IN_NOUN = frozenset(
    ("AFX", "CC", "CD", "DT", "FW", "HYPH", "IN", "JJ", "JJS", "NN", "NNP", "NNPS", "NNS", "POS")
)
_HYPHENS = frozenset(("-", "–", "/"))
_AFTER_ITEM = frozenset((",", ";", ":", ".", "(", "—"))
"""Marks behind which an item says more of what it names."""


class Listed:
    """A sentence as the head of a list, as an item of one, or with one in it."""

    def __init__(self, meant: Meant, told: SentenceFacts) -> None:
        self._sentence = meant.sentence
        self._meant = meant
        self._told = told

    def facts(self) -> Iterator[tuple[int, DraftFact]]:
        """What the line says of each item of a list in it; nothing where one is unclear."""
        lead = self._lead(self._meant.colon) if self._meant.items else None
        things = [self._thing(first, end) for first, end in self._meant.items] if lead else []
        if lead and all(things):
            for (first, _), thing in zip(self._meant.items, filter(None, things), strict=True):
                yield from ((first, fact) for fact in lead.facts(thing))

    def lead(self) -> Lead | None:
        """What the sentence says of each item below it, if it ends with a colon."""
        colon = len(self._sentence.words) - 1
        return self._lead(colon) if self._sentence.words[colon] == COLON else None

    def item(self) -> Thing | None:
        """What the sentence names, where it is an item that names a thing."""
        return self._thing(0, len(self._sentence.words))

    def _lead(self, colon: int) -> Lead | None:
        """What the words before a colon say of what stands behind it, where that is plain."""
        for frame in self._sentence.frames:
            verb = frame.of("predicate")[-1:]
            if frame.kind != "stated" or frame.chance < SURE or not verb:
                continue
            objects = [span for span in frame.of("argument") if span.first < colon]
            if len(frame.of("subject")) != 1 or (objects or verb)[-1].end != colon:
                continue
            preposition = self._announced(objects) if objects else ""
            are = self._sentence.words[colon - 1].lower() in ("are", "were")
            if preposition is None or are or not is_stated(self._sentence, frame):
                return None
            predicate = " ".join(filter(None, (predicate_of(self._meant, frame), preposition)))
            (named,) = frame.of("subject")
            subjects, predicate = self._told.subject(named, predicate)
            chance = min(span.chance for span in (named, *frame.of("predicate"), *objects))
            return Lead(subjects, predicate, chance * frame.chance) if subjects else None
        return None

    def _announced(self, objects: list[Span]) -> str | None:
        """The preposition, if any, of what announces a list: "uses the following tools:", "built
        three ships:", "consists of:"; None where nothing does."""
        sentence = self._sentence
        first, end = objects[0].first, objects[0].end
        has_preposition = sentence.tags[first] == "IN"
        inner = sentence.words[first + has_preposition : end]
        tags = sentence.tags[first + has_preposition : end]
        plural = bool(tags) and tags[-1] in _PLURAL and "IN" not in tags
        if len(objects) > 1 or not (not inner or plural or "following" in map(str.lower, inner)):
            return None
        return sentence.words[first].lower() if has_preposition else ""

    def _thing(self, first: int, end: int) -> Thing | None:
        """What an item names at its beginning: a name, or a noun's phrase as a value."""
        sentence = self._sentence
        start = first + (sentence.tags[first] == "DT")
        stop = next((at for at in range(start, end) if self._ends_item(at)), end)
        for mention, key in zip(self._meant.mentions, self._meant.mention_keys, strict=True):
            if mention.first in (first, start):
                if mention.end >= stop:
                    return Thing(key, mention.name)
                break
        tags = sentence.tags[start:stop]
        if len(tags) > 1 and tags[-1] == "CD":
            tags = [*tags[:-2], "NNP"]  # "Loctite 243"
        is_noun = bool(tags) and tags[-1].startswith("NN") and _IN_NOUN.issuperset(tags)
        text = sentence.text(start, stop) if is_noun and len(tags) <= LONGEST_ITEM else ""
        return Thing(None, text) if is_value(text) else None

    def _ends_item(self, token: int) -> bool:
        """Whether what an item names is told before this mark."""
        word = self._sentence.words[token]
        apart = token > 0 and self._sentence.starts[token] > self._sentence.ends[token - 1]
        return word in _AFTER_ITEM or (word in _HYPHENS and apart)
