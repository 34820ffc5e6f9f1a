"""What a model's entities and facts in place of the local ones do to ranking.

    python benchmarks/replayed_extraction.py DATA/musique_train100 \\
        DATA/musique_train100/openie_gpt35.jsonl DATA/2wiki_kgrag DATA/hotpotqa …

The first folder's questions are ranked twice, on its graph by the local extractor and on
the one with what the file has (as ``hlg build --extractor replay:FILE`` makes it), by the
same trees, which were trained on the other folders' local graphs. Graphs are kept under
.hlg/eval, as ``hlg tune ranker`` keeps them.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hlg.evaluation.corpus import build_corpus
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.metrics.bootstrap import intervals
from hlg.evaluation.training.ranker import QuestionSet, ranks_of_evidence, train, write_model
from hlg.evaluation.training.ranker_sets import question_set
from hlg.graph import LexicalGraph
from hlg.retrieval.ranker.anchor_links import anchor_links
from hlg.retrieval.ranker.candidates import propose
from hlg.retrieval.ranker.path_ranker import PathRanker
from hlg.retrieval.ranker.scores import score_all
from hlg.retrieval.ranker.signals import all_signals
from hlg.settings import load_settings

GRAPHS = Path(".hlg/eval")
WITHIN = 5


def main() -> None:
    """Build what is missing, train, and print both rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("asked", type=Path)
    parser.add_argument("extractions", type=Path)
    parser.add_argument("trained", type=Path, nargs="+")
    options = parser.parse_args()
    family = options.asked.name.split("_")[0]
    if any(folder.name.split("_")[0] == family for folder in options.trained):
        parser.error(f"{family} is among the folders to train on")
    model, _ = train([built(folder) for folder in options.trained], {}, print)
    path = GRAPHS / f"{options.asked.name}.replayed.ranker.txt"
    write_model(model, path)
    ranker = PathRanker.load(path)
    for name, extractor in (("local", "local"), ("replayed", f"replay:{options.extractions}")):
        each = built(options.asked, extractor, "" if name == "local" else ".replayed")
        print(f"{name:9} {measured(each, ranker)}", flush=True)


def built(folder: Path, extractor: str = "local", suffix: str = "") -> QuestionSet:
    """The questions of a folder over its graph, which is brought up to date first."""
    dataset = load_dataset(folder)
    settings = load_settings(extractor=extractor)
    path = GRAPHS / f"{dataset.name}{suffix}.lbug"
    with LexicalGraph.open(path, settings=settings) as graph:
        build_corpus(graph, dataset, GRAPHS)
        counts = graph.store.counts()
        print(
            f"{path.stem}: {counts['Fact']} facts, {counts['OBJECT']} of them with an entity as "
            f"object, {counts['Entity']} entities, {counts['MENTIONS']} mentions",
            flush=True,
        )
        return question_set(graph, dataset)


def measured(each: QuestionSet, ranker: PathRanker) -> str:
    """Recall and all gold in the first five, with 95 % intervals."""
    outcomes = []
    for labelled in each.questions:
        passages, question = each.passages, labelled.question
        scores = score_all(passages, question)
        rows = propose(scores)
        links = anchor_links(scores, rows)
        values = ranker.scores(all_signals(scores, rows, links))
        outcomes.append(found(ranks_of_evidence(each, labelled, rows, values)))
    columns = np.array(outcomes)
    low, high = intervals(columns)
    recall, every = columns.mean(0)
    return (
        f"recall@{WITHIN} {recall:.3f} [{low[0]:.3f}, {high[0]:.3f}]   "
        f"all gold {every:.3f} [{low[1]:.3f}, {high[1]:.3f}]   {len(outcomes)} questions"
    )


def found(ranks: Sequence[float]) -> tuple[float, float]:
    """Share of the evidence in the first five, and whether all of it is there."""
    within = [rank <= WITHIN for rank in ranks]
    return float(np.mean(within)), float(all(within))


if __name__ == "__main__":
    main()
