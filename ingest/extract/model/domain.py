"""The classes and topics of a collection, from a few of its chunks (HLG paper, §6.2)."""

import random
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import BaseModel

from hlg.errors import InputError
from hlg.records import Chunk
from hlg.settings import DOMAIN_NAME, Domain

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

__all__ = ["SAMPLED_CHUNKS", "infer_domain"]

PROMPT = "domain"
SAMPLED_CHUNKS = 5
MOST_NAMES = 20
_SEED = 0


class _Found(BaseModel):
    """Classes and topics as a model names them."""

    classes: list[str]
    topics: list[str]


def infer_domain(door: "ModelDoor", chunks: Iterable[Chunk], count: int = SAMPLED_CHUNKS) -> Domain:
    """What the model finds in a sample of the chunks; the same sample every time.

    Names that say more than a name are left out: they are to stand in prompts.

    :raises InputError: there are no chunks.
    :raises ModelError: it does not answer.
    """
    sampled = _sample(chunks, count)
    if not sampled:
        raise InputError("there is no text to infer a domain from")
    passages = "\n\n---\n\n".join(each.text for each in sampled)
    found = door.ask_json(PROMPT, _Found, {"passages": passages}).value
    return Domain(classes=_names(found.classes), topics=_names(found.topics))


def _sample(chunks: Iterable[Chunk], count: int) -> list[Chunk]:
    """So many of any number of chunks, each as likely (reservoir sampling)."""
    chance = random.Random(_SEED)
    kept: list[Chunk] = []
    for place, chunk in enumerate(chunks):
        if place < count:
            kept.append(chunk)
        elif (instead := chance.randint(0, place)) < count:
            kept[instead] = chunk
    return kept


def _names(found: Iterable[str]) -> tuple[str, ...]:
    names = dict.fromkeys(" ".join(each.split()) for each in found)
    return tuple(each for each in names if re.fullmatch(DOMAIN_NAME, each))[:MOST_NAMES]
