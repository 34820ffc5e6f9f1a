"""Names and values in a sentence: where each stands, how it is called, of which class it is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hlg.ingest.lexicon import (
    ENTITY_LABELS,
    EVENT,
    HONORIFICS,
    LEADING_NAME_WORDS,
    NAME_WORDS,
    PERSON,
    THING,
    VALUE_LABELS,
)
from hlg.ingest.parse import Sentence

__all__ = ["VALUE", "Mention", "class_of_name", "find_mentions"]

VALUE = "Value"
"""Class of a date or amount, which is kept on facts and is no entity."""

LONGEST_NAME, LONGEST_QUOTE = 12, 9
"""Words of the longest name, and of the longest quotation taken for a title."""

_PROPER = frozenset(("NNP", "NNPS"))
_JOINTS = frozenset(("of", "de", "la", "del", "von", "van", "der", "du", "di", "da", "and", "&"))
_STRONG_JOINTS = _JOINTS - {"and", "of"}
_OPENING, _CLOSING = frozenset(('"', "“", "``", "«")), frozenset(('"', "”", "''", "»"))
_EDGE = " \t\"'“”‘’`.,;:!?()[]{}*_|<>«»~^=-–—/\\"
_LEADING = re.compile(r"^(?:(?:the|a|an|this|that|these|those|its|his|her|their|our)\s+)+", re.I)
_TRAILING = re.compile(r"\s*['’]s?$")
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d(?:s|[-–]\d\d(?:\d\d)?)?$")
_HAS_DIGIT = re.compile(r"\d")
_CAPITAL_NOUN = frozenset(("NN", "NNS", "JJ", "NNP", "NNPS", "CD"))


@dataclass(frozen=True, slots=True)
class Mention:
    """Tokens ``[first, end)`` that name something. ``sure`` where a model says the class."""

    first: int
    end: int
    name: str
    entity_class: str
    sure: bool = True


def find_mentions(
    sentence: Sentence, known: Sequence[tuple[tuple[str, ...], str]] = ()
) -> list[Mention]:
    """Mentions in order, none overlapping another.

    :param known: names that stand anywhere in the document whatever their case, such as
        its title, as lower-cased words with their class.
    """
    candidates = [
        *_quoted_titles(sentence),
        *_joined_entities(sentence),
        *_known_names(sentence, known),
        *_proper_runs(sentence),
    ]
    # Of two that overlap the longer stays whole; what is left of the other may stand too.
    candidates.sort(key=lambda span: span[0] - span[1])
    spans: list[tuple[int, int, str]] = []
    taken = [False] * len(sentence.words)
    for first, end, label in candidates:
        free_first, free_end = first, end
        while free_first < free_end and taken[free_first]:
            free_first += 1
        while free_end > free_first and taken[free_end - 1]:
            free_end -= 1
        if free_first == free_end or any(taken[free_first:free_end]):
            continue
        cut = free_end - free_first < end - first
        if cut and not any(tag in _PROPER for tag in sentence.tags[free_first:free_end]):
            continue
        taken[free_first:free_end] = [True] * (free_end - free_first)
        spans.append((free_first, free_end, label))
    spans.sort()
    return [mention for span in spans if (mention := _mention(sentence, *span))]


def class_of_name(name: str) -> str:
    """Class that the words of a name give away ("... University"), else the empty string."""
    words = name.lower().split()
    if len(words) < 2:
        return ""
    if words[0] in HONORIFICS and words[0] not in LEADING_NAME_WORDS:
        return PERSON
    if words[0] in LEADING_NAME_WORDS and (words[0] in {"mount", "lake", "fort"} or "of" in words):
        return NAME_WORDS.get(words[0], "")
    before_of = words[words.index("of") - 1] if "of" in words[1:] else ""
    return NAME_WORDS.get(before_of, "") or NAME_WORDS.get(words[-1].rstrip(".,"), "")


def _mention(sentence: Sentence, first: int, end: int, label: str) -> Mention | None:
    while first < end and not sentence.words[first].strip(_EDGE):
        first += 1
    while first < end and (
        not sentence.words[end - 1].strip(_EDGE) or sentence.tags[end - 1] == "POS"
    ):
        end -= 1
    if first == end or end - first > LONGEST_NAME * 2:
        return None
    text = sentence.text(first, end)
    if label in VALUE_LABELS:
        return Mention(first, end, text, VALUE)
    name = _TRAILING.sub("", _LEADING.sub("", text).strip(_EDGE)).strip(_EDGE)
    while first < end - 1 and sentence.tags[first] in ("DT", "PRP$"):
        first += 1
    if text.endswith(".") and (end - first > 1 or text.count(".") > 1) and _abbreviates(text):
        name += "."
    if len(name) < 2 or not any(character.isalpha() for character in name):
        return None
    if _YEAR.match(name):
        return Mention(first, end, name, VALUE)
    if label not in ("RUN", "TITLE") and not any(c.isupper() for c in name):
        return None if name.isascii() else Mention(first, end, name, _class(label), sure=True)
    known = class_of_name(name)
    return Mention(first, end, name, known or _class(label), sure=bool(known) or label != "RUN")


def _abbreviates(text: str) -> bool:
    last = text.rsplit(None, 1)[-1]
    return last.lower() in {"inc.", "corp.", "co.", "ltd.", "jr.", "sr."} or last.count(".") > 1


def _class(label: str) -> str:
    return ENTITY_LABELS.get(label, label if label not in ("RUN", "TITLE") else THING)


def _joined_entities(sentence: Sentence) -> list[tuple[int, int, str]]:
    """spaCy's entities, each with the proper nouns that it broke off."""
    tags, words, deps, heads = sentence.tags, sentence.words, sentence.deps, sentence.heads
    found: list[tuple[int, int, str]] = []
    for first, end, label in sentence.entities:
        if label in ENTITY_LABELS and label not in ("NORP", "LANGUAGE"):
            limit = found[-1][1] if found else 0
            while (
                first > limit
                and tags[first - 1] in _PROPER
                and deps[first - 1] in ("compound", "nmod", "amod")
                and heads[first - 1] >= first
                and words[first - 1].lower() not in HONORIFICS
                and words[first - 1][0].isupper()
            ):
                first -= 1
            if first > 0 and tags[first - 1] == "CD" and _is_year_of(sentence, first, end, label):
                first -= 1
                if found and found[-1][:2] == (first, first + 1):
                    found.pop()
        found.append((first, end, label))
    return found


