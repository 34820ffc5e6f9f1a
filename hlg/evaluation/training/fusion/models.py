"""The three models of the thesis (§3.3.3.3), fitted over its grids (§4.2).

Boosted trees are LightGBM's: it is what ``hlg tune ranker`` trains with, gives Shapley values
by itself, and a wheel of XGBoost brings CUDA's libraries along. Depth, rounds, learning rate,
subsampling and the L2 penalty are as XGBoost would have them.
"""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.training.fusion.perceptron import (
    Losses,
    PerceptronSettings,
    train_perceptron,
)
from hlg.retrieval.weights.features import FEATURES, TEXT_FEATURES
from hlg.retrieval.weights.predictors import LEAF, Boosted, Perceptron, Predictor, Ridge, Tree

PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0)
"""λ of ridge regression."""
FOLDS = 5
ROUNDS = (50, 100, 200)
DEPTHS = (3, 5, 7)
BOOSTED_RATES = (0.01, 0.1, 0.3)
SUBSAMPLES = (0.8, 1.0)
HIDDEN = ((32, 16), (64, 32), (128, 64))
RATES = (0.001, 0.0001)
BATCHES = (32, 64, 128)
DROPOUTS = (0.5, 0.7, 0.8)
DECAYS = (0.01, 0.001)
SEED = 42
_BOOSTED: dict[str, Any] = {
    "objective": "regression",
    "min_data_in_leaf": 5,
    "lambda_l2": 1.0,
    "bagging_freq": 1,
    "use_missing": False,
    "num_threads": 1,
    "deterministic": True,
    "force_col_wise": True,
    "seed": SEED,
    "verbosity": -1,
}


@dataclass(frozen=True, slots=True)
class Examples:
    """Questions as the models see them: features (n, 25), embeddings (n, d), and α* (n,)."""

    features: NDArray[np.float64]
    vectors: NDArray[np.float32]
    alphas: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted model: what predicts, the cell of its grid, and what there is to draw of it."""

    name: str
    predictor: Predictor
    settings: Mapping[str, Any]
    shapley: NDArray[np.float64] | None = None
    """What each feature adds to each prediction on validation, shape (n, 25)."""
    losses: Losses | None = None
    tried: int = 1
    """Cells of the grid."""


def fit_ridge(train: Examples, validation: Examples) -> Fitted:
    """Ridge regression on the four features of the text (eq. 20-22), λ by five folds."""
    from sklearn.linear_model import RidgeCV

    columns = slice(len(TEXT_FEATURES))
    folds = min(FOLDS, len(train.alphas))
    model = RidgeCV(alphas=PENALTIES, cv=folds).fit(train.features[:, columns], train.alphas)
    weights = tuple(float(each) for each in model.coef_)
    settings = {"lambda": float(model.alpha_)}
    return Fitted("ridge", Ridge(weights, float(model.intercept_)), settings, tried=len(PENALTIES))


def fit_boosted(train: Examples, validation: Examples) -> Fitted:
    """Boosted trees on all 25 features (eq. 23), by the squared error on validation."""
    import lightgbm

    best: tuple[float, Any, dict[str, Any]] | None = None
    for depth, rate, subsample in product(DEPTHS, BOOSTED_RATES, SUBSAMPLES):
        parameters = _BOOSTED | {
            "max_depth": depth,
            "num_leaves": 2**depth,
            "learning_rate": rate,
            "bagging_fraction": subsample,
        }
        data = lightgbm.Dataset(train.features, train.alphas, feature_name=list(FEATURES))
        booster = lightgbm.train(parameters, data, max(ROUNDS))
        for rounds in ROUNDS:
            predicted = np.clip(booster.predict(validation.features, num_iteration=rounds), 0, 1)
            error = mean_squared_error(validation.alphas, predicted)
            if best is None or error < best[0]:
                best = (
                    error,
                    booster,
                    {
                        "rounds": rounds,
                        "max_depth": depth,
                        "learning_rate": rate,
                        "subsample": subsample,
                    },
                )
    assert best is not None
    _, booster, settings = best
    rounds = settings["rounds"]
    shapley = booster.predict(validation.features, num_iteration=rounds, pred_contrib=True)
    tried = len(DEPTHS) * len(BOOSTED_RATES) * len(SUBSAMPLES) * len(ROUNDS)
    trees = booster.dump_model(num_iteration=rounds)["tree_info"]
    predictor = Boosted(tuple(_tree(tree["tree_structure"]) for tree in trees))
    return Fitted("boosted", predictor, settings, shapley=np.asarray(shapley)[:, :-1], tried=tried)


def fit_perceptron(train: Examples, validation: Examples, cells: int | None = None) -> Fitted:
    """The perceptron on the question's embedding (eq. 24-27), by the loss on validation.

    :param cells: how many cells of the grid are tried, picked evenly; all of them if None.
    """
    grid = [PerceptronSettings(*cell) for cell in product(HIDDEN, RATES, BATCHES, DROPOUTS, DECAYS)]
    if cells is not None:
        grid = grid[:: max(1, len(grid) // cells)][:cells]
    from threadpoolctl import threadpool_limits

    def trained(settings: PerceptronSettings) -> tuple[Perceptron, Losses]:
        return train_perceptron(
            (train.vectors, train.alphas.astype(np.float32)),
            (validation.vectors, validation.alphas.astype(np.float32)),
            settings,
        )

    # Matrices this small are slower on several threads than on one.
    with threadpool_limits(1), ThreadPoolExecutor(os.cpu_count()) as threads:
        found = list(threads.map(trained, grid))
    best = min(range(len(grid)), key=lambda cell: min(found[cell][1].validation))
    (network, losses), settings = found[best], grid[best]
    return Fitted("mlp", network, asdict(settings), losses=losses, tried=len(grid))


Fit = Callable[[Examples, Examples], Fitted]
"""Fits a model on training questions and chooses its cell on those of validation."""


def fits(cells: int | None = None) -> dict[str, Fit]:
    """The models by name, in order of what they cost.

    :param cells: as :func:`fit_perceptron` takes it.
    """
    perceptron = partial(fit_perceptron, cells=cells)
    return {"ridge": fit_ridge, "boosted": fit_boosted, "mlp": perceptron}


def mean_squared_error(wanted: NDArray[np.floating], found: NDArray[np.floating]) -> float:
    """What all models are fitted by (eq. 21, 27)."""
    return float(np.mean((wanted - found) ** 2))


def mean_absolute_error(wanted: NDArray[np.floating], found: NDArray[np.floating]) -> float:
    """MAE."""
    return float(np.mean(np.abs(wanted - found)))


def explained_variance(wanted: NDArray[np.floating], found: NDArray[np.floating]) -> float:
    """R²: 1 for a perfect prediction, 0 for one that is no better than the mean; NaN where
    what is wanted does not vary."""
    spread = float(np.var(wanted))
    return 1 - mean_squared_error(wanted, found) / spread if spread > 0 else float("nan")


def _tree(structure: Mapping[str, Any]) -> Tree:
    """A tree of LightGBM's dump in arrays."""
    rows: list[tuple[int, float, int, int, float]] = []

    def visit(node: Mapping[str, Any]) -> int:
        place = len(rows)
        rows.append((LEAF, 0.0, LEAF, LEAF, float(node.get("leaf_value", 0.0))))
        if "split_feature" in node:
            left, right = visit(node["left_child"]), visit(node["right_child"])
            rows[place] = (node["split_feature"], float(node["threshold"]), left, right, 0.0)
        return place

    visit(structure)
    feature, threshold, left, right, value = zip(*rows, strict=True)
    return Tree(feature, threshold, left, right, value)
