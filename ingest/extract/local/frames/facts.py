"""Facts out of a sentence's frames: who or what is meant, by which words, and how it is stated."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hlg.ingest.extract.local.drafts import DraftFact
from hlg.ingest.extract.local.facts.phrases import noun_phrase
from hlg.ingest.extract.local.facts.wording import (
    INDEFINITE,
    is_code,
    is_foreign,
    is_name,
    is_value,
)
from hlg.ingest.extract.local.frames.certainty import chance_of, top_of
from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.names.lifespans import life_dates
from hlg.ingest.extract.local.names.votes import GIVEN, TOLD
from hlg.records import AFFIRMED, DENIED
from hlg.words.lexicon import CONCEPT, NOUN_CLASSES, PERSON, THING, VAGUE_NOUNS
from hlg.words.vague import NARROWING_WORDS

if TYPE_CHECKING:
    from hlg.ingest.extract.local.names.meant import Meant

__all__ = ["SentenceFacts"]

LONGEST_SUBJECT, LONGEST_OBJECT, LONGEST_HELD = 6, 30, 6
"""Words of a common noun's phrase that is an entity, of a value, and of an object that stands in
the predicate of what is said besides: "bought the yard in" 1990."""
LONGEST_PREDICATE = 200
"""Characters."""
GUESSED = 0.6
"""What a fact's chance is multiplied by where what a pronoun means is a guess."""
_TOLD_BESIDE = ("argument", "time", "place", "other")
_JOINING = frozenset((",", ";", "and", "or", "&", "nor", "/"))
_LOOSE_ENDS = _JOINING | frozenset(("(", "[", ":", "-", "–", "—"))
_MODALS = {"ca": "can", "wo": "will", "sha": "shall", "'ll": "will", "’ll": "will", "'d": "would"}
_EDGES = " ,;:-–—\"“”'‘’()[]"
_FOOTNOTE = re.compile(r"(?<=[a-z]{4})\.\d{1,3}$")
_NO_SUBJECTS = ("PRP", "DT", "EX", "WP", "WDT", "VB", "TO", "IN", "RB", "CD")
_DENYING = frozenset(("not", "n't", "n’t", "never", "no", "nor", "neither", "nowhere", "none"))


