"""What the words of a sentence mean: names by their keys, and what points back to them."""

from collections.abc import Sequence

from hlg.facts import DENYING
from hlg.ingest.extract.local.facts.phrases import noun_phrase
from hlg.ingest.extract.local.facts.wording import INDEFINITE, is_concept, is_name
from hlg.ingest.extract.local.frames.confidence import top_of
from hlg.ingest.extract.local.lists import COLON, inline_items
from hlg.ingest.extract.local.names.focus import Focus
from hlg.ingest.extract.local.names.mentions import VALUE, find_mentions
from hlg.ingest.extract.local.names.naming import DocumentNames, begins_another
from hlg.ingest.extract.local.names.references import find_references, name_of
from hlg.ingest.extract.local.names.votes import UNSURE
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.lexicon import CONCEPT, NARROWING_WORDS, PERSON, VAGUE_NOUNS

LONGEST_CONCEPT, LONGEST_TERM = 5, 6
"""Words of a common noun's phrase that is kept as an entity, and of one that facts are about."""
_CONCEPT_TAGS = frozenset(("JJ", "NN", "NNS", "NNP", "NNPS", "VBG", "VBN", "IN", "HYPH", "POS"))
SURE_LINK = 0.7
"""Chance from which on a pronoun is told by the name that it means."""
_REFERENCE = 1_000_000
"""Added to a token's position to number what it refers to, apart from mentions' numbers."""


