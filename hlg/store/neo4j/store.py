"""A graph in Neo4j, 5.26 or later; Community Edition without plugins is enough."""

import re
from collections.abc import Sequence
from dataclasses import asdict

from hlg.records import Scored
from hlg.schema import NODES
from hlg.store.neo4j.database import Neo4jDatabase, check_address
from hlg.store.neo4j.write import Neo4jWrites, name_key
from hlg.store.records import (
    Continuation,
    GraphInfo,
    Keywords,
    Relations,
    Seed,
    StoreHealth,
    Vector,
    WalkStep,
)
from hlg.store.shared.communities import relations_of
from hlg.store.shared.reading import GRAPH, Named, Rows, Run, SeenEntity, batches, seen_entity
from hlg.store.shared.text import decode_text, encode_text

CANDIDATES_PER_HIT = 4
FEWEST_CANDIDATES = 200
"""Nodes that the approximate vector index is asked for, to have the best ones among them."""
INDEX_SECONDS = 300

_TEXTS = ("via", "text", "details")
_LUCENE_SPECIAL = re.compile(r"([^\w\s])")
_LUCENE_OPERATORS = frozenset({"AND", "OR", "NOT", "TO"})
_LUCENE_MOST_TERMS = 1000


class Neo4jStore(Neo4jWrites):
    """A graph of a Neo4j server.

    :raises UsageError: the address is not valid, or holds a password.
    :raises StoreUnreachable: nothing answers at the address.
    :raises StoreDenied: the server does not accept this user and password.
    """

    def __init__(self, address: str, graph: str = "", *, user: str, password: str) -> None:
        self._neo4j = Neo4jDatabase(address, graph, user, password)
        super().__init__(address, self._neo4j, graph)
        self._suffix = f"_{graph}" if graph else ""

    def health(self) -> StoreHealth:
        """The server's version, and whether the graph's indexes are there and answer."""
        (server,) = self._run("schema/server_version")
        states = {row["name"]: row["state"] for row in self._run("schema/index_states")}
        wanted = [
            name + self._suffix
            for label, node in NODES.items()
            for name, needed in (
                (f"{label.lower()}_embedding", node.embedded),
                (f"{label.lower()}_text", bool(node.full_text)),
            )
            if needed
        ]
        return StoreHealth(
            version=f"Neo4j {server['version']} {server['edition']}",
            indexes=len(wanted),
            faulty={
                name: states.get(name, "missing").lower()
                for name in wanted
                if states.get(name) != "ONLINE"
            },
        )

    def browser_settings(self) -> dict[str, str]:
        """The server's settings that Neo4j Browser goes by, those that it tells this user."""
        return {row["name"]: row["value"] or "" for row in self._run("read/browser_settings")}

    def _make(self, info: GraphInfo, *, anew: bool) -> None:
        self._neo4j.write(lambda run: _make_schema(run, info.dimensions, anew=anew))
        if anew:
            self._neo4j.write(lambda run: run("write/set_graph_info", GRAPH | asdict(info)))
        self._run("schema/await_indexes", {"seconds": INDEX_SECONDS})

    def _nearest(self, run: Run, label: str, vector: Vector, top_k: int) -> Rows:
        parameters = {
            "index": f"{label.lower()}_embedding{self._suffix}",
            "candidates": max(CANDIDATES_PER_HIT * top_k, FEWEST_CANDIDATES),
            "vector": vector.tolist(),
            "top_k": top_k,
        }
        return run("search/vector_search", parameters)

    def _matching(self, label: str, query: str, top_k: int) -> list[Scored]:
        lucene = lucene_query(query)
        if not lucene:
            return []
        parameters = {"index": f"{label.lower()}_text{self._suffix}", "query": lucene}
        candidates = max(CANDIDATES_PER_HIT * top_k, FEWEST_CANDIDATES)
        while True:
            rows = self._run("search/text_search", parameters | {"candidates": candidates})
            # The index has chunks with parts as well, which are not searched.
            found = [Scored(row["id"], row["score"]) for row in rows if not row["has_parts"]]
            if len(found) >= top_k or len(rows) < candidates:
                return found[:top_k]
            candidates *= CANDIDATES_PER_HIT

    def _look_up(self) -> Named:
        return self._named

    def _named(self, run: Run, keys: Sequence[str]) -> list[SeenEntity]:
        found: dict[str, SeenEntity] = {}
        for batch in batches(sorted(set(map(name_key, keys))), _LUCENE_MOST_TERMS):
            quoted = (key.replace("\\", r"\\").replace('"', r"\"") for key in batch)
            aliases = " OR ".join(f'"{key}"' for key in quoted)
            asked = {"keys": batch, "index": f"entity_alias{self._suffix}", "aliases": aliases}
            found |= {row["id"]: seen_entity(row) for row in run("search/entities_named", asked)}
        return [found[id_] for id_ in sorted(found)]

    def _seeds(
        self, run: Run, keywords: Keywords, vector: Vector, top_k: int, topics: int
    ) -> tuple[list[Seed], list[Seed]]:
        groups = [{"keyword": keyword, "ids": list(ids)} for keyword, ids in keywords.items()]
        parameters = {"groups": groups, "vector": vector.tolist(), "top_k": top_k}
        named = (
            [Seed(**row) for row in run("search/statements_naming", parameters)] if groups else []
        )
        if not topics:
            nearest = [
                Seed(row["id"], row["score"])
                for row in self._nearest(run, "Statement", vector, top_k)
            ]
            return named, nearest
        relevance = {row["id"]: row["score"] for row in self._nearest(run, "Topic", vector, topics)}
        parameters = {"topics": list(relevance), "vector": vector.tolist(), "top_k": top_k}
        rows = run("search/nearest_statements_of_topics", parameters) if relevance else []
        return named, [
            Seed(row["id"], row["cosine"], topic_cosine=relevance[row["topic"]]) for row in rows
        ]

    def _continuations(
        self, run: Run, named: Named, step: WalkStep
    ) -> tuple[list[Continuation], dict[str, int]]:
        seen = set(step.seen[0]).intersection(*step.seen)
        walked = [
            {
                "path": i,
                "beam": path.beam,
                "end": path.statements[-1],
                "along": path.along,
                "square": path.square,
                "score": path.score,
                "members": [
                    {"id": id_, "weight": weight}
                    for id_, weight in zip(path.statements, path.weights, strict=True)
                ],
            }
            for i, path in enumerate(step.paths)
        ]
        (found,) = run(
            "search/continuations",
            {
                "paths": walked,
                "vector": step.vector.tolist(),
                "seen": sorted(seen),
                "seen_by": [sorted(seen.symmetric_difference(each)) for each in step.seen],
                "max_degree": step.max_degree,
                "max_neighbours": step.max_neighbours,
                "limit": step.limit,
                "texts": step.texts,
            },
        )
        steps = [
            Continuation(**row | {name: decode_text(row[name] or "") for name in _TEXTS})
            for row in found["steps"]
        ]
        return steps, {decode_text(row["name"]): row["degree"] for row in found["common"]}

    def _relations(self, run: Run) -> Relations:
        # Grouped by where they come from, so that few rows are sent.
        rows = run("communities/relation_weights")
        sources = [row["source"] for row in rows for _ in row["targets"]]
        targets = [target for row in rows for target in row["targets"]]
        weights = [weight for row in rows for weight in row["weights"]]
        return relations_of(sources, targets, weights)


