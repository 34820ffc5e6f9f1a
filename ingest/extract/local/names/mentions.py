"""Names and values in a sentence: where each stands, how it is called, of which class it is."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hlg.ingest.extract.local.facts.wording import is_code, is_foreign, is_name
from hlg.ingest.extract.local.names.attached import attached, is_in_brand
from hlg.ingest.extract.local.names.likely import (
    has_likely_class,
    is_part_of_text,
    is_personal_form,
)
from hlg.ingest.extract.local.names.spans import (
    Span,
    begins,
    called_names,
    dated_names,
    end_of_entity,
    fitted,
    is_large_adjective,
    owned_names,
    parted,
)
from hlg.ingest.extract.local.names.votes import GIVEN, SURE, TOLD, UNSURE
from hlg.ingest.extract.local.parse import Sentence
from hlg.ingest.words.given_names import GIVEN_NAMES
from hlg.ingest.words.lexicon import (
    CALENDAR,
    CORPORATE_ENDINGS,
    ENTITY_LABELS,
    EVENT,
    GROUP,
    HONORIFICS,
    LEADING_NAME_WORDS,
    MONTHS,
    NAME_WORDS,
    NOUN_CLASSES,
    ORGANIZATION,
    PERSON,
    PLACE,
    PRODUCT,
    SAINTS,
    SPEECH_VERBS,
    STOP_WORDS,
    THING,
    VALUE_LABELS,
    WORK,
)
from hlg.ingest.words.no_names import INTERJECTIONS, NO_NAMES, SECTION_LABELS
from hlg.ingest.words.organization_names import ORGANIZATION_NAMES
from hlg.ingest.words.place_names import PLACE_NAMES
from hlg.models.spacy_pipeline import is_english_noun

__all__ = ["VALUE", "Mention", "class_of_name", "find_mentions"]

VALUE = "Value"
"""Class of a date or amount, which is kept on facts and is no entity."""

LONGEST_NAME, LONGEST_QUOTE = 12, 9
"""Words of the longest name, and of the longest quotation taken for a title."""

_PROPER = frozenset(("NNP", "NNPS"))
_JOINTS = frozenset(("of", "de", "la", "del", "von", "van", "der", "du", "di", "da", "and", "&"))
_JOINED = frozenset(("of", "&", "and"))
_STRONG_JOINTS = _JOINTS - {"and", "of"}
_HEADS_BEFORE = frozenset(("of", "for", "on", "in", "at"))
"""The word before one of these says what is named: "Technical College in Marlund"."""
_OPENING, _CLOSING = frozenset(('"', "“", "``", "«")), frozenset(('"', "”", "''", "»"))
_EDGE = " \t\"'“”‘’`.,;:!?()[]{}*_|<>«»~^=-–—/\\%®™©"
_LEADING = re.compile(r"^(?:(?:the|a|an|this|that|these|those|its|his|her|their|our)\s+)+", re.I)
_TRAILING = re.compile(r"\s*['’]s?$")
_INITIAL = re.compile(r"(?:[a-z]\.)+")
_NO_NAME = re.compile(r"&\w+|^X{0,2}(?:IX|IV|V?I{1,3}|V|X)(?:-[ ]?[A-Z])?$")
"""Markup and numerals."""
_AND_OTHERS = frozenset(("et", "al", "al."))
_SCORE = re.compile(r"\d+[-–]\d+$")
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d(?:s|[-–]\d\d(?:\d\d)?)?$")
_NAME_ENDINGS = CORPORATE_ENDINGS | {"jr", "sr", "inc", "ltd", "co", "corp", "d.c"}
_GENERATIONS = frozenset(("jr", "sr"))
_OFFICES = frozenset(
    ("ceo", "chairman", "chairwoman", "director", "minister", "president", "secretary")
)
_LARGE = frozenset(("good", "great"))
_SEPARATORS = frozenset((",", "/", ";", "|", "vs", "vs.", "v."))
_LEADING_TAGS = frozenset(("DT", "PRP$", "IN", "CC"))
_PERSONAL = re.compile(r"(?:[^\W\d_][\w'’.-]*|-)")
_CAMEL = re.compile(r"[a-z][A-Z]|\d|[A-Z]{2}[a-z]")
_OF_PLACES = frozenset(("has", "had", "have", "borders", "includes", "became", "contains"))
"""Verbs with an object that places are the subject of as well."""
_GENERIC = frozenset(NAME_WORDS) | frozenset(NOUN_CLASSES) | HONORIFICS


@dataclass(frozen=True, slots=True)
class Mention:
    """Tokens ``[first, end)`` that name something. ``votes`` weigh the class."""

    first: int
    end: int
    name: str
    entity_class: str
    votes: int = SURE


def find_mentions(sentence: Sentence, known: Sequence[tuple[str, ...]] = ()) -> list[Mention]:
    """Mentions in order, none overlapping another.

    :param known: names that stand anywhere in the document whatever their case, such as
        its title, as lower-cased words.
    """
    if is_code(sentence) or is_foreign(sentence):
        return []
    candidates = [
        *_quoted_titles(sentence),
        *_fitted(sentence, _joined_entities(sentence)),
        *_known_names(sentence, known),
        *_fitted(sentence, _proper_runs(sentence)),
        *called_names(sentence),
        *dated_names(sentence),
    ]
    candidates += _compound_names(sentence, candidates)
    candidates += owned_names(sentence, _of_longer(sentence, candidates))
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


def _fitted(sentence: Sentence, spans: Iterable[Span]) -> Iterator[Span]:
    """Spans that begin and end with their names; values as they are."""
    for span in spans:
        if span[2] in VALUE_LABELS:
            yield span
            continue
        for part in parted(sentence, span):
            yield attached(sentence, fitted(sentence, part))


def _of_longer(sentence: Sentence, spans: Iterable[Span]) -> list[bool]:
    """Of each token whether it is of a name of several words."""
    found = [False] * len(sentence.words)
    for first, end, label in spans:
        if end - first > 1 and label not in VALUE_LABELS:
            found[first:end] = [True] * (end - first)
    return found


def class_of_name(name: str) -> str:
    """Class that the words of a name give away ("... University"), else the empty string."""
    words = name.lower().split()
    if name.islower():
        return ""
    if " ".join(words) in PLACE_NAMES:
        return PLACE
    if " ".join(words) in ORGANIZATION_NAMES:
        return ORGANIZATION
    if len(words) < 2:
        return ""
    last = words[-1].rstrip(".,")
    if is_personal_form(name) and last not in NAME_WORDS:
        return PERSON
    ranked = words[0] in HONORIFICS - SAINTS and words[0] not in LEADING_NAME_WORDS
    if ranked and words[1:3] != ["of", "the"]:
        return PERSON
    personal = len(words) <= 4 and last not in NAME_WORDS and not _JOINED & set(words)
    personal = personal and last.replace("-", "").replace("'", "").isalpha()
    initials = _INITIAL.fullmatch(words[0]) and words[0] not in PLACE_NAMES and len(words[0]) < 5
    if personal and (words[0] in GIVEN_NAMES or initials):
        return PERSON
    if not name.split()[-1][0].isupper() and "of" not in words:
        return ""  # "Released to the income statement" is no statement's name
    if words[0] in LEADING_NAME_WORDS and (words[0] in {"mount", "lake", "fort"} or "of" in words):
        return NAME_WORDS.get(words[0], "")
    joint = next((at for at, word in enumerate(words) if at and word in _HEADS_BEFORE), 0)
    before_of = words[joint - 1] if joint else ""
    return NAME_WORDS.get(before_of, "") or NAME_WORDS.get(last, "")


def _mention(sentence: Sentence, first: int, end: int, label: str) -> Mention | None:
    words, tags = sentence.words, sentence.tags
    while first < end and (
        not words[first].strip(_EDGE)
        or (tags[first] in _LEADING_TAGS and end - first > 1 and not is_in_brand(sentence, first))
    ):
        first += 1
    while first < end and (
        not words[end - 1].strip(_EDGE) or tags[end - 1] in ("POS", "IN", "DT", "CC")
    ):
        end -= 1
    while first < end and words[end - 1].lower() in _AND_OTHERS:
        end -= 1
    if first == end or end - first > LONGEST_NAME * 2:
        return None
    if _is_field(sentence, first, end):
        return None
    cited = [word.lower() for word in words[end : end + 2]] in (["et", "al"], ["et", "al."])
    text = sentence.text(first, end)
    if label in VALUE_LABELS or _YEAR.match(text):
        return Mention(first, end, text, VALUE)
    while first < end - 1 and label != "EVENT" and _is_label(sentence, first):
        first += 1
    text = sentence.text(first, end)
    name = _TRAILING.sub("", _LEADING.sub("", text).strip(_EDGE)).strip(_EDGE)
    if text.endswith(".") and _abbreviates(text):
        name += "."
    if len(name) < 2 or not is_name(name) or name.lower() in NO_NAMES or is_part_of_text(name):
        return None
    if _NO_NAME.search(name) or name.lower().strip(".") in _GENERATIONS:
        return None
    if label == "TITLE":
        known = class_of_name(name)
        return Mention(first, end, name, known or THING, GIVEN if known else UNSURE)
    if name.isascii() and not any(character.isupper() for character in name):
        return None
    lowered = name.lower()
    if label != "WORK_OF_ART" and (
        lowered in _GENERIC
        or (lowered in STOP_WORDS and not name.isupper())
        or all(_is_calendar(word.rstrip(".")) for word in lowered.split())
    ):
        return None
    known = class_of_name(name) if label != "WORK_OF_ART" else ""
    office = words[first].lower()
    is_office = NOUN_CLASSES.get(office) == PERSON and "of" in words[first + 1 : end]
    is_office = is_office and (
        ORGANIZATION in (known, ENTITY_LABELS.get(label)) or office in _OFFICES
    )
    if is_office or (known and lowered.endswith(" of the company")):
        return None  # "Chairman of the Audit Committee" is what a person is.
    if known:
        return Mention(first, end, name, known, GIVEN)
    if cited and end - first <= 2:
        return Mention(first, end, name, PERSON, TOLD)
    entity_class = ENTITY_LABELS.get(label, THING)
    if end - first == 1 and first == 0 and sentence.deps[0] == "amod":
        return None
    if entity_class != PERSON and _is_caption(sentence, first, end):
        return None
    if (
        label == "RUN"
        or not _fits(sentence, first, end, name, entity_class)
        or not has_likely_class(sentence, first, end, name, entity_class)
    ):
        return Mention(first, end, name, THING, UNSURE)
    return Mention(first, end, name, entity_class)


def _is_field(sentence: Sentence, first: int, end: int) -> bool:
    """Whether a word is a record's field: {"NextToken": "77X"}."""
    words = sentence.words
    quoted = first > 0 and words[first - 1] in _OPENING | _CLOSING
    return quoted and words[end : end + 1] in (['"'], ["''"]) and words[end + 1 : end + 2] == [":"]


