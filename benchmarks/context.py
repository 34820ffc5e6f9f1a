"""Tokens of triples against relation-grouped triples, on two-hop subgraphs of a store.

    python benchmarks/context.py .hlg/graph.lbug other.lbug --seeds 100

Around each of so many random entities (of those that relate to anything, with a fixed
seed) all relations within two hops are taken; an entity that relates to more than
``--max-degree`` others is reached and not walked through, and no subgraph has more than
``--max-triples`` relations, the nearest first. Scenarios §3.5 reports 53 % fewer tokens
for whole prompts of PrimeKG, where pairs of entities share many relations; how many
predicates a pair has here is in the table.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from hlg.models.embedders import open_embedder
from hlg.models.tokens import token_counter
from hlg.retrieval.context.serialization import Triple, grouped_text, triples_text
from hlg.store import open_store


def main() -> None:
    """Print a row a store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stores", nargs="+")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--max-degree", type=int, default=100)
    parser.add_argument("--max-triples", type=int, default=500)
    options = parser.parse_args()
    counter = token_counter(open_embedder())
    print(f"tokens by {counter.name}; {options.seeds} seeds")
    print("| store | triples | a pair | tokens as triples | grouped | saved | p10 to p90 |")
    print("|---|---|---|---|---|---|---|")
    for address in options.stores:
        graph = Relations.read(address)
        chosen = np.random.default_rng(1).permutation(graph.related())[: options.seeds]
        found = [
            graph.around(int(seed), options.max_degree, options.max_triples) for seed in chosen
        ]
        plain = np.array([counter.count(triples_text(each)) for each in found])
        grouped = np.array([counter.count(grouped_text(each)) for each in found])
        triples = sum(map(len, found))
        pairs = sum(len({(each.subject, each.object) for each in one}) for one in found)
        low, high = np.percentile(1 - grouped / plain, [10, 90])
        print(
            f"| {address.rpartition('/')[2]} | {triples} | {triples / pairs:.2f} | {plain.sum()} "
            f"| {grouped.sum()} | {1 - grouped.sum() / plain.sum():.1%} | {low:.1%} to {high:.1%} |"
        )


class Relations:
    """All relations of a store, by the rows of the entities that they join."""

    def __init__(self, names: Sequence[str], triples: Sequence[tuple[int, str, int]]) -> None:
        self._names = names
        self._triples = triples
        self._of: list[list[int]] = [[] for _ in names]
        for i, (subject, _, object_) in enumerate(triples):
            self._of[subject].append(i)
            self._of[object_].append(i)

    @classmethod
    def read(cls, address: str) -> "Relations":
        """Read a store that nobody writes to."""
        store = open_store(address, read_only=True)
        rows = [row for batch in store.nodes("Entity") for row in batch]
        place = {str(row["id"]): i for i, row in enumerate(rows)}
        triples = [
            (place[str(row["from"])], str(row["predicate"]), place[str(row["to"])])
            for batch in store.edges("RELATES_TO", ("Entity", "Entity"))
            for row in batch
        ]
        store.close()
        return cls([str(row["name"]) for row in rows], triples)

    def related(self) -> list[int]:
        """The entities that relate to anything."""
        return [i for i, triples in enumerate(self._of) if triples]

    def around(self, seed: int, max_degree: int, most: int) -> list[Triple]:
        """The relations within two hops of an entity."""
        first = self._of[seed][:most]
        neighbours = dict.fromkeys(
            end for i in first for end in (self._triples[i][0], self._triples[i][2])
        )
        second = [
            i for end in neighbours if len(self._of[end]) <= max_degree for i in self._of[end]
        ]
        likely = list(dict.fromkeys([*first, *second]))[:most]
        return [
            Triple(self._names[subject], predicate, self._names[object_])
            for subject, predicate, object_ in (self._triples[i] for i in likely)
        ]


if __name__ == "__main__":
    main()
