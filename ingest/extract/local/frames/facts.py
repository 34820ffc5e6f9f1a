"""Facts out of a sentence's frames: who or what is meant, by which words, and how it is stated."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product, takewhile
from typing import TYPE_CHECKING, NamedTuple

from hlg.facts import denies
from hlg.ingest.extract.local.drafts import PHRASE_KEY, DraftFact
from hlg.ingest.extract.local.facts.phrases import noun_phrase
from hlg.ingest.extract.local.facts.wording import bare, is_value, joined
from hlg.ingest.extract.local.frames import told
from hlg.ingest.extract.local.frames.asserted import is_of_a_verb, is_stated, ordered
from hlg.ingest.extract.local.frames.confidence import chance_of, top_of
from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.frames.denied import denies_subject
from hlg.ingest.extract.local.frames.described import described_in, of_the_thing
from hlg.ingest.extract.local.frames.objects import COPULA, Said, objects_of
from hlg.ingest.extract.local.frames.predicates import (
    in_third_person,
    predicate_of,
    with_own_words,
)
from hlg.ingest.extract.local.frames.qualified import beside, qualified
from hlg.ingest.extract.local.frames.subjects import (
    as_told,
    is_some,
    subject_of,
    undetermined,
)
from hlg.ingest.extract.local.frames.whole import readings
from hlg.ingest.extract.local.names.lifespans import life_facts
from hlg.ingest.extract.local.names.votes import TOLD
from hlg.records import DENIED, Factuality
from hlg.schema import SURE
from hlg.words.lexicon import NOUN_CLASSES, ORGANIZATION, PERSON, PLACE, RANKS

if TYPE_CHECKING:
    from hlg.ingest.extract.local.names.resolved import ResolvedSentence

__all__ = ["SentenceFacts"]

LONGEST_HELD = 6
"""Words of a circumstance that is told by the name in it."""
LONGEST_OBJECT = 30
"""Words of a value."""
LONGEST_PREDICATE = 200
"""Characters."""
IMPERATIVE, YOU = "imperative", f"{PHRASE_KEY}you"
"""The modality of an order, and whom it tells."""
SURE_IN_WORDS = 0.7
"""Of a fact about words, which joins nothing, in the place of one about an entity."""
SHORT_RANKS = frozenset(rank for rank in RANKS if rank.endswith("."))
ADDRESSED = frozenset(("me", "us", "you"))
"""Objects that stay what they are."""
_ANY = frozenset(("all", "any", "each", "every", "no"))
_ARTICLES = frozenset(("a", "an", "the"))


class _Made(NamedTuple):
    """A fact before it is known how sure it is, a word of its object, and what it has in common
    with the same fact in another reading; ``in_words``: told of its subject's own words beside
    facts about an entity."""

    at: int
    place: tuple[object, ...]
    fact: DraftFact
    telling: told.Telling
    in_words: bool = False

    @property
    def clause(self) -> tuple[object, ...]:
        """Its predicate, what that is told of, and its object, whatever they are called."""
        return *self.place[:2], self.at


def _surest(made: Sequence[_Made], chances: Sequence[float]) -> Iterator[tuple[_Made, float]]:
    """Of each place the surest reading. What is not likely of an entity is told of the subject's
    own words instead, where it is sure of these."""
    best: dict[tuple[object, ...], tuple[float, _Made]] = {}
    for each, chance in zip(made, chances, strict=True):
        place = *each.place, each.in_words
        if place not in best or best[place][0] < chance:
            best[place] = chance, each
    of_entities: dict[tuple[object, ...], float] = defaultdict(float)
    of_words: dict[tuple[object, ...], float] = defaultdict(float)
    for chance, each in best.values():
        of = of_words if each.in_words else of_entities
        of[each.clause] = max(chance, of[each.clause])
    for chance, each in best.values():
        better_in_words = of_words[each.clause] >= SURE_IN_WORDS and of_entities[each.clause] < SURE
        if each.in_words == better_in_words:
            yield each, chance


class SentenceFacts:
    """What the frames of a sentence say, given what its words mean."""

    def __init__(self, resolved: "ResolvedSentence") -> None:
        self._resolved = resolved
        self._sentence = resolved.sentence
        self._described = described_in(self._sentence)

    def facts(self) -> Iterator[tuple[int, DraftFact]]:
        """Each with a word of its object."""
        yield from life_facts(self._resolved)
        frames = [
            each
            for at in self._sentence.frames
            if not is_of_a_verb(self._sentence, at)
            for each in readings(self._sentence, at)
        ]
        frames += [
            thing
            for each in frames
            if (thing := of_the_thing(self._sentence, each, self._described)) != each
        ]
        made = [each for frame in frames for each in self._told(frame)]
        chances = told.chances(self._sentence, [each.telling for each in made])
        for (at, _, fact, telling, _), chance in _surest(made, chances):
            if not fact.is_phrase and telling.chance * telling.link >= SURE:
                self._learn(fact.subject, fact.predicate, telling.object_span)
            yield at, replace(fact, confidence=round(chance, 3))

    def _told(self, frame: Frame) -> Iterator[_Made]:
        itself = with_own_words(self._sentence, frame)
        predicate = predicate_of(self._resolved, itself)
        if not predicate or not is_stated(self._sentence, frame):
            return
        stated = qualified(self._sentence, itself)
        for subject in ordered(self._sentence, frame):
            how = {**stated, "modality": " ".join([IMPERATIVE, *stated["modality"].split()])}
            yield from self._told_of(frame, subject, (YOU,), predicate, how)
        for subject in frame.of("subject"):
            if self._is_any_such(subject, frame):
                continue
            denied = denies_subject(self._sentence, subject)
            if denied and stated["polarity"] == DENIED:
                continue
            how = stated | {"polarity": DENIED} if denied else stated
            keys, worded = subject_of(self._resolved, subject, predicate)
            worded = self._of_one(subject, frame, worded)
            yield from self._told_of(frame, subject, keys, worded, how)
            own = self._in_own_words(subject, keys) if frame.kind != "has" else ()  # "her hat"
            for made in self._told_of(frame, subject, own, predicate, how):
                yield made._replace(in_words=True)

    def _in_own_words(self, subject: Span, keys: Sequence[str]) -> tuple[str, ...]:
        """The key of a subject in the sentence's words, where it has more than an entity's name."""
        in_words = as_told(self._resolved, subject) if keys else ()
        names, words = (
            {*" ".join(map(self._form, each)).lower().split()} - _ARTICLES
            for each in (keys, in_words)
        )
        return in_words if words > names else ()

    def _told_of(
        self,
        frame: Frame,
        subject: Span,
        keys: Sequence[str],
        predicate: str,
        stated: dict[str, str],
    ) -> Iterator[_Made]:
        any_made = False
        for verb, said in self._said(frame, predicate) if keys else ():
            if self._sentence.text(said.span.first, said.span.end).lower() in SHORT_RANKS:
                continue  # "Dr. Amari" is no Dr.
            if any_made and said.is_aside:
                continue  # stands beside the others
            how = stated | beside(self._sentence, frame, said.span)
            led, _, rest = said.words.partition(" ")
            words = joined([verb, rest if verb.split()[-1:] == [led] else said.words])
            if said.denied or how["polarity"] == DENIED:
                how["polarity"] = DENIED
                words = words if denies(words) else f"never {words}"
            if len(words) <= LONGEST_PREDICATE:
                for made in self._made(frame, subject, keys, words, said.span, how):
                    any_made = True
                    yield made

    def _said(self, frame: Frame, predicate: str) -> Iterator[tuple[str, Said]]:
        """Each object, with the words of the predicate; where there is none, what is done to the
        subject: it "was" accepted."""
        first = min([frame.head, *(span.first for span in frame.of("subject"))])
        for said in objects_of(self._sentence, frame):
            if not first < self._resolved.colon < said.span.first:  # an item: told as such
                yield predicate, said
        roles = {at.role for at in frame.spans if not first < at.first <= frame.head}
        if roles <= {"predicate", "subject", "time", "source"}:
            yield from self._done(frame, predicate)

    def _done(self, frame: Frame, predicate: str) -> Iterator[tuple[str, Said]]:
        """A passive's participle as an object of the rest of its predicate, with the adverbs
        before it: of what "is poorly understood" it "is" this."""
        end = next((at.end for at in frame.of("predicate") if frame.head < at.end), 0)
        first, done = frame.head, self._sentence.text(frame.head, end)
        before = range(frame.head - 1, -1, -1)
        for at in takewhile(lambda at: self._sentence.tags[at] == "RB", before):
            longer = self._sentence.text(at, end)
            if denies(self._sentence.words[at]) or not predicate.endswith(f" {longer.lower()}"):
                break
            first, done = at, longer
        helped = predicate.removesuffix(f" {done.lower()}")
        is_passive = self._sentence.tags[frame.head] == "VBN" and not COPULA.isdisjoint(
            helped.split()
        )
        if is_passive and helped != predicate and self._resolved.colon < 0:
            head = Span("argument", first, end, frame.chance)
            yield helped, Said(head, "", denied=False, is_aside=True)

    def _made(
        self,
        frame: Frame,
        subject: Span,
        keys: Sequence[str],
        predicate: str,
        object_: Span,
        stated: dict[str, str],
    ) -> Iterator[_Made]:
        at = self._resolved.top(object_.first, object_.end)
        is_named = not keys[0].startswith(PHRASE_KEY)
        links = [at, *(range(subject.first, subject.end) if is_named else ())]
        link = min(self._resolved.chances.get(each, 1.0) for each in links)
        chance = chance_of(self._sentence, frame, subject, object_)
        how = Factuality(confidence=chance * link, **stated)
        plain = [(predicate, self._in_words(object_))]
        noun = top_of(self._sentence, subject.first, subject.end) if subject else -1
        thing = self._described.get(noun, subject)
        of_subject = self._resolved.top(thing.first, thing.end) if subject else -1
        for words, found in self._objects(predicate, object_) if is_named else plain:
            said = " ".join(word for word in words.split() if word not in _ARTICLES)
            for (key, value), (number, each) in product(found, enumerate(keys)):
                if each == key:
                    continue
                telling = told.Telling(
                    *(frame, subject, object_, self._form(each), words),
                    *(self._form(key) if key else value or "", how, chance, link),
                )
                place = frame.head, of_subject, number, (said, key) if key else at
                fact = DraftFact(each, words, key, value, confidence=1.0, **stated)
                yield _Made(at, place, fact, telling)

    def _form(self, key: str) -> str:
        is_phrase = key.startswith(PHRASE_KEY)
        return key.removeprefix(PHRASE_KEY) if is_phrase else self._resolved.names.form(key)

    def _objects(
        self, predicate: str, span: Span
    ) -> Iterator[tuple[str, Sequence[tuple[str | None, str | None]]]]:
        """What an object is, with the predicate; and whatever names hang on it by prepositions:
        "is" and "the capital of Portugal" as "is capital of" and "Portugal"."""
        found, top = self._object(span), self._resolved.top(span.first, span.end)
        is_what = predicate.rpartition(" ")[2] in ("is", "was", "are", "were")
        office = self._office(top, span) if is_what else None
        if held := office or (self._of_whom(top, span) if is_what else None):
            words, keys = held
            yield f"{predicate} {words}", [(key, None) for key in keys]
            if not office and top + 1 < span.end:
                yield predicate, found
            return
        known = any(key for key, _ in found) or self._sentence.tags[span.first].startswith("W")
        known = known or self._sentence.words[span.first].lower() == "that"
        if known or self._sentence.tags[top][:2] not in ("NN", "CD"):
            yield predicate, found
            return
        start, _ = undetermined(self._sentence, span.first, top + 1)
        end = start
        for words, noun in self._hung(top, start, span.end):
            keys = self._resolved.keys_at(noun)
            if keys := keys or (self._resolved.concept(noun) if is_what else ()):
                yield f"{predicate} {words}", [(key, None) for key in keys]
                end = self._end_of(noun)
        if end < span.end:
            yield predicate, found

    def _office(self, top: int, span: Span) -> tuple[str, tuple[str, ...]] | None:
        """Of what somebody is something that is written like a name: "CEO of" and Nordea."""
        named = self._resolved.named
        for of in self._sentence.children[top] if named[top] >= 0 else ():
            noun = next(iter(self._sentence.children[of]), span.end)
            if self._sentence.words[of] != "of" or noun >= span.end or named[noun] == named[top]:
                continue
            if keys := self._resolved.keys_at(noun):
                start, _ = undetermined(self._sentence, span.first, top + 1)
                return self._sentence.text(start, of + 1), keys
        return None

    def _of_whom(self, top: int, span: Span) -> tuple[str, tuple[str, ...]] | None:
        """Of whom somebody is what has its name before it: of "a former Nokia executive" "former
        executive of" and Nokia."""
        resolved, sentence = self._resolved, self._sentence
        start, _ = undetermined(self._sentence, span.first, top + 1)
        for at in range(start, top):
            number = resolved.named[at]
            if not 0 <= number < len(resolved.mentions) or number == resolved.named[top]:
                continue
            mention = resolved.mentions[number]
            behind = mention.end + (sentence.tags[mention.end] == "POS")
            is_held = behind > mention.end or mention.entity_class in (ORGANIZATION, PLACE)
            between = {*sentence.tags[start : mention.first], *sentence.tags[behind:top]}
            is_whole = behind <= top and between.isdisjoint(("CC", ","))
            if is_held and is_whole and sentence.tags[behind] != "HYPH":
                words = sentence.text(start, mention.first), sentence.text(behind, top + 1)
                return f"{joined(words)} of", resolved.keys_at(at)
        return None

    def _end_of(self, noun: int) -> int:
        """Where the name that a word is of ends, or the word itself."""
        number = self._resolved.named[noun]
        mentions = self._resolved.mentions
        return mentions[number].end if 0 <= number < len(mentions) else noun + 1

    def _hung(self, noun: int, first: int, end: int) -> Iterator[tuple[str, int]]:
        """Nouns within ``[first, end)`` that hang on one, by prepositions or as whose it is, each
        with the words from there to it."""
        sentence = self._sentence
        for child in sentence.children[noun]:
            owner = sentence.deps[child] == "poss" and self._resolved.is_sure(child)
            if owner and first <= child < noun:
                after = sentence.right_edge(child) + 1
                yield f"{sentence.text(after, noun + 1)} of", child
            if not noun < child < end or sentence.deps[child] != "prep":
                continue
            hung = [at for at in sentence.children[child] if sentence.deps[at] == "pobj"]
            for each in hung:
                hung += [at for at in sentence.children[each] if sentence.deps[at] == "conj"]
                if each < end and not any(at >= 0 for at in self._resolved.named[first:child]):
                    yield sentence.text(first, child + 1), each
                    if not self._resolved.keys_at(each):
                        for words, at in self._hung(each, each, end):
                            yield f"{sentence.text(first, each)} {words}", at

    def _of_one(self, subject: Span, frame: Frame, predicate: str) -> str:
        """A predicate as it is told of one of several subjects: of "Ada and Bo live in Corven" Ada
        "lives", and is one of "the sisters Ada and Bo"."""
        tags, top = self._sentence.tags, self._resolved.top(subject.first, subject.end)
        alone = len(frame.of("subject")) < 2
        if tags[top] not in ("NN", "NNP") or (alone and frame.kind != "is"):
            return predicate
        objects = frame.of("argument")
        if {"NNS", "NNPS"}.isdisjoint(tags[self._resolved.top(at.first, at.end)] for at in objects):
            return predicate if alone else in_third_person(self._sentence, predicate)
        if frame.kind != "is":
            return predicate
        known = tags[min(at.first for at in objects)] in ("DT", "PRP$")
        return "is one of" if known else "is one of the"

    def _is_any_such(self, subject: Span, frame: Frame) -> bool:
        """Whether a clause narrows what its subject means: "no company that uses asbestos"."""
        sentence, top = self._sentence, self._resolved.top(subject.first, subject.end)
        if self._resolved.keys_at(top) or not sentence.tags[top].startswith("NN"):
            return False
        determiner = [
            sentence.words[at].lower() for at in sentence.children[top] if sentence.tags[at] == "DT"
        ]
        general = not determiner and sentence.tags[top] == "NNS"
        clauses = ("relcl",) if general else ("relcl", "acl")
        return (general or not _ANY.isdisjoint(determiner)) and any(
            sentence.deps[at] in clauses
            and sentence.words[sentence.left_edge(at) - 1] != ","
            and sentence.left_edge(at) <= frame.head <= sentence.right_edge(at)
            for at in sentence.children[top]
        )

    def _object(self, span: Span) -> list[tuple[str | None, str | None]]:
        """What an object is: names by their keys, or a value."""
        resolved, sentence = self._resolved, self._sentence
        first, end = span.first, span.end
        top = self._resolved.top(span.first, span.end)
        if keys := self._names_of(span):
            return [(key, None) for key in keys]
        first, end = undetermined(self._sentence, first, end)
        if (
            first < end
            and not is_some(self._resolved, span)
            and noun_phrase(sentence, top) == (first, end)
            and top not in resolved.values
        ):
            concept = resolved.concept(top)
            if concept:
                return [(concept[0], None)]
        return self._value(span)

    def _names_of(self, span: Span) -> tuple[str, ...]:
        """Keys of an object that is a name, or what one stands for."""
        top = self._resolved.top(span.first, span.end)
        short = span.role == "argument" or len(span) <= LONGEST_HELD
        if not short or is_some(self._resolved, span) or self._is_amount(span.first, top):
            return ()
        return self._resolved.keys_at(top)

    def _is_amount(self, first: int, top: int) -> bool:
        """Whether a number that is in no name says how much of it: "16 GiB"."""
        tags, named = self._sentence.tags, self._resolved.named
        return any(tags[at] == "CD" and named[at] != named[top] for at in range(first, top))

    def _in_words(self, span: Span) -> list[tuple[str | None, str | None]]:
        """An object as words, names by their full form."""
        if keys := self._names_of(span):
            return [(None, self._resolved.names.form(key)) for key in keys]
        return self._value(span)

    def _value(self, span: Span) -> list[tuple[str | None, str | None]]:
        """An object's words, where they say something."""
        resolved = self._resolved
        text = resolved.owned((span.first, span.end)) if len(span) <= LONGEST_OBJECT else ""
        text = bare(text)
        if "the following" in text.lower():
            return []  # what it announces stands below
        return [(None, text)] if text and (is_value(text) or text in ADDRESSED) else []

    def _learn(self, key: str, predicate: str, span: Span) -> None:
        """Take from "X is a pilot" what X is called besides, and that X is a person."""
        top = self._resolved.top(span.first, span.end)
        is_told = predicate in ("is", "was") and self._resolved.named[top] < 0
        noun = self._sentence.words[top].lower() if is_told else ""
        if noun:
            self._resolved.focus.call(key, noun)
        if NOUN_CLASSES.get(noun) == PERSON:
            self._resolved.names.vote(key, PERSON, TOLD)
        elif predicate.startswith("born"):
            self._resolved.names.vote(key, PERSON)
