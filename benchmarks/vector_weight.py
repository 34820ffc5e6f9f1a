"""What it is worth to weigh the vector more where a question's words don't serve.

    python benchmarks/vector_weight.py GRAPHS DATA/… --questions 120 --words 15000

Each data set is cut and built in the folder GRAPHS, where a second run finds it. recall@5 of
dense, BM25, the shipped ranker's trees alone, and the ranker as it ranks; and the share of the
questions for which the vector counts.
"""

import argparse
from pathlib import Path

import numpy as np

from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.training.ranker import QuestionSet, propose_all, ranks_of_evidence
from hlg.evaluation.training.ranker_sets import question_set
from hlg.retrieval.ranker.path_ranker import PathRanker
from hlg.retrieval.ranker.vector_weight import weighted_vector

CUTOFF = 5


def main() -> None:
    """Print a table, a row a data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--words", type=int, default=15_000)
    options = parser.parse_args()
    print("| set | questions | dense | BM25 | trees | ranker | vector counts |")
    print("|---|---|---|---|---|---|---|")
    for folder in options.data:
        with cut_graph(
            load_dataset(folder), options.graphs, options.questions, options.words
        ) as cut:
            found = question_set(*cut)
        shares = measured(found)
        told = " | ".join(f"{share:.3f}".lstrip("0") for share in shares)
        print(f"| {found.name} | {len(found.questions)} | {told} |", flush=True)


def measured(found: QuestionSet) -> list[float]:
    """recall@5 of dense, BM25, trees and ranker, and the share that the vector counts for."""
    signals, (proposed,) = propose_all([found], lambda line: None)
    ranker = PathRanker.load()
    recalls: list[list[float]] = []
    for item, labelled in zip(proposed, found.questions, strict=True):
        columns = {name: item.matrix[:, i] for i, name in enumerate(signals)}
        trees = ranker.raw_scores(columns)
        every = (columns["dense"], columns["words"], trees, ranker.scores(columns))
        ranks = [ranks_of_evidence(found, labelled, item.rows, scores) for scores in every]
        counts = float(weighted_vector(columns, trees).any())
        recalls.append([*(float(np.mean([x <= CUTOFF for x in each])) for each in ranks), counts])
    return [float(mean) for mean in np.mean(recalls, axis=0)]


if __name__ == "__main__":
    main()
