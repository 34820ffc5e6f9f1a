"""Keywords of a question (HLG eq. 1): its names, the words between its stop words, and
acronyms."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel

from hlg.errors import UnusableAnswer
from hlg.lexical.analysis import STOP_WORDS
from hlg.names import normalize_name
from hlg.unicode import without_surrogates

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

MAX_CHARACTERS = 10_000
"""A longer question is read this far for keywords."""
MOST_FROM_MODEL = 30
"""Keywords that are taken of a language model's answer."""
MAX_NAME_WORDS = 6
MAX_WORDS = 1_000
"""Words of a question that are looked at for names."""

PROMPT = "keywords"
PATIENCE = 5.0
"""Seconds after which a language model that fails is not asked again: somebody waits."""

_ACRONYM = re.compile(r"\b(?:[A-Z][A-Z0-9&]+|(?:[A-Z]\.){2,})(?![a-z])")
_WORD = re.compile(r"\S+")
_CLOSING = re.compile(r"(?:[,;:!?)\]}»”]|(?<![A-Z])\.)$")
_OPENING = re.compile(r"^[(\[{«“]")


def extract_keywords(text: str) -> list[str]:
    """Normalised keywords in order of appearance, each once.

    Runs of words between stop words and punctuation, as RAKE takes them (Rose et al. 2010),
    capitalised words apart from others: no parser, as the graph's own names say the rest
    (:func:`names_in`).
    """
    text = without_surrogates(text[:MAX_CHARACTERS])
    spans = [*_content_runs(text), *(match.span() for match in _ACRONYM.finditer(text))]
    keys = (normalize_name(text[start:end]) for start, end in sorted(set(spans)))
    return list(dict.fromkeys(key for key in keys if key and key not in STOP_WORDS))


class _Keywords(BaseModel):
    """Keywords as a language model gives them."""

    keywords: list[str]


def asked_keywords(door: "ModelDoor", text: str) -> list[str]:
    """Normalised keywords and synonyms as a language model gives them, each once.

    :raises ModelError: it does not answer; gives no keywords (UnusableAnswer).
    """
    material = {"question": text[:MAX_CHARACTERS]}
    words = door.ask_json(PROMPT, _Keywords, material, patience=PATIENCE).value.keywords
    keys = dict.fromkeys(normalize_name(word) for word in words[:MOST_FROM_MODEL])
    found = [key for key in keys if key and key not in STOP_WORDS]
    if not found:
        raise UnusableAnswer("the language model gives no keywords", model=door.model)
    return found


def _content_runs(text: str) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    open_as: bool | None = None
    """Whether the run that goes on is of capitalised words; None where none does."""
    for match in _WORD.finditer(text):
        word = match.group()
        key = normalize_name(word)
        is_name = any(letter.isupper() for letter in word)
        if not key or key in STOP_WORDS:
            open_as = None
            continue
        if open_as is not is_name or _OPENING.search(word):
            runs.append(match.span())
        else:
            runs[-1] = (runs[-1][0], match.end())
        open_as = None if _CLOSING.search(word) else is_name
    return runs


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A run of words of a question, and the name that it would be."""

    start: int
    end: int
    key: str


def name_spans(text: str) -> list[NameSpan]:
    """Every run of up to six words as a normalised name, longest first."""
    words = list(_WORD.finditer(text[:MAX_CHARACTERS]))[:MAX_WORDS]
    spans = (
        NameSpan(first.start(), last.end(), normalize_name(text[first.start() : last.end()]))
        for size in range(MAX_NAME_WORDS, 0, -1)
        for first, last in zip(words, words[size - 1 :], strict=False)
    )
    return [span for span in spans if span.key and span.key not in STOP_WORDS]


def names_in(spans: Iterable[NameSpan], known: Container[str]) -> list[str]:
    """The known names among spans that are given longest first, none inside another.

    They find a graph's entities in a question without a language model. In order of
    appearance, each once.
    """
    taken: list[NameSpan] = []
    for span in spans:
        if span.key in known and all(
            span.end <= other.start or other.end <= span.start for other in taken
        ):
            taken.append(span)
    taken.sort(key=lambda span: span.start)
    return list(dict.fromkeys(span.key for span in taken))
