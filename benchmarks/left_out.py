"""How the ranker does on families of data sets that it has never seen, beside plain search.

    python benchmarks/left_out.py GRAPHS DATA/medquad DATA/stackfaq … --large medquad stackfaq

Each data set is cut and built in the folder GRAPHS, where a second run finds it. Trees are
trained anew, from nothing, and rank each of five parts of the families with the other four
alone. recall@5 of dense, BM25 and the ranker as it ranks, with a 95 % interval of the last; a row
is marked where the ranker is more than .01 below the better of the other two.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.training.ranker import QuestionSet, train
from hlg.evaluation.training.ranker_sets import question_set

PARTS = (
    ("medquad", "mediqa", "friendsqa", "qmsum", "locomo"),
    ("stackfaq", "qatarliving", "skeptics", "cuad", "squad2", "condaqa"),
    ("2wiki_ctx", "2wiki_kgrag", "tatqa"),
    ("musique_train100", "or_sharc", "cosqa"),
    ("scifact", "classic_ir", "hotpotqa", "multihoprag"),
)
"""Data sets that are left out together."""
ALLOWED = 0.01


def main() -> None:
    """Print a table, a row a data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--words", type=int, default=20_000)
    parser.add_argument("--large", nargs="*", default=[], help="sets that are cut less")
    parser.add_argument("--large-questions", type=int, default=420)
    parser.add_argument("--large-words", type=int, default=150_000)
    options = parser.parse_args()
    sets = [asked(folder, options) for folder in options.data]
    _, report = train(sets, {}, lambda line: print(line, flush=True))
    print("\n| set | questions | dense | BM25 | ranker | interval | below |")
    print("|---|---|---|---|---|---|---|")
    for each in report["sets"]:
        found = {name: each["results"][name]["recall@5"] for name in ("dense", "bm25", "ranker")}
        dense, words, ranker = (one["mean"] for one in found.values())
        low, high = found["ranker"]["interval"]
        below = "yes" if ranker < max(dense, words) - ALLOWED else ""
        cells = f"{dense:.3f} | {words:.3f} | {ranker:.3f} | {low:.3f} to {high:.3f}"
        print(f"| {each['name']} | {each['questions']} | {cells} | {below} |")


def asked(folder: Path, options: argparse.Namespace) -> QuestionSet:
    """The questions of a cut of a data set over its graph."""
    large = folder.resolve().name in options.large
    questions = options.large_questions if large else options.questions
    words = options.large_words if large else options.words
    with cut_graph(load_dataset(folder), options.graphs, questions, words) as cut:
        found = question_set(*cut)
    print(f"{found.name}: {len(found.questions)} questions", flush=True)
    part = next((str(at) for at, names in enumerate(PARTS) if found.name in names), found.name)
    return replace(found, family=part)


if __name__ == "__main__":
    main()
