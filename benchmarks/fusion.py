"""What fusing dense and BM25 gives at each weight: fixed, learned, and at best.

    python -m benchmarks.fusion DATA/A DATA/B … --questions 60 --words 30000

Each set is cut to so many questions and about so many words (hlg.evaluation.data.cut).
Graphs and results are kept in ``--folder``: what was stopped goes on. Prints recall@5 as
Markdown, a row a way to rank, a column a data set, the mean over the sets last: fixed α
(thesis eq. 16; 0 is BM25 alone, 1 dense alone); α learned on the other families only, for each
target, by each model and by what did best on their validation part; the oracle α* (eq. 19),
and the best α of each question, which no weight can pass; reciprocal ranks, dense with TF-IDF,
entities beside both, and the default retriever. The last column is the mean over the sets, and
in brackets the 95 % interval of the paired difference to the default α, over all questions.
"""

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.training.fusion.grid import fits
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.experiment import Experiment, evaluate
from hlg.evaluation.metrics import bootstrap
from hlg.evaluation.metrics.ranking import ranking_metrics
from hlg.evaluation.results import read_result
from hlg.evaluation.training.fusion.questions import FusedQuestion, Target, fused_questions
from hlg.evaluation.training.fusion.train import CUTOFF, DECIDES, Fit, train_weights, values_of
from hlg.evaluation.training.ranker_sets import family_of
from hlg.retrieval.retrievers.hybrid import ALPHA
from hlg.retrieval.weights.predictors import Predictor

FIXED = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0)
TARGETS: tuple[Target, ...] = ("lss", "ndcg")
CELLS = 6
"""Of the perceptron's grid so many cells are tried, evenly picked."""
SEARCHES: dict[str, tuple[str, dict[str, object]]] = {
    "RRF": ("hybrid", {"fusion": "rrf"}),
    "dense and TF-IDF": ("hybrid", {"modalities": "dense,tfidf"}),
    "tri-modal": ("tri-modal", {}),
    "`auto`": ("auto", {}),
}
Values = NDArray[np.float64]
"""The metric of each question."""


def main() -> None:
    """Build, ask, learn and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--words", type=int, default=30_000)
    parser.add_argument("--models", default=",".join(fits()), help="which of them are fitted")
    parser.add_argument("--folder", type=Path, default=Path(".hlg/fusion"))
    options = parser.parse_args()
    pools: dict[str, list[FusedQuestion]] = {}
    rows: dict[str, dict[str, Values]] = {}
    for path in options.sets:
        dataset = load_dataset(path)
        pools[dataset.name], searched = measured(
            dataset, options.folder, options.questions, options.words
        )
        for way, values in searched.items():
            rows.setdefault(way, {})[dataset.name] = values
    weighed: dict[str, dict[str, Values]] = {}
    models = {name: fits(CELLS)[name] for name in options.models.split(",")}
    for name in pools:
        for way, values in weights(name, pools, models):
            weighed.setdefault(way, {})[name] = values
    print_table({**weighed, **rows}, list(pools))


def measured(
    dataset: Dataset, folder: Path, questions: int, words: int
) -> tuple[list[FusedQuestion], dict[str, Values]]:
    """A cut's questions with what is found for them, and what the other searches find."""
    with cut_graph(dataset, folder, questions, words) as (graph, dataset):
        pool = list(fused_questions(graph, dataset))
        asked = dataset.answerable()
        gold = [each.graded for each in asked]
        searched = {}
        for number, (way, (name, given)) in enumerate(SEARCHES.items()):
            out = folder / f"{dataset.name}.{number}.json"
            experiment = Experiment(
                dataset, asked, (name,), name, {name: given}, budgets=(1000,), hits=20
            )
            evaluate(graph, experiment, cutoffs=(CUTOFF,), out=out, on_progress=lambda _: None)
            run = read_result(out).retrievers[name].run
            rankings = [run[question.id] for question in asked]
            searched[way] = ranking_metrics(gold, rankings, [CUTOFF])[DECIDES]
    return pool, searched


def weights(
    name: str, pools: Mapping[str, list[FusedQuestion]], models: Mapping[str, Fit]
) -> Iterable[tuple[str, Values]]:
    """Each way to weigh a set's questions, learned on the other families."""
    asked = pools[name]
    others = [
        question
        for other, held in pools.items()
        if family_of(other) != family_of(name)
        for question in held
    ]
    fixed = [values_of(asked, [alpha] * len(asked))[DECIDES] for alpha in FIXED]
    yield from ((f"α = {alpha:g}", values) for alpha, values in zip(FIXED, fixed, strict=True))
    features = np.stack([question.features for question in asked])
    vectors = np.stack([question.vector for question in asked])
    for target in TARGETS:
        tuned = train_weights(others, lambda _: None, target, models)
        predictors: dict[str, Predictor] = {each.name: each.predictor for each in tuned.fitted}
        predictors["best on validation"] = tuned.predictor
        for way, predictor in predictors.items():
            alphas = predictor.predict(features, vectors)
            yield f"{way}, for {target}", values_of(asked, alphas)[DECIDES]
    yield "oracle α*", values_of(asked, [question.alpha for question in asked])[DECIDES]
    yield "best α of each", np.max(fixed, axis=0)


def print_table(rows: Mapping[str, Mapping[str, Values]], names: list[str]) -> None:
    """A row a way; the mean over the sets counts each set alike."""
    default = rows[f"α = {ALPHA:g}"]
    sizes = {name: len(default[name]) for name in names}
    headings = [f"recall@{CUTOFF}", *(f"{name} ({sizes[name]})" for name in names), "mean"]
    print("| " + " | ".join(headings) + " |")
    print("|---" * len(headings) + "|")
    for way, by_set in rows.items():
        means = [float(by_set[name].mean()) for name in names]
        lead = np.concatenate([by_set[name] - default[name] for name in names])
        low, high = bootstrap.intervals(lead[:, None])[:, 0]
        cells = [f"{mean:.3f}".removeprefix("0") for mean in (*means, float(np.mean(means)))]
        print(f"| {way} | " + " | ".join(cells) + f" [{low:+.3f} {high:+.3f}] |", flush=True)


if __name__ == "__main__":
    main()
