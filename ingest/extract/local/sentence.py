"""One sentence of a document: its names by key, what points back in it, and its facts."""

from collections.abc import Iterator, Sequence

from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.facts.listed import Listed
from hlg.ingest.extract.local.frames.facts import SentenceFacts
from hlg.ingest.extract.local.lists import Lead, Thing
from hlg.ingest.extract.local.names.focus import Focus
from hlg.ingest.extract.local.names.meant import Meant
from hlg.ingest.extract.local.names.naming import DocumentNames
from hlg.ingest.extract.local.names.references import first_person
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.lexicon import GROUP, STOP_WORDS


class SentenceReading:
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
        self._meant = Meant(sentence, names, focus, known)
        if turn is not None:
            for token in first_person(sentence):
                self._meant.mean(token, turn)
        self._told = SentenceFacts(self._meant)
        self._listed = Listed(self._meant, self._told)

    def has_named_subject(self, first: int, end: int) -> bool:
        """Whether a verb between two tokens has a name or a known thing as its subject."""
        return any(
            self._sentence.deps[token] in ("nsubj", "nsubjpass", "ROOT")
            and (self._meant.named[token] >= 0 or self._meant.keys_at(token))
            for token in range(first, end)
        )

    def fill(self, draft: Draft, first: int, end: int, facts: list[DraftFact]) -> None:
        """Put names, antecedents, facts and key phrases between two tokens into a draft."""
        names: list[str] = []
        for mention, key in zip(self._meant.mentions, self._meant.mention_keys, strict=True):
            if key is not None and first <= mention.first < end:
                names.append(key)
                if mention.entity_class != GROUP:
                    draft.phrases.append(mention.name)
        antecedents = [
            key
            for token, keys in self._meant.references.items()
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
                and self._meant.named[token] < 0
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
        self._meant.settle_title(title)

    def facts(self) -> Iterator[tuple[int, DraftFact]]:
        """Facts, each with the token of its object."""
        yield from self._listed.facts()
        yield from self._told.facts()

    def lead(self) -> Lead | None:
        """What the sentence says of each item below it, if it ends with a colon."""
        return self._listed.lead()

    def item(self) -> Thing | None:
        """What the sentence names, where it is an item that names a thing."""
        return self._listed.item()
