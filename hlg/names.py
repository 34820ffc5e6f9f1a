"""One normal form for names, so that the same thing has the same key everywhere."""

import re
import unicodedata
from functools import lru_cache

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-"})
_EDGES = " \t\r\n.,;:!?\"'`()[]{}<>|*_#~/\\-"
_ARTICLE = re.compile(r"^(?:the|a|an)\s+(?=\S)")
_POSSESSIVE = re.compile(r"'s?$")
_SPACE = re.compile(r"\s+")
_REFERENCES = re.compile(
    r"(?i)\W*(?:(?:\d+|[ivx]+)[.)]?\s+)?(?:(?:list of )?references(?: cited)?(?: and notes)?"
    r"|(?:selected )?bibliography|(?:works|literature) cited|literatur(?:verzeichnis)?"
    r"|(?:références|bibliographie))\W*"
)
_BROKEN = re.compile(r"(?<=[^\W\d_])- (?=[^\W\d_])")
"""A hyphen with a space behind it, where a line was broken: "Hesse- Marburg"."""


@lru_cache(maxsize=65_536)
def normalize_name(name: str) -> str:
    """The key under which a name is one entity: case, quotes, spaces, articles, broken lines aside.

    Idempotent. A name of nothing but punctuation keeps its stripped, lower-cased text,
    so that no name turns into the empty string unless it was blank.
    """
    text = _SPACE.sub(" ", unicodedata.normalize("NFKC", name).translate(_QUOTES)).strip()
    text = _BROKEN.sub("-", text)
    text = _SPACE.sub(" ", unicodedata.normalize("NFKC", text.casefold())).strip()
    while True:
        key = _POSSESSIVE.sub("", _ARTICLE.sub("", text).strip(_EDGES)).strip(_EDGES)
        if not key:
            return text
        if key == text:
            return key
        text = key


def is_reference_section(heading: str) -> bool:
    """Whether a heading is that of a list of works that a text cites: "7. References"."""
    return _REFERENCES.fullmatch(heading) is not None
