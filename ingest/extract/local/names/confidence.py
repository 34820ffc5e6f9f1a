"""How sure it is that a name is whole and names something that somebody may ask about: a small
network over what the reader of frames made of its words, and what else a document says of it."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from hlg.errors import ModelError
from hlg.ingest.extract.local.frames.named import CLASSES
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.lexicon import CONCEPT

__all__ = ["MODEL", "Mentions", "Named", "confidences", "signals"]

MODEL = Path(__file__).with_name("entities.npz")
"""It learned from entities that were judged by reading (``benchmarks/frames.py entities``)."""
WIDTH = 256
"""Numbers of a word's state."""
BATCH = 4_096
"""Entities that are weighed together."""
_CLASSES = (*CLASSES, CONCEPT)


@dataclass(slots=True)
class Mentions:
    """Where a document names something: the sum of the mean states of the words; the best chance
    that exactly these words are a name or a concept, and that a name is among them."""

    places: set[int] = field(default_factory=set)
    states: NDArray[np.float64] | None = None
    exact: float = 0.0
    named: float = 0.0

    def see(self, sentence: Sentence, first: int, end: int) -> None:
        """Add tokens ``[first, end)``; once a place, however often they are looked at."""
        start = sentence.starts[first]
        if start in self.places or first >= len(sentence.states):
            return
        self.places.add(start)
        states = sentence.states[first:end].mean(axis=0, dtype=np.float64)
        self.states = states if self.states is None else self.states + states
        for name in sentence.names:
            if (name.first, name.end) == (first, end):
                self.exact = max(self.exact, name.chance)
            if name.entity_class != CONCEPT and name.first < end and first < name.end:
                self.named = max(self.named, name.chance)


@dataclass(frozen=True, slots=True)
class Named:
    """An entity of a document, its mentions under each of its names, and how sure the facts are
    that are about it."""

    name: str
    entity_class: str
    mentions: Sequence[Mentions]
    facts: Sequence[float]


def confidences(named: Sequence[Named]) -> list[float]:
    """Of each the chance, from 0 to 1.

    :raises ModelError: the network is missing or damaged.
    """
    found: list[float] = []
    inner, inner_bias, outer, outer_bias = _network(MODEL)
    for start in range(0, len(named), BATCH):
        seen = np.stack([signals(each) for each in named[start : start + BATCH]])
        odds = np.maximum(seen @ inner + inner_bias, 0) @ outer + outer_bias
        found += (1 / (1 + np.exp(-odds))).round(3).tolist()
    return found


def signals(of: Named) -> NDArray[np.float64]:
    """What the network is given: the mean state, how often and how surely it is named, how many
    facts are about it and how sure they are, its length, letters and class."""
    count = sum(len(each.places) for each in of.mentions)
    states = np.zeros(WIDTH)
    for each in of.mentions:
        states += 0.0 if each.states is None else each.states
    own = (
        np.log1p(count),
        max((each.exact for each in of.mentions), default=0.0),
        max((each.named for each in of.mentions), default=0.0),
        np.log1p(len(of.facts)),
        max(of.facts, default=0.0),
        len(of.name.split()),
        of.name.islower(),
        *(of.entity_class == each for each in _CLASSES),
    )
    return np.concatenate([states / max(1, count), np.array(own, np.float64)])


@cache
def _network(path: Path) -> tuple[NDArray[np.float64], ...]:
    try:
        with np.load(path) as arrays:
            return tuple(arrays[name].astype(np.float64) for name in ("0", "1", "2", "3"))
    except (OSError, EOFError, KeyError, ValueError, BadZipFile, zlib.error) as error:
        raise ModelError(f"model file {path} can't be read: reinstall hlg") from error
