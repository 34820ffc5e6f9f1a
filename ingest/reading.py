"""Reads a document from start to end: statements with the names, references and facts in them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hlg.ingest.blocks import Block, split_blocks
from hlg.ingest.facts import Triple, find_triples, noun_phrase
from hlg.ingest.focus import Focus
from hlg.ingest.lexicon import (
    CONCEPT,
    GROUP,
    NOUN_CLASSES,
    PERSON,
    QUOTATION_MARKS,
    STOP_WORDS,
    THING,
    VAGUE_NOUNS,
)
from hlg.ingest.lifespans import life_dates
from hlg.ingest.mentions import VALUE, class_of_name, find_mentions
from hlg.ingest.naming import GIVEN, SURE, UNSURE, Names, acronym_of
from hlg.ingest.parse import Sentence, parse, words_of
from hlg.ingest.propositions import propositions
from hlg.ingest.references import find_references, find_speaker, first_person
from hlg.ingest.tables import TableRow
from hlg.names import normalize_name
from hlg.records import Document

__all__ = ["Draft", "DraftFact", "Reader"]

LEADING_SENTENCES = 2
"""Sentences at a text's start that are about its title, whoever their subject is."""
LONGEST_TITLE_NAME, LONGEST_UNMENTIONED = 12, 6
"""Words of a title that names a thing: one that the text mentions, and one that it doesn't."""
LONGEST_CONCEPT = 5
LONG_TEXT = 8_000
"""Characters from which on a title that the text never mentions is no name but a headline."""

_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")
_PLACE_IN = re.compile(r"((?:[A-Z][\w'.-]*\s?){1,4}), [A-Z][\w.-]+(?: [A-Z][\w.-]+)?")
_HYPHEN = re.compile(r"\s*([-–—])\s*")
_CONCEPT_TAGS = frozenset(("JJ", "NN", "NNS", "NNP", "NNPS", "VBG", "VBN", "IN", "HYPH", "POS"))
_NUMBER = re.compile(r"[\s$€£¥%()+\-.,\d:/]+$")
_REFERENCE = 1_000_000
"""Added to a token's position to number what it refers to, apart from mentions' numbers."""


@dataclass(frozen=True, slots=True)
class DraftFact:
    """A fact by keys of names; the object is a key or a value."""

    subject: str
    predicate: str
    object_key: str | None
    object_value: str | None


@dataclass(slots=True)
class Draft:
    """A statement before names are settled. ``antecedents`` are keys that complete it."""

    start: int
    end: int
    headings: tuple[str, ...]
    antecedents: list[str] = field(default_factory=list)
    context: str = ""
    keys: list[str] = field(default_factory=list)
    facts: list[DraftFact] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)


