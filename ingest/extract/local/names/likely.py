"""How likely a mention names something, and something of its class, by its form and place."""

import re
from typing import TYPE_CHECKING

from hlg.ingest.extract.local.names.votes import SURE
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.spacy_pipeline import english_describing_words, is_english_noun, is_english_verb
from hlg.words import words
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.lexicon import (
    EVENT,
    GROUP,
    NAME_WORDS,
    NOUN_CLASSES,
    ORGANIZATION,
    PERSON,
    PLACE,
    PRODUCT,
    THING,
    WORK,
)
from hlg.words.organization_names import ORGANIZATION_NAMES
from hlg.words.place_names import PLACE_NAMES

if TYPE_CHECKING:
    from hlg.ingest.extract.local.names.mentions import Mention

__all__ = [
    "has_likely_class",
    "is_common_phrase",
    "is_doubtful_name",
    "is_part_of_text",
    "is_personal_form",
    "is_title_case",
    "is_titled",
]

_PARTS = re.compile(
    r"(?i)(?:appendix|arm|case|chapter|cohort|episode|example|exhibit|fig|figure|group|issue|item|"
    r"lesson|level|listing|match|note|page|part|phase|quarter|ring|round|season|section|stage|step|"
    r"suppl|table|tier|verse|vol|volume|week)\.? (?:\d[\d.\-]*\w?|[ivx]+|[a-z])$"
)
_ODD = re.compile(r"\d|[a-z][A-Z]|[%®*]")
"""What stands in names of things rather than of organisations."""
_GENERAL_NOUN = re.compile(r"(?:ness|ment|tion|sion|ity|thy|sis|ance|ence|ship|ings?|ables?|ess)$")
_OF_PEOPLE = re.compile(
    r"(?:ans?|ish|ese|ics?|[ai]ni?|is|ists?|ims?|ews?|rench|utch|wiss|eeks?|hais?|indus?|indi|"
    r"panis|ern|axons?|urks?|erbs?|elsh|anes?|wedes?|inns?|oles?|zechs?|rabs?|[in]os?|ites)$"
)
_INTO_PLACES = words("names", "into places")
_HOLIDAYS = frozenset(
    [
        "christmas",
        "diwali",
        "easter",
        "eid",
        "halloween",
        "hanukkah",
        "juneteenth",
        "passover",
        "ramadan",
        "thanksgiving",
    ]
)
_INITIALLED = re.compile(
    r"(?:[^\W\d_][\w'’-]+ )?(?:[^\W\d_]\. ?){1,3}(?:-[^\W\d_]\. ?)?"
    r"(?:(?:van|von|de|der|la|du|di) )*[^\W\d_][^\W\d_]['’\w-]+(?: Jr\.?| Sr\.?| I{2,3})?"
)
_SHORT_PLACES = ("U.S.", "U. S.", "U.K.", "U.N.", "E.U.", "D.C.", "L.A.", "N.Y.", "U.A.E.")
_NO_FIRST_WORDS = words("names", "no first words")
"""What a row's label begins with that says something only beside the other rows."""
_STATES = frozenset(
    ("balance", "balances", "outstanding", "unvested", "nonvested", "released", "vested")
)
_ALWAYS_SMALL = words("names", "always small")


def is_titled(text: str) -> bool:
    """Whether all of a label's words begin as names do: "Lumen Press", not "Deferred revenue"."""
    words = [word for word in text.split() if word.lower() not in _ALWAYS_SMALL]
    return bool(words) and all(not word[0].isalpha() or word[0].isupper() for word in words)


def is_label(cell: str) -> bool:
    """Whether a row's label names something without the rows around it.

    "Less: costs", "Other", "At end of the year", "Vested" and "Balance as at 1 April" don't.
    """
    words = cell.lower().replace(":", " ").split()
    return bool(words) and not (
        words[0] in _NO_FIRST_WORDS
        or " as at " in cell
        or " as of " in cell
        or (":" in cell and " " in cell)
        or (cell[0].isdigit() and " " in cell and words[1] in ("-", "–", "to"))
        or (words[0] in _STATES and not {"of", "at"}.isdisjoint(words))
        or (len(words) == 1 and not is_english_noun(words[0]) and _is_plain_word(words[0]))
        or (len(words) == 1 and words[0] in ("other", "others", "total", "balance", "foreign"))
    )


