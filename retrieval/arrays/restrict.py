"""A snapshot of some of its sources alone, so that a search never sees the others."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.records import Source
from hlg.retrieval.arrays.snapshot import Csr, Snapshot
from hlg.store.base import GraphStore


class RestrictedSnapshots:
    """Gives a graph's snapshot restricted to some of its sources.

    :param choose: gives, of all sources, those that stay.
    :param snapshots: gives the whole one, as :class:`hlg.retrieval.arrays.source.SnapshotSource`.
    """

    def __init__(
        self,
        snapshots: Callable[[], Snapshot | None],
        store: GraphStore,
        choose: Callable[[Sequence[Source]], Sequence[Source]],
    ) -> None:
        self._snapshots = snapshots
        self._store = store
        self._choose = choose
        self._made: tuple[Snapshot, Snapshot] | None = None

    def __call__(self) -> Snapshot:
        """The restricted snapshot, made once a revision of the graph.

        :raises UsageError: the graph is too large for a snapshot, or no source has a field.
        """
        whole = self._snapshots()
        if whole is None:
            raise UsageError(
                "a condition on sources needs the graph as arrays, and it is over "
                "max_snapshot_mb: raise that setting, or ask without --where",
                option="where",
            )
        if self._made is None or self._made[0] is not whole:
            ids = [source.id for source in self._choose(self._store.sources())]
            mask = np.isin(whole.source_ids, np.array(ids, "S32"))
            self._made = whole, restricted(whole, mask)
        return self._made[1]


def restricted(snapshot: Snapshot, sources: NDArray[np.bool_]) -> Snapshot:
    """The snapshot with the chunks, topics and statements of some sources only.

    Entities and what they relate to stay as they are, and words keep the weight that they
    have in the whole graph, so that a score means the same with and without.

    :param sources: which of ``snapshot.source_ids`` stay.
    """
    chunks = sources[snapshot.chunk_source]
    statements = chunks[snapshot.statement_chunk]
    topics = np.zeros(len(snapshot.topic_ids), bool)
    of_kept = snapshot.statement_topic[statements]
    topics[of_kept[of_kept >= 0]] = True
    places = np.cumsum(statements, dtype=np.int64) - 1
    return replace(
        snapshot,
        source_ids=snapshot.source_ids[sources],
        source_titles=snapshot.source_titles.take(np.flatnonzero(sources)),
        title_entity=snapshot.title_entity[sources],
        chunk_ids=snapshot.chunk_ids[chunks],
        chunk_embeddings=snapshot.chunk_embeddings[chunks],
        chunk_source=_renumbered(snapshot.chunk_source[chunks], sources),
        chunk_parents=snapshot.chunk_parents[chunks],
        chunk_words=snapshot.chunk_words.restricted(chunks),
        topic_ids=snapshot.topic_ids[topics],
        topic_embeddings=snapshot.topic_embeddings[topics],
        statement_ids=snapshot.statement_ids[statements],
        statement_embeddings=snapshot.statement_embeddings[statements],
        statement_chunk=_renumbered(snapshot.statement_chunk[statements], chunks),
        statement_topic=_renumbered(of_kept, topics),
        statement_words=snapshot.statement_words.restricted(statements),
        statement_entities=_rows(snapshot.statement_entities, statements),
        entity_statements=_targets(snapshot.entity_statements, statements, places),
    )


def _renumbered(rows: NDArray[np.int32], mask: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Rows as they are called among those that are kept; -1 stays."""
    if not len(mask):
        return rows
    place = np.cumsum(mask, dtype=np.int32) - 1
    return np.where(rows >= 0, place[rows], -1).astype(np.int32)


def _rows(links: Csr, mask: NDArray[np.bool_]) -> Csr:
    rows = np.flatnonzero(mask)
    _, indices = links.gather(rows)
    indptr = np.concatenate([[0], np.cumsum(links.degrees()[rows])])
    return Csr(indptr.astype(np.int64), indices)


def _targets(links: Csr, mask: NDArray[np.bool_], places: NDArray[np.int64]) -> Csr:
    stays = mask[links.indices]
    before = np.concatenate([[0], np.cumsum(stays, dtype=np.int64)])
    return Csr(before[links.indptr], places[links.indices[stays]].astype(np.int32))
