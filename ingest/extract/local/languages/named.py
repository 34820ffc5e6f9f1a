"""A sentence whose names are known as spans of tokens: what every language shares."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.languages.base import Reading
from hlg.ingest.extract.local.names.focus import Focus
from hlg.ingest.extract.local.names.naming import DocumentNames
from hlg.ingest.extract.local.names.votes import SURE, UNSURE
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.lexicon import THING


class NamedSpan(NamedTuple):
    """A name at the tokens ``[first, end)``, and its class; ``doubtful``: it may be a plain word
    with a capital, unless it is a name elsewhere."""

    first: int
    end: int
    name: str
    entity_class: str
    doubtful: bool = False


class NamedReading(Reading):
    """Names alone; a language with a grammar adds facts."""

    def __init__(
        self,
        sentence: Sentence,
        names: DocumentNames,
        focus: Focus,
        known: Sequence[tuple[str, ...]],
        turn: str | None = None,
    ) -> None:
        self.sentence = sentence
        self.spans = self.spans_in(sentence, known)
        self._names = names
        self.keys: list[str | None] = [None] * len(sentence.words)
        for span in self.spans:
            votes = UNSURE if span.entity_class == THING else SURE
            key = names.add(span.name, span.entity_class, votes, doubtful=span.doubtful)
            self.keys[span.first : span.end] = [names.root(key)] * (span.end - span.first)

    @abstractmethod
    def spans_in(self, sentence: Sentence, known: Sequence[tuple[str, ...]]) -> Sequence[NamedSpan]:
        """The names of a sentence, in order; those ``known`` in lower case whatever theirs is."""

    def settle_title(self, title: str) -> None:
        """Link the first name to the title where the title is it with a word before it:
        "Le phare de Skarn" and "phare de Skarn"."""
        for span in self.spans[:1]:
            key = self.keys[span.first]
            if key and key != title and title.partition(" ")[2] == key:
                self._names.link(key, title)
                self.keys = [title if each == key else each for each in self.keys]

    def has_named_subject(self, first: int, end: int) -> bool:
        """Whether anything between two tokens is named."""
        return any(self.keys[first:end])

    def fill(self, draft: Draft, first: int, end: int, facts: list[DraftFact]) -> None:
        """Put names, facts and key phrases between two tokens into a draft."""
        draft.keys = list(dict.fromkeys(key for key in self.keys[first:end] if key))
        draft.phrases += [span.name for span in self.spans if first <= span.first < end]
        draft.facts = list(dict.fromkeys(facts))
