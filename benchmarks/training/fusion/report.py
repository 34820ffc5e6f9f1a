"""What training of weights gave, as the thesis's tables and figures."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmarks.training.fusion.perceptron import Losses
from hlg.evaluation.metrics import bootstrap
from hlg.evaluation.report import Report, draw_all, whiskers
from hlg.evaluation.tables import Table
from hlg.evaluation.training.fusion.train import (
    CEILING,
    DECIDES,
    FIXED,
    ORACLE,
    Examples,
    Fitted,
    Tuned,
)
from hlg.retrieval.weights.features import FEATURES, TEXT_FEATURES
from hlg.retrieval.weights.predictors import Ridge

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 12
"""Features in the plot of Shapley values: the strongest."""


def write_weight_report(tuned: Tuned, asked: str, folder: Path) -> None:
    """Predictions against α*, retrieval by weight and data set, coefficients, and their figures."""
    tables = [_agreement_table(tuned), *tuned.tables(), _features_table(tuned)]
    Report(f"Learned weights; {asked}", tables).write(folder)
    draw_all({name: partial(draw, tuned=tuned) for name, draw in PLOTS.items()}, folder, "png")


def explained_variance(fitted: Fitted, examples: Examples) -> float:
    """R²: 1 for a perfect prediction, 0 for one that is no better than the mean; NaN where
    what is wanted does not vary."""
    spread = float(np.var(examples.alphas))
    missed = examples.alphas - _predicted(fitted, examples)
    return 1 - float(np.mean(missed**2)) / spread if spread > 0 else float("nan")


def _predicted(fitted: Fitted, examples: Examples) -> NDArray[np.float64]:
    return fitted.predictor.predict(examples.features, examples.vectors)


def _agreement_table(tuned: Tuned) -> Table:
    parts = (tuned.examples["validation"], tuned.examples["test"])
    headings = ("model", "cells tried", "chosen", "validation R²", "validation MAE", "test R²")
    return Table(
        "predictions against the best weight of each question",
        (*headings, "test MAE"),
        tuple(
            (
                each.name,
                str(each.tried),
                ", ".join(f"{name} {value}" for name, value in each.settings.items()),
                *(
                    f"{value:.3f}"
                    for part in parts
                    for value in (
                        explained_variance(each, part),
                        float(np.mean(np.abs(part.alphas - _predicted(each, part)))),
                    )
                ),
            )
            for each in tuned.fitted
        ),
    )


def _features_table(tuned: Tuned) -> Table:
    """What a text's features count: in the line, and in the trees on average."""
    strength = np.abs(_shapley(tuned)).mean(axis=0)
    weights = _line(tuned).weights
    return Table(
        "features of the question's text",
        ("feature", "ridge coefficient", "mean |Shapley value|"),
        tuple(
            (name, f"{weights[i]:+.4f}", f"{strength[i]:.4f}")
            for i, name in enumerate(TEXT_FEATURES)
        ),
    )


def _line(tuned: Tuned) -> Ridge:
    return next(each.predictor for each in tuned.fitted if isinstance(each.predictor, Ridge))


def _shapley(tuned: Tuned) -> NDArray[np.float64]:
    """What each feature adds to each prediction on validation, shape (n, 25)."""
    trees = next(each for each in tuned.fitted if each.name == "boosted")
    features, rounds = tuned.examples["validation"].features, trees.settings["rounds"]
    found = trees.origin.predict(features, num_iteration=rounds, pred_contrib=True)
    return np.asarray(found, np.float64)[:, :-1]


def _draw_recall(axes: "Axes", tuned: Tuned) -> bool:
    """What decides by fixed weight, and each learned way as a level line."""
    table = np.column_stack([tuned.values[name][DECIDES] for name in FIXED])
    means = bootstrap.means(table).tolist()
    ends = [(low, high) for low, high in bootstrap.intervals(table).T.tolist()]
    axes.errorbar(
        list(FIXED.values()),
        means,
        yerr=whiskers(means, ends),
        marker="o",
        capsize=3,
        label="fixed",
    )
    for number, way in enumerate([*(each.name for each in tuned.fitted), ORACLE, CEILING], 1):
        level = float(tuned.values[way][DECIDES].mean())
        axes.axhline(level, linestyle="--", color=f"C{number}", label=way)
    axes.set(xlabel="α", ylabel=DECIDES, title="test part")
    axes.legend(fontsize="small")
    return True


def _draw_predictions(axes: "Axes", tuned: Tuned) -> bool:
    """Predicted against best weights (thesis fig. 8)."""
    test = tuned.examples["test"]
    for each in tuned.fitted:
        label = f"{each.name}, R² {explained_variance(each, test):.2f}"
        axes.scatter(test.alphas, _predicted(each, test), s=10, alpha=0.6, label=label)
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
    axes.set(xlabel="best α", ylabel="predicted α", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.legend(fontsize="small")
    return True


def _draw_coefficients(axes: "Axes", tuned: Tuned) -> bool:
    """The coefficients of ridge regression (thesis fig. 5)."""
    axes.barh(TEXT_FEATURES, _line(tuned).weights)
    axes.axvline(0, color="grey", linewidth=1)
    axes.set(xlabel="coefficient", title="ridge regression")
    return True


def _draw_shapley(axes: "Axes", tuned: Tuned) -> bool:
    """Shapley values of the strongest features, a point a question (thesis fig. 6)."""
    shapley = _shapley(tuned)
    strongest = np.argsort(-np.abs(shapley).mean(axis=0))[:SHOWN][::-1]
    generator = np.random.default_rng(0)
    for row, feature in enumerate(strongest.tolist()):
        values = tuned.examples["validation"].features[:, feature]
        rank = np.argsort(np.argsort(values)) / max(1, len(values) - 1)
        heights = row + generator.uniform(-0.25, 0.25, len(values))
        axes.scatter(shapley[:, feature], heights, c=rank, cmap="coolwarm", s=8)
    axes.set_yticks(range(len(strongest)), [FEATURES[i] for i in strongest.tolist()])
    axes.axvline(0, color="grey", linewidth=1)
    axes.set(xlabel="Shapley value (red: high feature)", title="boosted trees, validation")
    return True


def _draw_losses(axes: "Axes", tuned: Tuned) -> bool:
    """The loss of the perceptron by epoch (thesis fig. 7)."""
    losses = next(each.origin for each in tuned.fitted if isinstance(each.origin, Losses))
    axes.plot(range(1, len(losses.train) + 1), losses.train, label="training")
    axes.plot(range(1, len(losses.validation) + 1), losses.validation, label="validation")
    axes.set(xlabel="epoch", ylabel="mean squared error", title="perceptron")
    axes.legend()
    return True


PLOTS: Mapping[str, Callable[..., bool]] = {
    "recall": _draw_recall,
    "predictions": _draw_predictions,
    "coefficients": _draw_coefficients,
    "shapley": _draw_shapley,
    "losses": _draw_losses,
}