def _is_calendar(word: str) -> bool:
    """Whether a word is a day, a month or a season: "Thursdays", "tues"."""
    return word in CALENDAR or (word.endswith("s") and word[:-1] in CALENDAR)


def _is_caption(sentence: Sentence, first: int, end: int) -> bool:
    """Whether a name is all that a line without a verb says: "Executive Summary"."""
    return 10 * (end - first) >= 6 * len(sentence.words) and not any(
        tag.startswith(("VB", "MD")) or tag == "." for tag in sentence.tags
    )


def _is_label(sentence: Sentence, token: int) -> bool:
    """Whether a word before a name is none of it: "Hey" Ada, "BACKGROUND" Calcific."""
    word = sentence.words[token].lower().strip(_EDGE)
    if word in INTERJECTIONS:
        return begins(sentence, token) and not (word in _LARGE and _is_place(sentence, token))
    return (sentence.words[token].isupper() or token == 0) and word in SECTION_LABELS


def _is_place(sentence: Sentence, token: int) -> bool:
    """Whether two words name a place: "Great Britain"."""
    return sentence.text(token, token + 2).lower() in PLACE_NAMES


def _fits(sentence: Sentence, first: int, end: int, name: str, entity_class: str) -> bool:
    """Whether a name can be of the class that the model guesses, by its form and its verb."""
    words = name.split()
    single = len(words) == 1
    if single and entity_class in (PERSON, PLACE) and _CAMEL.search(name):
        return False
    if entity_class == PERSON:
        if any(not _PERSONAL.fullmatch(word) for word in words):
            return False
        if any(word.lower() in NAME_WORDS or word.isupper() for word in words[1:]):
            return False
        if single and (first == 0 or name.isupper() or len(name) < 3):
            return words[0].lower() in GIVEN_NAMES
        return True
    if entity_class == PLACE:
        return not (single and name.isupper()) and not _acts(sentence, first, end)
    if entity_class in (ORGANIZATION, EVENT, PRODUCT, GROUP) and single:
        if entity_class == ORGANIZATION:
            return name.isalpha() and not name.isupper() and _acts(sentence, first, end)
        return name.isalpha()
    if entity_class == WORK and single:
        return first > 0 and sentence.words[first - 1] in _OPENING
    return True


