"""Names and values in a sentence: what the learned reader found, and what is known beforehand."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hlg.ingest.extract.local.facts.wording import is_code_name, is_name
from hlg.ingest.extract.local.frames.named import Name
from hlg.ingest.extract.local.names.votes import GIVEN, SURE, UNSURE
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.known_names import ORGANIZATION_NAMES, PLACE_NAMES
from hlg.words.lexicon import (
    CONCEPT,
    JOINING_WORDS,
    NAME_WORDS,
    ORGANIZATION,
    PERSON,
    PLACE,
    THING,
    VALUE_LABELS,
)

VALUE = "Value"
"""Class of a date or amount, which is kept on facts and is no entity."""
LIKELY, SURE_OF_IT = 0.25, 0.5
"""Chance from which on a name is looked at, and is one without being sure elsewhere."""
_EDGE = " \t\"'“”‘’`.,;:!?()[]{}*_|<>«»~^=-–—\\%®™©"
_LEADING = re.compile(r"^(?:(?:the|a|an|this|that|these|those|its|his|her|their|our)\s+)+", re.I)
_TRAILING = re.compile(r"\s*['’]s?$|(?<=[^/])/$")
_WRITTEN = re.compile(r"[A-Z\d]")
_ABBREVIATIONS = frozenset(("inc.", "corp.", "co.", "ltd.", "jr.", "sr."))


@dataclass(frozen=True, slots=True)
class Mention:
    """Tokens ``[first, end)`` that name something; ``votes`` weigh the class, and ``doubtful``: it
    is a name only if it is one elsewhere."""

    first: int
    end: int
    name: str
    entity_class: str
    votes: int = SURE
    doubtful: bool = False


def find_mentions(sentence: Sentence, known: Sequence[tuple[str, ...]] = ()) -> list[Mention]:
    """Mentions in order, none overlapping another; of two that would the longer stays.

    :param known: names that stand anywhere in the document whatever their case, such as
        its title, as lower-cased words.
    """
    found = [*_known(sentence, known), *_named(sentence)]
    found.sort(key=lambda each: (each.doubtful, each.first - each.end))
    mentions: list[Mention] = []
    taken = [False] * len(sentence.words)
    for each in [*found, *_values(sentence)]:
        if not any(taken[each.first : each.end]):
            taken[each.first : each.end] = [True] * (each.end - each.first)
            mentions.append(each)
    return sorted(mentions, key=lambda each: each.first)


def _named(sentence: Sentence) -> Iterator[Mention]:
    """What the reader found: names, and concepts that are written as names are: "IL-6"."""
    for each in sentence.names:
        first, end = _trimmed(sentence, each.first, each.end)
        if first == end:
            continue  # nothing but marks
        name = _name(sentence, first, end)
        if each.chance < LIKELY or len(name) < 2 or not (is_name(name) or is_code_name(name)):
            continue
        if each.entity_class != CONCEPT:
            yield Mention(first, end, name, *_weighed(each))
        elif _WRITTEN.search(name[1:] if first == 0 else name):
            yield Mention(first, end, name, THING, UNSURE, each.chance < SURE_OF_IT)


def _weighed(name: Name) -> tuple[str, int, bool]:
    votes = max(UNSURE, round(2 * SURE * name.chance))
    return name.entity_class, votes, name.chance < SURE_OF_IT


def _known(sentence: Sentence, known: Sequence[tuple[str, ...]]) -> Iterator[Mention]:
    for first, end in known_spans(sentence, known):
        name = _name(sentence, first, end)
        given = class_of_name(name)
        class_, votes = (given, GIVEN) if given else _class_read(sentence, first, end)
        yield Mention(first, end, name, class_, votes)


def _class_read(sentence: Sentence, first: int, end: int) -> tuple[str, int]:
    """The class that the reader gives a known name, with its votes; a thing where it reads none."""
    read = [
        _weighed(each)[:2]
        for each in sentence.names
        if each.entity_class != CONCEPT
        and each.chance >= SURE_OF_IT
        and 2 * (min(end, each.end) - max(first, each.first)) > end - first
    ]
    return max(read, key=lambda found: found[1], default=(THING, UNSURE))


def known_spans(sentence: Sentence, known: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Where names stand that are known as lower-cased words, whatever their case."""
    lowered = tuple(word.lower() for word in sentence.words) if known else ()
    for words in known:
        for first in range(len(lowered) - len(words) + 1):
            if lowered[first] == words[0] and lowered[first : first + len(words)] == words:
                yield first, first + len(words)


def _values(sentence: Sentence) -> Iterator[Mention]:
    """Dates and amounts, by the parser's own labels."""
    for first, end, label in sentence.entities:
        if label in VALUE_LABELS:
            first, end = _trimmed(sentence, first, end)
            if first < end:
                yield Mention(first, end, sentence.text(first, end), VALUE)


def _trimmed(sentence: Sentence, first: int, end: int) -> tuple[int, int]:
    """Without marks at the ends, and what says which or whose it is."""
    words, tags = sentence.words, sentence.tags
    while first < end and (
        not words[first].strip(_EDGE) or (tags[first] in ("DT", "PRP$") and end - first > 1)
    ):
        first += 1
    while first < end and (
        not words[end - 1].strip(_EDGE) or tags[end - 1] in ("POS", "IN", "DT", "CC")
    ):
        end -= 1
    return first, end


def _name(sentence: Sentence, first: int, end: int) -> str:
    text = sentence.text(first, end)
    name = _TRAILING.sub("", _LEADING.sub("", text).strip(_EDGE)).strip(_EDGE)
    last = text.rsplit(None, 1)[-1] if text else ""
    shortened = last.lower() in _ABBREVIATIONS or last.count(".") > 1
    return f"{name}." if text.endswith(".") and shortened else name


def class_of_name(name: str) -> str:
    """Class that the words of a name give away ("... University"), else the empty string."""
    lowered = name.lower()
    words = lowered.split()
    if name.islower():
        return ""
    if lowered in PLACE_NAMES:
        return PLACE
    if lowered in ORGANIZATION_NAMES:
        return ORGANIZATION
    last = words[-1].rstrip(".,") if words else ""
    if len(words) < 2 or not name.split()[-1][0].isupper():
        return ""
    if words[0] in GIVEN_NAMES and len(words) < 5 and JOINING_WORDS.isdisjoint(words):
        return NAME_WORDS.get(last, PERSON)
    joint = words.index("of") if "of" in words else 0
    return NAME_WORDS.get(words[joint - 1] if joint else last, "")
