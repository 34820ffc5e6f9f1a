"""A snapshot seen passage by passage: what ranking needs that the snapshot leaves implicit.

Made once a process, in a few array operations. Passages are chunks; ``entities`` and
``holders`` join chunks to the entities that their statements mention, either way.
"""

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval import vectors as float16
from hlg.retrieval.snapshot import Csr, Snapshot
from hlg.retrieval.snapshot_build import csr
from hlg.strings import Strings

FLOAT32_BUDGET = 1 << 30
"""Embeddings that take up to this many bytes as float32 are held as such; larger ones are
multiplied as they are."""

LEAST_WEIGHT = 1e-3
"""What an entity of every passage still weighs in a walk."""

_QUALIFIER = re.compile(r"(?<=\S)\s*(?:\([^()]*\)?|,.*)$")
"""A normalised title has lost a bracket that closes it."""


@dataclass(frozen=True, slots=True)
class Passages:
    """The chunks of a snapshot with their statements, entities and titles."""

    snapshot: Snapshot
    chunk_vectors: NDArray[np.floating]
    statement_vectors: NDArray[np.floating]
    """Sorted by chunk, as ``statement_order`` is."""
    statement_order: NDArray[np.int64]
    """Statement rows sorted by chunk."""
    statement_bounds: NDArray[np.int64]
    """Where each chunk's statements start in ``statement_order``; one more at the end."""
    entities: Csr
    holders: Csr
    entity_idf: NDArray[np.float32]
    """log(N / df) over chunks as a share of log(N): 1 where one chunk mentions it, 0 for all."""
    entity_owner: NDArray[np.int64]
    """For each link of ``entities`` its chunk."""
    entity_share: NDArray[np.float64]
    """For each link of ``entities`` its part of the chunk's weight, by IDF."""
    source_chunks: Csr
    title_entity: NDArray[np.int32]
    """By source: the entity that its title names, by its subject alone if need be, else -1."""
    names: Strings
    """What titles call their subject, without its qualifier in brackets or after a comma;
    sorted, each once."""
    named_sources: Csr
    title_terms: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Terms of titles by source, filled in as they are asked for."""

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Passages":
        """The view of a snapshot."""
        chunks, sources = len(snapshot.chunk_ids), len(snapshot.source_ids)
        order = np.argsort(snapshot.statement_chunk, kind="stable")
        bounds = np.searchsorted(snapshot.statement_chunk[order], np.arange(chunks + 1))
        owners = np.repeat(snapshot.statement_chunk, snapshot.mentions.degrees())
        entities = _csr(owners, snapshot.mentions.indices, chunks)
        holders = _csr(*_transposed(entities), len(snapshot.entity_keys))
        frequency = np.maximum(holders.degrees(), 1)
        idf = 1 - np.log(frequency) / np.log(max(chunks, 2))
        owner = np.repeat(np.arange(chunks), entities.degrees())
        weight = idf[entities.indices] + LEAST_WEIGHT
        names = [subject(snapshot.source_titles[i]) for i in range(sources)]
        keys = sorted(set(names), key=lambda name: name.encode("utf-8", "replace"))
        column = {key: i for i, key in enumerate(keys)}
        named = np.array([column[name] for name in names], np.int64)
        return cls(
            snapshot,
            _widened(snapshot.chunk_embeddings),
            _widened(snapshot.statement_embeddings[order]),
            order,
            bounds,
            entities,
            holders,
            idf.astype(np.float32),
            owner,
            weight / np.bincount(owner, weight, chunks)[owner],
            _csr(snapshot.chunk_source, np.arange(chunks), sources),
            _title_entities(snapshot, names),
            Strings.of(keys),
            _csr(named, np.arange(sources), len(keys)),
        )

    def terms_of_title(self, source: int) -> tuple[str, ...]:
        """The terms of a source's title, each once, its qualifier left out."""
        terms = self.title_terms.get(source)
        if terms is None:
            found = self.snapshot.chunk_words.terms(subject(self.snapshot.source_titles[source]))
            terms = self.title_terms[source] = tuple(dict.fromkeys(found))
        return terms

    def first_chunks(self, sources: NDArray[np.integer]) -> NDArray[np.int32]:
        """The first chunk of each source that has one."""
        filled = sources[self.source_chunks.degrees()[sources] > 0]
        chunks: NDArray[np.int32] = self.source_chunks.indices[self.source_chunks.indptr[filled]]
        return chunks

    def best_of_chunks(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """By chunk the highest of its statements' scores, given in statement order; 0 without."""
        best = np.zeros(len(self.statement_bounds) - 1, np.float32)
        filled = np.flatnonzero(np.diff(self.statement_bounds))
        if len(filled):
            best[filled] = np.maximum.reduceat(scores, self.statement_bounds[filled])
        return best

    def statement_slots(self, chunk: int) -> slice:
        """Where a chunk's statements are in ``statement_order``."""
        return slice(int(self.statement_bounds[chunk]), int(self.statement_bounds[chunk + 1]))


def subject(title: str) -> str:
    """A normalised title without what tells it from others of its name.

    >>> subject("ganges (river"), subject("paris, texas"), subject("(untitled)")
    ('ganges', 'paris', '(untitled)')
    """
    return _QUALIFIER.sub("", title) or title


def similarities(
    vectors: NDArray[np.floating], queries: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Inner products, shape (len(vectors), len(queries)), without widening all at once."""
    if vectors.dtype == np.float32:
        return np.asarray(vectors @ queries.T, np.float32)
    return np.stack([float16.similarities(vectors, query) for query in queries], axis=1)


def concatenated(
    links: Csr, rows: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The targets of several rows in one array, and for each the position in ``rows``."""
    starts, counts = links.indptr[rows], links.indptr[rows + 1] - links.indptr[rows]
    owners = np.repeat(np.arange(len(rows)), counts)
    offsets = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
    return owners, links.indices[np.repeat(starts, counts) + offsets]


def _title_entities(snapshot: Snapshot, names: list[str]) -> NDArray[np.int32]:
    entities = snapshot.title_entity.copy()
    for source, name in enumerate(names):
        if entities[source] < 0 or snapshot.source_titles[source] != name:
            row = snapshot.entity_keys.find(name)
            entities[source] = row if row >= 0 else entities[source]
    return entities


def _widened(vectors: NDArray[np.float16]) -> NDArray[np.floating]:
    return float16.decode(vectors) if vectors.size * 4 <= FLOAT32_BUDGET else vectors


def _csr(rows: NDArray[np.integer], targets: NDArray[np.integer], size: int) -> Csr:
    """Each distinct pair once, by row, targets ascending."""
    return csr(np.stack([rows, targets], axis=1).astype(np.int32), size)


def _transposed(csr: Csr) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    return csr.indices, np.repeat(np.arange(len(csr.indptr) - 1), csr.degrees())