class Reader:
    """One document's drafts, and its names."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._media_type = document.media_type
        self.names = Names()
        self._title = self._title_key(document.title)
        self._known = self._known_names(document.title) if self._title else []
        self._focus = Focus(self.names, self._title)
        self._headings: list[tuple[int, str]] = []
        self._sentences = 0
        self._lead_in = ""
        self._speaker: str | None = None

    def read(self) -> Iterator[Draft]:
        """Drafts in the order of the text."""
        blocks = list(split_blocks(self._text, self._media_type))
        parsed = parse(
            (block.start, self._text[block.start : block.end])
            for block in blocks
            if block.row is None
        )
        for block in blocks:
            if block.row is not None:
                yield self._row(block.row)
                continue
            sentences = next(parsed)
            if block.kind == "heading":
                self._enter(block)
                if block.level < 5:
                    continue
            self._speaker = None
            for sentence in sentences:
                yield from self._sentence(sentence, block)
            if block.kind == "text":
                text = self._text[max(block.start, block.end - 150) : block.end]
                self._lead_in = text if text.endswith(":") and len(text) < 150 else ""

    def _enter(self, block: Block) -> None:
        """Go under a heading."""
        while self._headings and self._headings[-1][0] >= block.level:
            self._headings.pop()
        text = " ".join(self._text[block.start : block.end].split()).strip("*_# ")
        self._headings.append((block.level, text))
        self._lead_in = ""

    def _title_key(self, title: str) -> str | None:
        full = " ".join(title.split())
        bare = _DISAMBIGUATION.sub("", full) or full
        if not self._is_name(bare):
            return None
        place = _PLACE_IN.fullmatch(bare)
        name = place.group(1) if place and self._mentions(place.group(1)) else bare
        given = class_of_name(name)
        key = self.names.add(name, given or THING, GIVEN if given else UNSURE)
        self.names.set_topic(key, name)
        for form in (bare, full):
            if form != name:
                self.names.link(self.names.add(form, THING, UNSURE), key)
        return key

    def _is_name(self, title: str) -> bool:
        """Whether a title names what the text is about, and is no headline."""
        words = title.split()
        if not words or len(words) > LONGEST_TITLE_NAME or "_" in title:
            return False
        if self._mentions(title):
            return True
        small = [word for word in words[1:] if word.islower() and len(word) > 4]
        return (
            not small
            and len(words) <= LONGEST_UNMENTIONED
            and len(self._text) < LONG_TEXT
            and not title.endswith(("?", "!", ":"))
        )

    def _mentions(self, title: str) -> bool:
        """Whether the text's beginning has the title, with or without spaces at hyphens."""
        beginning = _HYPHEN.sub(r"\1", normalize_name(self._text[:LONG_TEXT]))
        return _HYPHEN.sub(r"\1", normalize_name(title)) in beginning

    def _known_names(self, title: str) -> list[tuple[str, ...]]:
        bare = _DISAMBIGUATION.sub("", title) or title
        forms = dict.fromkeys((title, bare, *_PLACE_IN.findall(bare)))
        known = [tuple(word.lower() for word in words_of(form)) for form in forms]
        return [words for words in dict.fromkeys(known) if words]

    def _sentence(self, sentence: Sentence, block: Block) -> Iterator[Draft]:
        spans = propositions(sentence)
        if not spans:
            return
        reading = _SentenceReading(sentence, self.names, self._focus, self._known, self._speaker)
        self._speaker = reading.speaker
        if self._sentences == 0 and self._title:
            reading.settle_title(self._title)
        leading = self._sentences < LEADING_SENTENCES
        self._sentences += 1
        headings = tuple(text for _, text in self._headings)
        facts = list(reading.facts())
        for first, end in spans:
            draft = Draft(sentence.starts[first], sentence.ends[end - 1], headings)
            within = [fact for token, fact in facts if first <= token < end]
            named = [fact for fact in within if self.names.class_of(fact.subject) != CONCEPT]
            # Facts about common nouns are kept where there are no better ones.
            reading.fill(draft, first, end, named or within)
            self._complete(draft, reading, first, end, block, leading=leading)
            yield draft
        reading.tell_focus()

    def _complete(
        self,
        draft: Draft,
        reading: "_SentenceReading",
        first: int,
        end: int,
        block: Block,
        *,
        leading: bool,
    ) -> None:
        """Add what the statement leaves out: the title, the heading, a list's lead-in."""
        title = self._title
        if title and title not in draft.keys:
            if not reading.has_named_subject(first, end):
                draft.antecedents.append(title)
                draft.keys.append(title)
            elif leading:
                draft.keys.append(title)
        if block.kind == "item" and self._lead_in:
            draft.context = " ".join(self._lead_in.split()).rstrip(":")
        elif (
            self._headings
            and not title
            and not draft.antecedents
            and not reading.has_named_subject(first, end)
        ):
            heading = self._headings[-1][1]
            draft.context = heading if heading != self._text[draft.start : draft.end] else ""

    def _row(self, row: TableRow) -> Draft:
        """A table's row: its first text is the subject, its headers are the predicates."""
        draft = Draft(row.start, row.end, tuple(text for _, text in self._headings))
        draft.context = row.details()
        subject: str | None = None
        for header, cell in row.cells:
            named = len(cell.split()) <= 8 and not _NUMBER.match(cell) and cell[:1].isalnum()
            key = None
            if named and (subject is None or cell[0].isupper()):
                class_ = NOUN_CLASSES.get(header.lower().rsplit(" ", 1)[-1], "")
                guess = class_ or class_of_name(cell)
                key = self.names.add(cell, guess or THING, SURE if guess else UNSURE)
                draft.keys.append(key)
                draft.phrases.append(cell)
            if subject is None:
                subject = key
            elif header:
                value = None if key else cell
                draft.facts.append(DraftFact(subject, header.lower(), key, value))
        if self._title and self._title not in draft.keys:
            draft.keys.append(self._title)
        return draft


