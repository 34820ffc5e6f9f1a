"""From questions to weights: split, fit, choose on validation, report on test (thesis §4.2)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.evaluation.metrics import bootstrap
from hlg.evaluation.metrics.ranking import ranking_metrics
from hlg.evaluation.training.fusion.models import (
    Examples,
    Fit,
    Fitted,
    explained_variance,
    mean_absolute_error,
)
from hlg.evaluation.training.fusion.questions import FusedQuestion, Target
from hlg.evaluation.training.fusion.targets import PARTS, split
from hlg.retrieval.weights.predictors import Constant, Predictor

FIXED = tuple(round(each / 10, 1) for each in range(11))
"""Every weight that is compared with the learned ones."""
CUTOFF = 5
DECIDES = f"recall@{CUTOFF}"
"""What chooses on validation."""
TIES = f"ndcg@{CUTOFF}"
"""What chooses where that is the same."""
METRICS = (DECIDES, f"all_gold@{CUTOFF}", f"ndcg@{CUTOFF}", "t1em")
LEAST = 40
"""Questions with evidence that training needs at least."""
ORACLE, CEILING = "oracle α*", "best α of each"
Values = Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How near a model's predictions are to α*."""

    r2: float
    mae: float


@dataclass(frozen=True, slots=True)
class Score:
    """Means over the test part with their 95 % intervals, and the lead over the best fixed
    weight in what decides, paired."""

    means: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    lead: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Tuned:
    """What training gave: the models, the one that is kept, and the test part's figures."""

    fitted: tuple[Fitted, ...]
    kept: str
    predictor: Predictor
    counts: Mapping[str, int]
    """Questions of each part."""
    best_fixed: str
    agreement: Mapping[str, Mapping[str, Agreement]]
    """By model, then by part."""
    scores: Mapping[str, Score]
    """Of the test part: every fixed weight, every model, the oracle, the ceiling."""
    by_set: Mapping[str, Mapping[str, float]]
    """What decides, by data set, then as ``scores``."""
    predicted: Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]]
    """By model: α* and what it predicts, of the test part."""
    validation_features: NDArray[np.float64]


def train_weights(
    questions: Sequence[FusedQuestion],
    progress: Callable[[str], None],
    fits: Mapping[str, Fit],
    target: Target = "lss",
) -> Tuned:
    """Fit every model on the training part, choose on validation, measure on the test part.

    Models are fitted by the squared error to the target of the questions that have one.
    Of the models and the fixed weights, what does best by recall on validation is kept: where
    no model does better than a fixed weight, that is what is learned.

    :raises UsageError: there are too few questions, or LightGBM is not installed.
    """
    parts = split([question.set for question in questions])
    of_part = {
        part: [q for q, its in zip(questions, parts, strict=True) if its == part] for part in PARTS
    }
    examples = {part: _examples(held, target) for part, held in of_part.items()}
    known = {part: len(each.alphas) for part, each in examples.items()}
    if sum(known.values()) < LEAST or not all(known.values()):
        raise UsageError(
            f"{sum(known.values())} questions tell which weight is best for them, {LEAST} are "
            "needed, some in every part; give data sets with more questions"
        )
    fitted = []
    for name, fit in fits.items():
        progress(f"fit {name}")
        fitted.append(fit(examples["train"], examples["validation"]))
    alphas = {part: _alphas(held, fitted) for part, held in of_part.items()}
    chosen = {
        name: _standing(values_of(of_part["validation"], each))
        for name, each in alphas["validation"].items()
    }
    best_fixed = max((_fixed_name(alpha) for alpha in FIXED), key=lambda name: chosen[name])
    kept = max((best_fixed, *(each.name for each in fitted)), key=lambda name: chosen[name])
    predictors: dict[str, Predictor] = {each.name: each.predictor for each in fitted}
    predictors |= {_fixed_name(alpha): Constant(alpha) for alpha in FIXED}
    values = _with_oracles(of_part["test"], alphas["test"])
    return Tuned(
        tuple(fitted),
        kept,
        predictors[kept],
        {part: len(held) for part, held in of_part.items()},
        best_fixed,
        {each.name: {p: _agreement(each, x) for p, x in examples.items()} for each in fitted},
        _scores(values, best_fixed),
        _by_set([question.set for question in of_part["test"]], values),
        {each.name: _predicted(each, examples["test"]) for each in fitted},
        examples["validation"].features,
    )


