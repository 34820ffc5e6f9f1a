"""How well a question set that no model made ranks retrievers: its order beside a real set's.

    python benchmarks/synthetic.py GRAPHS DATA/musique_train100 DATA/multihoprag --words 20000

Each data set is cut and built in the folder GRAPHS. Its own questions, and those that ``hlg eval
synthesize`` makes of the graph's facts and of its paths, all and those whose answers the reader
finds (``--local``), are put to the same ten configurations; Kendall's tau says how far the order
by recall@5 is the same: 1 is all pairs, 0 is chance.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from scipy.stats import kendalltau

from hlg.errors import UsageError
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.experiment import Experiment, evaluate
from hlg.evaluation.synthesis.facts import is_read, made_dataset
from hlg.graph import LexicalGraph

CONFIGURATIONS = (
    *("chunks", "bm25", "hybrid", "tri-modal", "statements", "local", "ppr"),
    *("entity-link", "topic-graph", "auto"),
)
OWN_ORDER = {"rerank": "none"}
"""What ranks what a search proposed would make them alike."""
RANK = 5
METRIC = f"recall@{RANK}"


def main() -> None:
    """Print a row a set: its figures by configuration, and tau to the real one's order."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("graphs", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--words", type=int, default=20_000)
    options = parser.parse_args()
    print(f"| {METRIC} | questions | " + " | ".join(CONFIGURATIONS) + " | tau |")
    print("|---" * (len(CONFIGURATIONS) + 3) + "|")
    for folder in options.data:
        dataset = load_dataset(folder)
        with cut_graph(dataset, options.graphs, options.questions, options.words) as (graph, cut):
            real = _figures(graph, cut, options.graphs / f"{cut.name}.real.json")
            _print_row(cut.name, len(cut.answerable()), real, None)
            for hops, kind in ((1, "facts"), (2, "paths")):
                try:
                    made = made_dataset(graph, 1, options.questions, hops=hops)
                except UsageError as error:
                    print(f"{cut.name}, {kind}: {error}")
                    continue
                texts = {each.id: each for each in made.documents}
                of_all = made_dataset(graph, 1, hops=hops).questions
                read = [each for each in of_all if is_read(each, texts)]
                evenly = read[:: max(1, -(-len(read) // options.questions))]
                for name, asked in ((kind, made.questions), (f"{kind} that are read", evenly)):
                    some = replace(made, questions=tuple(asked))
                    found = _figures(graph, some, options.graphs / f"{cut.name}.{name}.json")
                    _print_row(f"{cut.name}, {name}", len(some.questions), found, real)


def _figures(graph: LexicalGraph, dataset: Dataset, out: Path) -> list[float]:
    names = CONFIGURATIONS
    options = {name: OWN_ORDER if name != "auto" else {} for name in names}
    experiment = Experiment(dataset, dataset.answerable(), names, names[0], options)
    result = evaluate(graph, experiment, cutoffs=(RANK,), out=out, on_progress=lambda _: None)
    return [result.retrievers[name].metrics[METRIC] for name in names]


def _print_row(name: str, questions: int, found: list[float], real: list[float] | None) -> None:
    tau = ""
    if real is not None:
        tau = f"{kendalltau(real, found).statistic:.2f}" if len(set(found)) > 1 else "–"
    cells = " | ".join(f"{each:.3f}".removeprefix("0") for each in found)
    print(f"| {name} | {questions} | {cells} | {tau} |", flush=True)


if __name__ == "__main__":
    main()
