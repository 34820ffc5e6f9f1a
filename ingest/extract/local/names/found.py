"""Where a sentence may name something: the tagger's entities, runs of proper nouns, quotations,
names that are known beforehand. Of what overlaps, the mentions (``mentions.py``) take the longest.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hlg.ingest.extract.local.names.spans import Span, end_of_entity, is_large_adjective
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.spacy_pipeline import is_english_noun
from hlg.words.lexicon import (
    CALENDAR,
    CORPORATE_ENDINGS,
    ENTITY_LABELS,
    EVENT,
    HONORIFICS,
    LEADING_NAME_WORDS,
    MONTHS,
    NAME_WORDS,
    NOUN_CLASSES,
    PERSON,
    VALUE_LABELS,
)

__all__ = [
    "CAMEL",
    "CLOSING",
    "OPENING",
    "PROPER",
    "YEAR",
    "compound_names",
    "joined_entities",
    "known_names",
    "proper_runs",
    "quoted_titles",
]

LONGEST_QUOTE = 9
"""Words of the longest quotation taken for a title."""
PROPER = frozenset(("NNP", "NNPS"))
OPENING, CLOSING = frozenset(('"', "“", "``", "«")), frozenset(('"', "”", "''", "»"))
YEAR = re.compile(r"(?:1[0-9]|20)\d\d(?:s|[-–]\d\d(?:\d\d)?)?$")
CAMEL = re.compile(r"[a-z][A-Z]|\d|[A-Z]{2}[a-z]")
_JOINTS = frozenset(("of", "de", "la", "del", "von", "van", "der", "du", "di", "da", "&"))
_SCORE = re.compile(r"\d+[-–]\d+$")
_NAME_ENDINGS = CORPORATE_ENDINGS | {"jr", "sr", "inc", "ltd", "co", "corp", "d.c"}
_SEPARATORS = frozenset((",", "/", ";", "|", "vs", "vs.", "v."))


def joined_entities(sentence: Sentence) -> list[Span]:
    """spaCy's entities, lists taken apart, each with the proper nouns that it broke off."""
    tags, words, deps, heads = sentence.tags, sentence.words, sentence.deps, sentence.heads
    found: list[Span] = []
    for first, end, label in _list_items(sentence):
        if label in ENTITY_LABELS and label not in ("NORP", "LANGUAGE"):
            limit = found[-1][1] if found else 0
            while (
                first > limit
                and (tags[first - 1] in PROPER or is_large_adjective(sentence, first, label))
                and deps[first - 1] in ("compound", "nmod", "amod")
                and heads[first - 1] >= first
                and words[first - 1][0].isupper()
                and not _is_role(words[first - 1].lower(), label)
            ):
                first -= 1
            end = end_of_entity(sentence, first, end, label)
            if first > 0 and tags[first - 1] == "CD" and _is_year_of(sentence, first, end, label):
                first -= 1
                if found and found[-1][:2] == (first, first + 1):
                    found.pop()
        elif label == "DATE" and _is_holiday(sentence, first, end):
            label = "EVENT"
        found.append((first, end, label))
    return found


def _is_role(word: str, label: str) -> bool:
    """Whether a word before a name says what someone is, and is no part of the name."""
    if word in HONORIFICS:
        return label != "PERSON"
    return label == "PERSON" and (NOUN_CLASSES.get(word) == PERSON or word in ("chief", "vice"))


def _list_items(sentence: Sentence) -> Iterator[Span]:
    """spaCy's entities; one that runs over commas or slashes is several."""
    for first, end, label in sentence.entities:
        if label in ("WORK_OF_ART", "LAW") or label not in ENTITY_LABELS:
            yield first, end, label
            continue
        start = first
        for token in range(first, end):
            word = sentence.words[token]
            ending = sentence.words[token + 1].lower() if token + 1 < end else ""
            opens = word == "(" and ")" not in sentence.words[token:end]
            if (
                (word in _SEPARATORS and ending.rstrip(".") not in _NAME_ENDINGS)
                or opens
                or _SCORE.match(word)
            ):
                if start < token:
                    yield start, token, label
                start = token + 1
        if start < end:
            if start > first and sentence.words[start] in ("and", "or", "&"):
                start += 1
            yield start, end, label


def _is_holiday(sentence: Sentence, first: int, end: int) -> bool:
    """Whether what spaCy takes for a date is a day's name: "Christmas", "Black Friday"."""
    lowered = [word.lower().rstrip(".") for word in sentence.words[first:end]]
    return (
        all(tag in PROPER for tag in sentence.tags[first:end])
        and not any(word in CALENDAR for word in lowered[:1])
        and not any(word in MONTHS for word in lowered)
        and sentence.words[first][0].isupper()
    )


