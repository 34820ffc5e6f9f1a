"""One sentence of a document: its names by key, what points back in it, and its facts."""

from collections.abc import Iterator, Sequence

from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.facts.find import find_triples
from hlg.ingest.extract.local.facts.lists import (
    COLON,
    LONGEST_ITEM,
    GroupLead,
    find_lead,
    inline_items,
    is_in_list,
)
from hlg.ingest.extract.local.facts.phrases import completed, noun_phrase
from hlg.ingest.extract.local.facts.predicates import is_negative
from hlg.ingest.extract.local.facts.traits import triple_traits
from hlg.ingest.extract.local.facts.triples import Triple
from hlg.ingest.extract.local.facts.vouch import (
    is_alternative,
    is_careless,
    is_cut,
    is_order,
    is_sound,
    says_something,
)
from hlg.ingest.extract.local.facts.wording import is_concept, is_prose, is_value
from hlg.ingest.extract.local.lists import Lead, Thing, named_like
from hlg.ingest.extract.local.names.evidence import class_votes
from hlg.ingest.extract.local.names.focus import Focus
from hlg.ingest.extract.local.names.lifespans import life_dates
from hlg.ingest.extract.local.names.likely import is_doubtful_name
from hlg.ingest.extract.local.names.mentions import VALUE, Mention, find_mentions
from hlg.ingest.extract.local.names.naming import DocumentNames, acronym_of
from hlg.ingest.extract.local.names.references import (
    apposed_key,
    find_references,
    find_speaker,
    first_person,
)
from hlg.ingest.extract.local.names.traits import mention_traits, noun_traits
from hlg.ingest.extract.local.names.votes import GIVEN, TOLD, UNSURE
from hlg.ingest.extract.local.parse import Sentence
from hlg.ingest.words.lexicon import (
    CONCEPT,
    GROUP,
    NOUN_CLASSES,
    PERSON,
    QUOTATION_MARKS,
    STOP_WORDS,
    THING,
)
from hlg.ingest.words.no_names import SECTION_LABELS
from hlg.ingest.words.vague import NARROWING_WORDS

__all__ = ["SentenceReading"]

LONGEST_CONCEPT = 5
"""Words of a common noun's phrase that is kept as an entity."""
_CONCEPT_TAGS = frozenset(("JJ", "NN", "NNS", "NNP", "NNPS", "VBG", "VBN", "IN", "HYPH", "POS"))
LONGEST_PREDICATE = 200
"""Characters of a predicate with all its conditions."""
_HYPHENS = frozenset(("-", "–", "/"))
_AFTER_ITEM = frozenset((",", ";", ":", ".", "(", "—"))
"""Marks behind which an item says more of what it names."""
_CURRENCIES = frozenset("$€£¥")
_NOTHING = frozenset(("no", "not", "none", "neither", "nor", "never"))
_REFERENCE = 1_000_000
"""Added to a token's position to number what it refers to, apart from mentions' numbers."""


