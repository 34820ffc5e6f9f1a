"""What retrievers ask of a graph: where a question leads, and what a walk from there finds.

:class:`ArrayView` answers on a snapshot, :class:`hlg.retrieval.view.stored.StoreView` in
the store, for graphs that are too large for one; both find the same.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hlg.lexical import LexicalIndex
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.arrays.vectors import best, similarities
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate, Query, SearchSession, Step
from hlg.retrieval.question.entities import snapshot_entities
from hlg.retrieval.view.beam import Beam, BeamLimits, beam_search
from hlg.retrieval.view.beam import Guide as RowGuide

Guide = Callable[[Sequence[str], Mapping[str, str]], NDArray[np.floating]]
"""Scores statements by id, as a reranker does; the best of a depth's children stay by it.
The texts that the walk has at hand come with them."""


class GraphView(Protocol):
    """A graph as retrievers ask it, for one question."""

    def nearest(self, label: str, top_k: int) -> list[Candidate]:
        """Chunks or statements by cosine (eq. 4)."""

    def matching(self, label: str, top_k: int) -> list[Candidate]:
        """Chunks or statements by BM25."""

    def named(self, top_k: int) -> list[Candidate]:
        """Statements by the keywords that they name (eq. 2-3), ties by cosine.

        Keywords that name no entity are asked of the full text of entities' names.
        """

    def of_topics(self, topics: int, top_k: int) -> list[Candidate]:
        """The nearest statements of the nearest topics (§4.2)."""

    def seeds(self, top_k: int) -> list[Candidate]:
        """``top_k`` statements each by keywords and by cosine, each once (Algorithm 1)."""

    def topic_seeds(self, topics: int, top_k: int) -> list[Candidate]:
        """``top_k`` statements each by topics and by keywords, each once (§4.2)."""

    def beam(
        self, seeds: Sequence[Candidate], limits: BeamLimits, guide: Guide | None = None
    ) -> list[Candidate]:
        """Seeds and finds of the beam search (eq. 5-8), each with its path, best first."""


def open_view(session: SearchSession, query: Query) -> GraphView:
    """The walk for a question: on the snapshot, or in the store where that is too large."""
    snapshot = session.snapshot()
    if snapshot is not None:
        return ArrayView(session, snapshot, query)
    from hlg.retrieval.view.stored import StoreView

    return StoreView(session, query)


class ArrayView:
    """A walk on a snapshot; statements' cosines are worked out once."""

    def __init__(self, session: SearchSession, snapshot: Snapshot, query: Query) -> None:
        self._trace = session.trace
        self._snapshot = snapshot
        self._query = query

    @cached_property
    def cosines(self) -> NDArray[np.float32]:
        """Of every statement and the question."""
        return self._similarities(self._snapshot.statement_embeddings)

    def nearest(self, label: str, top_k: int) -> list[Candidate]:
        """See :class:`GraphView`."""
        if label == STATEMENT:
            return [self._statement(row) for row in best(self.cosines, top_k).tolist()]
        cosines = self._similarities(self._snapshot.chunk_embeddings)
        rows = best(cosines, top_k)
        return _scored(label, self._snapshot.chunk_ids[rows], cosines[rows], "cosine")

    def matching(self, label: str, top_k: int) -> list[Candidate]:
        """See :class:`GraphView`."""
        snapshot = self._snapshot
        words: LexicalIndex = snapshot.chunk_words if label == CHUNK else snapshot.statement_words
        ids = snapshot.chunk_ids if label == CHUNK else snapshot.statement_ids
        with self._trace.stage("search"):
            rows, scores = words.search(self._query.text, top_k)
        return _scored(label, ids[rows], scores, "bm25")

    def named(self, top_k: int) -> list[Candidate]:
        """See :class:`GraphView`."""
        return self._named(top_k, similar=True)

    def _named(self, top_k: int, *, similar: bool) -> list[Candidate]:
        keywords, cosines = self._query.keywords, self.cosines
        with self._trace.stage("search"):
            entities = snapshot_entities(
                self._snapshot, self._query.text, keywords, similar=similar
            )
            counts = np.zeros(len(cosines), np.int32)
            for keyword in {key for keys in entities.values() for key in keys}:
                rows = np.array([row for row, keys in entities.items() if keyword in keys])
                counts[np.unique(self._snapshot.entity_statements.gather(rows)[1])] += 1
            named = np.flatnonzero(counts)
            order = np.lexsort((-cosines[named], -counts[named]))[:top_k]
        return [
            named_candidate(self._id(row), int(counts[row]), float(cosines[row]))
            for row in named[order].tolist()
        ]

    def of_topics(self, topics: int, top_k: int) -> list[Candidate]:
        """See :class:`GraphView`."""
        snapshot = self._snapshot
        relevance = self._similarities(snapshot.topic_embeddings)
        chosen = np.zeros(len(relevance), bool)
        chosen[best(relevance, topics)] = True
        rows = np.flatnonzero(chosen[snapshot.statement_topic])
        rows = rows[best(self.cosines[rows], top_k)]
        of_topic = relevance[snapshot.statement_topic[rows]]
        return [
            self._statement(row, topic_cosine=float(cosine))
            for row, cosine in zip(rows.tolist(), of_topic, strict=True)
        ]

    def seeds(self, top_k: int) -> list[Candidate]:
        """See :class:`GraphView`."""
        return merged(self._named(top_k, similar=False), self.nearest(STATEMENT, top_k))

    def topic_seeds(self, topics: int, top_k: int) -> list[Candidate]:
        """See :class:`GraphView`."""
        return merged(self.of_topics(topics, top_k), self._named(top_k, similar=False))

    def beam(
        self, seeds: Sequence[Candidate], limits: BeamLimits, guide: Guide | None = None
    ) -> list[Candidate]:
        """See :class:`GraphView`."""
        snapshot, cosines = self._snapshot, self.cosines
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
        self._tell(found)
        known = {seed.id: seed for seed in seeds}
        return best_first(self._path(found, i, known) for i in range(len(found.scores)))

    def _path(self, found: Beam, i: int, seeds: dict[str, Candidate]) -> Candidate:
        depth = int(found.depths[i])
        statements = found.statements[i, : depth + 1].tolist()
        names = [self._snapshot.entity_names[e] for e in found.entities[i, :depth].tolist()]
        ids = [self._id(row) for row in statements]
        end = seeds.get(ids[-1]) or self._statement(statements[-1])
        return with_path(end, float(found.scores[i]), ids, names)

    def _by_row(self, guide: Guide) -> RowGuide:
        return lambda rows: guide([self._id(row) for row in rows.tolist()], {})

    def _tell(self, found: Beam) -> None:
        degrees = self._snapshot.entity_statements.degrees()
        self._trace.not_walked |= {
            self._snapshot.entity_names[row]: int(degrees[row]) for row in found.not_walked.tolist()
        }
        if found.left_out:
            self._trace.notes.append(
                f"{found.left_out} neighbours were not looked at (max_neighbours)"
            )

    def _similarities(self, matrix: NDArray[np.float16]) -> NDArray[np.float32]:
        vector = self._query.vector
        with self._trace.stage("search"):
            return similarities(matrix, vector)

    def _statement(self, row: int, **signals: float) -> Candidate:
        cosine = float(self.cosines[row])
        return Candidate(STATEMENT, self._id(row), cosine, {"cosine": cosine, **signals})

    def _id(self, row: int) -> str:
        return str(self._snapshot.statement_ids[row], "ascii")


