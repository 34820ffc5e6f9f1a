"""What fusing dense and BM25 gives at each weight, beside either of them and the default.

    python benchmarks/fusion.py DATA/A DATA/B … --questions 60 --words 30000

Each set is cut to so many questions and about so many words (hlg.evaluation.training.cut).
Graphs and results are kept in ``--folder``: what was stopped goes on. Prints a row a set, as
Markdown: recall@5 by α (thesis eq. 16; 0 is BM25 alone, 1 dense alone), by reciprocal ranks,
with entities (tri-modal), and of the default retriever; last the mean over the sets.
"""

import argparse
from pathlib import Path

import numpy as np

from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.evaluate import build_corpus, evaluate
from hlg.evaluation.experiment import Experiment
from hlg.evaluation.results import read_result
from hlg.evaluation.training.cut import cut
from hlg.graph import LexicalGraph
from hlg.settings import load_settings

RANK = 5
COLUMNS: dict[str, tuple[str, dict[str, object]]] = {
    "α = 0": ("hybrid", {"alpha": 0.0}),
    "0.3": ("hybrid", {"alpha": 0.3}),
    "0.5": ("hybrid", {"alpha": 0.5}),
    "0.7": ("hybrid", {"alpha": 0.7}),
    "0.8": ("hybrid", {"alpha": 0.8}),
    "0.9": ("hybrid", {"alpha": 0.9}),
    "1": ("hybrid", {"alpha": 1.0}),
    "RRF": ("hybrid", {"fusion": "rrf"}),
    "tri-modal": ("tri-modal", {}),
    "hybrid, `path`": ("hybrid", {"rerank": "path"}),
    "auto": ("auto", {}),
}


def main() -> None:
    """Build, ask and print, set after set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--words", type=int, default=30_000)
    parser.add_argument("--folder", type=Path, default=Path(".hlg/fusion"))
    options = parser.parse_args()
    print(f"| recall@{RANK} | questions | " + " | ".join(COLUMNS) + " |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    rows = []
    for path in options.sets:
        asked, row = measured(load_dataset(path), options.folder, options.questions, options.words)
        rows.append(row)
        print_row(path.name, str(asked), row)
    print_row("mean", "", np.mean(rows, axis=0).tolist())


def measured(dataset: Dataset, folder: Path, questions: int, words: int) -> tuple[int, list[float]]:
    """How many questions were asked of a cut, and the recall of each column."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = load_settings(store=str(folder / f"{dataset.name}.lbug"))
    with LexicalGraph.open(settings=settings) as graph:
        dataset = cut(dataset, graph.embedder.embed, questions=questions, words=words)
        build_corpus(graph, dataset, folder)
        row = []
        for number, (name, given) in enumerate(COLUMNS.values()):
            out = folder / f"{dataset.name}.{number}.json"
            asked = Experiment(
                dataset, dataset.answerable(), (name,), name, {name: given}, budgets=(1000,)
            )
            evaluate(graph, asked, cutoffs=(RANK,), out=out, on_progress=lambda _: None)
            row.append(read_result(out).retrievers[name].metrics[f"recall@{RANK}"])
    return len(dataset.answerable()), row


def print_row(name: str, questions: str, row: list[float]) -> None:
    """A row of the table."""
    cells = [f"{value:.3f}".removeprefix("0") for value in row]
    print(f"| {name} | {questions} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
