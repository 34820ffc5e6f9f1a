"""Words of a text as full-text search compares them."""

import re
import unicodedata
from functools import lru_cache

import Stemmer  # type: ignore[import-not-found]

__all__ = ["STOP_WORDS", "analyze"]

_CONTINUOUS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f"
"""Kana, Han and Thai: written without spaces between words."""
_WORD = re.compile(rf"[{_CONTINUOUS}]+|[^\W_{_CONTINUOUS}]+")
_IS_CONTINUOUS = re.compile(rf"[{_CONTINUOUS}]")
_ACCENT = re.compile("[\u0300-\u036f]")
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a about above after again against all am an and any are aren as at be because been
        before being below between both but by can could couldn d did didn do does doesn doing
        don down during each few for from further had hadn has hasn have haven having he her
        here hers herself him himself his how i if in into is isn it its itself just ll m me
        more most my myself no nor not now o of off on once only or other our ours ourselves
        out over own re s same shan she should shouldn so some such t than that the their
        theirs them themselves then there these they this those through to too under until up
        ve very was wasn we were weren what when where which while who whom whose why will
        with won would wouldn y you your yours yourself yourselves
        """,
    )
)


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
