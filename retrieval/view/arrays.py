"""A graph as arrays: the view of a snapshot, which is held in memory or mapped from disk."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.arrays.snapshot import Snapshot, as_ids, rows_of
from hlg.retrieval.arrays.vectors import best, decode_rows, similarities
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate, Query, SearchSession
from hlg.retrieval.fusion import best_first, merged
from hlg.retrieval.question.entities import snapshot_entities
from hlg.retrieval.view.base import (
    GraphView,
    Guide,
    Neighbourhood,
    named_candidate,
    told_of_union,
    with_path,
)
from hlg.retrieval.view.beam import Beam, BeamLimits, beam_search
from hlg.retrieval.view.beam import Guide as RowGuide
from hlg.retrieval.view.related import related_rows
from hlg.store.records import Reach, Reached


class ArrayView(GraphView):
    """Over a snapshot; the cosines of all chunks
    and of all statements are worked out once."""

    def __init__(self, session: SearchSession, snapshot: Snapshot, query: Query) -> None:
        self.session = session
        self.query = query
        self.snapshot = snapshot
        self._trace = session.trace

    @cached_property
    def chunk_cosines(self) -> NDArray[np.float32]:
        """Of every chunk and the question."""
        return self._similarities(self.snapshot.chunk_embeddings)

    @cached_property
    def statement_cosines(self) -> NDArray[np.float32]:
        """Of every statement and the question."""
        return self._similarities(self.snapshot.statement_embeddings)

    def nearest(self, label: str, top_k: int) -> list[Candidate]:
        if label == STATEMENT:
            return [self._statement(row) for row in best(self.statement_cosines, top_k).tolist()]
        cosines = self.chunk_cosines
        rows = best(cosines, top_k)
        return scored(label, self.snapshot.chunk_ids[rows], cosines[rows], "cosine")

    def matching(self, label: str, top_k: int) -> list[Candidate]:
        snapshot = self.snapshot
        words = snapshot.chunk_words if label == CHUNK else snapshot.statement_words
        ids = snapshot.chunk_ids if label == CHUNK else snapshot.statement_ids
        with self._trace.stage("search"):
            rows, scores = words.search(self.query.text, top_k)
        return scored(label, ids[rows], scores, "bm25")

    def named(self, top_k: int) -> list[Candidate]:
        return self._named(top_k, similar=True)

    def _named(self, top_k: int, *, similar: bool) -> list[Candidate]:
        keywords, cosines = self.query.keywords, self.statement_cosines
        with self._trace.stage("search"):
            entities = snapshot_entities(self.snapshot, self.query.text, keywords, similar=similar)
            counts = np.zeros(len(cosines), np.int32)
            for keyword in {key for keys in entities.values() for key in keys}:
                rows = np.array([row for row, keys in entities.items() if keyword in keys])
                counts[np.unique(self.snapshot.entity_statements.gather(rows)[1])] += 1
            named = np.flatnonzero(counts)
            order = np.lexsort((-cosines[named], -counts[named]))[:top_k]
        return [
            named_candidate(self._id(row), int(counts[row]), float(cosines[row]))
            for row in named[order].tolist()
        ]

    def of_topics(self, topics: int, top_k: int) -> list[Candidate]:
        snapshot = self.snapshot
        relevance = self._similarities(snapshot.topic_embeddings)
        # One more, which -1 finds: a statement without a topic is in none that is chosen.
        chosen = np.zeros(len(relevance) + 1, bool)
        chosen[best(relevance, topics)] = True
        rows = np.flatnonzero(chosen[snapshot.statement_topic])
        rows = rows[best(self.statement_cosines[rows], top_k)]
        of_topic = relevance[snapshot.statement_topic[rows]]
        return [
            self._statement(row, topic_cosine=float(cosine))
            for row, cosine in zip(rows.tolist(), of_topic, strict=True)
        ]

    def seeds(self, top_k: int) -> list[Candidate]:
        return merged(self._named(top_k, similar=False), self.nearest(STATEMENT, top_k))

    def topic_seeds(self, topics: int, top_k: int) -> list[Candidate]:
        return merged(self.of_topics(topics, top_k), self._named(top_k, similar=False))

    def beam(
        self, seeds: Sequence[Candidate], limits: BeamLimits, guide: Guide | None = None
    ) -> list[Candidate]:
        snapshot, cosines = self.snapshot, self.statement_cosines
        rows = np.searchsorted(snapshot.statement_ids, np.array([s.id for s in seeds], "S32"))
        with self._trace.stage("beam"):
            found = beam_search(
                cosines,
                snapshot.statement_embeddings,
                snapshot.statement_entities,
                snapshot.entity_statements,
                rows,
                limits,
                None if guide is None else self._by_row(guide),
            )
        if limits.union:
            self._trace.notes.append(told_of_union(len(seeds), found.walked))
        self._tell(found)
        return best_first(self._paths(found, {seed.id: seed for seed in seeds}))

    def entities_named(self, keywords: Sequence[str]) -> list[str]:
        snapshot = self.snapshot
        with self._trace.stage("entities"):
            rows = sorted(snapshot_entities(snapshot, self.query.text, keywords, similar=False))
            leaders = snapshot.entity_ids[snapshot.entity_leaders[rows]]
            return [id_.decode() for id_ in leaders.tolist()]

    def neighbourhood(self, starts: Sequence[str], reach: Reach, nearest: int) -> Neighbourhood:
        snapshot, cosines = self.snapshot, self.chunk_cosines
        with self._trace.stage("search"):
            chosen = np.zeros(len(cosines), bool)
            chosen[best(cosines, nearest) if nearest else []] = True
        with self._trace.stage("relations"):
            degrees = snapshot.entity_statements.degrees()
            related = related_rows(
                snapshot.relations,
                snapshot.relation_weights,
                degrees,
                entity_rows(snapshot, starts),
                reach,
            )
            owners, statements = snapshot.entity_statements.gather(related.rows)
            pairs = np.stack([owners, snapshot.statement_chunk[statements]], axis=1)
            pairs = np.unique(pairs, axis=0)
            chosen[pairs[:, 1]] = True
        self._trace.not_walked |= {
            snapshot.entity_names[row]: int(degrees[row]) for row in related.not_walked.tolist()
        }
        chunks = np.flatnonzero(chosen)
        pairs[:, 1] = np.searchsorted(chunks, pairs[:, 1])
        return Neighbourhood(
            self._reached(related.rows, related.hops, starts),
            related.via,
            [id_.decode() for id_ in snapshot.chunk_ids[chunks].tolist()],
            cosines[chunks],
            pairs.astype(np.int64),
        )

    def similarities(self, label: str, ids: Sequence[str]) -> NDArray[np.float32]:
        snapshot, vector = self.snapshot, self.query.vector
        of_chunks = label == CHUNK
        known = snapshot.chunk_ids if of_chunks else snapshot.statement_ids
        vectors = snapshot.chunk_embeddings if of_chunks else snapshot.statement_embeddings
        with self._trace.stage("search"):
            rows = rows_of(as_ids(ids), known)
            found = np.zeros(len(rows), np.float32)
            found[rows >= 0] = decode_rows(vectors, rows[rows >= 0]) @ vector
            return found

    def _reached(
        self, rows: NDArray[np.int64], hops: NDArray[np.int64], starts: Sequence[str]
    ) -> list[Reached]:
        snapshot = self.snapshot
        given: dict[int, list[str]] = defaultdict(list)
        for start in sorted(set(starts)):
            for row in entity_rows(snapshot, [start]).tolist():
                given[row].append(start)
        degrees = snapshot.entity_statements.degrees()[rows]
        leaders = snapshot.entity_ids[snapshot.entity_leaders[rows]]
        weights = snapshot.entity_weights[rows]
        columns = (each.tolist() for each in (leaders, rows, degrees, hops, weights))
        return [
            Reached(
                id_.decode(),
                snapshot.entity_names[row],
                degree,
                hop,
                starts=tuple(given.get(row, ())),
                weight=weight,
            )
            for id_, row, degree, hop, weight in zip(*columns, strict=True)
        ]

    def _paths(self, found: Beam, seeds: Mapping[str, Candidate]) -> Iterator[Candidate]:
        ids = self.snapshot.statement_ids[found.statements].astype(str).tolist()
        names = self.snapshot.entity_names
        cosines = self.statement_cosines[found.ends].tolist()
        rows = zip(ids, found.entities.tolist(), found.depths.tolist(), strict=True)
        for (path, via, depth), cosine, score in zip(
            rows, cosines, found.scores.tolist(), strict=True
        ):
            end = path[depth]
            known = seeds.get(end) or Candidate(STATEMENT, end, cosine, {"cosine": cosine})
            yield with_path(known, score, path[: depth + 1], [names[e] for e in via[:depth]])

    def _by_row(self, guide: Guide) -> RowGuide:
        return lambda rows: guide([self._id(row) for row in rows.tolist()], {})

    def _tell(self, found: Beam) -> None:
        degrees = self.snapshot.entity_statements.degrees()
        self._trace.not_walked |= {
            self.snapshot.entity_names[row]: int(degrees[row]) for row in found.not_walked.tolist()
        }
        if found.left_out:
            self._trace.notes.append(
                f"{found.left_out} neighbours were not looked at (max_neighbours)"
            )

    def _similarities(self, matrix: NDArray[np.float16]) -> NDArray[np.float32]:
        vector = self.query.vector
        with self._trace.stage("search"):
            return similarities(matrix, vector)

    def _statement(self, row: int, **signals: float) -> Candidate:
        cosine = float(self.statement_cosines[row])
        return Candidate(STATEMENT, self._id(row), cosine, {"cosine": cosine, **signals})

    def _id(self, row: int) -> str:
        return str(self.snapshot.statement_ids[row], "ascii")


def entity_rows(snapshot: Snapshot, ids: Sequence[str]) -> NDArray[np.int64]:
    """Rows of entities by id; unknown ones are left out."""
    places = rows_of(as_ids(ids), snapshot.entity_ids)
    return np.asarray(snapshot.entity_rows[places[places >= 0]], np.int64)


def scored(
    label: str, ids: NDArray[np.bytes_], scores: NDArray[np.floating], signal: str
) -> list[Candidate]:
    """Chunks or statements by id, each with the score that is also its one signal."""
    return [
        Candidate(label, str(id_, "ascii"), score, {signal: score})
        for id_, score in zip(ids.tolist(), scores.tolist(), strict=True)
    ]
