"""Fitting the table of weights of a judge (``hlg.ingest.extract.local.judge``)."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from hlg.ingest.extract.local.judge import BUCKETS, hashed

Matrix = NDArray[np.float64]
_ROUNDS = 100


def trait_matrix(traits: Sequence[Mapping[str, float]]) -> csr_matrix:
    """A row of hashed traits for each thing, shape (things, BUCKETS)."""
    buckets = [bucket for each in traits for bucket in hashed(each)]
    values = [value for each in traits for value in each.values()]
    ends = np.concatenate(([0], np.cumsum([len(each) for each in traits])))
    return csr_matrix((values, buckets, ends), shape=(len(traits), BUCKETS))


def fit_softmax(
    rows: csr_matrix, wanted: Matrix, penalty: float, start: Matrix | None = None
) -> Matrix:
    """Weights of a softmax by L-BFGS; ``wanted`` are chances.

    :param penalty: of the square of what weights differ from ``start``, nothing by default.
    """
    shape = (rows.shape[1], wanted.shape[1])
    begun = np.zeros(shape) if start is None else start
    turned = rows.T.tocsr()
    total = len(wanted)

    def loss(flat: Matrix) -> tuple[float, Matrix]:
        weights = flat.reshape(shape)
        moved = weights - begun
        chances = softmax(rows @ weights)
        miss = -(wanted * np.log(chances + 1e-12)).sum()
        slope = turned @ (chances - wanted) + penalty * moved
        worth = miss + penalty / 2 * np.square(moved).sum()
        return float(worth / total), (slope / total).ravel()

    found = minimize(loss, begun.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": _ROUNDS})
    weights: Matrix = found.x.reshape(shape)
    return weights


def softmax(sums: Matrix) -> Matrix:
    """The chances of each row of sums."""
    powers = np.exp(sums - sums.max(axis=1, keepdims=True))
    chances: Matrix = powers / powers.sum(axis=1, keepdims=True)
    return chances
