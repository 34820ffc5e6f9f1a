"""From questions to weights: split, fit, choose on validation, report on test (thesis §4.2).

What is fitted are a line and boosted trees (thesis §3.3.3.3). Boosted trees are LightGBM's: it is
what ``hlg tune ranker`` trains with, and a wheel of XGBoost brings CUDA's libraries along. Depth,
rounds, learning rate, subsampling and the L2 penalty are as XGBoost would have them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.evaluation.data.cut import PARTS, Part, split
from hlg.evaluation.metrics import bootstrap
from hlg.evaluation.metrics.ranking import Columns, ranking_metrics
from hlg.evaluation.tables import Table, mean_cells
from hlg.evaluation.training.fusion.questions import FusedQuestion, Target
from hlg.evaluation.training.ranker import SAME_EVERYWHERE
from hlg.retrieval.retrievers.hybrid import ALPHA
from hlg.retrieval.weights.features import FEATURES, TEXT_FEATURES
from hlg.retrieval.weights.predictors import LEAF, Boosted, Constant, Predictor, Ridge, Tree

FIXED = {f"α = {each / 10:g}": each / 10 for each in range(11)}
"""Every weight that is compared with the learned ones, by name."""
DEFAULT = f"α = {ALPHA:g}"
CUTOFF = 5
DECIDES = f"recall@{CUTOFF}"
"""What chooses."""
METRICS = (DECIDES, f"all_gold@{CUTOFF}", f"ndcg@{CUTOFF}", "t1em")
LEAST = 40
"""Questions with evidence that training needs at least."""
ORACLE, CEILING = "oracle α*", "best α of each"
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


@dataclass(frozen=True, slots=True)
class Tuned:
    """What training gave: the models, the one that is kept, and the test part's values.

    ``values`` is by way to weigh (every fixed weight, every model, the oracle, the ceiling),
    then by metric, a row a question of the test part; ``sets`` are those questions' data sets;
    ``examples`` what the models saw, by part.
    """

    fitted: tuple[Fitted, ...]
    chosen: str
    predictor: Predictor
    best_fixed: str
    questions: int
    values: Mapping[str, Columns]
    sets: NDArray[np.str_]
    examples: Mapping[Part, Examples]

    def tables(self) -> list[Table]:
        """Retrieval by weight, over all questions of the test part and, of several, by data set."""
        best = self.values[self.best_fixed]
        told = [metric for metric in METRICS if not np.isnan(best[metric]).all()]
        rows = []
        for way, values in self.values.items():
            cells = mean_cells(np.column_stack([values[metric] for metric in told]))
            (lead,) = mean_cells((values[DECIDES] - best[DECIDES])[:, None], signed=True)
            leads = {f"{DECIDES} less {self.best_fixed}": lead}
            rows.append({"weights": way} | dict(zip(told, cells, strict=True)) | leads)
        by_set = {name: self.sets == name for name in sorted(set(self.sets.tolist()))}
        sets = (
            {"weights": way}
            | {name: f"{values[DECIDES][own].mean():.3f}" for name, own in by_set.items()}
            for way, values in self.values.items()
        )
        title = (
            f"retrieval on the test part: {len(self.sets)} of {self.questions} questions, "
            f"means with 95 % bootstrap intervals; kept: {self.chosen}"
        )
        by_set_table = Table.of(f"{DECIDES} of the test part by data set", sets)
        return [Table.of(title, rows), *([by_set_table] if len(by_set) > 1 else ())]


def train_weights(
    questions: Sequence[FusedQuestion],
    progress: Callable[[str], None],
    target: Target = "lss",
    fits: Mapping[str, Fit] = FITS,
) -> Tuned:
    """Fit every model on the training part, choose on validation, measure on the test part.

    Models are fitted by the squared error to the target of the questions that have one. What is
    kept is the default weight, unless another one finds more on training and validation, where
    a weight that is fixed learns nothing; and that, unless a model finds more on validation:
    each by a lead whose 95 % interval leaves out 0. The thesis keeps what does best on
    validation, which of a hundred questions is mostly chance.

    :raises UsageError: there are too few questions.
    """
    parts = split([question.set for question in questions])
    of_part = {
        part: [questions[i] for i in np.flatnonzero(parts == part).tolist()] for part in PARTS
    }
    examples = {part: _examples(held, target) for part, held in of_part.items()}
    known = [len(each.alphas) for each in examples.values()]
    if sum(known) < LEAST or not all(known):
        raise UsageError(
            f"{sum(known)} questions tell which weight is best for them, {LEAST} are "
            "needed, some in every part; give data sets with more questions"
        )
    fitted = []
    for name, fit in fits.items():
        progress(f"fit {name}")
        fitted.append(fit(examples["train"], examples["validation"]))
    predictors: dict[str, Predictor] = {name: Constant(alpha) for name, alpha in FIXED.items()}
    best_fixed = _leading(
        _weighed([*of_part["train"], *of_part["validation"]], predictors), DEFAULT
    )
    predictors |= {each.name: each.predictor for each in fitted}
    rivals = {name: predictors[name] for name in (best_fixed, *(each.name for each in fitted))}
    chosen = _leading(_weighed(of_part["validation"], rivals), best_fixed)
    tested = of_part["test"]
    values = _weighed(tested, predictors)
    values[ORACLE] = values_of(tested, [question.alpha for question in tested])
    values[CEILING] = {
        metric: np.max([values[name][metric] for name in FIXED], axis=0) for metric in METRICS
    }
    return Tuned(
        tuple(fitted),
        chosen,
        predictors[chosen],
        best_fixed,
        len(questions),
        values,
        np.array([question.set for question in tested]),
        examples,
    )


def _leading(found: Mapping[str, Columns], standing: str) -> str:
    """What finds most, where it leads what stands by more than chance; else what stands."""
    best = max(found, key=lambda name: float(np.mean(found[name][DECIDES])))
    lead = found[best][DECIDES] - found[standing][DECIDES]
    (low,), _ = bootstrap.intervals(lead[:, None])
    return best if low > 0 else standing


def values_of(questions: Sequence[FusedQuestion], alphas: Iterable[float]) -> Columns:
    """By metric of :data:`METRICS`: shape (questions,), each question at its own weight; NaN
    where a metric says nothing of one."""
    orders = [each.order(float(alpha)) for each, alpha in zip(questions, alphas, strict=True)]
    pairs = list(zip(questions, orders, strict=True))
    rankings = [list(dict.fromkeys(each.documents[order].tolist())) for each, order in pairs]
    values = ranking_metrics([question.gold for question in questions], rankings, [CUTOFF])
    values["t1em"] = np.array(
        [
            np.nan if each.holds is None or not len(order) else float(each.holds[order[0]])
            for each, order in pairs
        ]
    )
    return {name: values[name] for name in METRICS}


def _examples(questions: Sequence[FusedQuestion], target: Target) -> Examples:
    """The questions that have a target."""
    targets = [(question, question.target(target)) for question in questions]
    known = [(question, alpha) for question, alpha in targets if alpha is not None]
    return Examples(
        np.array([question.features for question, _ in known]),
        np.array([question.vector for question, _ in known]),
        np.array([alpha for _, alpha in known], np.float64),
    )


def _weighed(
    questions: Sequence[FusedQuestion], predictors: Mapping[str, Predictor]
) -> dict[str, Columns]:
    """By predictor the values of questions that are weighed as it says."""
    features = np.stack([question.features for question in questions])
    vectors = np.stack([question.vector for question in questions])
    return {
        name: values_of(questions, each.predict(features, vectors))
        for name, each in predictors.items()
    }
