"""The embedded store: a Ladybug file, in process, with no server."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

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
from hlg.schema import GRAPH_NODE_ID, SCHEMA_VERSION
from hlg.store.base import Keywords, Row
from hlg.store.ladybug import communities as _ladybug_communities
from hlg.store.ladybug import walk as _ladybug_walk
from hlg.store.ladybug.database import LadybugDatabase, Session
from hlg.store.ladybug.derived import DerivedIndexes, Names, Words
from hlg.store.ladybug.schema import WITHOUT_MERGES, create_edge_tables, create_tables
from hlg.store.ladybug.write import delete_graphs, send, write_graphs
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
from hlg.store.shared.relating import chunks_around
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
                create_tables(session, embedder, dimensions)
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
        elif self._database.instead:
            with self._writing():
                pass  # a file of an older hlg: whoever writes to it makes what is missing

    def info(self) -> GraphInfo | None:
        """What the store knows of its graph; None before :meth:`set_up`."""
        if self._info is None:
            with self._database.reading() as session:
                tables = {row["name"] for row in session.rows("tables")}
                if "Graph" in tables:
                    if "SAME_AS" not in tables:
                        self._database.instead = WITHOUT_MERGES
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
        with self._writing() as session:
            write_graphs(session, graphs, info.dimensions)
            session.rows("set_revision", _GRAPH | {"revision": moved.revision})
        self._info = moved

    def delete(self, source_ids: Sequence[str]) -> int:
        """Delete sources and what only they supported, in one transaction."""
        moved = replace(self._known(), revision=uuid4().hex)
        with self._writing() as session:
            deleted, _ = delete_graphs(session, source_ids)
            if deleted:
                session.rows("delete_empty_communities")
                session.rows("set_revision", _GRAPH | {"revision": moved.revision})
        if deleted:
            self._info = moved
        return deleted

    def merges(self) -> Merges:
        """All merges, and all pairs that a split keeps apart; one call."""
        with self._reading() as session:
            return read_merges(session.rows)

    def write_merges(self, merges: Sequence[SameAs]) -> None:
        """Merge entities into their canonical ones in one transaction."""
        moved = replace(self._known(), revision=uuid4().hex)
        with self._writing() as session:
            write_merges(session.rows, partial(send, session), merges)
            session.rows("set_revision", _GRAPH | {"revision": moved.revision})
        self._info = moved

    def remove_merges(self, entity_ids: Sequence[str], different: Sequence[EntityPair] = ()) -> int:
        """Undo the merges of entities, and keep pairs apart, in one transaction."""
        moved = replace(self._known(), revision=uuid4().hex)
        with self._writing() as session:
            undone = remove_merges(session.rows, partial(send, session), entity_ids, different)
            session.rows("set_revision", _GRAPH | {"revision": moved.revision})
        self._info = moved
        return len(undone)

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
            return [seen.entity for seen in reading.seen_entities(session.rows, ids)]

    def statements_of_topics(self, topic_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs (topic id, statement id), ordered by both."""
        with self._reading() as session:
            return reading.statement_pairs(session.rows, "topics", topic_ids)

    def statements_of_entities(self, entity_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs (entity id, id of a statement about it or what it is merged with), ordered."""
        with self._reading() as session:
            return reading.statements_of_entities(session.rows, entity_ids)

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
            entities = [seen.entity for seen in reading.seen_entities(session.rows, ids)]
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
        limit: int,
        texts: bool = False,
    ) -> tuple[list[Continuation], dict[str, int]]:
        """What continues paths over entities that their ends mention, in one transaction."""
        names = self._names()
        with self._reading() as session:
            found, common = _ladybug_walk.continuations(
                session.rows, paths, vector, seen, max_degree, max_neighbours, names.find
            )
            return _ladybug_walk.with_texts(session.rows, found) if texts else found, common

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
        names = self._names()
        with self._reading() as session:
            return chunks_around(
                session.rows,
                lambda keys: reading.seen_entities(session.rows, names.find(keys)),
                entity_ids,
                vector.tolist(),
                hops=hops,
                max_degree=max_degree,
                max_paths=max_paths,
            )

    def write_communities(
        self,
        communities: Sequence[Community],
        embeddings: Embeddings | None,
        *,
        current: bool = True,
    ) -> None:
        """Put communities in place of all that there are, in one transaction."""
        info = self._known()
        check_communities(communities, embeddings, info.dimensions)
        moved = replace(info, revision=uuid4().hex)
        with self._writing() as session:
            _ladybug_communities.write_communities(
                session, communities, embeddings, info.dimensions
            )
            session.rows("set_revision", _GRAPH | {"revision": moved.revision})
            found_at = {"revision": moved.revision if current else ""}
            session.rows("set_communities_revision", _GRAPH | found_at)
        self._info = moved

    def communities(self, ids: Sequence[str] | None = None) -> list[Community]:
        """All communities, or those with these ids, by level, then the largest first."""
        with self._reading() as session:
            return read_communities(session.rows, ids)

    def communities_revision(self) -> str:
        """The revision that the communities were found at; empty where nobody knows it."""
        with self._reading() as session:
            # A file of before there were communities lacks the column as well.
            if not session.rows("ids_community"):
                return ""
            return session.rows("communities_revision", _GRAPH)[0]["revision"] or ""

    def nearest_communities(
        self, vector: NDArray[np.float32], top_k: int, level: int | None = None
    ) -> list[tuple[Community, float]]:
        """The communities nearest to a unit vector, by exact cosine, best first."""
        with self._reading() as session:
            return nearest_communities(session.rows, vector.tolist(), top_k, level)

    def relations(self) -> Relations:
        """All RELATES_TO as columns."""
        with self._reading() as session:
            return _ladybug_communities.read_relations(session)

    def fact_supports(self, entity_ids: Sequence[str]) -> list[FactSupport]:
        """The facts whose subject is one of these entities, with each of their statements."""
        with self._reading() as session:
            return read_fact_supports(session.rows, entity_ids)

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
        """What lies around nodes of a label (Entity, Source, Community), in one transaction."""
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

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        """A transaction on a file that has all tables."""
        with self._database.writing() as session:
            if self._database.instead:
                create_edge_tables(session)
            yield session
        self._database.instead = {}

    def _reading(self) -> AbstractContextManager[Session]:
        self._known()
        return self._database.reading()

    def _build_words(self, label: str) -> Words:
        return Words.build(label, self.nodes(label))

    def _names(self) -> Names:
        revision = self._known().revision
        return self._derived.get(revision, "names", Names.load, self._build_names)

    def _build_names(self) -> Names:
        return Names.build(self.nodes("Entity"), self.merges().canonical())
