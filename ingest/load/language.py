"""Which language a text is in."""

import re
from functools import cache
from typing import Any

_SAMPLE = 4_000
"""Characters that tell a language; more of them tell it no better."""
_WORD = re.compile(r"[^\W\d_]+")
_FEWEST_WORDS = 12
"""Fewer words are a name or a title, and no language of their own."""
_FEWEST_CHARACTERS_WITHOUT_SPACES = 12
_ENGLISH_NAMES = """
the of and to in is that for it was with as are be by this an on from or at which have not but
you can were has had they will if when there their would we been its all
"""
_ENGLISH = frozenset(_ENGLISH_NAMES.split())
_ENGLISH_SHARE = 0.2
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
    elif sum(word in _ENGLISH for word in words) >= _ENGLISH_SHARE * len(words):
        return "en"
    code, probability = _identifier().classify(" ".join(words))
    return str(code) if probability >= 0.5 else ""


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
