"""Words of a text as full-text search compares them."""

import re
import unicodedata
from functools import lru_cache

import Stemmer  # type: ignore[import-not-found]

from hlg.words import words

_CONTINUOUS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f"
"""Kana, Han and Thai: written without spaces between words."""
_WORD = re.compile(rf"[{_CONTINUOUS}]+|[^\W_{_CONTINUOUS}]+")
_IS_CONTINUOUS = re.compile(rf"[{_CONTINUOUS}]")
_ACCENT = re.compile("[\u0300-\u036f]")
STOP_WORDS = words("english", "search stop words")
_STEMMER = Stemmer.Stemmer("english")


@lru_cache(maxsize=262_144)
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(word))


def analyze(text: str) -> list[str]:
    """The terms of a text, in order: lower-cased words, no stop words, Snowball stems.

    Latin accents are folded. Scripts that write no spaces give overlapping pairs of
    characters, so that a part of a phrase still matches it.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", text)))
    terms: list[str] = []
    for word in _WORD.findall(text.lower()):
        if word in STOP_WORDS:
            continue
        if _IS_CONTINUOUS.match(word):
            terms += [word[i : i + 2] for i in range(max(1, len(word) - 1))]
        else:
            terms.append(_stem(word))
    return terms
