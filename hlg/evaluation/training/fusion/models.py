"""What learns weights: a line and boosted trees (thesis §3.3.3.3).

Boosted trees are LightGBM's: it is what ``hlg tune ranker`` trains with, and a wheel of XGBoost
brings CUDA's libraries along. Depth, rounds, learning rate, subsampling and the L2 penalty are as
XGBoost would have them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.training.recipe import SAME_EVERYWHERE
from hlg.retrieval.weights.features import FEATURES, TEXT_FEATURES
from hlg.retrieval.weights.predictors import LEAF, Boosted, Predictor, Ridge, Tree

PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0)
"""λ of ridge regression."""
FOLDS = 5
ROUNDS = (50, 100, 200)
DEPTHS = (3, 5, 7)
BOOSTED_RATES = (0.01, 0.1, 0.3)
SUBSAMPLES = (0.8, 1.0)
_BOOSTED = SAME_EVERYWHERE | {
    "objective": "regression",
    "min_data_in_leaf": 5,
    "lambda_l2": 1.0,
    "seed": 42,
}


@dataclass(frozen=True, slots=True)
class Examples:
    """Questions as the models see them: features (n, 25), embeddings (n, d), and α* (n,)."""

    features: NDArray[np.float64]
    vectors: NDArray[np.float32]
    alphas: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted model: what predicts, the cell of its grid that was chosen, of how many that were
    tried, and what else there is to tell: of trees LightGBM's own."""

    name: str
    predictor: Predictor
    settings: Mapping[str, Any]
    tried: int = 1
    origin: Any = None


def fit_ridge(train: Examples, validation: Examples) -> Fitted:
    """Ridge regression on the four features of the text (eq. 20-22), λ by five folds."""
    from sklearn.linear_model import RidgeCV

    columns = slice(len(TEXT_FEATURES))
    folds = min(FOLDS, len(train.alphas))
    model = RidgeCV(alphas=PENALTIES, cv=folds).fit(train.features[:, columns], train.alphas)
    weights = tuple(float(each) for each in model.coef_)
    settings = {"lambda": float(model.alpha_)}
    return Fitted("ridge", Ridge(weights, float(model.intercept_)), settings, len(PENALTIES))


def fit_boosted(train: Examples, validation: Examples) -> Fitted:
    """Boosted trees on all 25 features (eq. 23), by the squared error on validation."""
    import lightgbm

    tried: list[tuple[float, Any, dict[str, Any]]] = []
    for depth, rate, subsample in product(DEPTHS, BOOSTED_RATES, SUBSAMPLES):
        chosen = {"max_depth": depth, "learning_rate": rate}
        given = _BOOSTED | chosen | {"num_leaves": 2**depth, "bagging_fraction": subsample}
        data = lightgbm.Dataset(train.features, train.alphas, feature_name=list(FEATURES))
        booster = lightgbm.train(given, data, max(ROUNDS))
        for rounds in ROUNDS:
            predicted = np.clip(booster.predict(validation.features, num_iteration=rounds), 0, 1)
            error = float(np.mean((validation.alphas - predicted) ** 2))
            tried.append((error, booster, {"rounds": rounds, **chosen, "subsample": subsample}))
    _, booster, settings = min(tried, key=lambda each: each[0])
    trees = booster.dump_model(num_iteration=settings["rounds"])["tree_info"]
    predictor = Boosted(tuple(_tree(tree["tree_structure"]) for tree in trees))
    return Fitted("boosted", predictor, settings, len(tried), booster)


Fit = Callable[[Examples, Examples], Fitted]
"""Fits a model on training questions and chooses its cell on those of validation."""
FITS: Mapping[str, Fit] = {"ridge": fit_ridge, "boosted": fit_boosted}
"""The models, in order of what they cost."""


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
    return Tree(*zip(*rows, strict=True))
