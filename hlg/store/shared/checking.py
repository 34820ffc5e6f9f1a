"""What a source's graph has to be before a store takes it: whole, and of one dimension."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from hlg.errors import StoreError
from hlg.records import Embeddings, SourceGraph


class _HasId(Protocol):
    @property
    def id(self) -> str: ...


def check_graphs(graphs: Sequence[SourceGraph], dimensions: int) -> None:
    """See that graphs can be written as they are.

    :raises StoreError: an id is there twice, or names nothing in its own source; a
        statement or topic has no chunk, a fact no statement, an entity neither; vectors
        are not finite float32 of shape (records, ``dimensions``).
    """
    seen: set[str] = set()
    for graph in graphs:
        check = _Check(graph.source.uri)
        check.each_once("id", [graph.source.id], seen)
        check.each_once("id", _ids(graph.chunks), seen)
        check.each_once("id", _ids(graph.topics), seen)
        check.each_once("id", _ids(graph.statements), seen)
        check.each_once("fact", _ids(graph.facts), set())
        check.each_once("entity", _ids(graph.entities), set())
        _check_lineage(check, graph)
        _check_facts(check, graph)
        for kind, records, embeddings in (
            ("chunk", graph.chunks, graph.chunk_embeddings),
            ("topic", graph.topics, graph.topic_embeddings),
            ("statement", graph.statements, graph.statement_embeddings),
            ("entity", graph.entities, graph.entity_embeddings),
        ):
            check.vectors(kind, len(records), embeddings, dimensions)


def _check_lineage(check: "_Check", graph: SourceGraph) -> None:
    chunks, topics = set(_ids(graph.chunks)), set(_ids(graph.topics))
    entities = set(_ids(graph.entities))
    check.known("chunk's source", [chunk.source_id for chunk in graph.chunks], {graph.source.id})
    parents = [chunk.parent_id for chunk in graph.chunks if chunk.parent_id is not None]
    check.known("chunk's parent", parents, chunks)
    for topic in graph.topics:
        check.links("topic's chunk", topic.chunk_ids, chunks)
    check.known("topic's source", [topic.source_id for topic in graph.topics], {graph.source.id})
    for statement in graph.statements:
        check.links("statement's chunk", statement.chunk_ids, chunks)
        check.known("statement's topic", [statement.topic_id], topics)
        check.known("statement's entity", statement.entity_ids, entities)
        check.each_once("statement's entity", statement.entity_ids, set())


def _check_facts(check: "_Check", graph: SourceGraph) -> None:
    statements, entities = set(_ids(graph.statements)), set(_ids(graph.entities))
    linked = {id_ for statement in graph.statements for id_ in statement.entity_ids}
    for fact in graph.facts:
        check.links("fact's statement", fact.statement_ids, statements)
        ends = [fact.subject_id] + ([] if fact.object_id is None else [fact.object_id])
        check.known("fact's entity", ends, entities)
        linked.update(ends)
    check.known("entity that a statement or fact names:", entities, linked)


def _ids(records: Iterable[_HasId]) -> list[str]:
    return [record.id for record in records]


class _Check:
    """Raises for one source."""

    def __init__(self, uri: str) -> None:
        self._uri = uri

    def each_once(self, what: str, ids: Sequence[str], seen: set[str]) -> None:
        for id_ in ids:
            if id_ in seen:
                raise self._error(f"{what} {id_!r} is there twice")
            seen.add(id_)

    def links(self, what: str, ids: Sequence[str], known: set[str]) -> None:
        if not ids:
            raise self._error(f"a {what} is missing")
        self.known(what, ids, known)
        self.each_once(what, ids, set())

    def known(self, what: str, ids: Iterable[str], known: set[str]) -> None:
        for id_ in ids:
            if id_ not in known:
                raise self._error(f"no {what} {id_!r}")

    def vectors(self, kind: str, count: int, vectors: Embeddings | None, dimensions: int) -> None:
        if vectors is None:
            return
        if vectors.shape != (count, dimensions) or vectors.dtype != np.float32:
            raise self._error(
                f"{kind} vectors are {vectors.dtype} of shape {vectors.shape}, "
                f"not float32 of ({count}, {dimensions})"
            )
        if not np.isfinite(vectors).all():
            raise self._error(f"a {kind} vector is not finite")

    def _error(self, problem: str) -> StoreError:
        return StoreError(f"the graph of {self._uri!r} can't be written: {problem}")
