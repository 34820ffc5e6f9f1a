"""What is learned: the best weight of a question, in closed form (thesis eq. 17-19)."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.metrics.thesis import coverage

SEED = 42
SHARES = (0.7, 0.15, 0.15)
"""Of the questions what is trained on, what chooses, what is reported (thesis §4.2)."""
Part = Literal["train", "validation", "test"]
PARTS: tuple[Part, ...] = ("train", "validation", "test")
UNDECIDED = 0.5
"""The weight where every weight is as good."""


def longest_subsequence_similarity(text: str, wanted: Sequence[str]) -> float:
    """LSS (eq. 17): the share of wanted words that a text has in their order; of several wanted
    texts, each of which is right, the one that is nearest."""
    return max((coverage(each, text) for each in wanted), default=0.0)


def optimal_alpha(
    worth: NDArray[np.floating], dense: NDArray[np.floating], sparse: NDArray[np.floating]
) -> float:
    """α* (eq. 18-19): the weight within 0 and 1 whose fused scores are nearest to the worth of
    the candidates, by least squares.

    :param worth: LSS of each candidate, shape (n,); ``dense`` and ``sparse`` its scaled scores.
    """
    ahead = dense - sparse
    spread = float(ahead @ ahead)
    if spread < 1e-12:
        return UNDECIDED
    return float(np.clip(ahead @ (worth - sparse) / spread, 0, 1))


def split(strata: Sequence[str], seed: int = SEED) -> NDArray[np.str_]:
    """The part that each row goes to, so that every stratum has the same shares of all parts.

    :param strata: by row; here the data set of a question.
    """
    generator = np.random.default_rng(seed)
    names = np.array(strata)
    parts = np.empty(len(names), "<U10")
    for stratum in np.unique(names):
        rows = generator.permutation(np.flatnonzero(names == stratum))
        ends = np.round(np.cumsum(SHARES) * len(rows)).astype(int)
        for part, chosen in zip(PARTS, np.split(rows, ends[:-1]), strict=True):
            parts[chosen] = part
    return parts
