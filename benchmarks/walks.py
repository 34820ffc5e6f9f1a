"""What each retriever finds by its own order, on cuts of data sets: recall@5 of documents.

    python benchmarks/walks.py GRAPHS DATA/musique_train100 DATA/locomo --retrievers local,ppr,auto

Each data set is cut and built in the folder GRAPHS, where a second run finds it, and where each
result is kept as ``hlg eval run`` writes it.
"""

import argparse
from pathlib import Path

from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.experiment import Experiment, evaluate

RETRIEVERS = "chunks,bm25,local,ppr,entity-link,statement-graph,topic-graph,auto"
OWN_ORDER = {"rerank": "none"}
RANK = 5


def main() -> None:
    """Print a row a data set, a column a retriever."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--retrievers", default=RETRIEVERS)
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--words", type=int, default=20_000)
    options = parser.parse_args()
    names = tuple(options.retrievers.split(","))
    print("| recall@5 | questions | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 2) + "|")
    for folder in options.data:
        dataset = load_dataset(folder)
        with cut_graph(dataset, options.graphs, options.questions, options.words) as (graph, cut):
            result = evaluate(
                graph,
                Experiment(cut, cut.answerable(), names, names[0], dict.fromkeys(names, OWN_ORDER)),
                cutoffs=(RANK,),
                out=options.graphs / f"{cut.name}.walks.json",
                on_progress=lambda _: None,
            )
        found = (result.retrievers[name].metrics[f"recall@{RANK}"] for name in names)
        cells = " | ".join(f"{recall:.3f}".removeprefix("0") for recall in found)
        print(f"| {cut.name} | {len(cut.answerable())} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
