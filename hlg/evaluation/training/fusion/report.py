"""What training of weights gave, as tables and plots."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hlg.evaluation.plots import check_format, markdown_table, save_figure
from hlg.evaluation.tables import Table
from hlg.evaluation.training.fusion.train import CEILING, DECIDES, FIXED, METRICS, ORACLE, Tuned
from hlg.retrieval.weights.features import FEATURES, TEXT_FEATURES
from hlg.retrieval.weights.predictors import Ridge
from hlg.whole_file import write_whole_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 12
"""Features in the plot of Shapley values: the strongest."""


def weight_tables(tuned: Tuned) -> list[Table]:
    """Predictions against α*, retrieval by weight, retrieval by data set, coefficients."""
    return [
        _agreement_table(tuned),
        _scores_table(tuned),
        _sets_table(tuned),
        _features_table(tuned),
    ]


def write_weight_report(
    tuned: Tuned, provenance: Mapping[str, Any], folder: Path, image_format: str = "png"
) -> list[Path]:
    """``report.md`` with the tables and the plots: Shapley values, predictions, recall by
    weight, losses; the paths of all that was written.

    :raises UsageError: the format is unknown, or Matplotlib is not installed.
    """
    check_format(image_format)
    drawn = [
        save_figure(folder / f"{name}.{image_format}", partial(draw, tuned=tuned))
        for name, draw in (
            ("recall", _draw_recall),
            ("predictions", _draw_predictions),
            ("coefficients", _draw_coefficients),
            ("shapley", _draw_shapley),
            ("losses", _draw_losses),
        )
    ]
    plots = [path for path in drawn if path is not None]
    parts = [f"{table.title}\n\n{markdown_table(table)}" for table in weight_tables(tuned)]
    parts += [f"![{plot.stem}]({plot.name})\n" for plot in plots]
    told = ", ".join(f"{name}: {value}" for name, value in provenance.items() if name != "corpus")
    path = folder / "report.md"
    write_whole_text(path, "# Learned weights\n\n" + "\n".join(parts) + f"\n{told}\n")
    return [path, *plots]


def report_of(tuned: Tuned) -> dict[str, Any]:
    """The figures of training, for JSON."""
    return {
        "kept": tuned.kept,
        "parts": dict(tuned.counts),
        "settings": {each.name: dict(each.settings) for each in tuned.fitted},
        "agreement": {
            name: {part: asdict(each) for part, each in parts.items()}
            for name, parts in tuned.agreement.items()
        },
        "test": {name: asdict(score) for name, score in tuned.scores.items()},
        "by_set": {name: dict(each) for name, each in tuned.by_set.items()},
    }


def _agreement_table(tuned: Tuned) -> Table:
    return Table(
        "predictions against the best weight of each question",
        (
            "model",
            "cells tried",
            "chosen",
            "validation R²",
            "validation MAE",
            "test R²",
            "test MAE",
        ),
        tuple(
            (
                each.name,
                str(each.tried),
                ", ".join(f"{name} {_told(value)}" for name, value in each.settings.items()),
                *(
                    f"{value:.3f}"
                    for part in ("validation", "test")
                    for value in (
                        tuned.agreement[each.name][part].r2,
                        tuned.agreement[each.name][part].mae,
                    )
                ),
            )
            for each in tuned.fitted
        ),
    )


def _scores_table(tuned: Tuned) -> Table:
    def cell(way: str, metric: str) -> str:
        score = tuned.scores[way]
        if metric not in score.means:
            return "–"
        low, high = score.intervals[metric]
        return f"{score.means[metric]:.3f} [{low:.3f} {high:.3f}]"

    def lead(way: str) -> str:
        mean, low, high = tuned.scores[way].lead
        return f"{mean:+.3f}{'' if low <= 0 <= high else '*'} [{low:+.3f} {high:+.3f}]"

    return Table(
        f"retrieval on the test part: {tuned.counts['test']} of "
        f"{sum(tuned.counts.values())} questions, means with 95 % bootstrap intervals; "
        f"kept: {tuned.kept}",
        ("weights", *METRICS, f"{DECIDES} less {tuned.best_fixed}"),
        tuple((way, *(cell(way, metric) for metric in METRICS), lead(way)) for way in tuned.scores),
    )


def _sets_table(tuned: Tuned) -> Table:
    ways = list(tuned.scores)
    return Table(
        f"{DECIDES} of the test part by data set",
        ("weights", *tuned.by_set),
        tuple((way, *(f"{each[way]:.3f}" for each in tuned.by_set.values())) for way in ways),
    )


def _features_table(tuned: Tuned) -> Table:
    """What a text's features count: in the line, and in the trees on average."""
    line = _ridge(tuned)
    shapley = next((each.shapley for each in tuned.fitted if each.shapley is not None), None)
    strength = None if shapley is None else np.abs(shapley).mean(axis=0)
    return Table(
        "features of the question's text",
        ("feature", "ridge coefficient", "mean |Shapley value|"),
        tuple(
            (
                name,
                f"{line.weights[i]:+.4f}" if line else "–",
                "–" if strength is None else f"{strength[i]:.4f}",
            )
            for i, name in enumerate(TEXT_FEATURES)
        ),
    )


