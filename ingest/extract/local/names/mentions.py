"""Names and values in a sentence: which of what was found stays, how it is called, of which class
it is."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hlg.ingest.extract.local.facts.wording import is_code, is_foreign, is_name
from hlg.ingest.extract.local.names.attached import attached, is_in_brand
from hlg.ingest.extract.local.names.found import (
    CAMEL,
    CLOSING,
    OPENING,
    PROPER,
    YEAR,
    compound_names,
    joined_entities,
    known_names,
    proper_runs,
    quoted_titles,
)
from hlg.ingest.extract.local.names.likely import (
    has_likely_class,
    is_part_of_text,
    is_personal_form,
)
from hlg.ingest.extract.local.names.nobles import NOBLE, is_noble, noble_names
from hlg.ingest.extract.local.names.spans import (
    Span,
    begins,
    called_names,
    dated_names,
    fitted,
    owned_names,
    parted,
)
from hlg.ingest.extract.local.names.votes import GIVEN, SURE, TOLD, UNSURE
from hlg.ingest.extract.local.names.works import FAMED, famed_works
from hlg.ingest.extract.local.parse import Sentence
from hlg.words import words
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.lexicon import (
    CALENDAR,
    ENTITY_LABELS,
    EVENT,
    GROUP,
    HONORIFICS,
    JOINING_WORDS,
    LEADING_NAME_WORDS,
    NAME_WORDS,
    NOUN_CLASSES,
    ORGANIZATION,
    PERSON,
    PLACE,
    PRODUCT,
    RANKS,
    SPEECH_VERBS,
    STOP_WORDS,
    THING,
    VALUE_LABELS,
    WORK,
)
from hlg.words.no_names import INTERJECTIONS, NO_NAMES, SECTION_LABELS
from hlg.words.organization_names import ORGANIZATION_NAMES
from hlg.words.place_names import PLACE_NAMES

__all__ = ["VALUE", "Mention", "class_of_name", "find_mentions"]

VALUE = "Value"
"""Class of a date or amount, which is kept on facts and is no entity."""

LONGEST_NAME = 12
"""Words of the longest name."""

_HEADS_BEFORE = frozenset(("of", "for", "on", "in", "at"))
"""The word before one of these says what is named: "Technical College in Marlund"."""
_EDGE = " \t\"'“”‘’`.,;:!?()[]{}*_|<>«»~^=-–—/\\%®™©"
_LEADING = re.compile(r"^(?:(?:the|a|an|this|that|these|those|its|his|her|their|our)\s+)+", re.I)
_TRAILING = re.compile(r"\s*['’]s?$")
_INITIAL = re.compile(r"(?:[a-z]\.)+")
_NO_NAME = re.compile(r"&\w+|^X{0,2}(?:IX|IV|V?I{1,3}|V|X)(?:-[ ]?[A-Z])?$")
"""Markup and numerals."""
_AND_OTHERS = frozenset(("et", "al", "al."))
_GENERATIONS = frozenset(("jr", "sr"))
_OF_NO_PEOPLE = words("names", "of no people")
"""Nouns that a people's name before them only tells the kind of."""
_OFFICES = frozenset(
    ("ceo", "chairman", "chairwoman", "director", "minister", "president", "secretary")
)
_LARGE = frozenset(("good", "great"))
_LEADING_TAGS = frozenset(("DT", "PRP$", "IN", "CC"))
_PERSONAL = re.compile(r"(?:[^\W\d_][\w'’.-]*|-)")
_OF_PLACES = frozenset(("has", "had", "have", "borders", "includes", "became", "contains"))
"""Verbs with an object that places are the subject of as well."""
_ONE_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
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
        *famed_works(sentence),
        *noble_names(sentence),
        *quoted_titles(sentence),
        *_fitted(sentence, joined_entities(sentence)),
        *known_names(sentence, known),
        *_fitted(sentence, proper_runs(sentence)),
        *called_names(sentence),
        *dated_names(sentence),
    ]
    candidates += compound_names(sentence, candidates)
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
        if cut and not any(tag in PROPER for tag in sentence.tags[free_first:free_end]):
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
    if is_noble(name):
        return PERSON
    last = words[-1].rstrip(".,")
    if is_personal_form(name) and last not in NAME_WORDS:
        return PERSON
    ranked = words[0] in RANKS and words[0] not in LEADING_NAME_WORDS
    if ranked and words[1] not in JOINING_WORDS - {"of"} and words[1:3] != ["of", "the"]:
        return PERSON
    personal = len(words) <= 4 and last not in NAME_WORDS and not JOINING_WORDS & set(words)
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
    if label == FAMED:
        return Mention(first, end, text, WORK, GIVEN)
    if label == NOBLE and is_noble(text):
        return Mention(first, end, text, PERSON, GIVEN)
    if label in VALUE_LABELS or YEAR.match(text):
        return Mention(first, end, text, VALUE)
    while first < end - 1 and label != "EVENT" and _is_label(sentence, first):
        first += 1
    text = sentence.text(first, end)
    name = _TRAILING.sub("", _LEADING.sub("", text).strip(_EDGE)).strip(_EDGE)
    if text.endswith(".") and _abbreviates(text):
        name += "."
    if label == "NORP" and " ".join(words[end : end + 1]).lower() in _OF_NO_PEOPLE:
        return None  # "Hawaiian pizza"
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
    if label == "WORK_OF_ART" and _is_dated(sentence, end):
        return Mention(first, end, name, WORK, GIVEN)
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


def _is_dated(sentence: Sentence, end: int) -> bool:
    """Whether a quotation has a year behind it, as works have: "Hero" (1983)."""
    words = sentence.words[end : end + 4]
    return (
        len(words) == 4
        and words[0] in CLOSING
        and words[1] == "("
        and _ONE_YEAR.fullmatch(words[2]) is not None
        and words[3] in (")", ",")
    )


def _is_field(sentence: Sentence, first: int, end: int) -> bool:
    """Whether a word is a record's field: {"NextToken": "77X"}."""
    words = sentence.words
    quoted = first > 0 and words[first - 1] in OPENING | CLOSING
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
    if single and entity_class in (PERSON, PLACE) and CAMEL.search(name):
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
        return first > 0 and sentence.words[first - 1] in OPENING
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