def _acts(sentence: Sentence, first: int, end: int) -> bool:
    """Whether a name is the subject of a verb that takes an object or says something."""
    for token in range(first, end):
        if sentence.deps[token] == "nsubj":
            verb = sentence.heads[token]
            if sentence.words[verb].lower() in SPEECH_VERBS:
                return True
            return sentence.words[verb].lower() not in _OF_PLACES and any(
                sentence.deps[child] == "dobj" for child in sentence.children[verb]
            )
    return False


def _abbreviates(text: str) -> bool:
    last = text.rsplit(None, 1)[-1]
    return last.lower() in {"inc.", "corp.", "co.", "ltd.", "jr.", "sr."} or last.count(".") > 1


def _joined_entities(sentence: Sentence) -> list[tuple[int, int, str]]:
    """spaCy's entities, lists taken apart, each with the proper nouns that it broke off."""
    tags, words, deps, heads = sentence.tags, sentence.words, sentence.deps, sentence.heads
    found: list[tuple[int, int, str]] = []
    for first, end, label in _list_items(sentence):
        if label in ENTITY_LABELS and label not in ("NORP", "LANGUAGE"):
            limit = found[-1][1] if found else 0
            while (
                first > limit
                and (tags[first - 1] in _PROPER or is_large_adjective(sentence, first, label))
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


def _list_items(sentence: Sentence) -> Iterator[tuple[int, int, str]]:
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
        all(tag in _PROPER for tag in sentence.tags[first:end])
        and not any(word in CALENDAR for word in lowered[:1])
        and not any(word in MONTHS for word in lowered)
        and sentence.words[first][0].isupper()
    )


