"""What a reranker makes of the passages that a search found."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.training.cross_encoder.pairs import Pool
from hlg.evaluation.metrics import bootstrap
from hlg.models.base import Reranker
from hlg.retrieval.finish.rerank import shared

RANK = 5
METRICS = ("recall@5", "all@5", "nDCG@5")
ORDERS = {"search": 0.0, "ours": 1.0, "both": 0.5}
"""What the model counts beside the order of the search."""

Interval = tuple[float, float, float]
"""A mean with the ends of its 95 % interval."""


def measured(pools: Sequence[Pool], reranker: Reranker) -> dict[str, dict[str, Interval]]:
    """By order and metric the mean over the questions, with the interval of the search's mean,
    or of the paired difference to it; nothing where there is no question.

    Recall, nDCG (gains of 0 and 1) and whether all is there are of the evidence among the
    candidates; where that is more than five passages, of five.
    """
    if not pools:
        return {}
    values = {name: np.zeros((len(pools), len(METRICS))) for name in ORDERS}
    for row, each in enumerate(pools):
        for name, order in _orders(each, reranker).items():
            values[name][row] = _metrics(each.relevant[order])
    found: dict[str, dict[str, Interval]] = {}
    for name, of_order in values.items():
        low, high = bootstrap.intervals(of_order - (values["search"] if name != "search" else 0))
        found[name] = {
            metric: (float(of_order[:, i].mean()), float(low[i]), float(high[i]))
            for i, metric in enumerate(METRICS)
        }
    return found


def _orders(each: Pool, reranker: Reranker) -> dict[str, NDArray[np.intp]]:
    """The candidates' places, best first, by order."""
    scores = reranker.scores(each.question, each.passages)
    return {
        name: np.argsort(-shared(scores, share), kind="stable") for name, share in ORDERS.items()
    }


def _metrics(relevant: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Of candidates in some order, of which at least one is relevant."""
    discounts = 1 / np.log2(np.arange(2, RANK + 2))
    found, first = int(relevant.sum()), relevant[:RANK]
    gain = (first * discounts[: len(first)]).sum() / discounts[: min(RANK, found)].sum()
    return first.sum() / min(RANK, found), float(first.sum() >= min(RANK, found)), float(gain)
