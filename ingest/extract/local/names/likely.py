"""How likely a mention names something, and something of its class, by its form and place."""

import re
from typing import TYPE_CHECKING

from hlg.ingest.extract.local.parse import Sentence
from hlg.ingest.words.given_names import GIVEN_NAMES
from hlg.ingest.words.lexicon import EVENT, GROUP, NAME_WORDS, ORGANIZATION, PERSON, PLACE, PRODUCT
from hlg.ingest.words.organization_names import ORGANIZATION_NAMES
from hlg.ingest.words.place_names import PLACE_NAMES
from hlg.models.spacy_pipeline import english_describing_words, is_english_verb

if TYPE_CHECKING:
    from hlg.ingest.extract.local.names.mentions import Mention

__all__ = ["has_likely_class", "is_doubtful_name", "is_part_of_text", "is_titled"]

_PARTS = re.compile(
    r"(?i)(?:appendix|chapter|example|exhibit|fig|figure|item|listing|match|note|page|part|phase|"
    r"section|step|table|vol|volume|week)\.? (?:\d[\d.\-]*\w?|[ivx]+|[a-z])$"
)
_GENERAL_NOUN = re.compile(r"(?:ness|ment|tion|sion|ity|thy|sis|ance|ence|ship|ings?|ables?|ess)$")
_OF_PEOPLE = re.compile(
    r"(?:ans?|ish|ese|ics?|[ai]ni?|is|ists?|ims?|ews?|rench|utch|wiss|eeks?|hais?|indus?|indi|"
    r"panis|ern|axons?|urks?|erbs?|elsh|anes?|wedes?|inns?|oles?|zechs?|rabs?|[in]os?|ites)$"
)
_INTO_PLACES = frozenset(
    [
        "across",
        "around",
        "at",
        "from",
        "in",
        "inside",
        "into",
        "near",
        "of",
        "outside",
        "through",
        "throughout",
        "to",
        "toward",
    ]
)
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
_ALWAYS_SMALL = frozenset(
    ("a", "an", "and", "as", "at", "by", "for", "in", "of", "on", "or", "the", "to")
)


def is_titled(text: str) -> bool:
    """Whether all of a label's words begin as names do: "Lumen Press", not "Deferred revenue"."""
    words = [word for word in text.split() if word.lower() not in _ALWAYS_SMALL]
    return bool(words) and all(not word[0].isalpha() or word[0].isupper() for word in words)


def is_part_of_text(name: str) -> bool:
    """Whether a name is of a place in a text: "Chapter 15", "Listing 7-7"."""
    return _PARTS.match(name) is not None


def is_doubtful_name(sentence: Sentence, mention: "Mention") -> bool:
    """Whether a plain word may have its capital from its place: a sentence's first, or shouted."""
    name = mention.name
    lowered = name.lower()
    if " " in name or lowered in GIVEN_NAMES | PLACE_NAMES | ORGANIZATION_NAMES:
        return False
    shouted = len(name) > 3 and name.isupper()
    if not shouted and (mention.first > 1 or not name[1:].islower()):
        return False
    if _GENERAL_NOUN.search(lowered):
        return True
    said = sentence.deps[mention.end - 1] in ("nsubj", "nsubjpass", "poss") and not shouted
    return not said and _is_plain_word(lowered)


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
        return not all(_is_plain_word(word.lower()) for word in words)
    return class_ != PRODUCT or not single