class SentenceFacts:
    """What the frames of a sentence say, given what its words mean."""

    def __init__(self, meant: "Meant", *, in_turn: bool) -> None:
        """
        :param in_turn: somebody says the sentence in a chat.
        """
        self._meant = meant
        self._sentence = meant.sentence
        self._in_turn = in_turn
        self.terms: dict[int, str] = {}
        """Common nouns that facts are about, by their place."""

    def facts(self) -> Iterator[tuple[int, DraftFact]]:
        """Each with a word of its object."""
        yield from self._life_dates()
        if is_code(self._sentence) or is_foreign(self._sentence):
            return
        for frame in self._sentence.frames:
            yield from self._told(frame)

    def _told(self, frame: Frame) -> Iterator[tuple[int, DraftFact]]:
        predicate = self.predicate(frame)
        if not predicate:
            return
        qualified = self._qualified(frame)
        for subject in frame.of("subject"):
            denied = self._sentence.words[subject.first].lower() in _DENYING
            if denied and qualified["polarity"] == DENIED:
                continue
            if denied:
                qualified = {**qualified, "polarity": DENIED}
            keys, worded = self.subject(subject, f"never {predicate}" if denied else predicate)
            for span, words in self._objects(frame, worded) if keys else ():
                if len(words) > LONGEST_PREDICATE:
                    continue
                at, found = self._object(span)
                chance = chance_of(self._sentence, frame, subject, span)
                doubted = (at, *range(subject.first, subject.end))
                if not self._meant.uncertain.isdisjoint(doubted):
                    chance *= GUESSED
                for key, value in found:
                    for each in keys:
                        if each != key:
                            self._learn(each, words, span)
                            yield (
                                at,
                                DraftFact(
                                    each,
                                    words,
                                    key,
                                    value,
                                    confidence=round(chance, 3),
                                    **qualified,
                                ),
                            )

    def predicate(self, frame: Frame) -> str:
        """Its words in order, small but for names."""
        if frame.kind != "stated":
            return frame.kind
        words = [
            word if self._meant.named[at] >= 0 or word[1:].isupper() else word.lower()
            for span in frame.of("predicate")
            for at, word in self._words(span)
        ]
        return _joined(words)

    def _words(self, span: Span) -> Iterator[tuple[int, str]]:
        return ((at, self._sentence.words[at]) for at in range(span.first, span.end))

    def _qualified(self, frame: Frame) -> dict[str, str]:
        """How the frame's facts are stated: the fields of :class:`Factuality` but its chance."""
        tokens = [at for span in frame.of("predicate") for at in range(span.first, span.end)]
        denied = any(self._sentence.words[at].lower() in _DENYING for at in tokens)
        modal = [
            _MODALS.get(word, word)
            for at in tokens
            if self._sentence.tags[at] == "MD" and (word := self._sentence.words[at].lower())
        ]
        return {
            "polarity": DENIED if denied else AFFIRMED,
            "modality": " ".join(modal),
            "condition": self._said(frame, "condition"),
            "attributed_to": self._said(frame, "source"),
            "time": self._said(frame, "time"),
        }

    def _said(self, frame: Frame, role: str) -> str:
        return "; ".join(self._sentence.text(span.first, span.end) for span in frame.of(role))

    def _objects(self, frame: Frame, predicate: str) -> Iterator[tuple[Span, str]]:
        """What is said of the subject, each with the words that join the two.

        A preposition goes to the predicate. An object without one goes there too where
        something else is told besides ("bought the yard in"), unless they are joined by "and".
        """
        spans = [self._trimmed(span) for span in frame.spans if span.role in _TOLD_BESIDE]
        spans.sort(key=lambda span: (span.role != "argument", span.first))
        held, before, joint = "", None, ""
        for at, span in enumerate(spans):
            coordinated = before is not None and self._are_joined(before, span)
            start = self._preposition_end(span)
            words = self._sentence.text(span.first, start).lower()
            bare = start == span.first and span.role == "argument"
            if coordinated:
                words = words or joint
            context = predicate if coordinated and bare else _joined([predicate, held])
            after = spans[at + 1] if at + 1 < len(spans) else None
            completed = bare and after is not None and self._completes(span, after)
            if (bare or self._says_something(start, span.end)) and not completed:
                yield Span(span.role, start, span.end, span.chance), _joined([context, words])
            if bare and not coordinated and len(span) <= LONGEST_HELD and self._is_plain(span):
                held = self._sentence.text(span.first, span.end)
            before, joint = span, words

    def _trimmed(self, span: Span) -> Span:
        """Without joining words and open brackets at its ends."""
        words, first, end = self._sentence.words, span.first, span.end
        while end - first > 1 and words[end - 1].lower() in _LOOSE_ENDS:
            end -= 1
        while end - first > 1 and words[first].lower() in _JOINING:
            first += 1
        return replace(span, first=first, end=end)

    def _are_joined(self, one: Span, other: Span) -> bool:
        between = self._sentence.words[one.end : other.first]
        return (
            one.role == other.role
            and one.end < other.first
            and all(word.lower() in _JOINING for word in between)
        )

    def _completes(self, span: Span, after: Span) -> bool:
        """Whether a second object follows at once: "made it" successful, "gave Tom" a book."""
        return (
            after.role == "argument"
            and after.first == span.end
            and self._preposition_end(after) == after.first
        )

    def _is_plain(self, span: Span) -> bool:
        return all(word[0].isalnum() or word in "-'’" for _, word in self._words(span))

    def _preposition_end(self, span: Span) -> int:
        """Where what a span says begins behind its preposition or "that"."""
        tags, deps = self._sentence.tags, self._sentence.deps
        at = span.first
        while (
            at < span.end - 1
            and at - span.first < 3
            and (tags[at] == "IN" or (tags[at] in ("TO", "WRB") and deps[at] != "aux"))
        ):
            at += 1
        return at

    def _says_something(self, first: int, end: int) -> bool:
        """Whether a circumstance names anything: a thing, a date, an amount."""
        tags = self._sentence.tags[first:end]
        return any(tag[:2] in ("NN", "CD") or tag == "PRP" for tag in tags)

    def subject(self, span: Span, predicate: str) -> tuple[tuple[str, ...], str]:
        """Keys of what a frame is about, and its predicate, which takes in what is whose."""
        meant, first = self._meant, span.first
        top = self._top(span)
        if self._is_called_to(top):
            return (), predicate
        keys = meant.said_of(top)
        if keys and not meant.is_possessed(top, keys):
            return keys, predicate
        if self._sentence.tags[top].startswith(_NO_SUBJECTS):
            return keys, predicate
        owners, words = meant.owner(top, predicate)
        if owners:
            return owners, words
        start, end = self._undetermined(first, span.end)
        if first < start:
            keys = meant.focus.definite(self._sentence.text(start, end))
            meant.uncertain.update((top,) if keys else ())
            if keys:
                return keys, predicate
        key = self._term(start, end)
        if key and self._sentence.deps[top] in ("nsubj", "nsubjpass"):
            self.terms[top] = key
        return ((key,) if key else ()), predicate

    def _top(self, span: Span) -> int:
        return top_of(self._sentence, span.first, span.end)

    def _undetermined(self, first: int, end: int) -> tuple[int, int]:
        while first < end - 1 and self._sentence.tags[first] == "DT":
            if self._sentence.words[first].lower() in NARROWING_WORDS:
                return first, first
            first += 1
        return first, end

    def _term(self, first: int, end: int) -> str | None:
        """The key of a common noun's phrase that facts are about: a kind of thing, or the one that
        the text speaks of."""
        while first < end and not self._sentence.words[first][0].isalnum():
            first += 1
        if not 0 < end - first <= LONGEST_SUBJECT:
            return None
        top = top_of(self._sentence, first, end)
        words, tags = self._sentence.words[first:end], self._sentence.tags[first:end]
        # A common noun that the parser takes for an adjective: "the co-operative".
        named = self._sentence.tags[top].startswith(("NN", "JJ")) and "PRP$" not in tags
        vague = INDEFINITE | _DENYING | (VAGUE_NOUNS if len(words) == 1 else frozenset())
        if not named or words[0].lower() in vague:
            return None
        return self._meant.add_concept(first, end) if is_name(" ".join(words)) else None

    def _object(self, span: Span) -> tuple[int, list[tuple[str | None, str | None]]]:
        """A word of an object, and what it is: names by their keys, or a value."""
        meant, sentence = self._meant, self._sentence
        first, end = span.first, span.end
        top = top_of(self._sentence, first, end)
        if sentence.tags[top] == "PRP" and not meant.keys_at(top):
            return top, []
        keys = meant.keys_at(top)
        if keys and (span.role == "argument" or len(span) <= LONGEST_HELD):
            return top, [(key, None) for key in keys]
        first, end = self._undetermined(first, end)
        denied = sentence.words[span.first].lower() in _DENYING
        if (
            first < end
            and not denied
            and noun_phrase(sentence, top) == (first, end)
            and top not in meant.values
        ):
            concept = meant.concept(top)
            if concept:
                return top, [(concept[0], None)]
        text = meant.owned((span.first, span.end)) if len(span) <= LONGEST_OBJECT else ""
        text = _FOOTNOTE.sub("", text.strip(_EDGES))
        return top, [(None, text)] if text and is_value(text) else []

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

    def _learn(self, key: str, predicate: str, span: Span) -> None:
        """Take from "X is a film" what X is."""
        top = top_of(self._sentence, span.first, span.end)
        if predicate in ("is", "was") and self._meant.named[top] < 0:
            noun = self._sentence.words[top].lower()
            self._meant.focus.call(key, noun)
            class_ = NOUN_CLASSES.get(noun)
            if class_ and self._meant.names.class_of(key) != CONCEPT:
                self._meant.names.vote(key, class_, TOLD)
        elif predicate.startswith("born"):
            self._meant.names.vote(key, PERSON)

    def _life_dates(self) -> Iterator[tuple[int, DraftFact]]:
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


def _joined(words: Sequence[str]) -> str:
    """Words with single spaces, clitics at the word before: "doesn't"."""
    return re.sub(r" (?=n['’]t\b|['’](?:s|re|ve|ll|d|m)\b)", "", " ".join(filter(None, words)))
