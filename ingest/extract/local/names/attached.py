"""What belongs to a name though the tagger leaves it out: a number, a letter behind a hyphen, a
preposition with a capital.

"Fire HD 8", "iPhone 15 Pro", "TGF-beta", "c-Myc", "Under Armour".
"""

import re

from hlg.ingest.extract.local.names.likely import is_title_case
from hlg.ingest.extract.local.names.spans import Span, hyphened
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.lexicon import BREEDS, CALENDAR, CORPORATE_ENDINGS, NAME_WORDS
from hlg.words.organization_names import ORGANIZATION_NAMES
from hlg.words.place_names import PLACE_NAMES

__all__ = ["attached", "is_breed", "is_in_brand"]

_NUMBER = re.compile(r"\d{1,5}[a-zA-Z]{0,2}")
_YEAR = re.compile(r"(?:1[5-9]|20[0-4])\d\d|\d{1,2}(?:st|nd|rd|th|am|pm|km|cm|mm|kg|mg|ml|m|s)")
"""What looks like a number of a name and is a year, a place in a row, a measure."""
_MODELS = frozenset(
    ("air", "fe", "gen", "lite", "max", "mini", "plus", "premium", "pro", "se", "ultra", "xl")
)
"""What stands behind a product's number."""
_AFTER_NAMES = frozenset(("appos", "nmod", "npadvmod", "nummod"))
_NUMBERED = frozenset(("CD", "NN", "NNP", "NNPS", "NNS"))
_OPEN_LABELS = frozenset(("EVENT", "ORG", "PRODUCT", "RUN", "WORK_OF_ART"))
"""Labels of what may have a number; countries and people have none."""
_DETERMINERS = frozenset(("DT", "PRP$"))
_LETTERS = re.compile(
    r"alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|sigma|omega|[α-ω]|"
    r"[A-Z]{1,3}|\d{1,3}[a-zA-Z]?"
)
_SYMBOL = re.compile(r"(?=.*[A-Z])(?=.*[A-Z].*[A-Z\d]|.*\d)[A-Za-z\d]{2,6}")
"""An acronym or another sign: "TGF", "PI3"."""
_PREFIX = re.compile(r"[a-z]|\d{1,2}|[A-Z]{2,4}")
_IN_BRANDS = frozenset(("Above", "Across", "After", "Behind", "Beyond", "Over", "Through", "Under"))


def attached(sentence: Sentence, span: Span) -> Span:
    """A name's span with what belongs to it on either side."""
    first, end, label = span
    if first and end < len(sentence.words) and is_in_brand(sentence, first - 1):
        return first - 1, end, "RUN"
    return _start(sentence, first), _end(sentence, first, end, label), label


def is_in_brand(sentence: Sentence, token: int) -> bool:
    """Whether a preposition with a capital, inside a sentence, begins a name: "Under" Armour."""
    words = sentence.words
    return (
        words[token] in _IN_BRANDS
        and 0 < token < len(words) - 1
        and words[token - 1].islower()
        and words[token + 1][0].isupper()
        and not is_title_case(sentence, token)
    )


def is_breed(name: str) -> bool:
    """Whether a name ends as those of breeds do: "German Shepherds"."""
    return name.lower().rsplit(" ", 1)[-1].removesuffix("s") in BREEDS


def _start(sentence: Sentence, first: int) -> int:
    words = sentence.words
    if first < 2 or not hyphened(sentence, first - 1):
        return first
    before = words[first - 2]
    joined = _PREFIX.fullmatch(before) and (before.islower() or not words[first][1:].islower())
    return first - 2 if joined and words[first][0].isalpha() else first


def _end(sentence: Sentence, first: int, end: int, label: str) -> int:
    words = sentence.words
    if label == "NORP" and end < len(words) and words[end][0].isupper() and is_breed(words[end]):
        return end + 1
    if (
        hyphened(sentence, end)
        and _SYMBOL.fullmatch(words[end - 1])
        and _LETTERS.fullmatch(words[end + 1])
    ):
        return end + 2
    if _is_abbreviated_title(sentence, end):
        return end + 2
    if not _has_number(sentence, first, end, label):
        return end
    end += 1
    while end < len(words) and words[end].lower() in _MODELS and words[end][0].isupper():
        more = words[end + 1 : end + 2]
        end += 2 if more and more[0].isdigit() else 1
    return end


def _is_abbreviated_title(sentence: Sentence, end: int) -> bool:
    """Whether a colon without spaces joins two abbreviations: "CS:GO"."""
    words = sentence.words
    return (
        words[end : end + 1] == [":"]
        and end + 1 < len(words)
        and sentence.ends[end - 1] == sentence.starts[end]
        and sentence.ends[end] == sentence.starts[end + 1]
        and words[end - 1].isupper()
        and words[end + 1].isupper()
    )


def _has_number(sentence: Sentence, first: int, end: int, label: str) -> bool:
    """Whether the number behind a name is the name's, and no score, date or measure."""
    words, tags = sentence.words, sentence.tags
    if end >= len(words) or label not in _OPEN_LABELS or tags[end] not in _NUMBERED:
        return False
    number = words[end]
    if not _NUMBER.fullmatch(number) or _YEAR.fullmatch(number):
        return False
    belongs = first <= sentence.heads[end] < end and sentence.deps[end] in _AFTER_NAMES
    if not belongs or not _may_be_numbered(sentence, first, end, label):
        return False
    after = words[end + 1] if end + 1 < len(words) else "."
    if after[0].isupper():
        return after.lower() in _MODELS
    return after[0].islower() or (after in (".", ",", ")", "?", "!", ":", ";", "'s", "’s"))


def _may_be_numbered(sentence: Sentence, first: int, end: int, label: str) -> bool:
    words = sentence.words
    last, name = words[end - 1].lower(), " ".join(words[first:end]).lower()
    if {last, name} & (PLACE_NAMES | CALENDAR | CORPORATE_ENDINGS) or name in ORGANIZATION_NAMES:
        return False
    if words[first].lower() in GIVEN_NAMES or (first == end - 1 and last in NAME_WORDS):
        return False
    if words[end - 1].isdigit():
        return False
    if not words[end].isdigit() or (first > 0 and sentence.tags[first - 1] in _DETERMINERS):
        return True
    is_score = not any(tag.startswith("VB") for tag in sentence.tags)  # "Cowboys 7, Rams 3"
    return label != "ORG" and not is_score