def _is_year_of(sentence: Sentence, first: int, end: int, label: str) -> bool:
    """Whether the number before a name belongs to it: the "2000 Summer Olympics"."""
    words, head = sentence.words, sentence.heads[first - 1]
    names_event = label == "EVENT" or any(
        NAME_WORDS.get(word.lower()) == EVENT for word in words[first:end]
    )
    return names_event and first <= head < end and _YEAR.match(words[first - 1]) is not None


def _proper_runs(sentence: Sentence) -> list[tuple[int, int, str]]:
    """Runs of proper nouns, with "of", "de la" and hyphens between them."""
    words, tags = sentence.words, sentence.tags
    runs: list[tuple[int, int, str]] = []
    in_entity = [False] * (len(words) + 1)
    for first, end, _ in sentence.entities:
        in_entity[first:end] = [True] * (end - first)
    token = 0
    while token < len(words):
        if tags[token] not in _PROPER or in_entity[token] or not _is_name_word(words[token]):
            token += 1
            continue
        end = token + 1
        while end < len(words) and not in_entity[end]:
            if tags[end] in _PROPER and words[end][0].isalnum():
                end += 1
            elif (
                end + 1 < len(words)
                and (words[end].lower() in _STRONG_JOINTS | {"of"} or words[end] in "-–")
                and tags[end + 1] in _PROPER
                and not in_entity[end + 1]
            ):
                end += 2
            else:
                break
        runs.append((token, end, "RUN"))
        token = end
    return runs


def _is_name_word(word: str) -> bool:
    return word[0].isalpha() and (word[0].isupper() or not word[0].isascii())


def _quoted_titles(sentence: Sentence) -> list[tuple[int, int, str]]:
    """Short quotations in title case: names of films, books, songs."""
    words = sentence.words
    found = []
    opened: int | None = None
    for token, word in enumerate(words):
        if opened is not None and word in _CLOSING:
            inner = words[opened + 1 : token]
            if 0 < len(inner) <= LONGEST_QUOTE and _is_title_case(inner):
                end = token - 1 if inner[-1] in {",", "."} and len(inner) > 1 else token
                found.append((opened + 1, end, "WORK_OF_ART"))
            opened = None
        elif word in _OPENING:
            opened = token
    return found


def _is_title_case(words: Sequence[str]) -> bool:
    if not words[0][0].isupper() and not words[0][0].isdigit():
        return False
    if words[-1] in "!?." and len(words) > 5:
        return False
    long_words = [word for word in words if len(word) > 3 and word[0].isalpha()]
    capital = sum(word[0].isupper() for word in long_words)
    return capital == len(long_words) and any(word[0].isupper() for word in words)


def _known_names(
    sentence: Sentence, known: Sequence[tuple[tuple[str, ...], str]]
) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    if known:
        lowered = [word.lower() for word in sentence.words]
        for name, entity_class in known:
            token = 0
            while name[0] in lowered[token:]:
                token = lowered.index(name[0], token)
                if tuple(lowered[token : token + len(name)]) == name:
                    found.append((token, token + len(name), entity_class or "TITLE"))
                token += 1
    return found