def open_neo4j(
    address: str, graph: str, *, user: str, password: str, read_only: bool = False
) -> Neo4jStore:
    """For the registry of stores. Without a password that is taken which ``hlg neo4j start``
    keeps for the server; whether one may write is the server's affair."""
    from hlg.neo4j_server.server import saved_password

    check_address(address)
    return Neo4jStore(address, graph, user=user, password=password or saved_password(address) or "")


def lucene_query(text: str) -> str:
    """The words of a text as a Lucene query without any operator; empty where there are none."""
    words: dict[str, None] = {}
    terms = 0
    for word in encode_text(text).split():
        if not any(character.isalnum() for character in word) or word in words:
            continue
        # Lucene makes several terms of a word in a script without spaces, or with marks in it.
        terms += 1 if word.isascii() and word.isalnum() else len(word)
        if terms > _LUCENE_MOST_TERMS:
            break
        words[word.lower() if word in _LUCENE_OPERATORS else word] = None
    return " ".join(_LUCENE_SPECIAL.sub(r"\\\1", word) for word in words)


def _make_schema(run: Run, dimensions: int, *, anew: bool) -> None:
    for label, node in NODES.items():
        run("schema/constraint", label=label)
        if node.full_text:
            # No word of a name is left out.
            name = "schema/name_index" if label == "Entity" else "schema/text_index"
            run(name, label=label)
    run("schema/alias_index")
    run("schema/key_index")
    for label in (label for label, node in NODES.items() if node.embedded):
        if anew:
            run("schema/drop_vector_index", label=label)
        if dimensions:
            run("schema/vector_index", {"dimensions": dimensions}, label=label)