class _SentenceReading:
    """One sentence: its mentions by key, its references, its facts."""

    def __init__(
        self,
        sentence: Sentence,
        names: Names,
        focus: Focus,
        known: Sequence[tuple[str, ...]],
        speaker: str | None,
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
                key = names.root(names.add(mention.name, mention.entity_class, mention.votes))
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
        self._link_acronyms()
        self._references = find_references(sentence, focus, self._keys)
        self.speaker = self._quote(speaker)
        for token in self._references:
            self._named[token] = _REFERENCE + token

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
            for token in first_person(self._sentence):
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
            self._named[token] >= 0 and self._sentence.deps[token] in ("nsubj", "nsubjpass", "ROOT")
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
            keys = self._keys_at(token)
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
        )

    def _keys_at(self, token: int) -> tuple[str, ...]:
        key = self._keys[token]
        if key is not None:
            return (key,)
        return self._references.get(token, ())

    def facts(self) -> Iterator[tuple[int, DraftFact]]:
        """Facts, each with the token of its object."""
        yield from self._life_dates()
        for triple in find_triples(self._sentence, self._named, self._values):
            predicate = triple.predicate
            subjects = self._keys_at(triple.subject)
            if not subjects or self._is_possessed(triple.subject, subjects):
                subjects, predicate = self._owner(triple.subject, predicate)
            if not subjects:
                continue
            self._learn(subjects, triple)
            for subject in subjects:
                for key, value in self._object(triple):
                    if key != subject:
                        yield triple.object, DraftFact(subject, predicate, key, value)

    def _life_dates(self) -> Iterator[tuple[int, DraftFact]]:
        """ "Denise Levertov (24 October 1923 – 20 December 1997)"."""
        words = self._sentence.words
        for mention, key in zip(self._mentions, self._mention_keys, strict=True):
            opening = mention.end
            if key is None or words[opening : opening + 1] != ["("] or ")" not in words[opening:]:
                continue
            if self._names.class_of(key) not in (PERSON, THING):
                continue
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
        text = self._sentence.text(*triple.phrase)
        if number >= 0 and self._sentence.deps[triple.object] in ("pobj", "npadvmod"):
            text = self._mentions[number].name
        if text := text.strip(' ,;:-–—"“”'):
            yield None, text

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
                first = sentence.right_edge(child) + 1
                return keys, f"{sentence.text(first, end).lower()} {predicate}"
        first = noun_phrase(sentence, noun)[0]
        phrase = sentence.text(first, end)
        for child in sentence.children[noun]:
            if sentence.deps[child] == "prep" and sentence.words[child].lower() == "of":
                for object_ in sentence.children[child]:
                    if keys := self._keys_at(object_):
                        return keys, f"{phrase.lower()} {predicate}"
        title = self._focus.title
        named = any(self._named[token] >= 0 for token in range(first, end))
        definite = first > 0 and sentence.words[first - 1].lower() in ("the", "this", "that")
        if title and definite and not named:
            return (title,), f"{phrase.lower()} {predicate}"
        return self._concept(noun), predicate

    def _concept(self, noun: int) -> tuple[str, ...]:
        """A common noun as an entity: a compound, or a plural that says who or what in general."""
        first, end = noun_phrase(self._sentence, noun)
        if end - first > LONGEST_CONCEPT:
            first, end = noun_phrase(self._sentence, noun)[0], noun + 1
        phrase = self._sentence.text(first, end)
        tags = self._sentence.tags
        if (
            first >= end
            or end - first > LONGEST_CONCEPT
            or self._sentence.words[noun].lower() in VAGUE_NOUNS
            or not all(tag in _CONCEPT_TAGS for tag in tags[first:end])
            or (end - first == 1 and tags[noun] != "NNS")
        ):
            return ()
        lowered = [
            word if self._named[token] >= 0 else word.lower()
            for token, word in enumerate(self._sentence.words[first:end], first)
        ]
        if all(word in STOP_WORDS for word in lowered):
            return ()
        name = phrase if self._sentence.words[first:end] == lowered else phrase.lower()
        return (self._names.add(name, CONCEPT, UNSURE),)

    def _learn(self, subjects: Sequence[str], triple: Triple) -> None:
        """Take from "X is a film" what X is."""
        if triple.predicate == "is" and self._named[triple.object] < 0:
            noun = self._sentence.words[triple.object].lower()
            class_ = NOUN_CLASSES.get(noun)
            for subject in subjects:
                self._focus.call(subject, noun)
                if class_ and self._names.class_of(subject) != CONCEPT:
                    self._names.vote(subject, class_, 2 * SURE)
        elif triple.predicate.startswith("born"):
            for subject in subjects:
                self._names.vote(subject, PERSON)
