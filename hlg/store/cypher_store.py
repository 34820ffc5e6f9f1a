"""One store, two dialects: what every store of property graphs does, over reading and writing."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

from hlg.arguments import takes_several
from hlg.records import (
    Community,
    Embeddings,
    Entity,
    EntityPair,
    Merges,
    Passage,
    SameAs,
    Scored,
    Source,
    SourceGraph,
)
from hlg.schema import SCHEMA_VERSION
from hlg.store.base import GraphStore, Keywords, Row
from hlg.store.dialect import GRAPH, Dialect, RunT, Vector, WalkStep
from hlg.store.records import (
    ChunksAround,
    Continuation,
    FactSupport,
    GraphInfo,
    Relations,
    Seed,
    WalkedPath,
)
from hlg.store.shared import checking, merging, reading, subgraphs
from hlg.store.shared.communities import (
    nearest_communities,
    read_communities,
    read_fact_supports,
    read_revision,
    write_communities,
)
from hlg.store.shared.passages import passages, statements_in_chunks
from hlg.store.shared.relating import chunks_around
from hlg.store.shared.rows import metadata_text
from hlg.store.source_text import SourceText
from hlg.subgraph import LIMITS, Subgraph, SubgraphLimits, united


@takes_several
class CypherStore(Dialect[RunT], GraphStore):
    """The :class:`~hlg.store.base.GraphStore` of a database that speaks Cypher; what each method
    answers is said there.

    Arguments end in the same way on every store: a label that has no such thing is a
    ValueError, a vector of another shape a StoreMismatch; where nothing is asked for (no ids,
    no ``top_k``, a vector of zeros) nothing is found; unknown ids are left out.
    """

    def set_up(self, embedder: str, dimensions: int) -> None:
        info = self.info()
        if info is not None:
            checking.check_fits(self.address, info, embedder, dimensions)
        wanted = GraphInfo(uuid4().hex, embedder, dimensions, SCHEMA_VERSION)
        self._make(wanted, anew=info is None)
        self._info = info or wanted

    # Writing

    def write(self, graphs: Sequence[SourceGraph]) -> None:
        dimensions = self._known().dimensions
        with self._addressed():
            checking.check_graphs(graphs, dimensions)
        if graphs:
            self._change(lambda run, _: self._write_graphs(run, graphs))

    def set_metadata(self, metadata: Mapping[str, Mapping[str, Any]]) -> None:

        def work(run: RunT, _: str) -> None:
            for id_, each in metadata.items():
                run("write/set_metadata", {"id": id_, "metadata": metadata_text(each)})

        if metadata:
            self._change(work)

    def delete(self, source_ids: Sequence[str]) -> int:

        def work(run: RunT, _: str) -> int:
            deleted, _lost = self._delete_graphs(run, source_ids)
            if deleted:
                run("communities/delete_empty_communities")
            return deleted

        return self._change(work, is_moved=bool)

    def merges(self) -> Merges:
        return self._read(merging.read_merges)

    def write_merges(self, merges: Sequence[SameAs]) -> None:
        self._change_merges(merging.write_merges, merges)

    def remove_merges(self, entity_ids: Sequence[str], different: Sequence[EntityPair] = ()) -> int:
        return self._change_merges(merging.remove_merges, entity_ids, different)

    def _change_merges(self, change: Callable[..., set[str]], *arguments: Any) -> int:
        def work(run: RunT, _: str) -> int:
            changed = change(run, partial(self._send, run), *arguments)
            self._after_merges(run, changed)
            return len(changed)

        return self._change(work)

    # Searching

    def vector_search(self, label: str, vector: Vector, top_k: int) -> list[Scored]:
        checking.check_embedded(label)
        if not self._points_somewhere(vector) or top_k <= 0:
            return []
        rows = self._read(lambda run: self._nearest(run, label, vector, top_k))
        return [Scored(row["id"], row["score"]) for row in rows]

    def text_search(self, label: str, query: str, top_k: int) -> list[Scored]:
        checking.check_searched_by_words(label)
        self._known()
        return self._matching(label, query, top_k) if top_k > 0 else []

    def entities_named(self, keys: Sequence[str]) -> list[Entity]:
        self._known()
        if not keys:
            return []
        named = self._look_up()
        return self._read(lambda run: [seen.entity for seen in named(run, keys)])

    # Walking

    def statements_of_topics(self, topic_ids: Sequence[str]) -> list[tuple[str, str]]:
        return self._read(lambda run: reading.statements_of_topics(run, topic_ids))

    def statements_of_entities(self, entity_ids: Sequence[str]) -> list[tuple[str, str]]:
        return self._read(lambda run: reading.statements_of_entities(run, entity_ids))

    def seeds(
        self,
        vector: Vector,
        top_k: int,
        keys: Sequence[str],
        choose: Callable[[Sequence[Entity]], Keywords],
        *,
        topics: int = 0,
    ) -> tuple[list[Seed], list[Seed]]:
        if not self._points_somewhere(vector) or top_k <= 0:
            return [], []
        named = self._look_up()

        def work(run: RunT) -> tuple[list[Seed], list[Seed]]:
            entities = [seen.entity for seen in named(run, keys)] if keys else []
            return self._seeds(run, choose(entities), vector, top_k, topics)

        return self._read(work)

    def continuations(
        self,
        paths: Sequence[WalkedPath],
        vector: Vector,
        *,
        seen: Sequence[Collection[str]],
        max_degree: int,
        max_neighbours: int,
        limit: int,
        texts: bool = False,
    ) -> tuple[list[Continuation], dict[str, int]]:
        if not self._points_somewhere(vector) or not paths:
            return [], {}
        named = self._look_up()
        step = WalkStep(
            paths, vector, seen, max_degree, max(0, max_neighbours), max(0, limit), texts
        )
        return self._read(lambda run: self._continuations(run, partial(named, run), step))

    def chunks_around(
        self,
        entity_ids: Sequence[str],
        vector: Vector,
        *,
        hops: int,
        max_degree: int,
        max_paths: int,
        nearest: int = 0,
    ) -> ChunksAround:
        if not self._points_somewhere(vector) or not (entity_ids or nearest > 0):
            return ChunksAround((), (), {}, {})
        named = self._look_up()

        def work(run: RunT) -> ChunksAround:
            found = chunks_around(
                run,
                partial(named, run),
                entity_ids,
                vector.tolist(),
                hops=hops,
                max_degree=max_degree,
                max_paths=max_paths,
            )
            rows = self._nearest(run, "Chunk", vector, nearest) if nearest > 0 else ()
            close = {row["id"]: row["score"] for row in rows}
            return replace(found, cosines={**found.cosines, **close})

        return self._read(work)

    # Communities

    def write_communities(
        self,
        communities: Sequence[Community],
        embeddings: Embeddings | None,
        *,
        current: bool = True,
    ) -> None:
        dimensions = self._known().dimensions
        with self._addressed():
            checking.check_communities(communities, embeddings, dimensions)

        def work(run: RunT, revision: str) -> None:
            create, send = partial(self._create_nodes, run), partial(self._send, run)
            write_communities(run, create, send, communities, embeddings)
            found_at = {"revision": revision if current else ""}
            run("communities/set_communities_revision", GRAPH | found_at)

        self._change(work)

    def communities(self, ids: Sequence[str] | None = None) -> list[Community]:
        return self._read(lambda run: read_communities(run, ids))

    def communities_revision(self) -> str:
        return self._read(lambda run: read_revision(run, GRAPH))

    def nearest_communities(
        self, vector: Vector, top_k: int, level: int | None = None
    ) -> list[tuple[Community, float]]:
        if not self._points_somewhere(vector) or top_k <= 0:
            return []
        return self._read(lambda run: nearest_communities(run, vector.tolist(), top_k, level))

    def relations(self) -> Relations:
        return self._read(self._relations)

    def fact_supports(self, entity_ids: Sequence[str]) -> list[FactSupport]:
        return self._read(lambda run: read_fact_supports(run, entity_ids))

    # Reading

    def passages(self, label: str, ids: Sequence[str]) -> list[Passage]:
        return self._read(lambda run: passages(run, label, ids))

    def statements_in_chunks(self, ids: Sequence[str]) -> tuple[list[Passage], list[Passage]]:
        return self._read(lambda run: statements_in_chunks(run, ids))

    def evidence(self, label: str, ids: Sequence[str], limits: SubgraphLimits = LIMITS) -> Subgraph:
        return self._read(lambda run: subgraphs.evidence(run, label, ids, limits))

    def weighed_evidence(
        self, ids: Mapping[str, Sequence[str]], vector: Vector, limits: SubgraphLimits = LIMITS
    ) -> tuple[Subgraph, dict[str, float]]:
        dimensions = self._known().dimensions

        def work(run: RunT) -> tuple[Subgraph, dict[str, float]]:
            found = united([subgraphs.evidence(run, label, ids[label], limits) for label in ids])
            statements = [node.id for node in found.nodes_of("Statement")]
            cosines: dict[str, float] = {}
            for label, wanted in [("Statement", statements), *ids.items()]:
                unknown = [id_ for id_ in wanted if id_ not in cosines]
                vectors = reading.embeddings(run, label, unknown, dimensions)
                cosines |= zip(unknown, (vectors @ vector).tolist(), strict=True)
            return found, cosines

        return self._read(work)

    def around(self, label: str, ids: Sequence[str], limits: SubgraphLimits = LIMITS) -> Subgraph:
        return self._read(lambda run: subgraphs.around(run, label, ids, limits))

    def embeddings(self, label: str, ids: Sequence[str]) -> Embeddings:
        checking.check_embedded(label)
        dimensions = self._known().dimensions
        return self._read(lambda run: reading.embeddings(run, label, ids, dimensions))

    def read(self, source_ids: Sequence[str]) -> list[SourceGraph]:
        return self._read(lambda run: reading.read_graphs(run, source_ids))

    def texts(self, source_ids: Sequence[str]) -> list[SourceText]:
        return self._read(lambda run: reading.texts(run, source_ids))

    def sources(self) -> list[Source]:
        return self._read(reading.sources)

    def counts(self) -> dict[str, int]:
        return self._read(reading.counts)

    def nodes(self, label: str, *, with_embeddings: bool = False) -> Iterator[list[Row]]:
        checking.check_label(label)
        self._known()
        return reading.nodes(self._run, label, with_embeddings=with_embeddings)

    def edges(self, edge_type: str, ends: tuple[str, str]) -> Iterator[list[Row]]:
        checking.check_edge(edge_type, ends)
        self._known()
        return reading.edges(self._run, edge_type, ends)
