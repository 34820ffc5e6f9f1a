"""What the retrievers of the HLG paper propose, by their own order and by rerankers.

    python benchmarks/proposals.py DATA/A DATA/B … --questions 50 --kilobytes 1000

Each set is cut: so many of its questions with evidence, spread evenly; the documents of that
evidence; and others, picked by a hash of their ids, up to so many kilobytes of text. Graphs
and results are kept in ``--folder``: what was stopped goes on. Prints a row a set and order,
as Markdown: recall@5 and, in brackets, the share of questions with all of their evidence
among the first five documents; a second table has recall of marked spans in 2,000 tokens.
``--rerank FOLDER`` adds a row with a reranking model of one's own, which counts as much as
the search's order.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset, DatasetDocument
from hlg.evaluation.experiment import Experiment, evaluate
from hlg.evaluation.results import Result, read_result

RETRIEVERS = {
    "B0": "chunks",
    "B1": "chunks-rerank",
    "E1": "entity-link",
    "SRAG": "statements",
    "TRAG": "topics",
    "SGRAG": "statement-graph",
    "TGRAG": "topic-graph",
}
ORDERS = ("none", "path")
RANK = 5
BUDGET = 2000


def main() -> None:
    """Build, ask and print, set after set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--kilobytes", type=int, default=1000)
    parser.add_argument("--folder", type=Path, default=Path(".hlg/proposals"))
    parser.add_argument("--rerank", action="append", default=[], help="a model beside the others")
    parser.add_argument("--pool", type=int, default=50, help="candidates that a model sees")
    options = parser.parse_args()
    results = []
    for path in options.sets:
        cut = cut_down(load_dataset(path), options.questions, options.kilobytes * 1000)
        orders = {order: by_order(order) for order in ORDERS}
        orders |= {Path(name).name: by_model(name, options.pool) for name in options.rerank}
        results.append((cut, measure(cut, options.folder, orders)))
        print(f"{cut.name}: {len(cut.documents)} documents, {len(cut.questions)} questions")
    print_table(results, [f"recall@{RANK}", f"all_gold@{RANK}"])
    print_table(results, [f"span_recall@{BUDGET}"])


def cut_down(dataset: Dataset, questions: int, size: int) -> Dataset:
    """Some questions, spread evenly, with their documents and others, up to ``size`` in all."""
    answerable = dataset.answerable()
    asked = answerable[:: max(1, len(answerable) // questions)][:questions]
    gold = {id_ for question in asked for id_ in question.gold}
    others = [document for document in dataset.documents if document.id not in gold]
    others.sort(key=lambda document: blake2b(document.id.encode()).digest())
    chosen = {document.id for document in dataset.documents if document.id in gold}
    left = size - sum(length(each) for each in dataset.documents if each.id in gold)
    for document in others:
        left -= length(document)
        if left < 0:
            break
        chosen.add(document.id)
    documents = tuple(each for each in dataset.documents if each.id in chosen)
    return replace(dataset, documents=documents, questions=asked, corpus_file=None)


def length(document: DatasetDocument) -> int:
    """Characters of a document."""
    return len(document.title) + len(document.text)


def by_order(order: str) -> dict[str, object]:
    """Options that let a way to rank be the only one."""
    return {"rerank": order}


def by_model(name: str, pool: int) -> dict[str, object]:
    """Options that let a model and the search's own order count alike."""
    return {"rerank": name, "rerank_share": 0.5, "pool": pool}


def measure(
    dataset: Dataset, folder: Path, orders: Mapping[str, Mapping[str, object]]
) -> dict[str, Result]:
    """What the retrievers find, by what orders it: names with the options for them."""
    files = {order: folder / f"{dataset.name}.{order}.json" for order in orders}
    if not all(file.exists() for file in files.values()):
        with cut_graph(dataset, folder) as (graph, _):
            for order, file in files.items():
                if file.exists():
                    continue
                evaluate(
                    graph,
                    experiment(dataset, orders[order]),
                    cutoffs=(RANK,),
                    out=file,
                    on_progress=lambda _: None,
                )
    return {order: read_result(file) for order, file in files.items()}


def experiment(dataset: Dataset, order: Mapping[str, object]) -> Experiment:
    """All retrievers on a data set, with one way to order what they propose."""
    names = tuple(RETRIEVERS.values())
    options = {name: dict(order) for name in names}
    return Experiment(dataset, dataset.questions, names, names[0], options, budgets=(BUDGET,))


def print_table(
    results: Sequence[tuple[Dataset, dict[str, Result]]], metrics: Sequence[str]
) -> None:
    """A row a data set and order, a column a retriever; nothing where no set has the metric."""
    rows = list(table_rows(results, metrics))
    if not rows:
        return
    print(f"\n| {metrics[0]} | order | " + " | ".join(RETRIEVERS) + " |")
    print("|---" * (len(RETRIEVERS) + 2) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def table_rows(
    results: Sequence[tuple[Dataset, dict[str, Result]]], metrics: Sequence[str]
) -> Iterable[list[str]]:
    """The cells of each row: the first metric, and the second in brackets."""
    for dataset, by_order in results:
        for order, result in by_order.items():
            found = [result.retrievers[name].metrics for name in RETRIEVERS.values()]
            if metrics[0] in found[0]:
                yield [dataset.name, f"`{order}`", *(cell(each, metrics) for each in found)]


def cell(found: Mapping[str, float], metrics: Sequence[str]) -> str:
    """The first of some metrics, and the others in brackets."""
    first, *others = (f"{found[metric]:.3f}".removeprefix("0") for metric in metrics)
    return first + "".join(f" ({other})" for other in others)


if __name__ == "__main__":
    main()
