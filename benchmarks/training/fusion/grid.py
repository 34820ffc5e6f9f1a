"""The thesis's grid of perceptrons (§4.2): 108 cells, chosen by the loss on validation."""

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from itertools import product

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.training.fusion.perceptron import (
    Losses,
    Perceptron,
    PerceptronSettings,
    train_perceptron,
)
from hlg.evaluation.training.fusion.train import FITS, Examples, Fit, Fitted

HIDDEN = ((32, 16), (64, 32), (128, 64))
RATES = (0.001, 0.0001)
BATCHES = (32, 64, 128)
DROPOUTS = (0.5, 0.7, 0.8)
DECAYS = (0.01, 0.001)


def fits(cells: int | None = None) -> Mapping[str, Fit]:
    """The thesis's three models by name, in order of what they cost.

    :param cells: how many cells of the perceptron's grid are tried, picked evenly; all of them if
        None.
    """
    return {**FITS, "mlp": partial(fit_perceptron, cells=cells)}


def fit_perceptron(train: Examples, validation: Examples, cells: int | None = None) -> Fitted:
    """The perceptron on the question's embedding (eq. 24-27), the best of the grid."""
    grid = [PerceptronSettings(*cell) for cell in product(HIDDEN, RATES, BATCHES, DROPOUTS, DECAYS)]
    if cells is not None:
        grid = grid[:: max(1, len(grid) // cells)][:cells]
    learned, chosen_on = (
        (each.vectors, each.alphas.astype(np.float32)) for each in (train, validation)
    )

    def trained(settings: PerceptronSettings) -> tuple[Perceptron, Losses]:
        return train_perceptron(learned, chosen_on, settings)

    # Matrices this small are slower on several threads than on one.
    with threadpool_limits(1), ThreadPoolExecutor(os.cpu_count()) as threads:
        found = list(threads.map(trained, grid))
    best = min(range(len(grid)), key=lambda cell: min(found[cell][1].validation))
    network, losses = found[best]
    return Fitted("mlp", network, asdict(grid[best]), len(grid), losses)