class SentenceReading:
    """What a sentence says, given the names and the focus of the text before it."""

    def __init__(
        self,
        sentence: Sentence,
        names: DocumentNames,
        focus: Focus,
        known: Sequence[tuple[str, ...]],
        speaker: str | None,
        turn: str | None = None,
    ) -> None:
        self._sentence = sentence
        self._names = names
        self._focus = focus
        count = len(sentence.words)
        self._mentions = find_mentions(sentence, known)
        self._keys: list[str | None] = [None] * count
        self._named = [-1] * count
        self._mention_keys: list[str | None] = []
        for number, mention in enumerate(self._mentions):
            key = None
            if mention.entity_class != VALUE:
                key = names.root(_noted(names, sentence, mention))
            self._mention_keys.append(key)
            for token in range(mention.first, mention.end):
                self._keys[token] = key
                self._named[token] = number
        self._values = {
            token
            for mention in self._mentions
            if mention.entity_class == VALUE
            for token in range(mention.first, mention.end)
        }
        for number, class_, votes in class_votes(sentence, self._mentions):
            if told := self._mention_keys[number]:
                names.vote(told, class_, votes)
        self._link_acronyms()
        self._references, self._uncertain = find_references(sentence, focus, self._keys)
        self.speaker = self._quote(speaker)
        self._in_turn = turn is not None
        if turn is not None:
            for token in first_person(sentence, plural=False):
                self._references[token] = (turn,)
        for token in self._references:
            self._named[token] = _REFERENCE + token
        self._items, self._colon = self._inline_list()

    def _inline_list(self) -> tuple[list[tuple[int, int]], int]:
        """Where the items of a list within the sentence are, and its colon; else none, and -1."""
        words = self._sentence.words
        colon = words.index(COLON) if words.count(COLON) == 1 else -1
        items = inline_items(self._sentence, colon) if 2 <= colon < len(words) - 2 else []
        return items, colon if items else -1

    def _quote(self, speaker: str | None) -> str | None:
        """Whoever speaks here is the "I" of what is quoted; gives that speaker's key.

        :param speaker: who spoke before in the same paragraph.
        """
        words = self._sentence.words
        quoted = any(word in QUOTATION_MARKS for word in words)
        known = {token: keys[0] for token, keys in self._references.items()}
        here = find_speaker(
            self._sentence, [key or known.get(token) for token, key in enumerate(self._keys)]
        )
        if here is None and not (words[0] in QUOTATION_MARKS or words[-1] in QUOTATION_MARKS):
            return speaker
        if (here or speaker) is not None and quoted:
            for token in first_person(self._sentence, plural=False):
                self._references[token] = (here or speaker or "",)
        return here or speaker

    def settle_title(self, title: str) -> None:
        """Link the first sentence's subject to the title where it is a fuller or shorter form."""
        title_words = set(title.split())
        for mention, key in zip(self._mentions, self._mention_keys, strict=True):
            if key is None or key == title:
                if key == title:
                    return
                continue
            words = set(key.split())
            if len(words & title_words) * 2 > min(len(words), len(title_words)) and (
                mention.first <= 3
            ):
                self._names.vote(title, mention.entity_class, mention.votes)
                self._names.link(key, title)
                self._keys = [title if each == key else each for each in self._keys]
                self._mention_keys = [title if k == key else k for k in self._mention_keys]
            return

    def _link_acronyms(self) -> None:
        """ "European Union (EU)"."""
        words = self._sentence.words
        for (long, long_key), (short, short_key) in zip(
            zip(self._mentions, self._mention_keys, strict=True),
            zip(self._mentions[1:], self._mention_keys[1:], strict=True),
            strict=False,
        ):
            if (
                long_key
                and short_key
                and short.first == long.end + 1
                and words[long.end] == "("
                and short.name.isupper()
                and acronym_of(short.name, long.name)
            ):
                self._names.link(short_key, long_key)
                self._names.vote(long_key, long.entity_class)

    def has_named_subject(self, first: int, end: int) -> bool:
        """Whether a verb between two tokens has a name or a known thing as its subject."""
        return any(
            self._sentence.deps[token] in ("nsubj", "nsubjpass", "ROOT")
            and (self._named[token] >= 0 or self._said_of(token))
            for token in range(first, end)
        )

    def fill(self, draft: Draft, first: int, end: int, facts: list[DraftFact]) -> None:
        """Put names, antecedents, facts and key phrases between two tokens into a draft."""
        names: list[str] = []
        for mention, key in zip(self._mentions, self._mention_keys, strict=True):
            if key is not None and first <= mention.first < end:
                names.append(key)
                if mention.entity_class != GROUP:
                    draft.phrases.append(mention.name)
        antecedents = [
            key
            for token, keys in self._references.items()
            if first <= token < end
            for key in keys
            if key not in names
        ]
        draft.antecedents = list(dict.fromkeys(antecedents))
        draft.facts = list(dict.fromkeys(facts))
        mentioned = [key for fact in facts for key in (fact.subject, fact.object_key) if key]
        draft.keys = list(dict.fromkeys([*names, *antecedents, *mentioned]))
        draft.phrases += self._compounds(first, end)

    def _compounds(self, first: int, end: int) -> Iterator[str]:
        """Common nouns with what stands before them: "supply chain"."""
        tags, words = self._sentence.tags, self._sentence.words
        start = first
        for token in range(first, end + 1):
            inside = (
                token < end
                and self._named[token] < 0
                and tags[token] in ("NN", "NNS", "JJ", "NNP")
                and words[token].lower() not in STOP_WORDS
                and words[token].isalpha()
            )
            if inside:
                continue
            if 2 <= token - start <= 3 and tags[token - 1] in ("NN", "NNS"):
                yield self._sentence.text(start, token).lower()
            start = token + 1

    def tell_focus(self) -> None:
        """Let the text's focus know who this sentence was about."""
        deps, heads = self._sentence.deps, self._sentence.heads
        subjects: list[str] = []
        pair = False
        for token, dep in enumerate(deps):
            keys = self._said_of(token)
            if not keys:
                continue
            if dep in ("nsubj", "nsubjpass"):
                subjects = [*keys, *subjects] if dep == "nsubj" else [*subjects, *keys]
                pair = len(keys) > 1
            elif (
                dep == "conj"
                and deps[heads[token]] in ("nsubj", "nsubjpass")
                and self._names.class_of(keys[0]) == PERSON
                and keys[0] not in subjects
            ):
                subjects.extend(keys)
                pair = True
        self._focus.read(
            list(dict.fromkeys(subjects)),
            [
                key
                for mention, key in zip(self._mentions, self._mention_keys, strict=True)
                if key and not self._sentence.tags[mention.end - 1].startswith("JJ")
            ],
            pair,
            unnamed=not subjects and self._has_common_subject(),
        )

    def _has_common_subject(self) -> bool:
        """Whether a common noun is what the sentence is about: "it" may mean that next."""
        return any(
            dep in ("nsubj", "nsubjpass") and tag in ("NN", "NNS", "DT")
            for dep, tag in zip(self._sentence.deps, self._sentence.tags, strict=True)
        )

    def _said_of(self, subject: int) -> tuple[str, ...]:
        """Keys of what a subject names, or of the name in apposition to it."""
        keys = self._keys_at(subject)
        if keys or self._named[subject] >= 0:
            return keys
        if subject < self._colon:
            return ()  # an item is no other name of what stands before the list
        apposed = apposed_key(self._sentence, subject, self._keys)
        return (apposed,) if apposed else ()

    def _keys_at(self, token: int) -> tuple[str, ...]:
        key = self._keys[token]
        if key is not None:
            return (key,)
        return self._references.get(token, ())

    def facts(self) -> Iterator[tuple[int, DraftFact]]:
        """Facts, each with the token of its object."""
        yield from self._life_dates()
        if not is_prose(self._sentence) or is_careless(self._sentence) or self._is_remnant():
            return
        yield from self._listed()
        for triple in find_triples(self._sentence, self._named, self._values, self._called):
            predicate = triple.predicate
            if triple.subject in self._uncertain or triple.object in self._uncertain:
                continue
            if self._is_called_to(triple.subject) or self._is_called_to(triple.object):
                continue
            if is_alternative(self._sentence, triple.object, triple.phrase) and not is_negative(
                predicate
            ):
                continue
            if (triple.subject < self._colon) != (triple.object < self._colon):
                continue  # no item does to the line before it what its verb says
            subjects = self._said_of(triple.subject)
            if not subjects or self._is_possessed(triple.subject, subjects):
                subjects, predicate = self._owner(triple.subject, predicate)
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
                        yield triple.object, DraftFact(subject, predicate, key, value, traits)

    def _traits(
        self, triple: Triple, predicate: str, subject: str, object_: str | None
    ) -> tuple[str, ...]:
        """What the judge of facts sees of a fact."""
        of_subject = f"{self._kind(triple.subject)} {self._names.class_of(subject)}"
        of_object = f"{self._kind(triple.object)} "
        of_object += self._names.class_of(object_) if object_ else "value"
        found = triple_traits(self._sentence, triple, predicate, of_subject, of_object)
        return tuple(dict.fromkeys(found))

    def _kind(self, token: int) -> str:
        """How a token tells what it means."""
        if token in self._references:
            return self._sentence.words[token].lower()[:8]
        if 0 <= self._named[token] < len(self._mentions):
            return "value" if token in self._values else "name"
        return "noun" if self._sentence.tags[token].startswith("NN") else "other"

    def _is_remnant(self) -> bool:
        """Whether a sentence begins small, and with no name: the end of one, or typed in haste."""
        words = self._sentence.words
        named = self._named[0] >= 0 or words[1:2] == ["-"] or any(map(str.isdigit, words[0]))
        return words[0][0].islower() and not named

    def _is_called_to(self, token: int) -> bool:
        """Whether a chat's name only says who is spoken to: "That's gorgeous, Ada"."""
        number = self._named[token]
        if not self._in_turn or not 0 <= number < len(self._mentions):
            return False
        mention, words = self._mentions[number], self._sentence.words
        before = words[mention.first - 1] if mention.first else ","
        after = words[mention.end] if mention.end < len(words) else "."
        return (
            mention.entity_class in (PERSON, THING)
            and before == ","
            and not after[0].isalnum()
            and self._sentence.deps[token] not in ("conj", "pobj")
        )

    def _listed(self) -> Iterator[tuple[int, DraftFact]]:
        """What the line says of each item of a list in it; nothing where one is unclear."""
        lead = self._lead(self._colon, ()) if self._items else None
        if lead is None:
            return
        group = bool(lead.group)
        things = [self._thing(first, end, of_group=group) for first, end in self._items]
        if not all(things):
            return
        for (first, _), thing in zip(self._items, things, strict=True):
            if thing is None:
                continue
            if lead.group and thing.value:
                thing = Thing(self._names.add(thing.value, CONCEPT, UNSURE), None)
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
        sentence = self._sentence
        found = find_lead(sentence, colon, self._named, self._values, self._called)
        if isinstance(found, GroupLead):
            first = sentence.text(found.first, found.first + 1)
            plain = self._named[found.first] < 0
            rest = sentence.text(found.first + 1, found.end)
            return Lead((), found.predicate, f"{_lowered(first) if plain else first} {rest}")
        if found is None or found.subject in self._uncertain:
            return None
        predicate = found.predicate
        subjects = self._said_of(found.subject)
        if not subjects or self._is_possessed(found.subject, subjects):
            subjects, predicate = self._owner(found.subject, predicate)
        before = sentence.words[: found.subject]
        if not subjects and before[-1:] and before[-1].lower() == "the":
            name = named_like(sentence.words[found.subject], above)
            subjects = (self._names.add(name, CONCEPT, UNSURE),) if name else ()
        return Lead(subjects, predicate) if subjects else None

    def _thing(self, first: int, end: int, *, of_group: bool = False) -> Thing | None:
        """What an item names at its beginning: a name, or a noun's phrase as a value."""
        sentence = self._sentence
        if sentence.words[first].lower() in _NOTHING:
            return None
        start = first + (sentence.tags[first] == "DT")
        stop = next((at for at in range(start, end) if self._ends_item(at)), end)
        for mention, key in zip(self._mentions, self._mention_keys, strict=True):
            if mention.first in (first, start):
                if mention.end >= stop:
                    return Thing(key, None if key else mention.name)
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

    def _called(self, token: int) -> str:
        """The name that a token stands for, else its phrase."""
        number = self._named[token]
        if 0 <= number < len(self._mentions):
            return self._mentions[number].name
        keys = () if token in self._uncertain else self._references.get(token, ())
        if keys and not self._sentence.tags[token].startswith("NN"):
            return " and ".join(self._names.form(key) for key in keys)
        if self._sentence.tags[token] in ("PRP", "EX", "WP", "WDT", "DT"):
            word = self._sentence.words[token]
            return word if word == "I" else word.lower()
        return self._sentence.text(*noun_phrase(self._sentence, token))

    def _life_dates(self) -> Iterator[tuple[int, DraftFact]]:
        """ "Denise Levertov (24 October 1923 – 20 December 1997)"."""
        words = self._sentence.words
        for mention, key in zip(self._mentions, self._mention_keys, strict=True):
            opening = mention.end
            if key is None or words[opening : opening + 1] != ["("] or ")" not in words[opening:]:
                continue
            if self._names.class_of(key) not in (PERSON, THING) or (
                " " not in mention.name and mention.votes != GIVEN and key != self._focus.title
            ):
                continue  # a source's years, "MEDLINE (1948-2011)", are nobody's life
            closing = words.index(")", opening)
            for predicate, date in life_dates(self._sentence.text(opening + 1, closing)):
                self._names.vote(key, PERSON)
                yield opening, DraftFact(key, predicate, None, date)

    def _object(self, triple: Triple) -> Iterator[tuple[str | None, str | None]]:
        keys = self._keys_at(triple.object)
        if keys:
            for key in keys:
                yield key, None
            return
        number = self._named[triple.object]
        phrase = completed(self._sentence, triple.object, triple.phrase)
        if phrase is None:
            return
        if 0 <= number < len(self._mentions) and self._sentence.deps[triple.object] in (
            "pobj",
            "npadvmod",
        ):
            text = self._mentions[number].name
            first = self._mentions[number].first
            if first and self._sentence.words[first - 1] in _CURRENCIES:
                text = self._sentence.words[first - 1] + text
        else:
            text = self._owned(phrase)
        text = text.strip(' ,;:-–—"“”')
        following = self._sentence.words[phrase[1] : phrase[1] + 1]
        before = self._sentence.words[max(0, phrase[0] - 1) : phrase[0]]
        cut = any(word in _HYPHENS for word in (*before, *following))
        meant = following == [COLON] and text.startswith("following ")  # is what follows
        cut = cut or is_cut(self._sentence, phrase, triple.object)
        if is_value(text) and not cut and not meant:
            yield None, text

    def _owned(self, phrase: tuple[int, int]) -> str:
        """A phrase's text, "my" and "his" in front of it by their names; empty without one."""
        first, end = phrase
        text = self._sentence.text(first, end)
        if self._sentence.tags[first] == "PRP$" and (
            first in self._uncertain or first not in self._references
        ):
            return ""
        keys = () if first in self._uncertain else self._references.get(first, ())
        if len(keys) != 1 or self._sentence.tags[first] != "PRP$" or end - first < 2:
            return text
        return f"{self._names.form(keys[0])}'s {self._sentence.text(first + 1, end)}"

    def _is_possessed(self, noun: int, keys: tuple[str, ...]) -> bool:
        """Whether a name is of a thing that is someone's: "its 2018 Impact Factor"."""
        return self._names.class_of(keys[0]) == THING and any(
            self._sentence.deps[child] == "poss" and self._keys_at(child)
            for child in self._sentence.children[noun]
        )

    def _owner(self, noun: int, predicate: str) -> tuple[tuple[str, ...], str]:
        """Whose thing a common noun is: "its capital is" becomes it, "capital is"."""
        sentence = self._sentence
        if not sentence.tags[noun].startswith("NN"):
            return (), predicate
        end = noun + 1
        if sentence.words[end : end + 1] == ["-"]:
            end = noun_phrase(sentence, noun)[1]
        for child in sentence.children[noun]:
            if sentence.deps[child] == "poss" and (keys := self._keys_at(child)):
                if child in self._uncertain:
                    return (), predicate
                first = sentence.right_edge(child) + 1
                return keys, f"{_lowered(sentence.text(first, end))} {predicate}"
        first = noun_phrase(sentence, noun)[0]
        phrase = sentence.text(first, end)
        for child in sentence.children[noun]:
            if sentence.deps[child] == "prep" and sentence.words[child].lower() == "of":
                for object_ in sentence.children[child]:
                    if keys := self._keys_at(object_):
                        return keys, f"{_lowered(phrase)} {predicate}"
        return self._concept(noun), predicate

    def _concept(self, noun: int) -> tuple[str, ...]:
        """A common noun as an entity: a compound, or a plural that says who or what in general."""
        first, end = noun_phrase(self._sentence, noun)
        tags, words = self._sentence.tags, self._sentence.words
        if first == 0 and words[0].isupper() and words[0].lower() in SECTION_LABELS:
            first += 1  # "RESULTS Tissue regeneration requires ..."
        if (
            first >= end
            or end - first > LONGEST_CONCEPT
            or not all(tag in _CONCEPT_TAGS for tag in tags[first:end])
            or not is_concept(words[first:end], noun - first, plural=tags[noun] == "NNS")
            or self._is_narrowed(noun, first)
            or words[end : end + 1] == ["of"]
        ):
            return ()
        name = self._sentence.text(first, end)
        if first == 0 and words[0][1:].islower() and self._named[0] < 0:
            name = name[0].lower() + name[1:]
        key = self._names.add(name, CONCEPT, UNSURE)
        self._names.see(key, noun_traits(self._sentence, first, end))
        return (key,)

    def _is_narrowed(self, noun: int, first: int) -> bool:
        """Whether only some of what a noun names are meant: "these cells", "cells that died"."""
        before = self._sentence.words[first - 1].lower() if first else ""
        if before in NARROWING_WORDS:
            return True
        single = noun == first
        if before == "the" and single:
            return True
        return any(
            self._sentence.deps[child] in ("relcl", "acl", "poss", "nummod", "appos")
            for child in self._sentence.children[noun]
        )

    def _learn(self, subjects: Sequence[str], triple: Triple) -> None:
        """Take from "X is a film" what X is."""
        if triple.predicate == "is" and self._named[triple.object] < 0:
            noun = self._sentence.words[triple.object].lower()
            class_ = NOUN_CLASSES.get(noun)
            for subject in subjects:
                self._focus.call(subject, noun)
                if class_ and self._names.class_of(subject) != CONCEPT:
                    self._names.vote(subject, class_, TOLD)
        elif triple.predicate.startswith("born"):
            for subject in subjects:
                self._names.vote(subject, PERSON)


def _noted(names: DocumentNames, sentence: Sentence, mention: Mention) -> str:
    """The key of a mention's name, which the document's names now know of."""
    doubtful = is_doubtful_name(sentence, mention)
    key = names.add(mention.name, mention.entity_class, mention.votes, doubtful=doubtful)
    names.see(key, mention_traits(sentence, mention, doubtful=doubtful))
    return key


def _lowered(phrase: str) -> str:
    """A phrase in lower case, but for what is written in capitals: "M2 chip"."""
    return " ".join(
        word.lower() if word[1:].islower() or len(word) == 1 else word for word in phrase.split()
    )
