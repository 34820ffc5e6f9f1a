"""Time of whole queries on a real graph, by stage: p50 and p95, store calls, peak memory.

    python benchmarks/query_latency.py graph.lbug DATA/multihoprag --retrievers auto,statement-graph
    HLG_MAX_SNAPSHOT_MB=0 python benchmarks/query_latency.py neo4j://localhost:7687 \\
        DATA/multihoprag --retrievers statement-graph        # the walk in the database

The first questions warm up models and caches and are not counted.
"""

import argparse
import resource
from pathlib import Path

import numpy as np

from hlg.evaluation.data.datasets import load_dataset
from hlg.graph import LexicalGraph
from hlg.settings import load_settings

WARM_UP = 5


def main() -> None:
    """Ask every retriever the same questions and print a table each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--retrievers", default="auto")
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    questions = [each.text for each in load_dataset(options.questions).questions]
    with LexicalGraph.open(settings=load_settings(store=options.store)) as graph:
        for name in options.retrievers.split(","):
            report(graph, name, questions[: options.count + WARM_UP])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MiB")


def report(graph: LexicalGraph, name: str, questions: list[str]) -> None:
    """Print what one retriever takes."""
    spent: dict[str, list[float]] = {}
    calls = []
    for place, question in enumerate(questions):
        result = graph.search(question, retriever=name, top_k=10)
        if place >= WARM_UP:
            calls.append(result.store_calls)
            for stage, milliseconds in result.timings_ms.items():
                spent.setdefault(stage, []).append(milliseconds)
    print(f"{name}: {len(calls)} questions, at most {max(calls)} store calls")
    for stage, values in spent.items():
        p50, p95 = np.percentile(values, [50, 95])
        print(f"  {stage:12} p50 {p50:7.1f} ms   p95 {p95:7.1f} ms")


if __name__ == "__main__":
    main()
