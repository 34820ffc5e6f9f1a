"""The embedded store: a Ladybug file, in process, with no server."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from hlg.errors import StoreError, StoreMismatch
from hlg.records import (
    Continuation,
    Embeddings,
    Entity,
    GraphInfo,
    Passage,
    Scored,
    Seed,
    Source,
    SourceGraph,
    StoreHealth,
    WalkedPath,
)
from hlg.schema import EDGES, GRAPH_NODE_ID, NODES, SCHEMA_VERSION
from hlg.store import _ladybug_walk, reading, subgraphs
from hlg.store._ladybug_database import LadybugDatabase, Session
from hlg.store._ladybug_words import DerivedIndexes, Names, Words
from hlg.store._ladybug_write import delete_graphs, node_table, write_graphs
from hlg.store.base import Keywords, Row
from hlg.store.check import check_graphs
from hlg.store.passages import passages, statements_in_chunks
from hlg.store.rows import entity_of
from hlg.subgraph import LIMITS, Subgraph, SubgraphLimits

_GRAPH = {"id": GRAPH_NODE_ID}


class LadybugStore:
    """A graph in a Ladybug file; a named graph is another file beside it.

    One process writes at a time. A store opened read-only sees the graph as it was then,
    whatever a writer does in the meantime.

    :raises StoreLocked: another writer has the file, still after some seconds.
    :raises StoreDenied: the file can't be opened or made.
    :raises StoreError: it is not a Ladybug file; read-only: it is not there.
    """

    def __init__(self, path: Path, graph: str = "", *, read_only: bool = False) -> None:
        self.path = path.with_name(f"{path.stem}.{graph}{path.suffix}") if graph else path
        self.address = str(self.path)
        self._database = LadybugDatabase(self.path, read_only=read_only)
        self._derived = DerivedIndexes(self.path)
        self._info: GraphInfo | None = None

    @property
    def calls(self) -> int:
        """How many calls this object has sent to its database (transactions count as one)."""
        return self._database.calls

    def set_up(self, embedder: str, dimensions: int) -> None:
        """Create what is missing, or see that what is there fits."""
        info = self.info()
        if info is None:
            with self._database.writing() as session:
                _create_tables(session, embedder, dimensions)
        elif (info.embedder, info.dimensions) != (embedder, dimensions):
            raise StoreMismatch(
                f"{self.address} holds {info.dimensions}-dimensional vectors of "
                f"{info.embedder}, not {dimensions}-dimensional ones of {embedder}; build with "
                "the embedder that it has, or into another --store or --graph"
            )
        elif info.schema_version != SCHEMA_VERSION:
            raise StoreMismatch(
                f"{self.address} has schema version {info.schema_version}, this hlg writes "
                f"{SCHEMA_VERSION}; build into another --store or --graph"
            )

    def info(self) -> GraphInfo | None:
        """What the store knows of its graph; None before :meth:`set_up`."""
        if self._info is None:
            with self._database.reading() as session:
                if any(row["name"] == "Graph" for row in session.rows("tables")):
                    self._info = GraphInfo(**session.rows("graph_info", _GRAPH)[0])
        return self._info

    def health(self) -> StoreHealth:
        """Ladybug's version; it searches exactly, by scanning, and has no index to fail."""
        return StoreHealth(version=f"Ladybug {version('ladybug')}", indexes=0)

    def close(self) -> None:
        """Let go of the file; closing twice is fine."""
        self._database.close()

    def write(self, graphs: Sequence[SourceGraph]) -> None:
        """Write sources whole in one transaction, each in place of its older self."""
        info = self._known()
        check_graphs(graphs, info.dimensions)
        if not graphs:
            return
        moved = replace(info, revision=uuid4().hex)
        with self._database.writing() as session:
            write_graphs(session, graphs, info.dimensions)
            session.rows("set_revision", _GRAPH | {"revision": moved.revision})
        self._info = moved

    def delete(self, source_ids: Sequence[str]) -> int:
        """Delete sources and what only they supported, in one transaction."""
        moved = replace(self._known(), revision=uuid4().hex)
        with self._database.writing() as session:
            deleted = delete_graphs(session, source_ids)
            if deleted:
                session.rows("set_revision", _GRAPH | {"revision": moved.revision})
        if deleted:
            self._info = moved
        return deleted

    def vector_search(self, label: str, vector: NDArray[np.float32], top_k: int) -> list[Scored]:
        """The nodes of ``label`` nearest to a unit vector, by exact cosine, best first."""
        dimensions = self._known().dimensions
        if vector.shape != (dimensions,):
            raise StoreMismatch(
                f"{self.address} is searched by vectors of {dimensions} dimensions, "
                f"not of shape {vector.shape}"
            )
        found = self._database.rows(
            f"vector_search_{label.lower()}", {"vector": vector.tolist(), "limit": top_k}
        )
        return [Scored(row["id"], row["score"]) for row in found]

    def text_search(self, label: str, query: str, top_k: int) -> list[Scored]:
        """The nodes of ``label`` whose full text matches the words of ``query``, by BM25."""
        build = partial(self._build_words, label)
        words = self._derived.get(self._known().revision, label, Words.load, build)
        rows, scores = words.index.search(query, top_k)
        return [
            Scored(id_.decode(), float(score))
            for id_, score in zip(words.ids[rows], scores, strict=True)
        ]

    def entities_named(self, keys: Sequence[str]) -> list[Entity]:
        """The entities of any class whose normalised name or alias is one of ``keys``."""
        ids = self._names().find(keys)
        with self._reading() as session:
            rows = reading.graph_rows(session.rows, "Entity", ids)
            return sorted(map(entity_of, rows), key=lambda entity: entity.id)

    def statements_of_topics(self, topic_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs (topic id, statement id), ordered by both."""
        with self._reading() as session:
            return reading.statement_pairs(session.rows, "topics", topic_ids)

    def statements_of_entities(self, entity_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs (entity id, statement id), ordered by both."""
        with self._reading() as session:
            return reading.statement_pairs(session.rows, "entities", entity_ids)

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
        ids = self._names().find(keys)
        with self._reading() as session:
            rows = reading.graph_rows(session.rows, "Entity", ids)
            entities = sorted(map(entity_of, rows), key=lambda entity: entity.id)
            return _ladybug_walk.seeds(
                session.rows, entities, choose, vector.tolist(), top_k, topics
            )

    def continuations(
        self,
        paths: Sequence[WalkedPath],
        vector: NDArray[np.float32],
        *,
        seen: Sequence[str],
        max_degree: int,
        max_neighbours: int,
    ) -> tuple[list[Continuation], dict[str, int]]:
        """What continues paths over entities that their ends mention, in one transaction."""
        names = self._names()
        with self._reading() as session:
            return _ladybug_walk.continuations(
                session.rows, paths, vector, seen, max_degree, max_neighbours, names.find
            )

    def passages(self, label: str, ids: Sequence[str]) -> list[Passage]:
        """Statements or chunks with their sources, in the order of ``ids``."""
        with self._reading() as session:
            return passages(session.rows, label, ids)

    def statements_in_chunks(self, ids: Sequence[str]) -> tuple[list[Passage], list[Passage]]:
        """Statements and the chunks that cite them, in one transaction."""
        with self._reading() as session:
            return statements_in_chunks(session.rows, ids)

    def evidence(self, label: str, ids: Sequence[str], limits: SubgraphLimits = LIMITS) -> Subgraph:
        """All that statements, or those in chunks (``label``), rest on, in one transaction."""
        with self._reading() as session:
            return subgraphs.evidence(session.rows, label, ids, limits)

    def around(self, label: str, ids: Sequence[str], limits: SubgraphLimits = LIMITS) -> Subgraph:
        """What lies around nodes of a label (Entity or Source), in one transaction."""
        with self._reading() as session:
            return subgraphs.around(session.rows, label, ids, limits)

    def embeddings(self, label: str, ids: Sequence[str]) -> Embeddings:
        """Vectors in the order of ``ids``; a row of zeros where a node has none."""
        dimensions = self._known().dimensions
        with self._reading() as session:
            return reading.embeddings(session.rows, label, ids, dimensions)

    def read(self, source_ids: Sequence[str]) -> list[SourceGraph]:
        """Sources as they were written, in the order of ``source_ids``, unknown ids left out."""
        with self._reading() as session:
            return reading.read_graphs(session.rows, source_ids)

    def sources(self) -> list[Source]:
        """All sources, ordered by uri."""
        with self._reading() as session:
            return reading.sources(session.rows)

    def counts(self) -> dict[str, int]:
        """How many nodes of each label and relationships of each type there are."""
        with self._reading() as session:
            return reading.counts(session.rows)

    def nodes(self, label: str, *, with_embeddings: bool = False) -> Iterator[list[Row]]:
        """All nodes of a label in batches, ordered by id."""
        self._known()
        return reading.nodes(self._database.rows, label, with_embeddings=with_embeddings)

    def edges(self, edge_type: str, ends: tuple[str, str]) -> Iterator[list[Row]]:
        """All relationships of a type between two labels in batches, in order."""
        self._known()
        return reading.edges(self._database.rows, edge_type, ends)

    def _known(self) -> GraphInfo:
        info = self.info()
        if info is None:
            raise StoreError(f"no graph in {self.address}; hlg build makes one")
        return info

    def _reading(self) -> AbstractContextManager[Session]:
        self._known()
        return self._database.reading()

    def _build_words(self, label: str) -> Words:
        return Words.build(label, self.nodes(label))

    def _names(self) -> Names:
        revision = self._known().revision
        return self._derived.get(revision, "names", Names.load, self._build_names)

    def _build_names(self) -> Names:
        return Names.build(self.nodes("Entity"))


def _create_tables(session: Session, embedder: str, dimensions: int) -> None:
    for label in NODES:
        rows = node_table(label, (), dimensions)
        session.rows(f"create_{label.lower()}", {"rows": rows})
    for type_ in EDGES:
        session.rows(f"create_{type_.lower()}")
    graph = {"embedder": embedder, "dimensions": dimensions, "schema_version": SCHEMA_VERSION}
    session.rows("set_graph_info", _GRAPH | {"revision": uuid4().hex} | graph)