def named_candidate(id_: str, keywords: int, cosine: float) -> Candidate:
    """A statement that names keywords; any keyword outweighs every cosine."""
    signals = {"keywords": float(keywords), "cosine": cosine}
    return Candidate(STATEMENT, id_, keywords + (1 + cosine) / 2, signals)


def with_path(
    end: Candidate, score: float, statements: Sequence[str], entities: Sequence[str]
) -> Candidate:
    """The end of a path, scored by it; ``entities`` names what leads to each next statement."""
    steps = [Step(STATEMENT, statements[0])]
    for statement, entity in zip(statements[1:], entities, strict=True):
        steps.append(Step(STATEMENT, statement, "Entity", entity))
    signals = {**end.signals, "path": score, "depth": float(len(entities))}
    return replace(end, score=score, signals=signals, path=tuple(steps))


def merged(*searches: Iterable[Candidate]) -> list[Candidate]:
    """The union of searches: each statement once, with the signals of all; by cosine."""
    found: dict[str, Candidate] = {}
    for candidate in (candidate for search in searches for candidate in search):
        known = found.get(candidate.id)
        signals = {**known.signals, **candidate.signals} if known else candidate.signals
        found[candidate.id] = replace(candidate, score=signals["cosine"], signals=signals)
    return best_first(found.values())


def best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """By score, ties by id."""
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.id))


def _scored(
    label: str, ids: NDArray[np.bytes_], scores: NDArray[np.float32], signal: str
) -> list[Candidate]:
    return [
        Candidate(label, str(id_, "ascii"), score, {signal: score})
        for id_, score in zip(ids.tolist(), scores.tolist(), strict=True)
    ]
