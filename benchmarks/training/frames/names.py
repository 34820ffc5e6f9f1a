"""Sentences with the names that they say, as people marked them, for the reader's head for names.

From three sources: the sentences in which every fact and name is marked; the files of marked
names (``name_marks.tsv.xz``, of documents of which some names are marked, and ``chats.jsonl.xz``,
of which all are); and the Georgetown University Multilayer corpus (GUM).
"""

import json
import lzma
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.training.frames.examples import merged, words_in
from benchmarks.training.frames.marks import Marked
from benchmarks.training.frames.measure import is_held_out
from hlg.ingest.extract.local.frames.features import Features, features
from hlg.ingest.extract.local.frames.named import CONCEPT_LABELS, NAME_LABELS
from hlg.ingest.extract.local.parse import Sentence, parse
from hlg.models.spacy_pipeline import is_english_noun, is_english_verb
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.lexicon import (
    ANIMAL,
    CONCEPT,
    EVENT,
    GROUP,
    ORGANIZATION,
    PERSON,
    PLACE,
    STOP_WORDS,
    THING,
    WORK,
)

UNKNOWN = -100
"""Label of a word of which nobody said what it is."""
ANY_NAME = {"begin": -1, "inside": -2}
"""Labels of words of a name that is a work, an event, a group or a thing."""
ABSTRACT, ANY_CLASSES = "", (WORK, EVENT, GROUP, THING)
"""The class of such a name, and those that are right."""
OF_MARKS = {
    "concept": CONCEPT,
    "organization": ORGANIZATION,
    "person": PERSON,
    "place": PLACE,
    "work": WORK,
    "event": EVENT,
    "group": GROUP,
    "animal": ANIMAL,
}
OF_LETTERS = {
    "P": PERSON,
    "L": PLACE,
    "O": ORGANIZATION,
    "W": WORK,
    "E": EVENT,
    "G": GROUP,
    "C": CONCEPT,
    "A": ANIMAL,
    "T": THING,
    "D": THING,
}
LONGEST_TEXT, MOST_BLOCKS = 12_000, 12
"""Characters of a partly marked document, and blocks of it, that are learned from."""
JOINTS = frozenset(
    (
        "of",
        "the",
        "and",
        "for",
        "in",
        "on",
        "&",
        "-",
        "–",
        "'s",
        "’s",
        "de",
        "la",
        "van",
        "von",
        "to",
        ".",
    )
)
"""Words that may stand inside a name."""
_GENERIC = frozenset((GROUP, WORK, EVENT, ORGANIZATION, PLACE, THING))
_SMALL_THING = re.compile(r"[^a-z ]")
_CLOSE = re.compile(r"(\d+)\)")


@dataclass(frozen=True, slots=True)
class Gold:
    """A name: offsets into the text, and its class; empty where any of several is right."""

    start: int
    end: int
    entity_class: str


@dataclass(frozen=True, slots=True)
class NameText:
    """A text with its names.

    ``none`` are pieces that are no names, and ``unknown`` ones of which that is not known;
    ``open``: nor is it of words with capitals outside of the names. ``terms``: concepts are
    marked too.
    """

    source: str
    document: str
    text: str
    names: tuple[Gold, ...]
    none: tuple[tuple[int, int], ...] = ()
    unknown: tuple[tuple[int, int], ...] = ()
    open: bool = False
    terms: bool = False


@dataclass(frozen=True, slots=True)
class NameExample:
    """A sentence, parsed; labels of each word's name, and of each word's concept."""

    text: NameText
    sentence: Sentence
    features: Features
    names: NDArray[np.int64]
    concepts: NDArray[np.int64]


def marked_names(marked: Iterable[Marked]) -> Iterator[NameText]:
    """The sentences of which all names are marked."""
    for each in marked:
        if each.names is None:
            continue
        names = tuple(
            Gold(start, end, _of_mark(each.text[start:end], class_))
            for start, end, class_ in each.names
        )
        yield NameText(each.genre, each.document, each.text, names, terms=each.terms)


def _of_mark(text: str, class_: str) -> str:
    """Common nouns that are marked as a group, a work or a method are concepts."""
    found = OF_MARKS.get(class_, THING)
    small = not _SMALL_THING.search(text)
    if class_ == "method" or (small and found in _GENERIC and class_ not in ("product", "other")):
        return CONCEPT
    return found


def chats(path: Path) -> Iterator[NameText]:
    """Chats in which all names are marked, a line each."""
    for line in lzma.decompress(path.read_bytes()).decode("utf-8").splitlines():
        chat = json.loads(line)
        letters = {name: letter for name, letter in chat["names"].items() if letter != "X"}
        persons = {
            word
            for name, letter in letters.items()
            if letter == "P"
            for word in name.split()
            if word[0].isupper()
        }
        letters = dict.fromkeys(persons, "P") | letters
        for text in chat["text"].split("\n"):
            if text.strip():
                speaker = re.match(r"[\w .'-]{1,30}: ", text)
                said = text[speaker.end() :] if speaker else text
                names = tuple(_places(said, letters))
                yield NameText("chats", chat["_id"], said, names)


def written(path: Path) -> Iterator[NameText]:
    """Sentences with their names in braces: "{Pepper|A} watched"."""
    for line in path.read_text("utf-8").splitlines():
        text, names = "", []
        for plain, name, letter in re.findall(r"([^{]*)(?:\{([^|{}]*)\|(\w)\})?", line):
            text += plain
            if letter in OF_LETTERS:
                names.append(Gold(len(text), len(text) + len(name), OF_LETTERS[letter]))
            text += name
        yield NameText("written", line, text, tuple(names))


