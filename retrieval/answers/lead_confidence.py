"""How sure a lead is: the chance that the span which scores best is the answer.

A reader always has a best span. In chats, contracts and tables it mostly is no answer, and one
that stands before the sentences as if it were does more harm than none. A logistic model of
five signals tells; ``benchmarks/leads.py --fit`` weighs them.
"""

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.answers.signals import SIGNALS as READ_SIGNALS
from hlg.retrieval.answers.signals import Read

SIGNALS = ("margin", "confidence", "fits", "nearest", "fact_object")
"""The score's margin over the best of another text, the search's confidence, and three of
:data:`hlg.retrieval.answers.signals.SIGNALS`."""
WEIGHTS = np.array([0.48, 2.21, 0.82, -0.02, 0.74])
BIAS = -4.58
LEAST = 0.125
"""A span with less of a chance is no lead."""
MOST_MARGIN = 6.0
"""More says no more."""


def lead_signals(
    reading: Read, scores: NDArray[np.floating], best: int, others: list[int], confidence: float
) -> NDArray[np.float64]:
    """What speaks for the best span as a lead, shape (signals,).

    :param scores: of each span, shape (spans,).
    :param others: the spans that could lead in its place.
    :param confidence: of the search, from 0 to 1.
    """
    key = reading.spans[best].key
    rivals = [scores[i] for i in others if reading.spans[i].key != key]
    margin = min(scores[best] - max(rivals), MOST_MARGIN) if rivals else 0.0
    told = dict(zip(READ_SIGNALS, reading.matrix[best].tolist(), strict=True))
    told |= {"margin": float(margin), "confidence": confidence}
    return np.array([told[name] for name in SIGNALS])


def chance(
    signals: NDArray[np.float64], weights: NDArray[np.float64] = WEIGHTS, bias: float = BIAS
) -> NDArray[np.float64]:
    """The chance that a lead is right, from 0 to 1.

    :param signals: of one lead or of many, shape (..., signals).
    """
    return np.asarray(1 / (1 + np.exp(-(signals @ weights + bias))))
