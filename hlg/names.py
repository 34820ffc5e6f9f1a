"""One normal form for names, so that the same thing has the same key everywhere, and what
they are shortened to."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from hlg.words.lexicon import CORPORATE_ENDINGS

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
_SMALL_WORDS = frozenset(("of", "the", "and", "for", "in", "on", "de", "la", "&", "a", "to"))
_BROKEN = re.compile(r"(?<=[^\W\d_])- (?=[^\W\d_])")
"""A hyphen with a space behind it, where a line was broken: "Hesse- Marburg"."""
_PART = re.compile(
    r"(?:algorithm|appendix|chapter|eq|equation|fig|figure|section|step|table)s?\.?"
    r"(?:\s+(?:[A-Z]\b|[A-Z.]*\d|[IVXivx]+\b)|$)",
    re.IGNORECASE,
)
"""A document's own part or picture: "Table 2" of one is not that of another."""


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


def is_part(name: str) -> bool:
    """Whether a name is that of a document's own part: "Figure 2", "Appendix B"."""
    return _PART.match(name) is not None


def acronyms(words: Iterable[str]) -> set[str]:
    """What a name of these normalised words may be shortened to, in lower case.

    Nothing where it is a document's own part: F1 is no Figure 1.
    """
    words = [part for word in words for part in word.split("-") if part and part[0].isalnum()]
    if len(words) < 2 or is_part(" ".join(words)):
        return set()
    every = "".join(word[0] for word in words)
    large = "".join(word[0] for word in words if word not in _SMALL_WORDS)
    while words and words[-1].rstrip(".,") in CORPORATE_ENDINGS:
        words = words[:-1]
    bare = "".join(word[0] for word in words if word not in _SMALL_WORDS)
    return {acronym for acronym in (every, large, bare) if len(acronym) > 1}
