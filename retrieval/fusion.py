"""Several rankings as one: by their scores where they share a scale, by ranks where not."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.base import Candidate

RRF_OFFSET = 60
"""k of reciprocal rank fusion, as its authors chose it."""


def reciprocal_rank_fusion(
    *rankings: Sequence[Candidate], weights: Sequence[float] | None = None
) -> list[Candidate]:
    """Each node once, by the sum of w / (k + rank) over the rankings that hold it (cascade §III.F).

    A node keeps the signals of all rankings, and the path of the first that has one.

    :param weights: of the rankings; without any, each counts once.
    """
    shares: dict[str, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, candidate in enumerate(ranking, start=1):
            shares[candidate.id] = shares.get(candidate.id, 0.0) + weight / (RRF_OFFSET + rank)
    return best_first(replace(each, score=shares[each.id]) for each in united(*rankings))


def tm2c2(scores: NDArray[np.floating], minimum: float) -> NDArray[np.float64]:
    """Scores between what a search can give at least and the best that it gave, as 0 to 1
    (thesis eq. 14-15): theoretical min-max, which an outlier at the low end does not stretch.

    :param scores: shape (n,); NaN where the search did not find the node, which counts as 0.
    :param minimum: -1 for cosines, 0 for BM25.
    """
    scores = np.asarray(scores, np.float64)
    spread = np.nanmax(scores, initial=minimum) - minimum
    scaled = (scores - minimum) / spread if spread > 0 else np.zeros_like(scores)
    return np.asarray(np.nan_to_num(np.clip(scaled, 0, 1), nan=0.0), np.float64)


def min_max(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    """Scores between the lowest and the best of those found, as 0 to 1; NaN counts as 0.

    Where all are the same, each found one is 1.
    """
    scores = np.asarray(scores, np.float64)
    lowest, highest = np.nanmin(scores, initial=np.inf), np.nanmax(scores, initial=-np.inf)
    if highest > lowest:
        scaled = (scores - lowest) / (highest - lowest)
        return np.asarray(np.nan_to_num(scaled, nan=0.0), np.float64)
    return np.where(np.isnan(scores), 0.0, 1.0)


def weighted_sum(
    scaled: NDArray[np.float64], weights: Sequence[float] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Scores of several searches as one (thesis eq. 16; cascade §III.F), shape (n,).

    :param scaled: shape (searches, n), each row in 0 to 1.
    :param weights: shape (searches,), not negative and not all 0; only their proportions count.
    """
    shares = np.asarray(weights, np.float64)
    fused: NDArray[np.float64] = (shares / shares.sum()) @ scaled
    return fused


def united(*rankings: Iterable[Candidate]) -> list[Candidate]:
    """Each node once, with the signals of all rankings, and the first path that there is."""
    found: dict[str, Candidate] = {}
    for candidate in (candidate for ranking in rankings for candidate in ranking):
        known = found.get(candidate.id)
        found[candidate.id] = (
            candidate
            if known is None
            else replace(
                known,
                signals={**candidate.signals, **known.signals},
                path=known.path or candidate.path,
            )
        )
    return list(found.values())


def merged(*searches: Iterable[Candidate]) -> list[Candidate]:
    """The union of searches: each statement once, with the signals of all; by cosine."""
    found = united(*reversed(searches))
    return best_first(replace(each, score=each.signals["cosine"]) for each in found)


def best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """By score, ties by id."""
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.id))