def values_of(
    questions: Sequence[FusedQuestion], alphas: Iterable[float]
) -> dict[str, NDArray[np.float64]]:
    """By metric of :data:`METRICS`: shape (questions,), each question at its own weight; NaN
    where a metric says nothing of one."""
    weighed = [(question, float(alpha)) for question, alpha in zip(questions, alphas, strict=True)]
    rankings = [question.ranking(alpha) for question, alpha in weighed]
    values = ranking_metrics([question.gold for question in questions], rankings, [CUTOFF])
    first = [
        np.nan
        if question.holds is None or not len(question.ids)
        else float(question.holds[question.order(alpha)[0]])
        for question, alpha in weighed
    ]
    values["t1em"] = np.array(first)
    return {name: values[name] for name in METRICS}


def _standing(values: Values) -> tuple[float, ...]:
    """What chooses: recall, and nDCG where that is the same, as it often is of few questions."""
    return tuple(round(float(np.mean(values[name])), 9) for name in (DECIDES, TIES))


def _fixed_name(alpha: float) -> str:
    return f"α = {alpha:g}"


def _examples(questions: Sequence[FusedQuestion], target: Target) -> Examples:
    """The questions that have a target."""
    targets = [question.target(target) for question in questions]
    known = [place for place, alpha in enumerate(targets) if alpha is not None]
    return Examples(
        np.array([questions[place].features for place in known]),
        np.array([questions[place].vector for place in known]),
        np.array([targets[place] for place in known], np.float64),
    )


def _alphas(
    questions: Sequence[FusedQuestion], fitted: Sequence[Fitted]
) -> dict[str, NDArray[np.float64]]:
    """By fixed weight and model: the weight of each question."""
    features = np.stack([question.features for question in questions])
    vectors = np.stack([question.vector for question in questions])
    fixed = {_fixed_name(alpha): np.full(len(questions), alpha) for alpha in FIXED}
    return fixed | {each.name: each.predictor.predict(features, vectors) for each in fitted}


def _with_oracles(
    questions: Sequence[FusedQuestion], alphas: Mapping[str, NDArray[np.float64]]
) -> dict[str, Values]:
    """The values of each way to weigh, with α* and with the best of the fixed weights for each
    question and metric: what no prediction can pass."""
    values: dict[str, Values] = {name: values_of(questions, each) for name, each in alphas.items()}
    values[ORACLE] = values_of(questions, [question.alpha for question in questions])
    values[CEILING] = {
        metric: np.max([values[_fixed_name(alpha)][metric] for alpha in FIXED], axis=0)
        for metric in METRICS
    }
    return values


def _scores(values: Mapping[str, Values], best_fixed: str) -> dict[str, Score]:
    names = [*METRICS, "lead"]
    scores = {}
    for way, of_way in values.items():
        lead = of_way[DECIDES] - values[best_fixed][DECIDES]
        table = np.column_stack([*(of_way[metric] for metric in METRICS), lead])
        means, (low, high) = bootstrap.means(table), bootstrap.intervals(table)
        known = {name: i for i, name in enumerate(names) if not np.isnan(means[i])}
        scores[way] = Score(
            {name: float(means[i]) for name, i in known.items() if name != "lead"},
            {name: (float(low[i]), float(high[i])) for name, i in known.items() if name != "lead"},
            (float(means[-1]), float(low[-1]), float(high[-1])),
        )
    return scores


def _by_set(sets: Sequence[str], values: Mapping[str, Values]) -> dict[str, dict[str, float]]:
    names = np.array(sets)
    return {
        name: {
            way: float(np.mean(of_way[DECIDES][names == name])) for way, of_way in values.items()
        }
        for name in sorted(set(sets))
    }


def _predicted(
    fitted: Fitted, examples: Examples
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return examples.alphas, fitted.predictor.predict(examples.features, examples.vectors)


def _agreement(fitted: Fitted, examples: Examples) -> Agreement:
    wanted, found = _predicted(fitted, examples)
    return Agreement(explained_variance(wanted, found), mean_absolute_error(wanted, found))