def compound_names(sentence: Sentence, spans: list[Span]) -> Iterator[Span]:
    """Names that spaCy sees as two: "Diocese" of "London", "Saint Paul"'s "Cathedral"."""
    words = sentence.words
    ordered = sorted(span for span in spans if span[2] not in VALUE_LABELS)
    for (first, end, label), (next_first, next_end, next_label) in pairwise(ordered):
        between = [word.lower() for word in words[end:next_first]]
        if between in (["of"], ["of", "the"]):
            last = words[end - 1].lower()
            generic = last in NAME_WORDS or last in LEADING_NAME_WORDS or last in HONORIFICS
            if (label == "RUN" or generic) and words[first][0].isupper():
                yield first, next_end, "RUN" if label in ("RUN", "PERSON") else label
        elif (between == [] and sentence.tags[next_first] == "POS") or (
            between in (["'s"], ["’s"], ["'"], ["’"])
        ):
            last = words[next_end - 1].lower()
            if label in ("RUN", "PERSON") and next_label != "PERSON" and last in NAME_WORDS:
                yield first, next_end, "RUN"


def _is_year_of(sentence: Sentence, first: int, end: int, label: str) -> bool:
    """Whether the number before a name belongs to it: the "2000 Summer Olympics"."""
    words, head = sentence.words, sentence.heads[first - 1]
    names_event = label == "EVENT" or any(
        NAME_WORDS.get(word.lower()) == EVENT for word in words[first:end]
    )
    return names_event and first <= head < end and YEAR.match(words[first - 1]) is not None


def proper_runs(sentence: Sentence) -> list[Span]:
    """Runs of proper nouns, with "of", "de la" and hyphens between them."""
    words, tags = sentence.words, sentence.tags
    runs: list[Span] = []
    in_entity = [False] * (len(words) + 1)
    for first, end, _ in sentence.entities:
        in_entity[first:end] = [True] * (end - first)
    token = 0
    while token < len(words):
        if tags[token] not in PROPER or in_entity[token] or not _is_name_word(words[token]):
            token += 1
            continue
        end = token + 1
        while end < len(words) and not in_entity[end]:
            if tags[end] in PROPER and words[end][0].isalnum():
                end += 1
            elif (
                end + 1 < len(words)
                and (words[end].lower() in _JOINTS or words[end] in "-–")
                and tags[end + 1] in PROPER
                and not in_entity[end + 1]
            ):
                end += 2
            else:
                break
        runs.append((token, end, "RUN"))
        token = end
    return runs


def _is_name_word(word: str) -> bool:
    inside = word[1:2].isupper() and word.isalpha() and len(word) > 2  # "iPhone"
    return word[0].isalpha() and (word[0].isupper() or inside or not word[0].isascii())


def quoted_titles(sentence: Sentence) -> list[Span]:
    """Short quotations in title case: names of films, books, songs."""
    words = sentence.words
    found = []
    opened: int | None = None
    for token, word in enumerate(words):
        if opened is not None and word in CLOSING:
            inner = words[opened + 1 : token]
            defined = any(before == "(" for before in words[max(0, opened - 2) : opened])
            if (
                0 < len(inner) <= LONGEST_QUOTE
                and _is_title_case(inner)
                and not defined  # an agreement's terms: (the "Notes")
                and not (len(inner) == 1 and CAMEL.search(inner[0]))
            ):
                end = token - 1 if inner[-1] in {",", "."} and len(inner) > 1 else token
                found.append((opened + 1, end, "WORK_OF_ART"))
            opened = None
        elif word in OPENING:
            opened = token
    return found


def _is_title_case(words: Sequence[str]) -> bool:
    if not words[0][0].isupper() and not words[0][0].isdigit():
        return False
    if words[-1] in "!?." and len(words) > 5:
        return False
    long_words = [
        word for word in words if word[0].isalpha() and (len(word) > 3 or is_english_noun(word))
    ]
    capital = sum(word[0].isupper() for word in long_words)
    return capital == len(long_words) and any(word[0].isupper() for word in words)


def known_names(sentence: Sentence, known: Sequence[tuple[str, ...]]) -> list[Span]:
    found: list[Span] = []
    if known:
        lowered = [word.lower() for word in sentence.words]
        for name in known:
            token = 0
            for _ in range(lowered.count(name[0])):
                token = lowered.index(name[0], token)
                if tuple(lowered[token : token + len(name)]) == name:
                    found.append((token, token + len(name), "TITLE"))
                token += 1
    return found
