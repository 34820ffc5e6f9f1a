"""What a reranking stage did to an order (cascade §IV.D-E)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RANKS = 10
"""How far an order is looked at."""
WORST = 5
"""Degraded questions that are named."""
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Disturbance:
    """How much a stage moved: places of the first ten that hold something else than before, on
    average, and the share of questions whose first place does."""

    swaps: float
    top_changed: float


@dataclass(frozen=True, slots=True)
class Degradation:
    """The questions that a stage made worse: how many, how many of them have digits, and how
    many words they have on average, beside all questions' share and average. ``worst`` are
    places of questions with what they lost, the greatest loss first."""

    count: int
    numeric: int
    words: float
    numeric_of_all: float
    words_of_all: float
    worst: tuple[tuple[int, float], ...]


def swaps(before: Sequence[str], after: Sequence[str]) -> int:
    """Places of the first ten that hold another document than before, or none any more."""
    pairs = zip(_padded(before), _padded(after), strict=True)
    return sum(one != other for one, other in pairs)


def disturbance(before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]) -> Disturbance:
    """The means over questions, of which there is at least one."""
    pairs = list(zip(before, after, strict=True))
    return Disturbance(
        float(np.mean([swaps(one, other) for one, other in pairs])),
        float(np.mean([list(one[:1]) != list(other[:1]) for one, other in pairs])),
    )


def degradation(questions: Sequence[str], lead: NDArray[np.floating]) -> Degradation:
    """The questions of which a stage ranks the evidence worse.

    :param lead: by question the metric after the stage less before it; NaN where it says
        nothing of one.
    """
    numeric = np.array([_DIGIT.search(text) is not None for text in questions], bool)
    words = np.array([len(text.split()) for text in questions], np.float64)
    worse = np.nan_to_num(lead, nan=0.0) < -1e-9
    order = [place for place in np.argsort(lead, kind="stable").tolist() if worse[place]]
    return Degradation(
        int(worse.sum()),
        int((worse & numeric).sum()),
        float(words[worse].mean()) if worse.any() else float("nan"),
        float(numeric.mean()),
        float(words.mean()),
        tuple((place, float(lead[place])) for place in order[:WORST]),
    )


def _padded(ranking: Sequence[str]) -> list[str | None]:
    return [*ranking[:RANKS], *[None] * (RANKS - len(ranking[:RANKS]))]
