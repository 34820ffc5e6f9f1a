"""The facts that a sentence tells of what it names."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from hlg.ingest.extract.local.drafts import DraftFact
from hlg.ingest.extract.local.facts.careless import is_careless
from hlg.ingest.extract.local.facts.find import find_triples
from hlg.ingest.extract.local.facts.lists import COLON
from hlg.ingest.extract.local.facts.phrases import completed
from hlg.ingest.extract.local.facts.predicates import is_negative
from hlg.ingest.extract.local.facts.traits import triple_traits
from hlg.ingest.extract.local.facts.triples import Triple
from hlg.ingest.extract.local.facts.vouch import (
    is_alternative,
    is_cut,
    is_sound,
    says_something,
)
from hlg.ingest.extract.local.facts.wording import is_prose, is_value
from hlg.ingest.extract.local.names.lifespans import life_dates
from hlg.ingest.extract.local.names.meant import Meant
from hlg.ingest.extract.local.names.votes import GIVEN, TOLD
from hlg.words.lexicon import CONCEPT, NOUN_CLASSES, PERSON, THING

__all__ = ["Told"]

LONGEST_PREDICATE = 200
"""Characters of a predicate with all its conditions."""
_FOOTNOTE = re.compile(r"(?<=[a-z]{4})\.\d{1,3}$")
_FOCUS = re.compile(r"^(?:especially|notably|particularly) ")
_HYPHENS = frozenset(("-", "–", "/"))
_CURRENCIES = frozenset("$€£¥")


class Told:
    """The facts of a sentence that is no list."""

    def __init__(self, meant: Meant, *, in_turn: bool) -> None:
        """
        :param in_turn: somebody says the sentence in a chat.
        """
        self._sentence = meant.sentence
        self._meant = meant
        self._in_turn = in_turn

    def is_readable(self) -> bool:
        """Whether the sentence is whole, in words, and written with care."""
        plain = is_prose(self._sentence) and not is_careless(self._sentence)
        return plain and not self._is_remnant()

    def facts(self) -> Iterator[tuple[int, DraftFact]]:
        """What verbs and nouns tell, each with the token of its object."""
        meant = self._meant
        for triple in find_triples(self._sentence, meant.named, meant.values, meant.called):
            predicate = triple.predicate
            if not meant.uncertain.isdisjoint((triple.subject, triple.object)):
                continue
            if self._is_called_to(triple.subject) or self._is_called_to(triple.object):
                continue
            if is_alternative(self._sentence, triple.object, triple.phrase) and not is_negative(
                predicate
            ):
                continue
            if (triple.subject < meant.colon) != (triple.object < meant.colon):
                continue  # no item does to the line before it what its verb says
            subjects = meant.said_of(triple.subject)
            if not subjects or meant.is_possessed(triple.subject, subjects):
                subjects, predicate = meant.owner(triple.subject, predicate)
            if not subjects or len(predicate) > LONGEST_PREDICATE or not is_sound(predicate):
                continue
            self._learn(subjects, triple)
            for subject in subjects:
                for key, value in self._object(triple):
                    if value and not says_something(value, predicate):
                        continue
                    if any(len(each or "XX") == 1 for each in (key, value)):
                        continue  # a letter names nothing
                    if key != subject:
                        traits = self._traits(triple, predicate, subject, key)
                        fact = DraftFact(subject, predicate, key, value, traits, self._whole)
                        yield triple.object, fact

    @cached_property
    def _whole(self) -> str:
        return self._sentence.text(0, len(self._sentence.words))

    def _traits(
        self, triple: Triple, predicate: str, subject: str, object_: str | None
    ) -> tuple[str, ...]:
        """What the judge of facts sees of a fact."""
        of_subject = f"{self._kind(triple.subject)} {self._meant.names.class_of(subject)}"
        of_object = f"{self._kind(triple.object)} "
        of_object += self._meant.names.class_of(object_) if object_ else "value"
        found = triple_traits(self._sentence, triple, predicate, of_subject, of_object)
        return tuple(dict.fromkeys(found))

    def _kind(self, token: int) -> str:
        """How a token tells what it means."""
        if token in self._meant.references:
            return self._sentence.words[token].lower()[:8]
        if 0 <= self._meant.named[token] < len(self._meant.mentions):
            return "value" if token in self._meant.values else "name"
        return "noun" if self._sentence.tags[token].startswith("NN") else "other"

    def _is_remnant(self) -> bool:
        """Whether a sentence begins small, and with no name: the end of one, or typed in haste."""
        words = self._sentence.words
        named = self._meant.named[0] >= 0 or words[1:2] == ["-"] or any(map(str.isdigit, words[0]))
        return words[0][0].islower() and not named

    def _is_called_to(self, token: int) -> bool:
        """Whether a chat's name only says who is spoken to: "That's gorgeous, Ada"."""
        number = self._meant.named[token]
        if not self._in_turn or not 0 <= number < len(self._meant.mentions):
            return False
        mention, words = self._meant.mentions[number], self._sentence.words
        before = words[mention.first - 1] if mention.first else ","
        after = words[mention.end] if mention.end < len(words) else "."
        return (
            mention.entity_class in (PERSON, THING)
            and before == ","
            and not after[0].isalnum()
            and self._sentence.deps[token] not in ("conj", "pobj")
        )

    def life_dates(self) -> Iterator[tuple[int, DraftFact]]:
        """ "Denise Levertov (24 October 1923 – 20 December 1997)"."""
        words = self._sentence.words
        for mention, key in zip(self._meant.mentions, self._meant.mention_keys, strict=True):
            opening = mention.end
            if key is None or words[opening : opening + 1] != ["("] or ")" not in words[opening:]:
                continue
            if self._meant.names.class_of(key) not in (PERSON, THING) or (
                " " not in mention.name
                and mention.votes != GIVEN
                and key != self._meant.focus.title
            ):
                continue  # a source's years, "MEDLINE (1948-2011)", are nobody's life
            closing = words.index(")", opening)
            for predicate, date in life_dates(self._sentence.text(opening + 1, closing)):
                self._meant.names.vote(key, PERSON)
                yield opening, DraftFact(key, predicate, None, date)

    def _object(self, triple: Triple) -> Iterator[tuple[str | None, str | None]]:
        keys = self._meant.keys_at(triple.object)
        if keys:
            for key in keys:
                yield key, None
            return
        number = self._meant.named[triple.object]
        phrase = completed(self._sentence, triple.object, triple.phrase)
        if phrase is None:
            return
        if 0 <= number < len(self._meant.mentions) and self._sentence.deps[triple.object] in (
            "pobj",
            "npadvmod",
        ):
            text = self._meant.mentions[number].name
            first = self._meant.mentions[number].first
            if first and self._sentence.words[first - 1] in _CURRENCIES:
                text = self._sentence.words[first - 1] + text
        else:
            text = self._meant.owned(phrase)
        text = _FOCUS.sub("", _FOOTNOTE.sub("", text.strip(' ,;:-–—"“”')))
        following = self._sentence.words[phrase[1] : phrase[1] + 1]
        before = self._sentence.words[max(0, phrase[0] - 1) : phrase[0]]
        cut = any(word in _HYPHENS for word in (*before, *following))
        meant = following == [COLON] and text.startswith("following ")  # is what follows
        cut = cut or is_cut(self._sentence, phrase, triple.object)
        if is_value(text) and not cut and not meant:
            yield None, text

    def _learn(self, subjects: Sequence[str], triple: Triple) -> None:
        """Take from "X is a film" what X is."""
        if triple.predicate in ("is", "was") and self._meant.named[triple.object] < 0:
            noun = self._sentence.words[triple.object].lower()
            class_ = NOUN_CLASSES.get(noun)
            for subject in subjects:
                self._meant.focus.call(subject, noun)
                if class_ and self._meant.names.class_of(subject) != CONCEPT:
                    self._meant.names.vote(subject, class_, TOLD)
        elif triple.predicate.startswith("born"):
            for subject in subjects:
                self._meant.names.vote(subject, PERSON)
