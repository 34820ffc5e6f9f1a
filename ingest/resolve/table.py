"""A graph's entities as columns, read from its store in streams, for finding duplicates."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from hlg.records import Embeddings
from hlg.schema import PHRASE
from hlg.store.base import GraphStore
from hlg.store.records import Row


@dataclass(frozen=True, slots=True, eq=False)
class EntityTable:
    """Entities in ascending order of id, one row each.

    ``embeddings`` are of names, ``contexts`` the sums of the vectors of the statements that
    mention an entity; both of shape (n, d), with rows of zeros (or d = 0) where there are
    none. ``statements`` and ``sources`` say which of them mention an entity.
    """

    ids: list[str]
    names: list[str]
    classes: list[str]
    aliases: list[tuple[str, ...]]
    degrees: NDArray[np.int64]
    embeddings: Embeddings
    contexts: Embeddings
    statements: sparse.csr_array
    """Shape (n, statements), ones."""
    sources: sparse.csr_array
    """Shape (n, sources), ones."""

    def __len__(self) -> int:
        return len(self.ids)


def read_entities(store: GraphStore) -> EntityTable:
    """Read what resolution needs of a graph, one pass over each of its tables.

    :raises StoreError: there is no graph, or it can't be read.
    """
    info = store.info()
    dimensions = info.dimensions if info else 0
    rows: list[Row] = []
    vectors: list[Embeddings] = []
    for every in store.nodes("Entity", with_embeddings=True):
        batch = [row for row in every if row["class"] != PHRASE]
        vectors.append(_vectors(batch, dimensions))
        rows += ({k: v for k, v in row.items() if k != "embedding"} for row in batch)
    ids = [str(row["id"]) for row in rows]
    row_of = {id_: i for i, id_ in enumerate(ids)}
    source_of = _sources_of_statements(store)
    statement_ids, source_ids = list(source_of), sorted(set(source_of.values()))
    column_of = {id_: i for i, id_ in enumerate(statement_ids)}
    mentions = np.array(
        [
            (row_of[entity], column_of[statement])
            for statement, entity in _pairs(store, "MENTIONS", ("Statement", "Entity"))
            if entity in row_of and statement in column_of
        ],
        np.int64,
    ).reshape(-1, 2)
    statements = incidence(mentions, (len(ids), len(statement_ids)))
    places = {id_: i for i, id_ in enumerate(source_ids)}
    source_column = np.array([places[source_of[id_]] for id_ in statement_ids], np.int64)
    in_sources = np.stack([mentions[:, 0], source_column[mentions[:, 1]]], axis=1)
    return EntityTable(
        ids=ids,
        names=[str(row["name"]) for row in rows],
        classes=[str(row["class"]) for row in rows],
        aliases=[_aliases(row) for row in rows],
        degrees=np.array([row.get("degree", 0) for row in rows], np.int64),
        embeddings=np.concatenate([np.zeros((0, dimensions), np.float32), *vectors]),
        contexts=_contexts(store, statements, column_of, dimensions),
        statements=statements,
        sources=incidence(in_sources, (len(ids), len(source_ids))),
    )


def incidence(pairs: NDArray[np.int64], shape: tuple[int, int]) -> sparse.csr_array:
    """Pairs (row, column) as a matrix of ones."""
    ones = np.ones(len(pairs), np.float32)
    matrix = sparse.csr_array((ones, (pairs[:, 0], pairs[:, 1])), shape=shape)
    matrix.data[:] = 1.0
    return matrix


def _contexts(
    store: GraphStore, statements: sparse.csr_array, column_of: dict[str, int], dimensions: int
) -> Embeddings:
    """For each entity the sum of its statements' vectors, added up batch by batch."""
    sums = np.zeros((statements.shape[0], dimensions), np.float32)
    by_statement = statements.tocsc()
    for batch in store.nodes("Statement", with_embeddings=True):
        known = [row for row in batch if str(row["id"]) in column_of]
        part = by_statement[:, [column_of[str(row["id"])] for row in known]].tocsr()
        mentioned = np.flatnonzero(np.diff(part.indptr))
        sums[mentioned] += part[mentioned] @ _vectors(known, dimensions)
    return sums


def _sources_of_statements(store: GraphStore) -> dict[str, str]:
    source_of_chunk = dict(_pairs(store, "PART_OF", ("Chunk", "Source")))
    found: dict[str, str] = {}
    for statement, chunk in _pairs(store, "MENTIONED_IN", ("Statement", "Chunk")):
        if chunk in source_of_chunk:
            found.setdefault(statement, source_of_chunk[chunk])
    return found


def _pairs(store: GraphStore, type_: str, ends: tuple[str, str]) -> Iterator[tuple[str, str]]:
    rows = chain.from_iterable(store.edges(type_, ends))
    return ((str(row["from"]), str(row["to"])) for row in rows)


def _vectors(rows: Iterable[Row], dimensions: int) -> Embeddings:
    absent = np.zeros(dimensions, np.float32)
    vectors: list[Any] = [row.get("embedding", absent) for row in rows]
    return np.array(vectors, np.float32).reshape(-1, dimensions)


def _aliases(row: Row) -> tuple[str, ...]:
    aliases = row.get("aliases") or ()
    assert isinstance(aliases, list | tuple)
    return tuple(map(str, aliases))
