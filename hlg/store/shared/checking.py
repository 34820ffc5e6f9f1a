"""What a store's arguments have to be, on every store alike.

A label or relationship type that there is no such thing of is a fault of the caller's program
(ValueError); vectors and graphs are what the caller was given (StoreError).
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hlg.errors import StoreError, StoreMismatch
from hlg.records import AFFIRMED, DENIED, Community, Embeddings, SourceGraph
from hlg.schema import EDGES, NODES, SCHEMA_VERSION
from hlg.store.records import GraphInfo


class _HasId(Protocol):
    @property
    def id(self) -> str: ...


def check_version(address: str, info: GraphInfo) -> None:
    """See that a graph has what this hlg reads and writes.

    :raises StoreMismatch: it has another schema.
    """
    if info.schema_version != SCHEMA_VERSION:
        raise StoreMismatch(
            f"the graph in {address} has schema version {info.schema_version}, this hlg has "
            f"version {SCHEMA_VERSION}: build it anew into another --store or --graph",
            address=address,
        )


def check_fits(address: str, info: GraphInfo, embedder: str, dimensions: int) -> None:
    """See that a graph takes vectors of this embedder.

    :raises StoreMismatch: it has another schema, or vectors of another embedder or dimension.
    """
    check_version(address, info)
    if (info.embedder, info.dimensions) != (embedder, dimensions):
        raise StoreMismatch(
            f"the graph in {address} holds vectors of {info.embedder} ({info.dimensions} "
            f"dimensions), not of {embedder} ({dimensions}): set the embedder to "
            f"{info.embedder}, or build into another --store or --graph",
            address=address,
        )


def check_vector(address: str, vector: NDArray[np.float32], dimensions: int) -> None:
    """See that a question's vector is of the graph's kind.

    :raises StoreMismatch: it is not finite, or not of shape (``dimensions``,).
    """
    if vector.shape != (dimensions,):
        raise StoreMismatch(
            f"{address} is searched by vectors of {dimensions} dimensions, not of shape "
            f"{vector.shape}: use the embedder that the graph was built with",
            address=address,
        )
    if not np.isfinite(vector).all():
        raise StoreMismatch(
            f"{address} is searched by finite vectors; this one is not", address=address
        )


def check_label(label: str) -> None:
    """See that the schema has a label (ValueError)."""
    if label not in NODES:
        raise ValueError(f"the schema has no label {label!r}: it has {', '.join(NODES)}")


def check_embedded(label: str) -> None:
    """See that nodes of a label have vectors (ValueError)."""
    embedded = [node.label for node in NODES.values() if node.embedded]
    if label not in embedded:
        raise ValueError(f"no vectors of {label!r}: there are those of {', '.join(embedded)}")


def check_searched_by_words(label: str) -> None:
    """See that nodes of a label are searched by words (ValueError)."""
    searched = [node.label for node in NODES.values() if node.full_text]
    if label not in searched:
        raise ValueError(f"no search by words in {label!r}: it is in {', '.join(searched)}")


def check_edge(edge_type: str, ends: tuple[str, str]) -> None:
    """See that the schema has a type of relationships between two labels (ValueError)."""
    if edge_type not in EDGES or tuple(ends) not in EDGES[edge_type].ends:
        raise ValueError(f"the schema has no {edge_type!r} from {ends[0]!r} to {ends[1]!r}")


def check_communities(
    communities: Sequence[Community], embeddings: Embeddings | None, dimensions: int
) -> None:
    """See that communities can be written as they are.

    :raises StoreError: an id is there twice, a parent is none of them or not one level
        above; vectors are not finite float32 of shape (communities, ``dimensions``).
    """
    levels = {community.id: community.level for community in communities}
    if len(levels) < len(communities):
        raise StoreError("a community's id is there twice")
    for community in communities:
        parent = community.parent_id
        if parent is not None and levels.get(parent) != community.level - 1:
            raise StoreError(f"community {community.id!r} has no parent one level above")
    _vectors("community", len(communities), embeddings, dimensions)


def check_graphs(graphs: Sequence[SourceGraph], dimensions: int) -> None:
    """See that graphs can be written as they are.

    :raises StoreError: an id is there twice, or names nothing in its own source; a
        statement or topic has no chunk, a statement one that others are part of, a fact no
        statement, an entity neither; a confidence is not in 0 to 1, or a polarity none; vectors
        are not finite float32 of shape (records, ``dimensions``).
    """
    seen: set[str] = set()
    for graph in graphs:
        try:
            _check_graph(graph, seen, dimensions)
        except StoreError as error:
            raise StoreError(
                f"the graph of {graph.source.uri!r} can't be written: {error}"
            ) from None


def _check_graph(graph: SourceGraph, seen: set[str], dimensions: int) -> None:
    _each_once("id", [graph.source.id], seen)
    for records in (graph.chunks, graph.topics, graph.statements):
        _each_once("id", _ids(records), seen)
    _each_once("fact", _ids(graph.facts), set())
    _each_once("entity", _ids(graph.entities), set())
    _check_lineage(graph)
    _check_facts(graph)
    _vectors("chunk", len(graph.chunks), graph.chunk_embeddings, dimensions)
    _vectors("topic", len(graph.topics), graph.topic_embeddings, dimensions)
    _vectors("statement", len(graph.statements), graph.statement_embeddings, dimensions)
    _vectors("entity", len(graph.entities), graph.entity_embeddings, dimensions)


def _check_lineage(graph: SourceGraph) -> None:
    chunks, topics = set(_ids(graph.chunks)), set(_ids(graph.topics))
    entities = set(_ids(graph.entities))
    _known("chunk's source", [chunk.source_id for chunk in graph.chunks], {graph.source.id})
    parents = [chunk.parent_id for chunk in graph.chunks if chunk.parent_id is not None]
    _known("chunk's parent", parents, chunks)
    searched = chunks - set(parents)
    for topic in graph.topics:
        _linked("topic's chunk", topic.chunk_ids, chunks)
    _known("topic's source", [topic.source_id for topic in graph.topics], {graph.source.id})
    for statement in graph.statements:
        _linked("statement's chunk", statement.chunk_ids, chunks)
        _known("statement's chunk without parts", statement.chunk_ids, searched)
        _known("statement's topic", [statement.topic_id], topics)
        _known("statement's entity", statement.entity_ids, entities)
        _each_once("statement's entity", statement.entity_ids, set())


def _check_facts(graph: SourceGraph) -> None:
    statements, entities = set(_ids(graph.statements)), set(_ids(graph.entities))
    linked = {id_ for statement in graph.statements for id_ in statement.entity_ids}
    for fact in graph.facts:
        _linked("fact's statement", fact.statement_ids, statements)
        if fact.polarity not in (AFFIRMED, DENIED):
            raise StoreError(
                f"the polarity {fact.polarity!r} is neither {AFFIRMED!r} nor {DENIED!r}"
            )
        ends = [fact.subject_id] + ([] if fact.object_id is None else [fact.object_id])
        _known("fact's entity", ends, entities)
        linked.update(ends)
    _known("entity that a statement or fact names:", entities, linked)
    facts, named = graph.facts, graph.entities
    for confidence in [*(x.confidence for x in facts), *(x.confidence for x in named)]:
        if not 0 <= confidence <= 1:
            raise StoreError(f"the confidence {confidence} is not in 0 to 1")


def _ids(records: Iterable[_HasId]) -> list[str]:
    return [record.id for record in records]


def _each_once(what: str, ids: Sequence[str], seen: set[str]) -> None:
    for id_ in ids:
        if id_ in seen:
            raise StoreError(f"{what} {id_!r} is there twice")
        seen.add(id_)


def _linked(what: str, ids: Sequence[str], known: set[str]) -> None:
    if not ids:
        raise StoreError(f"a {what} is missing")
    _known(what, ids, known)
    _each_once(what, ids, set())


def _known(what: str, ids: Iterable[str], known: set[str]) -> None:
    for id_ in ids:
        if id_ not in known:
            raise StoreError(f"no {what} {id_!r}")


def _vectors(kind: str, count: int, vectors: Embeddings | None, dimensions: int) -> None:
    if vectors is None:
        return
    if vectors.shape != (count, dimensions) or vectors.dtype != np.float32:
        raise StoreError(
            f"{kind} vectors are {vectors.dtype} of shape {vectors.shape}, "
            f"not float32 of ({count}, {dimensions})"
        )
    if not np.isfinite(vectors).all():
        raise StoreError(f"a {kind} vector is not finite")