class ResolvedSentence:
    """Names and references of a sentence, given the names and the focus of the text before it.

    For each token ``keys`` has the key of the name that it is part of, and ``named`` a number
    of that name or of what the token refers to, else -1. ``values`` are tokens of dates and
    amounts; ``references`` has the keys of what pronouns mean, ``chances`` how sure that is. The
    ``items`` of a list in the sentence stand behind the token ``colon``, which is -1 without one.
    """

    def __init__(
        self,
        sentence: Sentence,
        names: DocumentNames,
        focus: Focus,
        known: Sequence[tuple[str, ...]],
    ) -> None:
        self.sentence = sentence
        self.names = names
        self.focus = focus
        count = len(sentence.words)
        self.mentions = find_mentions(sentence, known)
        self.keys: list[str | None] = [None] * count
        self.named = [-1] * count
        self.mention_keys: list[str | None] = []
        self.values: set[int] = set()
        for number, mention in enumerate(self.mentions):
            tokens, class_ = range(mention.first, mention.end), mention.entity_class
            key: str | None = None
            if class_ == VALUE:
                self.values.update(tokens)
            else:
                own = names.add(mention.name, class_, mention.votes, doubtful=mention.doubtful)
                names.see(own, sentence, mention.first, mention.end)
                key = names.root(own)
            self.mention_keys.append(key)
            for token in tokens:
                self.keys[token] = key
                self.named[token] = number
        self.references: dict[int, tuple[str, ...]] = {}
        found, self.chances = find_references(sentence, focus, self.keys, self.values)
        for token, spoken in found.items():
            keys = tuple(names.root(key) for key in spoken.keys) or self._term_of(*spoken.named)
            if keys:
                self.references[token] = keys
                self.named[token] = _REFERENCE + token
        self.items, self.colon = self._inline_list()

    def mean(self, token: int, key: str) -> None:
        """Settle what a pronoun means."""
        self.references[token] = (key,)
        self.chances.pop(token, None)
        self.named[token] = _REFERENCE + token

    def _inline_list(self) -> tuple[list[tuple[int, int]], int]:
        """Where the items of a list within the sentence are, and its colon; else none, and -1."""
        words = self.sentence.words
        colon = words.index(COLON) if words.count(COLON) == 1 else -1
        items = inline_items(self.sentence, colon) if 2 <= colon < len(words) - 2 else []
        return items, colon if items else -1

    def settle_title(self, title: str) -> None:
        """Link the first sentence's subject to the title where it is a fuller or shorter form, and
        not a longer name of something else."""
        title_words = _bare_words(title)
        for mention, key in zip(self.mentions, self.mention_keys, strict=True):
            if key is None:
                continue
            if key == title:
                return
            words = _bare_words(key)
            shared = len(words & title_words) * 2 > min(len(words), len(title_words))
            another = begins_another(title, key) and mention.entity_class != PERSON
            if shared and mention.first <= 3 and not another:
                self.names.vote(title, mention.entity_class, mention.votes)
                self.names.link(key, title)
                self.keys[:] = [title if each == key else each for each in self.keys]
                self.mention_keys[:] = [title if k == key else k for k in self.mention_keys]
            return

    def keys_at(self, token: int) -> tuple[str, ...]:
        key = self.keys[token]
        if key is not None:
            return (key,)
        return self.references.get(token, ())

    def top(self, first: int, end: int) -> int:
        """The word of a span that the others hang on; where that says what the name behind it is,
        the name's: "his sister Ingrid"."""
        top = top_of(self.sentence, first, end)
        name = name_of(self.sentence, top, self.keys)
        named = name is not None and name < end and self.sentence.left_edge(name) == top + 1
        return name if named and name is not None else top

    def owned(self, phrase: tuple[int, int]) -> str:
        """A phrase's text, "my" and "his" in front of it by their names where they are known."""
        first, end = phrase
        text = self.sentence.text(first, end)
        keys = self.references.get(first, ()) if self.is_sure(first) else ()
        if len(keys) != 1 or self.sentence.tags[first] != "PRP$" or end - first < 2:
            return text
        return f"{self.names.form(keys[0])}'s {self.sentence.text(first + 1, end)}"

    def is_sure(self, token: int) -> bool:
        """Whether a pronoun is told by the name that it means."""
        return self.chances.get(token, 1.0) >= SURE_LINK

    def owner(self, noun: int, predicate: str) -> tuple[tuple[str, ...], str]:
        """Whose thing a common noun is: "its capital is" becomes it, "capital is"."""
        sentence = self.sentence
        if not sentence.tags[noun].startswith("NN"):
            return (), predicate
        end = noun + 1
        if sentence.words[end : end + 1] == ["-"]:
            end = noun_phrase(sentence, noun)[1]
        for child in sentence.children[noun]:
            if sentence.deps[child] == "poss" and (keys := self.keys_at(child)):
                first = sentence.right_edge(child) + 1
                return keys, f"{lowered(sentence.text(first, end))} {predicate}"
        first = noun_phrase(sentence, noun)[0]
        phrase = sentence.text(first, end)
        for child in sentence.children[noun]:
            if sentence.deps[child] == "prep" and sentence.words[child].lower() == "of":
                for object_ in sentence.children[child]:
                    if keys := self.keys_at(object_):
                        return keys, f"{lowered(phrase)} {predicate}"
        return self.concept(noun), predicate

    def concept(self, noun: int) -> tuple[str, ...]:
        """A common noun as an entity: a compound, or a plural that says who or what in general."""
        first, end = noun_phrase(self.sentence, noun)
        tags, words = self.sentence.tags, self.sentence.words
        if (
            end - first > LONGEST_CONCEPT
            or not all(tag in _CONCEPT_TAGS for tag in tags[first:end])
            or not is_concept(words[first:end], noun - first, plural=tags[noun] == "NNS")
            or self._is_narrowed(noun, first)
        ):
            return ()
        return (self.add_concept(first, end),)

    def add_concept(self, first: int, end: int, sentence: Sentence | None = None) -> str:
        """The key of a common noun's phrase as an entity, of this sentence or one before."""
        sentence = sentence or self.sentence
        name = sentence.text(first, end)
        named = any(not each.first and each.entity_class != CONCEPT for each in sentence.names)
        if first == 0 and sentence.words[0][1:].islower() and not named:
            name = name[0].lower() + name[1:]
        key = self.names.add(name, CONCEPT, UNSURE, doubtful=True)
        self.names.see(key, sentence, first, end)
        return key

    def term(self, sentence: Sentence, first: int, end: int) -> str | None:
        """The key of a common noun's phrase that facts are about: a kind of thing, or the one that
        the text speaks of."""
        while first < end and not sentence.words[first][0].isalnum():
            first += 1
        if not 0 < end - first <= LONGEST_TERM:
            return None
        top = top_of(sentence, first, end)
        words, tags = sentence.words[first:end], sentence.tags[first:end]
        # A common noun that the parser takes for an adjective: "the co-operative".
        named = sentence.tags[top].startswith(("NN", "JJ")) and "PRP$" not in tags
        vague = INDEFINITE | DENYING | (VAGUE_NOUNS if len(words) == 1 else frozenset())
        if not named or words[0].lower() in vague:
            return None
        return self.add_concept(first, end, sentence) if is_name(" ".join(words)) else None

    def _term_of(self, sentence: Sentence, noun: int) -> tuple[str, ...]:
        key = self.term(sentence, *noun_phrase(sentence, noun))
        return (key,) if key else ()

    def _is_narrowed(self, noun: int, first: int) -> bool:
        """Whether only some of what a noun names are meant: "these cells", "cells that died"."""
        before = self.sentence.words[first - 1].lower() if first else ""
        if before in NARROWING_WORDS or (before == "the" and noun == first):
            return True
        return any(
            self.sentence.deps[child] in ("relcl", "acl", "poss", "nummod", "appos")
            for child in self.sentence.children[noun]
        )


def _bare_words(key: str) -> set[str]:
    """The words of a key, whosever they are: "weavers'" too."""
    return {word.rstrip("'’") for word in key.split()}


def lowered(phrase: str) -> str:
    """A phrase in lower case, but for what is written in capitals: "M2 chip"."""
    return " ".join(
        word.lower() if word[1:].islower() or len(word) == 1 else word for word in phrase.split()
    )
