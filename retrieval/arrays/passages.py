"""A snapshot seen passage by passage: what ranking needs that the snapshot leaves implicit.

Made once a process, in a few array operations. Passages are chunks; ``chunk_entities`` and
``entity_chunks`` join chunks to the entities that their statements mention, either way.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.arrays.build import csr
from hlg.retrieval.arrays.snapshot import Csr, Snapshot
from hlg.retrieval.arrays.vectors import decode_rows
from hlg.strings import Strings

LEAST_WEIGHT = 1e-3
"""What an entity of every passage still weighs in a walk."""

_QUALIFIER = re.compile(r"(?<=\S)\s*(?:\([^()]*\)?|,.*)$")
"""A normalised title has lost a bracket that closes it."""


@dataclass(frozen=True, slots=True)
class Passages:
    """The chunks of a snapshot with their statements, entities and titles."""

    snapshot: Snapshot
    statement_order: NDArray[np.int64]
    """Statement rows sorted by chunk."""
    statement_bounds: NDArray[np.int64]
    """Where each chunk's statements start in ``statement_order``; one more at the end."""
    chunk_entities: Csr
    entity_chunks: Csr
    entity_idf: NDArray[np.float32]
    """log(N / df) over chunks as a share of log(N): 1 where one chunk mentions it, 0 for all."""
    entity_weight: NDArray[np.float64]
    """What an entity weighs in a walk: its IDF times how far it joins what mentions it."""
    entity_owner: NDArray[np.int64]
    """For each link of ``chunk_entities`` its chunk."""
    entity_share: NDArray[np.float64]
    """For each link of ``chunk_entities`` its part of the chunk's weight, by IDF alone, as the
    ranker's trees have learned it."""
    source_chunks: Csr
    title_entity: NDArray[np.int32]
    """By source: the entity that its title names, by its subject or an alias if need be; or -1."""
    names: Strings
    """What titles call their subject, without its qualifier in brackets or after a comma;
    sorted, each once."""
    named_sources: Csr
    title_terms: dict[int, tuple[tuple[str, ...], float]] = field(default_factory=dict)
    """What :meth:`terms_of_title` said so far, by source."""

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Passages":
        """The view of a snapshot."""
        chunks, sources = len(snapshot.chunk_ids), len(snapshot.source_ids)
        order = np.argsort(snapshot.statement_chunk, kind="stable")
        bounds = np.searchsorted(snapshot.statement_chunk[order], np.arange(chunks + 1))
        owners = np.repeat(snapshot.statement_chunk, snapshot.statement_entities.degrees())
        chunk_entities = _csr(owners, snapshot.statement_entities.indices, chunks)
        owner = np.repeat(np.arange(chunks), chunk_entities.degrees())
        entity_chunks = _csr(chunk_entities.indices, owner, len(snapshot.entity_keys))
        frequency = np.maximum(entity_chunks.degrees(), 1)
        idf = 1 - np.log(frequency) / np.log(max(chunks, 2))
        joining = idf * snapshot.entity_weights + LEAST_WEIGHT
        weight = idf[chunk_entities.indices] + LEAST_WEIGHT
        names = [subject(snapshot.source_titles[i]) for i in range(sources)]
        keys = sorted(set(names), key=lambda name: name.encode("utf-8", "replace"))
        column = {key: i for i, key in enumerate(keys)}
        named = np.array([column[name] for name in names], np.int64)
        return cls(
            snapshot,
            order,
            bounds,
            chunk_entities,
            entity_chunks,
            idf.astype(np.float32),
            joining,
            owner,
            weight / np.bincount(owner, weight, chunks)[owner],
            _csr(snapshot.chunk_source, np.arange(chunks), sources),
            _title_entities(snapshot, names),
            Strings.of(keys),
            _csr(named, np.arange(sources), len(keys)),
        )

    def terms_of_title(self, source: int) -> tuple[tuple[str, ...], float]:
        """The terms of a source's title without its qualifier, each once, and their IDF in all."""
        known = self.title_terms.get(source)
        if known is None:
            words = self.snapshot.chunk_words
            terms = tuple(dict.fromkeys(words.terms(subject(self.snapshot.source_titles[source]))))
            known = self.title_terms[source] = (terms, float(words.idf(terms).sum()))
        return known

    def first_chunks(self, sources: NDArray[np.integer]) -> NDArray[np.int32]:
        """The first chunk of each source that has one."""
        filled = sources[self.source_chunks.degrees()[sources] > 0]
        chunks: NDArray[np.int32] = self.source_chunks.indices[self.source_chunks.indptr[filled]]
        return chunks

    def places_of(self, chunks: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The statements of some chunks, chunk by chunk, as places in ``statement_order``.

        :returns: the places, and where each chunk's start among them, one more at the end.
        """
        starts, counts = self.statement_bounds[chunks], np.diff(self.statement_bounds)[chunks]
        ends = np.cumsum(counts)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + counts, counts)
        return places, np.concatenate([[0], ends])

    def best_of_chunks(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """By chunk the highest of its statements' scores, given in statement order; 0 without."""
        return highest(scores, self.statement_bounds)

    def chunk_vectors(self, chunks: NDArray[np.integer]) -> NDArray[np.float32]:
        """The embeddings of some chunks, shape (len(chunks), d)."""
        return decode_rows(self.snapshot.chunk_embeddings, chunks)

    def statement_vectors(self, places: NDArray[np.integer]) -> NDArray[np.float32]:
        """The embeddings of the statements at some places of ``statement_order``."""
        return decode_rows(self.snapshot.statement_embeddings, self.statement_order[places])

    def statement_slots(self, chunk: int) -> slice:
        """Where a chunk's statements are in ``statement_order``."""
        return slice(int(self.statement_bounds[chunk]), int(self.statement_bounds[chunk + 1]))


@lru_cache(maxsize=1)
def passages_of(snapshot: Snapshot) -> Passages:
    """The passages of the snapshot at hand, made once."""
    return Passages.of(snapshot)


def highest(values: NDArray[np.float32], bounds: NDArray[np.integer]) -> NDArray[np.float32]:
    """The highest of each run of rows that ``bounds`` tells apart, column by column; 0 of none."""
    most = np.zeros((len(bounds) - 1, *values.shape[1:]), np.float32)
    filled = np.flatnonzero(np.diff(bounds))
    if len(filled):
        most[filled] = np.maximum.reduceat(values, bounds[filled], axis=0)
    return most


def subject(title: str) -> str:
    """A normalised title without what tells it from others of its name.

    >>> subject("ganges (river"), subject("paris, texas"), subject("(untitled)")
    ('ganges', 'paris', '(untitled)')
    """
    return _QUALIFIER.sub("", title) or title


def _title_entities(snapshot: Snapshot, names: list[str]) -> NDArray[np.int32]:
    """What each title names, by its subject alone if need be; else by an alias, as "prince rupert
    of the rhine" is one of "rupert of the rhine"."""
    entities = snapshot.title_entity.copy()
    for source, name in enumerate(names):
        title = snapshot.source_titles[source]
        if entities[source] < 0 or title != name:
            row = snapshot.entity_keys.find(name)
            entities[source] = row if row >= 0 else entities[source]
        if entities[source] < 0:
            found = [snapshot.alias_keys.find(each) for each in (title, name)]
            known = [snapshot.alias_entity[row] for row in found if row >= 0]
            entities[source] = known[0] if known else -1
    return entities


def _csr(rows: NDArray[np.integer], targets: NDArray[np.integer], size: int) -> Csr:
    """Each distinct pair once, by row, targets ascending."""
    return csr(np.stack([rows, targets], axis=1).astype(np.int32), size)
