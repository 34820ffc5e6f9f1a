"""Training of the confidence in hits and results, calibrated on families that it has not seen."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.training.ranker import check_lightgbm, ensemble
from hlg.retrieval.ranker.confidence import FORMAT
from hlg.whole_file import write_whole_text

ROUNDS = 60
LOWEST, HIGHEST = 0.005, 0.995
"""No chance is nearer to none or to certainty than this: the sets have mistakes too."""
DECIMALS = 4
PARAMETERS: dict[str, Any] = {
    "objective": "binary",
    "num_leaves": 6,
    "learning_rate": 0.06,
    "min_data_in_leaf": 100,
    "lambda_l2": 20.0,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "max_bin": 63,
    "use_missing": False,
    "num_threads": 1,
    "deterministic": True,
    "force_col_wise": True,
    "seed": 0,
    "verbosity": -1,
}


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Rows of signals, whether each was evidence, and the family of its question."""

    signals: tuple[str, ...]
    matrix: NDArray[np.float32]
    evidence: NDArray[np.bool_]
    families: NDArray[np.str_]
    learned: NDArray[np.bool_]
    """Which rows may be trained on; the others are only measured."""


def left_out_scores(outcomes: Outcomes) -> NDArray[np.float64]:
    """The score of each row by trees that were trained without its family."""
    scores = np.zeros(len(outcomes.matrix))
    for family in np.unique(outcomes.families):
        own = outcomes.families == family
        scores[own] = _fit(outcomes, outcomes.learned & ~own).predict(
            outcomes.matrix[own], raw_score=True
        )
    return scores


def left_out_chances(outcomes: Outcomes, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance of each row by a curve that was fitted to the other families' scores."""
    chances = np.zeros(len(scores))
    for family in np.unique(outcomes.families):
        own = outcomes.families == family
        points = _curve(outcomes, scores, outcomes.learned & ~own)
        chances[own] = np.interp(scores[own], *points)
    return chances


def trained(outcomes: Outcomes, scores: NDArray[np.float64]) -> dict[str, Any]:
    """The model over all families, as it is kept; its curve is that of left-out scores."""
    record = ensemble([_fit(outcomes, outcomes.learned)], outcomes.signals)
    points, chances = _curve(outcomes, scores, outcomes.learned)
    return {
        "signals": record["signals"],
        "trees": record["trees"],
        "scores": np.round(points, DECIMALS).tolist(),
        "chances": np.round(chances, DECIMALS).tolist(),
    }


def write_confidence(
    hit: Mapping[str, Any], result: Mapping[str, Any], provenance: Mapping[str, Any], path: Path
) -> None:
    """Write the two models as the text that :meth:`Confidence.load` reads."""
    model = {"format": FORMAT, "provenance": dict(provenance), "hit": hit, "result": result}
    write_whole_text(path, json.dumps(model, separators=(",", ":")) + "\n", make_folder=True)


def calibration_error(
    chances: NDArray[np.floating], evidence: NDArray[np.bool_], bins: int = 10
) -> float:
    """Expected calibration error over bins of equal width (Naeini et al., AAAI 2015)."""
    places = np.minimum((chances * bins).astype(int), bins - 1)
    error = 0.0
    for place in np.unique(places):
        held = places == place
        error += float(held.mean()) * abs(float(chances[held].mean() - evidence[held].mean()))
    return error


def area_under_curve(chances: NDArray[np.floating], evidence: NDArray[np.bool_]) -> float:
    """AUROC: how often evidence has a higher chance than what is none, ties half."""
    values, places = np.unique(chances, return_inverse=True)
    there = np.bincount(places[evidence], minlength=len(values))
    not_there = np.bincount(places[~evidence], minlength=len(values))
    if not there.sum() or not not_there.sum():
        return float("nan")
    below = np.cumsum(not_there) - not_there
    return float((there * (below + not_there / 2)).sum() / (there.sum() * not_there.sum()))


def _weights(families: NDArray[np.str_]) -> NDArray[np.float64]:
    """Families count by the root of their rows."""
    _, places, counts = np.unique(families, return_inverse=True, return_counts=True)
    weights: NDArray[np.float64] = 1 / np.sqrt(counts[places])
    weights /= weights.mean()
    return weights


def _fit(outcomes: Outcomes, rows: NDArray[np.bool_]) -> Any:
    check_lightgbm()
    import lightgbm

    data = lightgbm.Dataset(
        outcomes.matrix[rows],
        outcomes.evidence[rows].astype(np.int32),
        weight=_weights(outcomes.families[rows]),
        feature_name=list(outcomes.signals),
    )
    return lightgbm.train(PARAMETERS, data, ROUNDS)


def _curve(
    outcomes: Outcomes, scores: NDArray[np.float64], rows: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The isotonic curve of scores: its points and their chances."""
    return isotonic(scores[rows], outcomes.evidence[rows], _weights(outcomes.families[rows]))


def isotonic(
    scores: NDArray[np.float64], evidence: NDArray[np.bool_], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The rising steps nearest to what came of scores, each as its mean score and share of
    evidence (pool adjacent violators, Ayer et al. 1955); straight lines join them."""
    order = np.argsort(scores, kind="stable")
    blocks: list[tuple[float, float, float]] = []
    for i in order.tolist():
        block = (weights[i] * scores[i], weights[i] * float(evidence[i]), float(weights[i]))
        while blocks and blocks[-1][1] / blocks[-1][2] >= block[1] / block[2]:
            last = blocks.pop()
            block = (last[0] + block[0], last[1] + block[1], last[2] + block[2])
        blocks.append(block)
    table = np.array(blocks)
    return table[:, 0] / table[:, 2], np.clip(table[:, 1] / table[:, 2], LOWEST, HIGHEST)
