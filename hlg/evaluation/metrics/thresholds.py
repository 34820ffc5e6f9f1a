"""From when on a search can be left as it is: thresholds by Wilson's bound (thesis §3.4.2.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.facts import wilson_interval

LEAST_SKIPPED = 30
"""Questions that have to be skipped for their share to count (eq. 32)."""
Z = 1.96
PRECISION = 10_000
"""A threshold has so many steps from 0 to 1, so that it can be written down."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """The questions that a threshold leaves as they are: how many, and for what share of them
    the search was right (eq. 30), with its 95 % interval (eq. 31)."""

    threshold: float
    count: int
    right: int
    precision: float
    interval: tuple[float, float]


def skipped(sureness: NDArray[np.floating], right: NDArray[np.bool_], threshold: float) -> Skipped:
    """What a threshold skips.

    :param sureness: by question the best score, or the confidence; ``right`` whether one of
        the first five hits held the answer.
    """
    left = sureness >= threshold
    count, held = int(left.sum()), int(right[left].sum())
    interval = wilson_interval(held, count, Z)
    return Skipped(threshold, count, held, held / count if count else float("nan"), interval)


def calibrated_threshold(
    sureness: NDArray[np.floating],
    right: NDArray[np.bool_],
    beta: float,
    least: int = LEAST_SKIPPED,
) -> Skipped | None:
    """τ*: the lowest threshold at which Wilson's lower bound on the precision of what is
    skipped is at least ``beta``, and enough is skipped to say so (eq. 32); None where no
    threshold is that good."""
    known = sureness[(sureness >= 0) & (sureness <= 1)]
    candidates = np.unique(np.concatenate([[0.0], np.floor(known * PRECISION) / PRECISION]))
    for threshold in candidates.tolist():
        found = skipped(sureness, right, threshold)
        if found.count >= least and found.interval[0] >= beta:
            return found
    return None


def evenly(sureness: Sequence[float], steps: int) -> list[float]:
    """Thresholds that skip all questions, none, and equal shares between, ascending."""
    shares = np.quantile(np.asarray(sureness, np.float64), np.linspace(0, 1, steps))
    return [0.0, *np.unique(np.round(shares[1:], 3)).tolist(), 1.0]
