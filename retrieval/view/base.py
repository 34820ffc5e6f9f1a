"""What retrievers ask of a graph: where a question leads, and what a walk from there finds.

:class:`hlg.retrieval.view.arrays.ArrayView` answers on a snapshot,
:class:`hlg.retrieval.view.stored.StoreView` in the store, for graphs that are too large for
one; both find the same, so that a retriever never asks which it has. Those few that search
arrays only want them by :func:`hlg.retrieval.view.open.retriever_in_arrays`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.base import STATEMENT, Candidate, Query, SearchSession, Step
from hlg.retrieval.view.beam import BeamLimits
from hlg.store.records import Reach, Reached

Guide = Callable[[Sequence[str], Mapping[str, str]], NDArray[np.floating]]
"""Scores statements by id, as a reranker does; the best of a depth's children stay by it.
The texts that the walk has at hand come with them."""


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Entities that a walk reached and the chunks that mention them.

    ``mentions`` are pairs (place of an entity, place of a chunk), shape (n, 2).
    """

    entities: Sequence[Reached]
    via: NDArray[np.int64]
    """By entity the place of the one that it was reached from, -1 for a start."""
    chunk_ids: Sequence[str]
    cosines: NDArray[np.float32]
    """By chunk that of it and the question."""
    mentions: NDArray[np.int64]


class GraphView(Protocol):
    """A graph as retrievers ask it, for one question."""

    session: SearchSession
    """What the search shares: models, trace, store."""
    query: Query

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

    def entities_named(self, keywords: Sequence[str]) -> list[str]:
        """Ids of the entities that the question names, by its words or by keywords."""

    def neighbourhood(self, starts: Sequence[str], reach: Reach, nearest: int) -> Neighbourhood:
        """What entities relate to, the chunks that mention any of them, and the ``nearest``
        chunks to the question; entities by id."""

    def similarities(self, label: str, ids: Sequence[str]) -> NDArray[np.float32]:
        """Cosines of chunks or statements, by id, and the question, shape (len(ids),);
        0 of what has no vector."""


def named_candidate(id_: str, keywords: int, cosine: float) -> Candidate:
    """A statement that names keywords; any keyword outweighs every cosine."""
    signals = {"keywords": float(keywords), "cosine": cosine}
    return Candidate(STATEMENT, id_, keywords + (1 + cosine) / 2, signals)


def told_of_union(beams: int, paths: int) -> str:
    """The note on what one beam a seed took (eq. 8)."""
    return f"{beams} beams, one a seed, walked {paths} paths"


def with_path(
    end: Candidate, score: float, statements: Sequence[str], entities: Sequence[str]
) -> Candidate:
    """The end of a path, scored by it; ``entities`` names what leads to each next statement."""
    steps = [Step(STATEMENT, statements[0])]
    for statement, entity in zip(statements[1:], entities, strict=True):
        steps.append(Step(STATEMENT, statement, "Entity", entity))
    signals = {**end.signals, "path": score, "depth": float(len(entities))}
    return Candidate(end.label, end.id, score, signals, tuple(steps))
