"""What words look like: prose or code, a name or a scrap, a value that says something."""

import re
from collections.abc import Sequence
from itertools import pairwise

from hlg.words import sections, word_set, words
from hlg.words.lexicon import STOP_WORDS, VAGUE_NOUNS

LONGEST_NAME_WORD = 40
"""Letters of the longest word in a name."""

_CODE = re.compile(r"[{}<>=\\|`@~^#*_]|\$(?! ?\d)|://|\]\(|\]\[|\.\.\.|::|--|/\*|\(\)")
_FILE = re.compile(
    r"(?i)^[\w./-]+\.(?:md|rst|txt|py|js|ts|jsx|tsx|json|ya?ml|toml|html?|css|csv|pdf|docx?|png|jpe?g|"
    r"so|c|h|cc|cpp|hpp|java|go|rs|sh|conf|cfg|ini|log|xml|zip|gz|tar|exe|dll|deb|whl|com|org|net|io)$"
)
_CODE_NAME = re.compile(r"-{0,2}[A-Za-z_]\w*(?:(?:[.:/-]|::)\w+)*(?:\(\)|/)?")
_QUOTED = re.compile(r"`[^`\s][^`]*`")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[\w-]+(?:\.[\w-]+)+\S*")
"""Of mail or a page."""
_SHORTENED = re.compile(r"(?i)n['’]t\b")
_CLITIC = re.compile(r" (?=n['’]t\b|['’](?:s|re|ve|ll|d|m)\b)")
_EDGES = " ,;:-–—\"“”'‘’()[]"
_MAY = re.compile(r"\bMay\b")
"""The month, which is no stop word."""
_LOOSE_ENDS = words("vague", "loose ends")
"""No phrase ends with one of them."""
_BEFORE_NUMBER = "$€£¥±<>≥≤"
_PAIRS = ("()", "[]", "“”", "‘’", '""')
_PATH = re.compile(r"^[./~]|/.*/|^\w+/\w+\.\w+$")


def bare(text: str) -> str:
    """A text without marks at its ends, but for one of a pair whose other one stays."""
    found = text.strip(_EDGES)
    for pair in _PAIRS:
        if len([mark for mark in found if mark in pair]) % 2:
            found = next(
                (each for each in (found + pair[1], pair[0] + found) if each in text), found
            )
    return found


def joined(words: Sequence[str]) -> str:
    """Words with single spaces, clitics at the word before: "doesn't"."""
    return _CLITIC.sub("", " ".join(filter(None, words)))


def is_name(name: str) -> bool:
    """Whether a text can be a name: no code, file, address or scrap of markup."""
    if _CODE.search(name) or _FILE.match(name) or _PATH.search(name) or _SHORTENED.search(name):
        return False
    if any(name.count(opening) != name.count(closing) for opening, closing in ("()", "[]")):
        return False
    letters = sum(character.isalpha() for character in name)
    return letters * 2 >= len(name.replace(" ", "")) and all(
        len(word) <= LONGEST_NAME_WORD for word in name.split()
    )


def is_code_name(name: str) -> bool:
    """Whether a name is one of programs, and no scrap: a file, an option, a function."""
    return bool(_CODE_NAME.fullmatch(name)) and len(name) <= LONGEST_NAME_WORD


def is_value(text: str) -> bool:
    """Whether a text is worth an object: it has words that say something, and is whole."""
    lowered = _MAY.sub("5", text).lower()
    words = lowered.split()
    if not words or lowered in VAGUE_NOUNS or lowered in STOP_WORDS:
        return False
    if _CODE.search(_QUOTED.sub("code", text)) and not _ADDRESS.fullmatch(text):
        return False
    if any(text.count(opening) != text.count(closing) for opening, closing in ("()", "[]")):
        return False
    if words[-1] in _LOOSE_ENDS:
        return False
    if len(words) > 1 and words[0] in _NUMBERS:
        return True
    return any(
        word.strip(".,()'’") not in STOP_WORDS
        and (word[0] == "`" or word.lstrip(_BEFORE_NUMBER)[:1].isalnum())
        for word in words
    )


_GENERAL_NOUNS = words("vague", "general nouns")
"""Nouns too general to be a thing by themselves."""
_VAGUE = words("vague", "vague adjectives")
"""What begins with one of them names nothing that stands by itself: "other patients"."""
_NUMBERS = frozenset(word for each in sections("numbers").values() for word in each)
_HYPHENS = frozenset(("-", "–"))
INDEFINITE = word_set("""
anybody anyone anything everybody everyone everything nobody noone nothing somebody someone
something
""")
_FOR = frozenset(("by", "for", "on", "to", "with"))
_OF_THIS_TEXT = word_set("""
created default given last matching only returned specified supported typical valid
""")
"""Adjectives that say of which text or thing a noun is, which its phrase does not name."""
_COUNTED = frozenset(("one", "ones", "two", "third", "lots", "none"))
_NO_BEGINNINGS = INDEFINITE | _VAGUE | _OF_THIS_TEXT | _COUNTED


def is_concept(words: Sequence[str], noun: int, *, plural: bool) -> bool:
    """Whether a common noun's phrase names a kind of thing that stands by itself.

    :param noun: the position of the noun in the phrase.
    """
    lowered = [word.lower() for word in words]
    if lowered[noun] in VAGUE_NOUNS or any(_CODE.search(word) for word in words):
        return False
    if STOP_WORDS.issuperset(lowered) or lowered[0] in _NO_BEGINNINGS:
        return False
    if any(not word[0].isalnum() and word not in _HYPHENS for word in lowered):
        return False
    if any(before in _FOR and word[0].isupper() for before, word in pairwise(words)):
        return False  # "reviews for Kingfisher" are somebody's, and not a kind of thing
    if len(words) == 1:
        return plural and lowered[0] not in _GENERAL_NOUNS and lowered[0].isalpha()
    return True
