"""What each kind of signal is worth to the path ranker: recall@5 without it.

    python benchmarks/ranker_ablation.py DATA/musique_train100 DATA/hotpotqa … --questions 250

Graphs are kept under .hlg/eval, as ``hlg tune ranker`` keeps them. Every row leaves one kind
of signal out of the same candidates; every set is ranked by trees of the other families.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.training import ranker
from hlg.evaluation.training.ranker import FOR_ANY_GENRE, Proposed, QuestionSet
from hlg.evaluation.training.ranker_sets import question_set
from hlg.models.trees import Trees

GRAPHS = Path(".hlg/eval")
WITHIN = 5
KINDS: dict[str, tuple[str, ...]] = {
    "clauses": ("clause", "near_composed_clause"),
    "beam": ("beam",),
    "agreement": ("votes", "best_rank", "mean_rank", "dense_lead", "words_lead", "leaders"),
    "split": ("near_split",),
    "titles": ("title", "near_title", "near_composed_titled", "near_composed_chunk_titled"),
    "links": ("near_",),
    "names": ("entities", "question_names"),
    "walk": ("walk",),
    "words": ("words", "statement_words", "coverage"),
}


def main() -> None:
    """Judge the candidates once, then train and report with each kind left out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=250, help="of each set, at most")
    options = parser.parse_args()
    sets = [asked(folder, options.questions) for folder in options.folders]
    names, proposed = ranker.propose_all(sets, lambda _: None)
    print(f"{'without':12}" + "".join(f"{each.name[:16]:>18}" for each in sets))
    for kind, prefixes in {"nothing": (), **KINDS}.items():
        columns = [i for i, name in enumerate(names) if not name.startswith(prefixes or ("?",))]
        row = without(sets, proposed, names, columns)
        print(f"{kind:12}" + "".join(f"{recall:12.3f} ({every:.2f})" for recall, every in row))


def asked(folder: Path, questions: int) -> QuestionSet:
    """The first questions of a folder over its graph, which is brought up to date first."""
    dataset = load_dataset(folder)
    with cut_graph(dataset, GRAPHS) as (graph, _):
        each = question_set(graph, dataset)
    return replace(each, questions=each.questions[:questions])


def without(
    sets: Sequence[QuestionSet],
    proposed: Sequence[Sequence[Proposed]],
    names: Sequence[str],
    columns: Sequence[int],
) -> list[tuple[float, float]]:
    """By set: recall and all gold in the first five, by trees that know some columns only.

    Rows to train on are drawn by all of the signals, so that every line trains on the same.
    """
    families = sorted({each.family for each in sets})

    def trees_without(family: str) -> Trees:
        rows = [
            Proposed(item.rows[drawn], item.matrix[drawn], item.relevant[drawn])
            for each, items in zip(sets, proposed, strict=True)
            if each.family != family
            for item in items
            for drawn in [ranker.rows_to_learn(item, names)]
        ]
        return trained(rows, [names[i] for i in columns], columns)

    with ThreadPoolExecutor(2) as threads:
        models = dict(zip(families, threads.map(trees_without, families), strict=True))
    found = []
    for each, items in zip(sets, proposed, strict=True):
        ranks = [
            ranker.ranks_of_evidence(
                each, labelled, item.rows, models[each.family].scores(item.matrix[:, columns])
            )
            for labelled, item in zip(each.questions, items, strict=True)
        ]
        within = [[rank <= WITHIN for rank in question] for question in ranks]
        found.append(
            (
                float(np.mean([np.mean(row) for row in within])),
                float(np.mean([all(row) for row in within])),
            )
        )
    return found


def trained(rows: Sequence[Proposed], names: Sequence[str], columns: Sequence[int]) -> Trees:
    """Trees of one seed on rows that are drawn already."""
    import lightgbm

    used = [item for item in rows if item.relevant.any()]
    matrix = np.concatenate([item.matrix[:, columns] for item in used])
    labels = np.concatenate([item.relevant for item in used]).astype(np.int32)
    sizes = [len(item.rows) for item in used]
    data = lightgbm.Dataset(matrix, labels, group=sizes, feature_name=list(names))
    parameters = {**FOR_ANY_GENRE.parameters, "seed": 0}
    booster = lightgbm.train(parameters, data, FOR_ANY_GENRE.rounds)
    record = ranker.ensemble([booster], names)
    return Trees.from_lists(record["signals"], record["trees"])


if __name__ == "__main__":
    main()
