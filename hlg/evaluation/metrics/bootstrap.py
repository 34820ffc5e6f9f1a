"""Percentile bootstrap over questions (Efron 1979): how sure a mean is."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
SEED = 20_240_229
_BLOCK = 500
"""Resamples weighed at once: their counts fit the cache for a thousand questions."""


def means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of each column over the questions that it has a value for; NaN where none has.

    :param values: shape (questions, columns), NaN where a metric says nothing of a question.
    """
    defined = ~np.isnan(values)
    counts = defined.sum(axis=0)
    result = np.full(values.shape[1], np.nan)
    np.divide(np.where(defined, values, 0.0).sum(axis=0), counts, out=result, where=counts > 0)
    return result


def mean(values: Sequence[float] | NDArray[np.floating]) -> float:
    """The mean of those that are known; NaN where none is."""
    return float(means(np.asarray(values, np.float64)[:, None])[0])


def intervals(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lower and upper end of each column's 95 % percentile interval, shape (2, columns).

    Every column sees the same resamples, so that the interval of a difference of two
    columns, question by question, is that of a paired comparison.

    :param values: shape (questions, columns), NaN as in :func:`means`.
    """
    questions, columns = values.shape
    defined = (~np.isnan(values)).astype(np.float64)
    filled = np.where(defined > 0, values, 0.0)
    generator = np.random.default_rng(SEED)
    resampled = np.full((RESAMPLES, columns), np.nan)
    for block in np.split(resampled, RESAMPLES // _BLOCK):
        drawn = generator.integers(questions, size=(_BLOCK, questions))
        cells = (drawn + np.arange(_BLOCK)[:, None] * questions).ravel()
        weights = np.bincount(cells, minlength=_BLOCK * questions).reshape(_BLOCK, questions)
        counts = weights @ defined
        np.divide(weights @ filled, counts, out=block, where=counts > 0)
    ends = np.full((2, columns), np.nan)
    known = defined.any(axis=0)
    ends[:, known] = np.nanquantile(resampled[:, known], (0.025, 0.975), axis=0)
    return ends
