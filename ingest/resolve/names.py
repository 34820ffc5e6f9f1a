"""What two names say about whether they can be one thing: folded words, numbers, initials."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from hlg.names import normalize_name
from hlg.words import sections, words
from hlg.words.lexicon import CORPORATE_ENDINGS, HONORIFICS, NOUN_CLASSES, PERSON

_REMARK = re.compile(r"\(([^()]*)\)")
_WORD = re.compile(r"[^\W_]+")
_ARTICLE = re.compile(r"\W*(?:the|an?)\s", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_MARKS = re.compile("[\u0300-\u036f]")
_SIGNS = {"&": " and ", "+": " plus ", "#": " sharp "}
_ROMAN = re.compile(r"(?=[IVXL]{2})(XL|L?X{0,3})(IX|IV|V?I{0,3})")
"""From 2 to 89. Single letters are left out: an X is a letter more often than a ten."""
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}
_CARDINALS = {word: str(i) for i, word in enumerate(sections("numbers")["units"][:12], 1)}
_OPPOSED = words("opposites", "in names") | {
    word for group in words("opposites", "siblings") for word in group.split() if word != "|"
}
"""Words that tell one thing from its sibling where only one of two alike names has them."""
_TITLES = HONORIFICS | frozenset(noun for noun, kind in NOUN_CLASSES.items() if kind == PERSON)
_POSITIONS = frozenset(["qb", "rb", "wr", "te", "lb", "cb", "ceo", "cto", "cfo", "coo", "vp"])
_QUALIFIERS = frozenset(
    ["former", "ex", "then", "late", "acting", "interim", "vice", "deputy", "chief"]
)
_BEFORE_NAMES = _TITLES | _POSITIONS | _QUALIFIERS
_ENDINGS = frozenset(ending.replace(".", "") for ending in CORPORATE_ENDINGS) - {
    "group",
    "holdings",
}


@dataclass(frozen=True, slots=True)
class NameParts:
    """A name taken apart.

    ``words`` are folded: lower case without accents or punctuation, numerals as digits.
    ``numbers`` are the runs of digits in them, ``remark`` is what stands in parentheses.
    """

    key: str
    words: tuple[str, ...]
    numbers: tuple[str, ...]
    remark: str

    @property
    def fold(self) -> str:
        """The name without anything that two spellings of it may differ in."""
        return "".join(self.words)


@lru_cache(maxsize=200_000)
def name_parts(name: str) -> NameParts:
    """Take a name apart."""
    remark = _REMARK.search(name)
    text = _REMARK.sub(" ", name) if remark and _REMARK.sub("", name).strip() else name
    words = _folded_words(text)
    return NameParts(
        key=normalize_name(name),
        words=words,
        numbers=tuple(number for word in words for number in _DIGITS.findall(word)),
        remark=" ".join(_folded_words(remark[1])) if remark else "",
    )


def _folded_words(text: str) -> tuple[str, ...]:
    text = _MARKS.sub("", unicodedata.normalize("NFKD", text))
    text = text.replace("'s ", " ").replace("’s ", " ").replace("'", "").replace("’", "")
    for sign, word in _SIGNS.items():
        text = text.replace(sign, word)
    found = _WORD.findall(text)
    words = [_numeral(word) if i else word for i, word in enumerate(found)]
    if len(words) > 1 and words[-1] == "I":
        words[-1] = "1"
    folded = [_CARDINALS.get(word.casefold(), word.casefold()) for word in words]
    return tuple(folded[1:] if len(folded) > 1 and _ARTICLE.match(text) else folded)


def _numeral(word: str) -> str:
    """A Roman numeral as digits; any other word as it is."""
    if not _ROMAN.fullmatch(word):
        return word
    values = [_VALUES[letter] for letter in word]
    following = [*values[1:], 0]
    return str(sum(-x if x < y else x for x, y in zip(values, following, strict=True)))


def conflict(one: NameParts, other: NameParts, *, persons: bool) -> str:
    """Why two names can't be one thing's; empty where nothing speaks against it.

    :param persons: both are taken for people: given names and initials must agree.
    """
    if one.numbers != other.numbers:
        return "numbers"
    if one.remark and other.remark and one.remark != other.remark:
        return "remarks"
    if one.fold == other.fold:
        return ""
    if persons:
        both = " " in one.key and " " in other.key
        return "given names" if both and not _same_person(one, other) else ""
    words, others = Counter(one.words), Counter(other.words)
    alone = (words - others) + (others - words)
    if words & others:
        if not _OPPOSED.isdisjoint(alone):
            return "opposed words"
        if any(len(word) == 1 for word in alone):
            return "single letters"
    return ""


def _same_person(one: NameParts, other: NameParts) -> bool:
    """Whether first names agree (an initial stands for a name), and then middle ones."""
    first, second = without_title(one.words)[:-1], without_title(other.words)[:-1]
    if len(first) > len(second):
        first, second = second, first
    return all(_agree(a, b) for a, b in zip(first, second, strict=False))


def _agree(one: str, other: str) -> bool:
    if len(one) == 1 or len(other) == 1:
        return one[:1] == other[:1]
    return one == other


def differ_by_one(one: str, other: str) -> bool:
    """Whether one character more, less, other, or swapped with its neighbour is all."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    left, right = one[start:], other[start:]
    if len(left) == len(right):
        return left[1:] == right[1:] or (left[:2] == right[:2][::-1] and left[2:] == right[2:])
    return left[1:] == right if len(left) > len(right) else left == right[1:]


def without_ending(words: tuple[str, ...]) -> tuple[str, ...]:
    """A company's name without "Inc", "Ltd" and the like at its end."""
    while len(words) > 1 and words[-1] in _ENDINGS:
        words = words[:-1]
    return words


def without_title(words: tuple[str, ...]) -> tuple[str, ...]:
    """A person's name of at least two words without titles and offices before it."""
    while len(words) > 2 and words[0] in _BEFORE_NAMES:
        words = words[1:]
    return words