def recased(texts: Sequence[NameText], every: int) -> Iterator[NameText]:
    """Some of the texts in small letters, and some in capitals: both are written so at times."""
    for at, each in enumerate(texts):
        small, large = each.text.lower(), each.text.upper()
        if at % every == 0 and len(small) == len(each.text):
            yield replace(each, text=small)
        elif at % every == every // 2 and len(large) == len(each.text):
            yield replace(each, text=large)


def partly_marked(path: Path, data: Path) -> Iterator[NameText]:
    """Paragraphs with marked names of documents of which not all names are marked."""
    rows = [line.split("\t") for line in lzma.decompress(path.read_bytes()).decode().splitlines()]
    marks: dict[str, dict[str, dict[str, str]]] = {}
    for set_, document, name, letter in rows:
        marks.setdefault(set_, {}).setdefault(document, {})[name] = letter
    for set_, documents in sorted(marks.items()):
        corpus = data / set_ / "corpus.jsonl"
        if not corpus.exists():
            continue  # files of packages, which are no data set
        with corpus.open(encoding="utf-8") as file:
            for row in map(json.loads, file):
                letters = documents.get(row["_id"])
                if letters and not is_held_out(f"{set_} {row['_id']}"):
                    yield from _partly(set_, row["_id"], row["text"][:LONGEST_TEXT], letters)


def _partly(set_: str, document: str, text: str, letters: Mapping[str, str]) -> Iterator[NameText]:
    blocks = [block.strip() for block in text.split("\n")]
    count = 0
    for block in blocks:
        found = list(_places(block, letters))
        names = tuple(each for each in found if each.entity_class != "X")
        if not names or count >= MOST_BLOCKS:
            continue
        count += 1
        others = [(each.start, each.end) for each in found if each.entity_class == "X"]
        none = tuple(each for each in others if _is_plain(block[slice(*each)]))
        unknown = tuple(each for each in others if each not in none)
        yield NameText(set_, document, block, names, none, unknown, open=True)


def _is_plain(text: str) -> bool:
    """Whether what is no name has only common words, and is not a name cut wrongly."""
    words = re.split(r"[\s-]+", text.lower())
    return all(
        word not in GIVEN_NAMES
        and (is_english_noun(word) or is_english_verb(word) or word in STOP_WORDS)
        for word in words
    )


def _places(text: str, letters: Mapping[str, str]) -> Iterator[Gold]:
    """Where names stand, the longer before the shorter, none in another."""
    taken = np.zeros(len(text) + 1, bool)
    for name in sorted(letters, key=len, reverse=True):
        pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
        if name.split()[0] not in text:
            continue
        for match in re.finditer(pattern, text):
            if not taken[slice(*match.span())].any():
                taken[slice(*match.span())] = True
                letter = letters[name]
                yield Gold(*match.span(), OF_LETTERS.get(letter, "X"))


def name_examples(texts: Sequence[NameText]) -> Iterator[NameExample]:
    """Each text parsed and labelled: by sentences, those that are marked as one as one."""
    parsed = parse((0, each.text) for each in texts)
    for each, sentences in zip(texts, parsed, strict=True):
        whole = merged(sentences) if each.terms else None
        for sentence in [whole] if whole else sentences:
            seen = features(sentence)
            if len(seen) < 1 or len(seen) > 150:
                continue
            example = _labelled(each, sentence, seen)
            if not each.open or (example.names > 0).any() or (example.concepts > 0).any():
                yield example


def _labelled(text: NameText, sentence: Sentence, seen: Features) -> NameExample:
    count = len(seen)
    names, concepts = np.zeros(count, np.int64), np.zeros(count, np.int64)
    if not text.terms:
        concepts[:] = UNKNOWN
    if text.open:
        for at, word in enumerate(sentence.words[:count]):
            if any(letter.isupper() for letter in word) and sentence.tags[at][:2] in (
                "NN",
                "JJ",
                "VB",
                "CD",
                "FW",
                "",
            ):
                names[at] = UNKNOWN
        for at in range(1, count - 1):
            if names[at - 1] == UNKNOWN == names[at + 1] or (
                names[at] == 0
                and sentence.words[at] in JOINTS
                and UNKNOWN in (names[at - 1], names[at + 1])
            ):
                names[at] = UNKNOWN
    for start, end in text.none:
        names[[at for at in words_in(sentence, (start, end)) if at < count]] = 0
    for start, end in text.unknown:
        for at in words_in(sentence, (start, end)):
            if at < count:
                names[at] = UNKNOWN
    for gold in sorted(text.names, key=lambda each: each.start - each.end):
        words = [at for at in words_in(sentence, (gold.start, gold.end)) if at < count]
        if not words:
            continue
        if gold.entity_class == CONCEPT:
            if all(concepts[at] <= 0 for at in words):
                concepts[words] = CONCEPT_LABELS.index(f"inside {CONCEPT}")
                concepts[words[0]] = CONCEPT_LABELS.index(f"begin {CONCEPT}")
            if not text.terms:
                names[words] = UNKNOWN
            continue
        if any(names[at] > 0 or names[at] in (-1, -2) for at in words):
            continue
        if gold.entity_class == ABSTRACT:
            names[words] = ANY_NAME["inside"]
            names[words[0]] = ANY_NAME["begin"]
        else:
            names[words] = NAME_LABELS.index(f"inside {gold.entity_class}")
            names[words[0]] = NAME_LABELS.index(f"begin {gold.entity_class}")
    return NameExample(text, sentence, seen, names, concepts)
