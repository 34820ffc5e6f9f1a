"""Vectors for the records of sources: which text of each record is embedded, and how."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from hlg.ingest.base import leaves
from hlg.models.base import Embedder
from hlg.records import Chunk, Embeddings, Entity, SourceGraph, Statement
from hlg.schema import PHRASE

ENTITY_CACHE_SIZE = 50_000


def statement_embedding_text(statement: Statement) -> str:
    """A statement's text with what its details add (HLG paper, §3.2)."""
    return f"{statement.details}: {statement.text}" if statement.details else statement.text


def chunk_embedding_text(chunk: Chunk) -> str:
    """A chunk's text under its context (title, headings), where it has one."""
    return f"{chunk.context}\n{chunk.text}" if chunk.context else chunk.text


class GraphEmbedder:
    """Fills in the embeddings of source graphs, many sources in one pass of the model.

    Entities come back in source after source; the vectors of the latest
    ``ENTITY_CACHE_SIZE`` are kept, so that most names are embedded once a build.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._entities: OrderedDict[str, Embeddings] = OrderedDict()

    def embed(self, graphs: Sequence[SourceGraph]) -> list[SourceGraph]:
        """The same graphs with all four kinds of embeddings; zeros for chunks with parts."""
        self._embed_entities(entity for graph in graphs for entity in graph.entities)
        texts: list[str] = []
        searched = [leaves(graph.chunks) for graph in graphs]
        for graph, chunks in zip(graphs, searched, strict=True):
            texts += map(chunk_embedding_text, chunks)
            texts += map(statement_embedding_text, graph.statements)
            texts += (topic.name for topic in graph.topics)
        vectors = self._embedder.embed(texts)
        embedded = []
        for graph, chunks in zip(graphs, searched, strict=True):
            sizes = (len(chunks), len(graph.statements), len(graph.topics))
            of_chunks, statements, topics, vectors = np.split(vectors, np.cumsum(sizes))
            embedded.append(
                replace(
                    graph,
                    chunk_embeddings=_chunk_rows(graph.chunks, chunks, of_chunks),
                    statement_embeddings=statements,
                    topic_embeddings=topic_embeddings(graph, topics, statements),
                    entity_embeddings=self._entity_rows(graph.entities),
                )
            )
        while len(self._entities) > ENTITY_CACHE_SIZE:
            self._entities.popitem(last=False)
        return embedded

    def _embed_entities(self, entities: Iterable[Entity]) -> None:
        missing: dict[str, str] = {}
        for entity in entities:
            if entity.id in self._entities:
                self._entities.move_to_end(entity.id)
            elif entity.entity_class != PHRASE:
                missing.setdefault(entity.id, entity.name)
        vectors = self._embedder.embed(list(missing.values()))
        self._entities.update(zip(missing, vectors, strict=True))

    def _entity_rows(self, entities: Sequence[Entity]) -> Embeddings:
        rows = np.zeros((len(entities), self._embedder.dimensions), np.float32)
        for i, entity in enumerate(entities):
            if entity.entity_class != PHRASE:
                rows[i] = self._entities[entity.id]
        return rows


def _chunk_rows(
    chunks: Sequence[Chunk], embedded: Sequence[Chunk], vectors: Embeddings
) -> Embeddings:
    """A row for every chunk, of zeros for those that are not embedded."""
    if len(embedded) == len(chunks):
        return vectors
    place = {chunk.id: i for i, chunk in enumerate(chunks)}
    rows = np.zeros((len(chunks), vectors.shape[1]), np.float32)
    rows[[place[chunk.id] for chunk in embedded]] = vectors
    return rows


def topic_embeddings(graph: SourceGraph, names: Embeddings, statements: Embeddings) -> Embeddings:
    """A topic's name and its statements as one vector (HLG paper, §3.2): their unit mean."""
    position = {topic.id: i for i, topic in enumerate(graph.topics)}
    owners = np.fromiter(
        (position[statement.topic_id] for statement in graph.statements),
        np.int64,
        len(graph.statements),
    )
    sums = names.astype(np.float64)
    np.add.at(sums, owners, statements)
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    unit: Embeddings = (sums / np.maximum(norms, 1e-12)).astype(np.float32)
    return unit
