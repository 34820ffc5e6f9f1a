"""What is lost where the weight of dense search beside BM25 is learned from questions that no model
and no person made, instead of from people's.

    python benchmarks/made_weights.py GRAPHS DATA/2wiki_ctx DATA/musique_train100 --words 30000

Each data set is cut and built in the folder GRAPHS. Of its graph ``hlg eval synthesize --local``
makes questions; from these, and from people's, weights are learned as ``hlg tune fusion`` learns
them, and both are held against both test parts: a row is what weights were learned from, a column
who asks. "Best on validation" is what the thesis keeps, whatever its lead. All is done on ten
partitions, and of a question counts the mean of those that had it in the test part; in brackets
stands the 95 % interval of the paired difference to the default weight.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from hlg.errors import UsageError
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.cut import split
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.metrics import bootstrap
from hlg.evaluation.synthesis.making import Maker
from hlg.evaluation.synthesis.recipes import synthesize
from hlg.evaluation.training.fusion.questions import FusedQuestion, fused_questions
from hlg.evaluation.training.fusion.train import (
    CUTOFF,
    DECIDES,
    FIXED,
    Tuned,
    train_weights,
    values_of,
)
from hlg.graph import LexicalGraph
from hlg.retrieval.retrievers.hybrid import ALPHA
from hlg.retrieval.weights.predictors import Constant, Predictor

PEOPLE = "people"
DEFAULT = f"the default, α = {ALPHA:g}"
CHOOSES = (DECIDES, f"ndcg@{CUTOFF}")
PARTITIONS = 10
Found = Mapping[tuple[str, int], Sequence[float]]
"""By who asks and which question the metric, each time that it was tested."""


def main() -> None:
    """Print a table a data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--recipes", default="sf1h,sf2h")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--words", type=int, default=30_000)
    options = parser.parse_args()
    for folder in options.data:
        dataset = load_dataset(folder)
        with cut_graph(dataset, options.graphs, options.questions, options.words) as (graph, cut):
            pools = {PEOPLE: list(fused_questions(graph, cut))}
            for recipe in options.recipes.split(","):
                pools[recipe] = made_questions(graph, recipe, options.questions)
        print_table(cut.name, pools)


def made_questions(graph: LexicalGraph, recipe: str, most: int) -> list[FusedQuestion]:
    """What a recipe makes of a graph, with what both searches find for each."""
    maker = Maker(graph, most, lambda _: None)
    return list(fused_questions(graph, synthesize(maker, recipe, local=True).dataset))


def print_table(name: str, pools: Mapping[str, list[FusedQuestion]]) -> None:
    """A row what weights were learned from, a column who asks."""
    rows: dict[str, dict[tuple[str, int], list[float]]] = {}
    kept: dict[str, Counter[str]] = defaultdict(Counter)
    for partition in range(PARTITIONS):
        order = np.random.default_rng(partition)
        shuffled = {asked: order.permutation(len(pool)).tolist() for asked, pool in pools.items()}
        learned: dict[str, Predictor] = {DEFAULT: Constant(ALPHA)}
        parts = {asked: split([asked] * len(pool)) for asked, pool in pools.items()}
        for asked, pool in pools.items():
            ordered = [pool[i] for i in shuffled[asked]]
            try:
                tuned = train_weights(ordered, lambda _: None)
            except UsageError:
                continue
            chooses = np.flatnonzero(parts[asked] == "validation").tolist()
            best, predictor = _best([ordered[at] for at in chooses], tuned)
            for way, chosen, each in (
                (f"{asked}, kept", tuned.chosen, tuned.predictor),
                (f"{asked}, best on validation", best, predictor),
            ):
                learned[way] = each
                kept[way][chosen] += 1
        for asked, pool in pools.items():
            tested = [shuffled[asked][at] for at in np.flatnonzero(parts[asked] == "test").tolist()]
            held = [pool[i] for i in tested]
            features = np.stack([each.features for each in held])
            vectors = np.stack([each.vector for each in held])
            for way, predictor in learned.items():
                values = values_of(held, predictor.predict(features, vectors))[DECIDES]
                for i, value in zip(tested, values.tolist(), strict=True):
                    rows.setdefault(way, defaultdict(list))[asked, i].append(value)
    headings = [f"asked by {asked} ({len(pool)})" for asked, pool in pools.items()]
    print(f"| {name}: learned from | " + " | ".join([*headings, "kept"]) + " |")
    print("|---" * (len(headings) + 2) + "|")
    for way, found in rows.items():
        cells = [_cell(found, rows[DEFAULT], asked) for asked in pools]
        often = ", ".join(f"{each} ({count})" for each, count in kept[way].most_common())
        print(f"| {way} | " + " | ".join([*cells, often]) + " |", flush=True)


def _best(questions: Sequence[FusedQuestion], tuned: Tuned) -> tuple[str, Predictor]:
    """Of fixed weights and models what finds most for questions, then what ranks it best."""
    predictors: dict[str, Predictor] = {name: Constant(alpha) for name, alpha in FIXED.items()}
    predictors |= {each.name: each.predictor for each in tuned.fitted}
    features = np.stack([each.features for each in questions])
    vectors = np.stack([each.vector for each in questions])

    def standing(name: str) -> tuple[float, ...]:
        values = values_of(questions, predictors[name].predict(features, vectors))
        return tuple(round(float(values[metric].mean()), 9) for metric in CHOOSES)

    best = max(predictors, key=standing)
    return best, predictors[best]


def _cell(found: Found, default: Found, asked: str) -> str:
    """``.812 [-0.021 +0.004]``."""
    means = {key: float(np.mean(values)) for key, values in found.items() if key[0] == asked}
    lead = np.array([each - float(np.mean(default[key])) for key, each in means.items()])
    low, high = bootstrap.intervals(lead[:, None])[:, 0]
    mean = f"{np.mean(list(means.values())):.3f}".removeprefix("0")
    return f"{mean} [{low:+.3f} {high:+.3f}]"


if __name__ == "__main__":
    main()
