"""Names out of the chances of labels: the likeliest spans of a sentence, with their classes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.extract.local.frames.decode import begin_inside, likeliest, runs, softmax
from hlg.words.lexicon import (
    ANIMAL,
    CONCEPT,
    EVENT,
    GROUP,
    ORGANIZATION,
    PERSON,
    PLACE,
    THING,
    WORK,
)

CLASSES = (PERSON, PLACE, ORGANIZATION, WORK, EVENT, GROUP, ANIMAL, THING)
"""What a name can be the name of: a thing is a product, a method, an award, anything else."""
NAME_LABELS, CONCEPT_LABELS = begin_inside(CLASSES), begin_inside((CONCEPT,))
"""A word has one of each: a name may be in a concept ("Barbour banner")."""
LEANING = 1.0
"""Taken from the logit of being in no name: spans that are likelier none are given too, with
their chance."""
SCALE, SHIFT = 0.643, 0.255
"""A logistic regression over the log-odds of names that the networks did not learn from
(``benchmarks/frames.py names`` prints it)."""
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class Name:
    """Words ``[first, end)`` that are a name, with the chance of that, and its likeliest class."""

    first: int
    end: int
    entity_class: str
    chance: float


def names_of(logits: NDArray[np.float32], counts: Sequence[int]) -> Iterator[tuple[Name, ...]]:
    """The names and the concepts of each sentence, in no order.

    :param logits: shape (sentences, words, labels of names and of concepts).
    :param counts: the words of each sentence.
    """
    found: list[list[Name]] = [[] for _ in counts]
    cut = len(NAME_LABELS)
    for part, names in ((logits[..., :cut], NAME_LABELS), (logits[..., cut:], CONCEPT_LABELS)):
        chances = softmax(part)
        logs = np.log(chances + 1e-9)
        logs[..., 0] -= LEANING
        for row, count in enumerate(counts):
            logs[row, count:, 0] = 0.0
        for its, labels, own, count in zip(
            found, likeliest(logs, names).tolist(), chances, counts, strict=True
        ):
            its += [
                Name(first, end, names[labels[first]][6:], _chance(own[:count], first, end))
                for first, end in runs(labels[:count])
            ]
    return map(tuple, found)


def _chance(chances: NDArray[np.float32], first: int, end: int) -> float:
    """Of a name that begins and ends there, of any class; words are taken to be independent."""
    begins, goes_on = chances[:, 1::2].sum(axis=1), chances[:, 2::2].sum(axis=1)
    found = float(begins[first]) * float(goes_on[first + 1 : end].prod())
    if end < len(chances):
        found *= 1 - float(goes_on[end])
    kept = min(max(found, _LEAST), 1 - _LEAST)
    return 1 / (1 + exp(-(SCALE * log(kept / (1 - kept)) + SHIFT)))