def is_part_of_text(name: str) -> bool:
    """Whether a name is of a place in a text: "Chapter 15", "Listing 7-7"."""
    return _PARTS.match(name) is not None


def is_title_case(sentence: Sentence, first: int = 0, end: int = 1) -> bool:
    """Whether a line has capitals for its place, as headlines have: they tell no name then.

    :param first: a name in it, up to ``end``, whose own words don't count.
    """
    words = sentence.words[1:first] + sentence.words[max(end, 1) :]
    long = [word for word in words if len(word) > 3 and word.isalpha()]
    return len(long) > 1 and 5 * sum(word[0].isupper() for word in long) >= 4 * len(long)


def is_personal_form(name: str) -> bool:
    """Whether a name is written as only people's are: "Ismael K. Ortega", "V.I. Mitev"."""
    return (
        _INITIALLED.fullmatch(name) is not None
        and name.rsplit(" ", 1)[-1][0].isupper()
        and not name.startswith(_SHORT_PLACES)
    )


def is_common_phrase(name: str) -> bool:
    """Whether all words of a name are common ones: "Credit Facilities", "Business Visa"."""
    lowered = name.lower()
    if lowered in GIVEN_NAMES | PLACE_NAMES | ORGANIZATION_NAMES:
        return False
    words = [word for word in re.split(r"[\s-]+", lowered) if word]
    return all(word in _ALWAYS_SMALL or _is_common_word(word) for word in words)


def _is_common_word(word: str) -> bool:
    known = GIVEN_NAMES | PLACE_NAMES | ORGANIZATION_NAMES
    return word not in known and (_is_plain_word(word) or is_english_noun(word))


def is_doubtful_name(sentence: Sentence, mention: "Mention") -> bool:
    """Whether a plain word may have its capital from its place: a sentence's first, or shouted."""
    name = mention.name
    lowered = name.lower()
    if lowered in GIVEN_NAMES | PLACE_NAMES | ORGANIZATION_NAMES:
        return False
    shouted = len(name) > 3 and name.isupper()
    headline = is_title_case(sentence, mention.first, mention.end)
    placed = mention.first <= 1 or shouted or headline
    if " " in name or "-" in name:
        return headline and mention.entity_class == THING and is_common_phrase(name)
    if not placed or not (shouted or name[1:].islower()):
        return False
    if mention.entity_class == GROUP and mention.votes == SURE:
        return False
    if _GENERAL_NOUN.search(lowered):
        return True
    said = sentence.deps[mention.end - 1] in ("nsubj", "nsubjpass", "poss") and not shouted
    if said:
        return False
    if mention.entity_class in (PERSON, PLACE) or (shouted and not headline):
        return _is_plain_word(lowered)
    return _is_common_word(lowered)


def _is_plain_word(word: str) -> bool:
    return (
        word in english_describing_words()
        or is_english_verb(word)
        or _GENERAL_NOUN.search(word) is not None
    )


def has_likely_class(sentence: Sentence, first: int, end: int, name: str, class_: str) -> bool:
    """Whether the class that the model guesses for a name has something besides to speak for it.

    What is taken from a name without it is only its class: it stays a thing.
    """
    words = name.split()
    single = len(words) == 1
    if class_ == PERSON and not single:
        return words[0].lower() in GIVEN_NAMES or not any(
            _is_plain_word(word.lower()) or not word[0].isupper()
            for word in words
            if word[0].isalpha()
        )
    if class_ == PLACE and single:
        before = sentence.words[first - 1].lower() if first else ""
        return before in _INTO_PLACES or sentence.words[end : end + 1] == [","]
    if class_ == GROUP and single:
        return _OF_PEOPLE.search(name) is not None
    if class_ == EVENT:
        return (
            name.lower() in _HOLIDAYS
            or any(word.isdigit() for word in words)
            or any(NAME_WORDS.get(word.lower()) == EVENT for word in words)
        )
    if class_ == ORGANIZATION and not single:
        if name[0].islower() or is_title_case(sentence, first, end):
            return False
        if is_common_phrase(name) and NOUN_CLASSES.get(words[-1].lower()) != ORGANIZATION:
            return False
        return not any(_ODD.search(word) for word in words)
    if class_ == WORK and is_common_phrase(name):
        return not is_title_case(sentence, first, end)
    return class_ != PRODUCT or not single
