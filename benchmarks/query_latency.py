"""Time of whole queries on a real graph, by stage: p50 and p95, store calls, peak memory.

    python benchmarks/query_latency.py graph.lbug DATA/multihoprag --retrievers auto,statement-graph
    python benchmarks/query_latency.py neo4j://localhost:7687 DATA/multihoprag \\
        --retrievers statement-graph --walk                  # the walk in the database
    python benchmarks/query_latency.py graph.lbug DATA/multihoprag --against ../old/.venv/bin/python

Each installation answers in a process of its own. With ``--against`` another one is asked every
question as well, in turn, so that both meet the same load, and the ratios of their times are
printed. The first questions warm up models and caches and are not counted.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from hlg.graph import LexicalGraph
from hlg.settings import load_settings

WARM_UP = 5


def main() -> None:
    """Ask every retriever the same questions and print a table each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store")
    parser.add_argument("questions", type=Path, help="a data set, or - for those on stdin")
    parser.add_argument("--retrievers", default="auto")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--walk", action="store_true", help="in the store, without arrays")
    parser.add_argument("--against", help="the Python of another installation of hlg")
    options = parser.parse_args()
    if str(options.questions) == "-":
        answer(options.store)
        return
    from hlg.evaluation.data.datasets import load_dataset

    questions = [each.text for each in load_dataset(options.questions).questions]
    sides = [Side(sys.executable, options.store, walk=options.walk)]
    if options.against:
        sides.append(Side(options.against, options.store, walk=options.walk))
    for name in options.retrievers.split(","):
        compare(sides, name, questions[: options.count + WARM_UP])
    for side in sides:
        side.process.communicate()


def answer(store: str) -> None:
    """Answer questions, a line of JSON each, with what they took."""
    with LexicalGraph.open(settings=load_settings(store=store), read_only=True) as graph:
        for line in sys.stdin:
            name, question = json.loads(line)
            found = graph.search(question, retriever=name, top_k=10)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            spent = {"calls": found.store_calls, "peak": peak, "ms": dict(found.timings_ms)}
            print(json.dumps(spent), flush=True)


class Side:
    """An installation, in a process that answers questions."""

    def __init__(self, python: str, store: str, *, walk: bool) -> None:
        self.python = python
        self.process = subprocess.Popen(
            [python, __file__, store, "-"],
            env=os.environ | ({"HLG_MAX_SNAPSHOT_MB": "0"} if walk else {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def ask(self, name: str, question: str) -> dict[str, Any]:
        """What a question took."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([name, question]) + "\n")
        spent: dict[str, Any] = json.loads(self.process.stdout.readline())
        return spent


def compare(sides: list[Side], name: str, questions: list[str]) -> None:
    """Print what one retriever takes, and the ratio to another installation's times."""
    spent = [[side.ask(name, question) for side in sides] for question in questions][WARM_UP:]
    for side, found in zip(sides, zip(*spent, strict=True), strict=True):
        calls = [each["calls"] for each in found]
        print(
            f"{name}, {side.python}: {len(found)} questions, {min(calls)} to {max(calls)} store "
            f"calls, peak memory {found[-1]['peak']} MiB"
        )
        stages: dict[str, list[float]] = defaultdict(list)
        for each in found:
            for stage, milliseconds in each["ms"].items():
                stages[stage].append(milliseconds)
        for stage, values in stages.items():
            p50, p95 = np.percentile(values, [50, 95])
            print(f"  {stage:12} p50 {p50:7.1f} ms   p95 {p95:7.1f} ms")
    if len(sides) > 1:
        totals = np.array([[side["ms"]["total"] for side in row] for row in spent])
        here, there = np.median(totals, axis=0)
        ratios = np.median(totals[:, 0] / totals[:, 1])
        print(f"  ratio of the medians {here / there:.2f}, median of the ratios {ratios:.2f}")


if __name__ == "__main__":
    main()
