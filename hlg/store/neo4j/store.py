"""A graph in Neo4j, 5.26 or later; Community Edition without plugins is enough."""

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.errors import StoreError, StoreMismatch
from hlg.records import (
    ChunksAround,
    Community,
    Continuation,
    Embeddings,
    Entity,
    EntityPair,
    FactSupport,
    GraphInfo,
    Merges,
    Passage,
    Relations,
    SameAs,
    Scored,
    Seed,
    Source,
    SourceGraph,
    StoreHealth,
    WalkedPath,
)
from hlg.schema import GRAPH_NODE_ID, NODES, SCHEMA_VERSION
from hlg.store.base import Keywords, Row
from hlg.store.neo4j import communities as _neo4j_communities
from hlg.store.neo4j import walk as _neo4j_walk
from hlg.store.neo4j.database import Neo4jDatabase, Result, Work
from hlg.store.neo4j.write import delete_graphs, name_key, refresh_keys, send, write_rows
from hlg.store.shared import reading, subgraphs
from hlg.store.shared.checking import check_graphs
from hlg.store.shared.communities import (
    check_communities,
    nearest_communities,
    read_communities,
    read_fact_supports,
)
from hlg.store.shared.merging import read_merges, remove_merges, write_merges
from hlg.store.shared.passages import passages, statements_in_chunks
from hlg.store.shared.reading import Run
from hlg.store.shared.relating import chunks_around
from hlg.store.shared.rows import rows_of
from hlg.store.shared.text import encode_text
from hlg.subgraph import LIMITS, Subgraph, SubgraphLimits

__all__ = ["Neo4jStore"]

CANDIDATES_PER_HIT = 4
FEWEST_CANDIDATES = 200
"""Nodes that the approximate vector index is asked for, to have the best ones among them."""
INDEX_SECONDS = 300

_GRAPH = {"id": GRAPH_NODE_ID}
_TEXT_INDEXES = ("text_index_chunk", "text_index_statement", "text_index_entity")
_ENTITY_INDEXES = ("alias_index_entity", "key_index_entity")
_LUCENE_SPECIAL = re.compile(r"([^\w\s])")
_LUCENE_OPERATORS = frozenset({"AND", "OR", "NOT", "TO"})
_LUCENE_MOST_TERMS = 1000


