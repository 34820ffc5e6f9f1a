"""Common given names: a name that begins with one is a person's, in whatever document."""

from hlg.words import words
from hlg.words.lexicon import FEMALE_WORDS, HE, MALE_WORDS, SHE

_MENS, _WOMENS = words("given_names", "men's names"), words("given_names", "women's names")
GIVEN_NAMES = (_MENS | _WOMENS | words("given_names", "names of both")) - words(
    "given_names", "also other things"
)
"""Without those that begin names of other things at least as often."""


def gender_of(name: str) -> str:
    """ "he" or "she", by a person's title or given name; empty where they leave it open."""
    first = name.lower().partition(" ")[0]
    if first in MALE_WORDS or first in _MENS:
        return HE
    return SHE if first in FEMALE_WORDS or first in _WOMENS else ""
