"""Communities of a large graph: reading its relations from a store, and finding communities.

    python benchmarks/communities.py --edges 1000000

A Ladybug file is filled with made-up entities in groups of some 20, four relations of five
within a group; then relations are read and communities found by both algorithms. Prints
seconds by step, and the most memory that the process held.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from hlg.ingest.communities.find import (
    CommunityOptions,
    find_communities,
    found_communities,
    modularity,
    relation_graph,
)
from hlg.store.ladybug.store import LadybugStore
from hlg.store.shared.reading import Change
from hlg.store.shared.rows import Strength

GROUP = 20
INSIDE = 0.8
BATCH = 100_000
T = TypeVar("T")


def main() -> None:
    """Fill a store, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--entities", type=int, default=200_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = LadybugStore(Path(folder) / "graph.lbug")
        timed("write", lambda: fill(store, options.entities, options.edges))
        measure(store)
        store.close()
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB")


def fill(store: LadybugStore, entities: int, edges: int) -> None:
    """Entities and relations, without the documents that they would come from."""
    store.set_up("none@1", 8)
    generator = np.random.default_rng(1)
    ids = [f"{i:032x}" for i in generator.permutation(entities).tolist()]
    one = generator.integers(entities, size=edges)
    near = one // GROUP * GROUP + generator.integers(GROUP, size=edges)
    two = np.where(generator.random(edges) < INSIDE, near, generator.integers(entities, size=edges))
    two = np.minimum(two, entities - 1)
    weights = generator.integers(1, 6, size=edges)

    def work(run: Change) -> None:
        for start in range(0, entities, BATCH):
            rows: list[dict[str, Any]] = [
                {
                    "id": id_,
                    "name": id_,
                    "class": "Thing",
                    "aliases": [],
                    "degree": 1,
                    "confidence": 1.0,
                    "embedding": None,
                }
                for id_ in ids[start : start + BATCH]
            ]
            store._create_nodes(run, "Entity", rows)
        for start in range(0, edges, BATCH):
            part = slice(start, start + BATCH)
            pairs = zip(one[part], two[part], weights[part].tolist(), strict=True)
            relations = {
                (ids[a], "relates to", ids[b]): Strength(weight, 1.0) for a, b, weight in pairs
            }
            store._add_to_relations(run, relations)

    store._database.write(work)


def measure(store: LadybugStore) -> None:
    """Each step that finding communities takes, one after the other."""
    relations = timed("read", store.relations)
    graph = timed("unite", lambda: relation_graph(relations, {}))
    print(
        f"{len(relations.weights)} relations, {len(graph.ids)} entities, {len(graph.edges)} edges"
    )
    for algorithm in ("hierarchical", "leiden"):
        chosen = CommunityOptions(algorithm=algorithm)
        levels = timed(f"find ({algorithm})", partial(find_communities, graph, chosen))
        found = timed("name", partial(found_communities, graph, levels))
        quality = modularity(graph, levels[0])
        print(f"{len(found)} communities on {len(levels)} levels, modularity {quality:.3f}")


def timed(step: str, work: Callable[[], T]) -> T:
    """Run a step and print its seconds."""
    started = time.perf_counter()
    result = work()
    print(f"{step:<20} {time.perf_counter() - started:6.1f} s", flush=True)
    return result


if __name__ == "__main__":
    main()
