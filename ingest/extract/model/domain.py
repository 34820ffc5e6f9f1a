"""The classes and topics of a collection, from a few of its chunks (HLG paper, §6.2)."""

import logging
import random
import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import BaseModel

from hlg.errors import InputError
from hlg.records import Chunk
from hlg.settings import Domain

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

logger = logging.getLogger(__name__)

PROMPT = "domain"
SAMPLED_CHUNKS = 5
MOST_NAMES = 20
MOST_WORDS, LONGEST_NAME = 4, 40
"""Of a name: words, those beside a hyphen too, and characters. What is longer is a sentence."""
MOST_SHOWN = 3
"""Names that are refused and shown, so many characters of each as a name has."""
_SEED = 0


class _Found(BaseModel):
    """Classes and topics as a model names them."""

    classes: list[str]
    topics: list[str]


def infer_domain(door: "ModelDoor", chunks: Iterable[Chunk]) -> Domain:
    """What the model finds in a sample of the chunks; the same sample every time.

    What says more than a name does is left out, and logged.

    :raises InputError: there are no chunks.
    :raises ModelError: it does not answer.
    """
    sampled = _sample(chunks)
    if not sampled:
        raise InputError("there is no text to infer a domain from")
    passages = "\n\n---\n\n".join(each.text for each in sampled)
    found = door.ask_json(PROMPT, _Found, {"passages": passages}).value
    return Domain(classes=_names("classes", found.classes), topics=_names("topics", found.topics))


def _sample(chunks: Iterable[Chunk]) -> list[Chunk]:
    """:data:`SAMPLED_CHUNKS` of any number of chunks, each as likely (reservoir sampling)."""
    chance = random.Random(_SEED)
    kept: list[Chunk] = []
    for place, chunk in enumerate(chunks):
        if place < SAMPLED_CHUNKS:
            kept.append(chunk)
        elif (instead := chance.randint(0, place)) < SAMPLED_CHUNKS:
            kept[instead] = chunk
    return kept


def _names(what: str, found: Iterable[str]) -> tuple[str, ...]:
    """The first names among what was found; says what is left out."""
    said = list(dict.fromkeys(" ".join(each.split()) for each in found))
    names = [each for each in said if _is_name(each)]
    refused = [each for each in said if not _is_name(each)]
    if refused:
        shown = ", ".join(repr(each[:LONGEST_NAME]) for each in refused[:MOST_SHOWN])
        more = f" and {len(refused) - MOST_SHOWN} more" if len(refused) > MOST_SHOWN else ""
        logger.warning(
            "left out of the %s that the language model named: %s%s; a name has letters, digits "
            "and hyphens, %d words and %d characters at most",
            *(what, shown, more, MOST_WORDS, LONGEST_NAME),
        )
    if len(names) > MOST_NAMES:
        logger.warning(
            "of the %d %s it named, the first %d are taken", len(names), what, MOST_NAMES
        )
    return tuple(names[:MOST_NAMES])


def _is_name(text: str) -> bool:
    """Whether it is a few words of letters of any script, and no sentence."""
    words = re.split("[ -]", text)
    return len(words) <= MOST_WORDS and len(text) <= LONGEST_NAME and all(map(_is_word, words))


def _is_word(text: str) -> bool:
    # Marks are parts of letters in many scripts.
    of_letters = all(unicodedata.category(each)[0] in "LM" or each.isdecimal() for each in text)
    return of_letters and text[:1].isalnum()
