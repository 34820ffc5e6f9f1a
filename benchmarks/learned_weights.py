"""The thesis's experiment on learned weights (§4.2): three models over their grids, with figures.

    python -m benchmarks.learned_weights DATA/hotpotqa DATA/musique --questions 300 \\
        --words 60000 --report weights

A line, boosted trees and the perceptron of 108 cells learn the best weight of dense search beside
BM25 from 70 % of the questions; 15 % choose among them and the fixed weights, the rest is reported:
``report.md`` in the folder, with its plots. ``--cells N`` tries so many perceptrons.
"""

import argparse
from collections import Counter
from pathlib import Path

from benchmarks.training.fusion.grid import fits
from benchmarks.training.fusion.report import write_weight_report
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.training.fusion.questions import FusedQuestion, fused_questions
from hlg.evaluation.training.fusion.train import train_weights


def main() -> None:
    """Build, learn and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--questions", type=int)
    parser.add_argument("--words", type=int)
    parser.add_argument("--target", choices=("lss", "ndcg"), default="lss")
    parser.add_argument("--cells", type=int)
    parser.add_argument("--graphs", type=Path, default=Path(".hlg/eval"))
    parser.add_argument("--report", type=Path, required=True)
    options = parser.parse_args()
    asked: list[FusedQuestion] = []
    for dataset in [load_dataset(each) for each in options.data]:
        with cut_graph(dataset, options.graphs, options.questions, options.words) as found:
            asked += fused_questions(*found)
    tuned = train_weights(asked, print, options.target, fits(options.cells))
    sets = ", ".join(f"{count} of {name}" for name, count in Counter(q.set for q in asked).items())
    asked_of = f"target: {options.target}; questions: {sets}"
    write_weight_report(tuned, asked_of, options.report)


if __name__ == "__main__":
    main()
