"""Which language a text is in."""

import re
from collections.abc import Sequence, Set
from functools import cache
from typing import Any

from hlg.words import word_set

_SAMPLE = 4_000
"""Characters that tell a language; more of them tell it no better."""
_WORD = re.compile(r"[^\W\d_]+")
_FEWEST_WORDS = 12
"""Fewer words are a name or a title, and no language of their own."""
_FEWEST_CHARACTERS_WITHOUT_SPACES = 12
_ENGLISH = word_set("""
the and to that for with by this from at which have not but you can were has they if when
there their would been its are
""")
_COMMON = _ENGLISH | word_set("of in is it was as be an on or had will we our all")
"""Other languages have the second as well, in the same letters."""
_ENGLISH_SHARE, _COMMON_SHARE = 0.06, 0.2
"""Of an English text's words so many are English alone, even where it is full of names, which
a classifier takes for anything; or some are, and so many are either."""
_CODE = re.compile(r"^```.*?(?:^```[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")


def detect_language(text: str) -> str:
    """The ISO 639-1 code of a text's language; nothing where too little of it is words.

    English prose is known by its commonest words; py3langid is asked about the rest.
    """
    beginning = text[: 4 * _SAMPLE]
    if "```" in beginning:
        beginning = _CODE.sub(" ", beginning)
    sample = beginning[:_SAMPLE]
    words = [word.lower() for word in _WORD.findall(sample)]
    if len(words) < _FEWEST_WORDS:
        if len(_NO_SPACES.findall(sample)) < _FEWEST_CHARACTERS_WITHOUT_SPACES:
            return ""
    elif _is_english(words):
        return "en"
    code, probability = _identifier().classify(" ".join(words))
    return str(code) if probability >= 0.5 else ""


def _is_english(words: Sequence[str]) -> bool:
    alone = _share(words, _ENGLISH)
    return alone >= _ENGLISH_SHARE or (alone > 0 and _share(words, _COMMON) >= _COMMON_SHARE)


def _share(words: Sequence[str], of: Set[str]) -> float:
    return sum(word in of for word in words) / len(words)


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