def _ridge(tuned: Tuned) -> Ridge | None:
    return next((f.predictor for f in tuned.fitted if isinstance(f.predictor, Ridge)), None)


def _draw_recall(axes: "Axes", tuned: Tuned) -> bool:
    """What decides by fixed weight, and each learned way as a level line."""
    names = [f"α = {alpha:g}" for alpha in FIXED]
    means = [tuned.scores[name].means[DECIDES] for name in names]
    ends = [tuned.scores[name].intervals[DECIDES] for name in names]
    below = [mean - low for mean, (low, _) in zip(means, ends, strict=True)]
    above = [high - mean for mean, (_, high) in zip(means, ends, strict=True)]
    axes.errorbar(FIXED, means, yerr=[below, above], marker="o", capsize=3, label="fixed")
    for number, way in enumerate([*(each.name for each in tuned.fitted), ORACLE, CEILING], 1):
        level = tuned.scores[way].means[DECIDES]
        axes.axhline(level, linestyle="--", color=f"C{number}", label=way)
    axes.set(xlabel="α", ylabel=DECIDES, title="test part")
    axes.legend(fontsize="small")
    return True


def _draw_predictions(axes: "Axes", tuned: Tuned) -> bool:
    """Predicted against best weights (thesis fig. 8)."""
    for name, (wanted, found) in tuned.predicted.items():
        r2 = tuned.agreement[name]["test"].r2
        axes.scatter(wanted, found, s=10, alpha=0.6, label=f"{name}, R² {r2:.2f}")
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
    axes.set(xlabel="best α", ylabel="predicted α", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.legend(fontsize="small")
    return bool(tuned.predicted)


def _draw_coefficients(axes: "Axes", tuned: Tuned) -> bool:
    """The coefficients of ridge regression (thesis fig. 5)."""
    line = _ridge(tuned)
    if line is None:
        return False
    axes.barh(TEXT_FEATURES, line.weights)
    axes.axvline(0, color="grey", linewidth=1)
    axes.set(xlabel="coefficient", title="ridge regression")
    return True


def _draw_shapley(axes: "Axes", tuned: Tuned) -> bool:
    """Shapley values of the strongest features, a point a question (thesis fig. 6)."""
    shapley = next((each.shapley for each in tuned.fitted if each.shapley is not None), None)
    if shapley is None:
        return False
    strongest = np.argsort(-np.abs(shapley).mean(axis=0))[:SHOWN][::-1]
    generator = np.random.default_rng(0)
    for row, feature in enumerate(strongest.tolist()):
        values = tuned.validation_features[:, feature]
        rank = np.argsort(np.argsort(values)) / max(1, len(values) - 1)
        heights = row + generator.uniform(-0.25, 0.25, len(values))
        axes.scatter(shapley[:, feature], heights, c=rank, cmap="coolwarm", s=8)
    axes.set_yticks(range(len(strongest)), [FEATURES[i] for i in strongest.tolist()])
    axes.axvline(0, color="grey", linewidth=1)
    axes.set(xlabel="Shapley value (red: high feature)", title="boosted trees, validation")
    return True


def _draw_losses(axes: "Axes", tuned: Tuned) -> bool:
    """The loss of the perceptron by epoch (thesis fig. 7)."""
    losses = next((each.losses for each in tuned.fitted if each.losses is not None), None)
    if losses is None:
        return False
    axes.plot(range(1, len(losses.train) + 1), losses.train, label="training")
    axes.plot(range(1, len(losses.validation) + 1), losses.validation, label="validation")
    axes.set(xlabel="epoch", ylabel="mean squared error", title="perceptron")
    axes.legend()
    return True


def _told(value: object) -> str:
    return "×".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