def _compound_names(
    sentence: Sentence, spans: list[tuple[int, int, str]]
) -> Iterator[tuple[int, int, str]]:
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
    inside = word[1:2].isupper() and word.isalpha() and len(word) > 2  # "iPhone"
    return word[0].isalpha() and (word[0].isupper() or inside or not word[0].isascii())


def _quoted_titles(sentence: Sentence) -> list[tuple[int, int, str]]:
    """Short quotations in title case: names of films, books, songs."""
    words = sentence.words
    found = []
    opened: int | None = None
    for token, word in enumerate(words):
        if opened is not None and word in _CLOSING:
            inner = words[opened + 1 : token]
            defined = any(before == "(" for before in words[max(0, opened - 2) : opened])
            if (
                0 < len(inner) <= LONGEST_QUOTE
                and _is_title_case(inner)
                and not defined  # an agreement's terms: (the "Notes")
                and not (len(inner) == 1 and _CAMEL.search(inner[0]))
            ):
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
    long_words = [
        word for word in words if word[0].isalpha() and (len(word) > 3 or is_english_noun(word))
    ]
    capital = sum(word[0].isupper() for word in long_words)
    return capital == len(long_words) and any(word[0].isupper() for word in words)


def _known_names(
    sentence: Sentence, known: Sequence[tuple[str, ...]]
) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
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
