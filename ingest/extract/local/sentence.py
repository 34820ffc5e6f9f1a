"""One sentence of a document: its names by key, what points back in it, and its facts; as the head
of a list, as an item of one, or with one in it."""

from collections.abc import Iterator, Sequence

from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.facts.wording import is_value
from hlg.ingest.extract.local.frames.asserted import is_stated
from hlg.ingest.extract.local.frames.decode import Span
from hlg.ingest.extract.local.frames.facts import SentenceFacts
from hlg.ingest.extract.local.frames.predicates import predicate_of
from hlg.ingest.extract.local.frames.subjects import subject_of
from hlg.ingest.extract.local.languages.base import Reading
from hlg.ingest.extract.local.lists import COLON, LONGEST_ITEM, Lead, Thing
from hlg.ingest.extract.local.names.focus import Focus
from hlg.ingest.extract.local.names.naming import DocumentNames
from hlg.ingest.extract.local.names.references import first_person
from hlg.ingest.extract.local.names.resolved import ResolvedSentence
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.lexicon import GROUP, STOP_WORDS

SURE = 0.5
"""Chance of the frame that leads a list in."""
_PLURAL = frozenset(("NNS", "NNPS"))
_IN_NOUN = frozenset(
    ("AFX", "CC", "CD", "DT", "FW", "HYPH", "IN", "JJ", "JJS", "NN", "NNP", "NNPS", "NNS", "POS")
)
_HYPHENS = frozenset(("-", "–", "/"))
_AFTER_ITEM = frozenset((",", ";", ":", ".", "(", "—"))
"""Marks behind which an item says more of what it names."""


class SentenceReading(Reading):
    """What a sentence says, given the names and the focus of the text before it."""

    def __init__(
        self,
        sentence: Sentence,
        names: DocumentNames,
        focus: Focus,
        known: Sequence[tuple[str, ...]],
        turn: str | None = None,
    ) -> None:
        self._sentence = sentence
        self._resolved = ResolvedSentence(sentence, names, focus, known)
        if turn is not None:
            for token in first_person(sentence):
                self._resolved.mean(token, turn)
        self._told = SentenceFacts(self._resolved)

    def has_named_subject(self, first: int, end: int) -> bool:
        """Whether a verb between two tokens has a name or a known thing as its subject."""
        return any(
            self._sentence.deps[token] in ("nsubj", "nsubjpass", "ROOT")
            and (self._resolved.named[token] >= 0 or self._resolved.keys_at(token))
            for token in range(first, end)
        )

    def fill(self, draft: Draft, first: int, end: int, facts: list[DraftFact]) -> None:
        """Put names, antecedents, facts and key phrases between two tokens into a draft."""
        names: list[str] = []
        for mention, key in zip(self._resolved.mentions, self._resolved.mention_keys, strict=True):
            if key is not None and first <= mention.first < end:
                names.append(key)
                if mention.entity_class != GROUP:
                    draft.phrases.append(mention.name)
        antecedents = [
            key
            for token, keys in self._resolved.references.items()
            if first <= token < end
            for key in keys
            if key not in names
        ]
        draft.antecedents = list(dict.fromkeys(antecedents))
        draft.facts = list(dict.fromkeys(facts))
        mentioned = [key for fact in facts for key in fact.keys]
        draft.keys = list(dict.fromkeys([*names, *antecedents, *mentioned]))
        draft.told = frozenset(mentioned).difference(names, antecedents)
        draft.phrases += self._compounds(first, end)

    def _compounds(self, first: int, end: int) -> Iterator[str]:
        """Common nouns with what stands before them: "supply chain"."""
        tags, words = self._sentence.tags, self._sentence.words
        start = first
        for token in range(first, end + 1):
            inside = (
                token < end
                and self._resolved.named[token] < 0
                and tags[token] in ("NN", "NNS", "JJ", "NNP")
                and words[token].lower() not in STOP_WORDS
                and words[token].isalpha()
            )
            if inside:
                continue
            if 2 <= token - start <= 3 and tags[token - 1] in ("NN", "NNS"):
                yield self._sentence.text(start, token).lower()
            start = token + 1

    def settle_title(self, title: str) -> None:
        """Link the first sentence's subject to the title where it is a fuller or shorter form."""
        self._resolved.settle_title(title)

    def facts(self) -> Iterator[tuple[int, DraftFact]]:
        """Facts, each with the token of its object; of a list in the sentence none where an item is
        unclear."""
        lead = self._lead(self._resolved.colon) if self._resolved.items else None
        things = [self._thing(first, end) for first, end in self._resolved.items] if lead else []
        if lead and all(things):
            for (first, _), thing in zip(self._resolved.items, filter(None, things), strict=True):
                yield from ((first, fact) for fact in lead.facts(thing))
        yield from self._told.facts()

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
            predicate = " ".join(filter(None, (predicate_of(self._resolved, frame), preposition)))
            (named,) = frame.of("subject")
            subjects, predicate = subject_of(self._resolved, named, predicate)
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
        for mention, key in zip(self._resolved.mentions, self._resolved.mention_keys, strict=True):
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
