"""What ``hlg tune ranker --store`` is worth: rankers that learned from questions made out of a
graph, on the questions that people asked of it.

    python benchmarks/own_ranker.py GRAPHS DATA/locomo DATA/qatarliving DATA/musique_train100

Each data set is cut and built in the folder GRAPHS. The ranker that ships goes on from the graph's
facts, from its paths, or from both; recall@5 of each, with the 95 % interval of its difference to
the ranker that ships.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.metrics.bootstrap import intervals
from hlg.evaluation.synthesis.facts import made_dataset
from hlg.evaluation.training.fusion.train import LEAST
from hlg.evaluation.training.ranker import (
    FOR_ANY_GENRE,
    Proposed,
    QuestionSet,
    Trainer,
    propose_all,
    ranks_of_evidence,
)
from hlg.evaluation.training.ranker_sets import question_set
from hlg.graph import LexicalGraph
from hlg.retrieval.ranker.path_ranker import PathRanker

RANK = 5
KINDS = {"facts": (1,), "paths": (2,), "both": (1, 2)}


def main() -> None:
    """Print a table, a row a data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--words", type=int, default=20_000)
    options = parser.parse_args()
    print(f"| set | questions | facts, paths | ships | {' | '.join(KINDS)} |")
    print("|---" * (len(KINDS) + 4) + "|")
    for folder in options.data:
        dataset = load_dataset(folder)
        with cut_graph(dataset, options.graphs, options.questions, options.words) as (graph, cut):
            print(row(graph, cut), flush=True)


def row(graph: LexicalGraph, dataset: Dataset) -> str:
    """One data set's line."""
    asked = question_set(graph, dataset)
    signals, (items,) = propose_all([asked], _silent)
    made = [question_set(graph, made_of(graph, hops)) for hops in (1, 2)]
    sizes = [len(each.questions) for each in made]
    shipped = Trainer(signals, FOR_ANY_GENRE, PathRanker.load())
    before = recalls(asked, items, shipped, shipped.start)
    cells = [f"{before.mean():.3f}"]
    for hops in KINDS.values():
        learned = [each for number, each in enumerate(made, start=1) if number in hops]
        together = replace(learned[0], questions=tuple(q for x in learned for q in x.questions))
        if len(together.questions) < LEAST:
            cells.append("–")
            continue
        _, (lessons,) = propose_all([together], _silent)
        after = recalls(asked, items, shipped, shipped.ranker(lessons))
        low, high = intervals((after - before)[:, None])
        cells.append(f"{after.mean():.3f} [{float(low[0]):+.3f} {float(high[0]):+.3f}]")
    told = [dataset.name, str(len(items)), ", ".join(map(str, sizes)), *cells]
    return f"| {' | '.join(told)} |"


def made_of(graph: LexicalGraph, hops: int) -> Dataset:
    """As the command makes them; where there are too few for it, what there is."""
    try:
        return made_dataset(graph, LEAST, hops=hops)
    except UsageError:
        return made_dataset(graph, 0, hops=hops)


def recalls(
    asked: QuestionSet, items: Sequence[Proposed], trainer: Trainer, ranker: PathRanker | None
) -> NDArray[np.float64]:
    """The share of each question's evidence among the first, shape (questions,)."""
    assert ranker is not None
    found = []
    for labelled, item in zip(asked.questions, items, strict=True):
        scores = ranker.scores(trainer.columns(item))
        ranks = np.array(ranks_of_evidence(asked, labelled, item.rows, scores))
        found.append(float((ranks <= RANK).mean()))
    return np.array(found)


def _silent(_: str) -> None:
    """What is being done is not told."""


if __name__ == "__main__":
    main()