class Neo4jStore:
    """The :class:`~hlg.store.base.GraphStore` of a Neo4j server.

    :raises UsageError: the address is not valid, or holds a password.
    :raises StoreUnreachable: nothing answers at the address.
    :raises StoreDenied: the server does not accept this user and password.
    """

    def __init__(self, address: str, graph: str = "", *, user: str, password: str) -> None:
        self.address = address
        self._suffix = f"_{graph}" if graph else ""
        self._database = Neo4jDatabase(address, graph, user, password)
        self._dimensions: int | None = None

    @property
    def calls(self) -> int:
        """How many transactions this object has sent."""
        return self._database.calls

    @property
    def retry_seconds(self) -> float:
        """How long a server that went away is waited for."""
        return self._database.retry_seconds

    @retry_seconds.setter
    def retry_seconds(self, seconds: float) -> None:
        self._database.retry_seconds = seconds

    def close(self) -> None:
        """Close all connections; closing twice is fine."""
        self._database.close()

    def set_up(self, embedder: str, dimensions: int) -> None:
        """Create constraints and indexes where missing, and see that what is there fits."""
        info = self.info()
        if info is not None:
            self._require(info, embedder, dimensions)
        self._database.write(lambda run: _make_schema(run, dimensions, anew=info is None))
        if info is None:
            graph = {
                "revision": _new_revision(),
                "embedder": embedder,
                "dimensions": dimensions,
                "schema_version": SCHEMA_VERSION,
            }
            self._database.write(lambda run: run("set_graph_info", _GRAPH | graph))
        self._database.run("await_indexes", {"seconds": INDEX_SECONDS})
        self._dimensions = dimensions

    def info(self) -> GraphInfo | None:
        """What the store knows of its graph; None before :meth:`set_up`."""
        rows = self._database.run("graph_info", _GRAPH)
        if not rows:
            return None
        info = GraphInfo(**rows[0])
        self._dimensions = info.dimensions
        return info

    def health(self) -> StoreHealth:
        """The server's version, and whether the graph's indexes are there and answer."""
        (server,) = self._database.run("server_version")
        states = {row["name"]: row["state"] for row in self._database.run("index_states")}
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
        return {row["name"]: row["value"] or "" for row in self._database.run("browser_settings")}

    def write(self, graphs: Sequence[SourceGraph]) -> None:
        """Write sources whole in one transaction, each in place of its older self."""
        check_graphs(graphs, self._known_dimensions())
        if not graphs:
            return
        rows = rows_of(graphs)
        ids = [graph.source.id for graph in graphs]

        def work(run: Run) -> None:
            run("lock_graph", _GRAPH)
            _, lost = delete_graphs(run, ids)
            write_rows(run, rows, lost)
            run("set_revision", _GRAPH | {"revision": _new_revision()})

        self._database.write(work)

    def delete(self, source_ids: Sequence[str]) -> int:
        """Delete sources and what only they supported, in one transaction."""
        self._known_dimensions()

        def work(run: Run) -> int:
            run("lock_graph", _GRAPH)
            deleted, _ = delete_graphs(run, source_ids)
            if deleted:
                run("delete_empty_communities")
                run("set_revision", _GRAPH | {"revision": _new_revision()})
            return deleted

        return self._database.write(work)

    def merges(self) -> Merges:
        """All merges, and all pairs that a split keeps apart; one call."""
        return self._read(read_merges)

    def write_merges(self, merges: Sequence[SameAs]) -> None:
        """Merge entities into their canonical ones in one transaction."""
        self._change_merges(lambda run: write_merges(run, partial(send, run), merges))

    def remove_merges(self, entity_ids: Sequence[str], different: Sequence[EntityPair] = ()) -> int:
        """Undo the merges of entities, and keep pairs apart, in one transaction."""
        return self._change_merges(
            lambda run: remove_merges(run, partial(send, run), entity_ids, different)
        )

    def _change_merges(self, change: Work[set[str]]) -> int:
        self._known_dimensions()

        def work(run: Run) -> int:
            run("lock_graph", _GRAPH)
            changed = change(run)
            refresh_keys(run, sorted(changed))
            run("set_revision", _GRAPH | {"revision": _new_revision()})
            return len(changed)

        return self._database.write(work)

    def vector_search(self, label: str, vector: NDArray[np.float32], top_k: int) -> list[Scored]:
        """The nodes of ``label`` nearest to a unit vector, by exact cosine, best first."""
        dimensions = self._known_dimensions()
        if vector.shape != (dimensions,):
            raise StoreMismatch(
                f"{self.address} is searched by vectors of {dimensions} dimensions, "
                f"not of shape {vector.shape}: use the embedder that the graph was built with"
            )
        if top_k <= 0 or not vector.any():
            return []
        parameters = self._vector_parameters(label, vector, top_k)
        return [Scored(**row) for row in self._database.run("vector_search", parameters)]

    def text_search(self, label: str, query: str, top_k: int) -> list[Scored]:
        """The nodes of ``label`` whose full text matches the words of ``query``, by BM25."""
        self._known_dimensions()
        lucene = lucene_query(query)
        if top_k <= 0 or not lucene:
            return []
        parameters = {
            "index": f"{label.lower()}_text{self._suffix}",
            "query": lucene,
            "candidates": max(CANDIDATES_PER_HIT * top_k, FEWEST_CANDIDATES),
            "top_k": top_k,
        }
        return [Scored(**row) for row in self._database.run("text_search", parameters)]

    def entities_named(self, keys: Sequence[str]) -> list[Entity]:
        """The entities of any class whose normalised name or alias is one of ``keys``."""
        return self._read(lambda run: self._named(run, keys)) if keys else []

    def statements_of_topics(self, topic_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs (topic id, statement id), ordered by both."""
        return self._read(lambda run: reading.statement_pairs(run, "topics", topic_ids))

    def statements_of_entities(self, entity_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs (entity id, id of a statement about it or what it is merged with), ordered."""
        return self._read(lambda run: reading.statements_of_entities(run, entity_ids))

    def seeds(
        self,
        vector: NDArray[np.float32],
        top_k: int,
        keys: Sequence[str],
        choose: Callable[[Sequence[Entity]], Keywords],
        *,
        topics: int = 0,
    ) -> tuple[list[Seed], list[Seed]]:
        """Where a walk starts, in one transaction: by keywords, and by vector."""

        def search(run: Run, label: str, limit: int) -> list[dict[str, Any]]:
            return run("vector_search", self._vector_parameters(label, vector, limit))

        return self._read(
            lambda run: _neo4j_walk.seeds(
                run, self._named(run, keys), choose, search, vector.tolist(), top_k, topics
            )
        )

    def continuations(
        self,
        paths: Sequence[WalkedPath],
        vector: NDArray[np.float32],
        *,
        seen: Sequence[str],
        max_degree: int,
        max_neighbours: int,
        limit: int,
        texts: bool = False,
    ) -> tuple[list[Continuation], dict[str, int]]:
        """What continues paths over entities that their ends mention, in one transaction."""
        return self._read(
            lambda run: _neo4j_walk.continuations(
                run, paths, vector.tolist(), seen, max_degree, max_neighbours, limit, texts
            )
        )

    def chunks_around(
        self,
        entity_ids: Sequence[str],
        vector: NDArray[np.float32],
        *,
        hops: int,
        max_degree: int,
        max_paths: int,
    ) -> ChunksAround:
        """The chunks of entities and of what they relate to, in one transaction."""
        return self._read(
            lambda run: chunks_around(
                run,
                lambda keys: self._seen(run, keys),
                entity_ids,
                vector.tolist(),
                hops=hops,
                max_degree=max_degree,
                max_paths=max_paths,
            )
        )

    def write_communities(
        self,
        communities: Sequence[Community],
        embeddings: Embeddings | None,
        *,
        current: bool = True,
    ) -> None:
        """Put communities in place of all that there are, in one transaction."""
        check_communities(communities, embeddings, self._known_dimensions())
        revision = _new_revision()

        def work(run: Run) -> None:
            run("lock_graph", _GRAPH)
            _neo4j_communities.write_communities(run, communities, embeddings)
            run("set_revision", _GRAPH | {"revision": revision})
            found_at = {"revision": revision if current else ""}
            run("set_communities_revision", _GRAPH | found_at)

        self._database.write(work)

    def communities(self, ids: Sequence[str] | None = None) -> list[Community]:
        """All communities, or those with these ids, by level, then the largest first."""
        return self._read(lambda run: read_communities(run, ids))

    def communities_revision(self) -> str:
        """The revision that the communities were found at; empty where nobody knows it."""
        (row,) = self._read(lambda run: run("communities_revision", _GRAPH))
        return row["revision"] or ""

    def nearest_communities(
        self, vector: NDArray[np.float32], top_k: int, level: int | None = None
    ) -> list[tuple[Community, float]]:
        """The communities nearest to a unit vector, by exact cosine, best first."""
        if not vector.any():
            return []
        return self._read(lambda run: nearest_communities(run, vector.tolist(), top_k, level))

    def relations(self) -> Relations:
        """All RELATES_TO as columns."""
        return self._read(_neo4j_communities.read_relations)

    def fact_supports(self, entity_ids: Sequence[str]) -> list[FactSupport]:
        """The facts whose subject is one of these entities, with each of their statements."""
        return self._read(lambda run: read_fact_supports(run, entity_ids))

    def passages(self, label: str, ids: Sequence[str]) -> list[Passage]:
        """Statements or chunks with their sources, in the order of ``ids``."""
        return self._read(lambda run: passages(run, label, ids))

    def statements_in_chunks(self, ids: Sequence[str]) -> tuple[list[Passage], list[Passage]]:
        """Statements and the chunks that cite them, in one transaction."""
        return self._read(lambda run: statements_in_chunks(run, ids))

    def evidence(self, label: str, ids: Sequence[str], limits: SubgraphLimits = LIMITS) -> Subgraph:
        """All that statements, or those in chunks (``label``), rest on, in one transaction."""
        return self._read(lambda run: subgraphs.evidence(run, label, ids, limits))

    def around(self, label: str, ids: Sequence[str], limits: SubgraphLimits = LIMITS) -> Subgraph:
        """What lies around nodes of a label (Entity, Source, Community), in one transaction."""
        return self._read(lambda run: subgraphs.around(run, label, ids, limits))

    def embeddings(self, label: str, ids: Sequence[str]) -> Embeddings:
        """Vectors in the order of ``ids``; a row of zeros where a node has none."""
        dimensions = self._known_dimensions()
        return self._read(lambda run: reading.embeddings(run, label, ids, dimensions))

    def read(self, source_ids: Sequence[str]) -> list[SourceGraph]:
        """Sources as they were written, in the order of ``source_ids``, unknown ids left out."""
        return self._read(lambda run: reading.read_graphs(run, source_ids))

    def sources(self) -> list[Source]:
        """All sources, ordered by uri."""
        return self._read(reading.sources)

    def counts(self) -> dict[str, int]:
        """How many nodes of each label and relationships of each type there are."""
        return self._read(reading.counts)

    def nodes(self, label: str, *, with_embeddings: bool = False) -> Iterator[list[Row]]:
        """All nodes of a label in batches, ordered by id."""
        self._known_dimensions()
        return reading.nodes(self._database.run, label, with_embeddings=with_embeddings)

    def edges(self, edge_type: str, ends: tuple[str, str]) -> Iterator[list[Row]]:
        """All relationships of a type between two labels in batches, in order."""
        self._known_dimensions()
        return reading.edges(self._database.run, edge_type, ends)

    def _named(self, run: Run, keys: Sequence[str]) -> list[Entity]:
        return [seen.entity for seen in self._seen(run, keys)]

    def _seen(self, run: Run, keys: Sequence[str]) -> list[reading.SeenEntity]:
        found = {
            row["id"]: reading.seen_entity(row)
            for batch in reading.batches(sorted(set(map(name_key, keys))), _LUCENE_MOST_TERMS)
            for row in run("entities_named", self._name_parameters(batch))
        }
        return [found[id_] for id_ in sorted(found)]

    def _vector_parameters(
        self, label: str, vector: NDArray[np.float32], top_k: int
    ) -> dict[str, object]:
        return {
            "index": f"{label.lower()}_embedding{self._suffix}",
            "candidates": max(CANDIDATES_PER_HIT * top_k, FEWEST_CANDIDATES),
            "vector": vector.tolist(),
            "top_k": top_k,
        }

    def _known_dimensions(self) -> int:
        if self._dimensions is None and self.info() is None:
            raise StoreError(f"no graph in {self.address}; hlg build makes one")
        assert self._dimensions is not None
        return self._dimensions

    def _read(self, work: Work[Result]) -> Result:
        self._known_dimensions()
        return self._database.read(work)

    def _require(self, info: GraphInfo, embedder: str, dimensions: int) -> None:
        if info.schema_version != SCHEMA_VERSION:
            raise StoreMismatch(
                f"the graph in {self.address} has schema version {info.schema_version}, this "
                f"hlg writes version {SCHEMA_VERSION}: build it anew under another --graph name"
            )
        if (info.embedder, info.dimensions) != (embedder, dimensions):
            raise StoreMismatch(
                f"the graph in {self.address} holds vectors of {info.embedder} "
                f"({info.dimensions} dimensions), not of {embedder} ({dimensions}): set the "
                f"embedder to {info.embedder}, or build anew under another --graph name "
                "to have all of it embedded again"
            )

    def _name_parameters(self, keys: Sequence[str]) -> dict[str, object]:
        quoted = (key.replace("\\", r"\\").replace('"', r"\"") for key in keys)
        return {
            "keys": list(keys),
            "index": f"entity_alias{self._suffix}",
            "aliases": " OR ".join(f'"{key}"' for key in quoted),
        }


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
    for label in NODES:
        run(f"constraint_{label.lower()}")
    for name in (*_TEXT_INDEXES, *_ENTITY_INDEXES):
        run(name)
    for label in (label.lower() for label, node in NODES.items() if node.embedded):
        if anew:
            run(f"drop_vector_index_{label}")
        if dimensions:
            run(f"vector_index_{label}", {"dimensions": dimensions})


def _new_revision() -> str:
    return secrets.token_hex(16)
