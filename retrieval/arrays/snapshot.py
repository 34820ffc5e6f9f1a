"""A read-only columnar copy of what a walk over the graph needs, keyed by its revision.

Rows are numbered: statement 0..n_s-1 in order of id, and so on. Everything is an array,
so that a snapshot is mapped from disk and a walk needs no call to the store. Entities of
the same normalised name but another class are one row here: a named-entity tagger that
calls a band a person in one document and an organisation in the next must not cut the
path between them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.bm25 import LexicalIndex
from hlg.strings import Strings


@dataclass(frozen=True, slots=True)
class Csr:
    """Compressed sparse rows: the targets of row i are ``indices[indptr[i]:indptr[i + 1]]``."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]

    def row(self, i: int) -> NDArray[np.int32]:
        """Targets of one row, ascending."""
        return self.indices[self.indptr[i] : self.indptr[i + 1]]

    def degrees(self) -> NDArray[np.int64]:
        """Number of targets of each row."""
        return np.diff(self.indptr)

    def gather(self, rows: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """For the targets of several rows in one array: positions in ``rows``, and targets."""
        owners, places = self.places(rows)
        return owners, self.indices[places]

    def places(self, rows: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """As :meth:`gather`, with the places of the targets in ``indices``."""
        starts = self.indptr[rows]
        counts = self.indptr[rows + 1] - starts
        owners = np.repeat(np.arange(len(rows)), counts)
        offsets = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
        return owners, np.repeat(starts, counts) + offsets


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The graph as arrays. Ids are ASCII (``S32``), sorted; embeddings float16, unit length.

    Snapshots are compared by identity, so that what is derived from one can be cached.
    """

    revision: str
    source_ids: NDArray[np.bytes_]
    source_titles: Strings
    """By source, normalised (:func:`hlg.names.normalize_name`); not sorted."""
    title_entity: NDArray[np.int32]
    """By source: the entity that its title names, else -1."""
    chunk_ids: NDArray[np.bytes_]
    """Of parent chunks and children only the children: those are searched."""
    chunk_embeddings: NDArray[np.float16]
    chunk_source: NDArray[np.int32]
    chunk_parents: NDArray[np.bytes_]
    """By chunk the id of the larger chunk that it is part of, which has no row; else empty."""
    chunk_words: LexicalIndex
    topic_ids: NDArray[np.bytes_]
    topic_embeddings: NDArray[np.float16]
    statement_ids: NDArray[np.bytes_]
    statement_embeddings: NDArray[np.float16]
    statement_chunk: NDArray[np.int32]
    statement_topic: NDArray[np.int32]
    statement_words: LexicalIndex
    entity_keys: Strings
    """Normalised names, sorted."""
    entity_names: Strings
    """By entity: its name as the most mentioned of its classes has it, for people."""
    entity_words: LexicalIndex
    """Words of the entities' names and aliases."""
    alias_keys: Strings
    """Normalised aliases that are no entity's name, sorted."""
    alias_entity: NDArray[np.int32]
    """By alias: the most mentioned entity that has it."""
    entity_ids: NDArray[np.bytes_]
    """All entities' ids, those that share a row among them, sorted."""
    entity_rows: NDArray[np.int32]
    """The row of each of ``entity_ids``."""
    entity_leaders: NDArray[np.int32]
    """By entity: the place in ``entity_ids`` of the one that gives its name."""
    entity_weights: NDArray[np.float32]
    """By entity: how far it joins what mentions it (:func:`hlg.schema.link_weight`)."""
    relations: Csr
    """Entity to the entities that it relates to, either way round."""
    relation_weights: NDArray[np.float32]
    """For each link of ``relations`` its weight, all predicates together."""
    statement_entities: Csr
    """Statement to the entities that it mentions."""
    entity_statements: Csr
    """Entity to the statements that mention it: the transpose of ``statement_entities``."""
    found_again: NDArray[np.float32]
    """How often vectors, and words, find a statement's own passage
    (:func:`hlg.retrieval.arrays.found_again.found_again`)."""


def rows_of(wanted: NDArray[np.bytes_], ids: NDArray[np.bytes_]) -> NDArray[np.int32]:
    """The row of each id in a sorted column, -1 where it is not there."""
    if not len(ids):
        return np.full(len(wanted), -1, np.int32)
    place = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    return np.where(ids[place] == wanted, place, -1).astype(np.int32)


def as_ids(ids: Iterable[str]) -> NDArray[np.bytes_]:
    """Ids as a column to look up with :func:`rows_of`."""
    return np.array([id_.encode("utf-8", "replace") for id_ in ids], np.bytes_)
