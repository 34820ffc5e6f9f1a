"""Personalised PageRank over statements and entities."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Ge, Lt
from numpy.typing import NDArray

from hlg.retrieval.arrays.passages import LEAST_WEIGHT, passages_of
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.arrays.vectors import best
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate
from hlg.retrieval.options import Count, StatementOptions
from hlg.retrieval.question.entities import snapshot_entities
from hlg.retrieval.view.arrays import ArrayView, scored
from hlg.retrieval.view.base import GraphView
from hlg.retrieval.view.open import retriever_in_arrays

Damping = Annotated[float, Ge(0), Lt(1)]
TOLERANCE = 1e-6
"""Power iteration ends when less than this share of the walk still moves."""
MAX_STEPS = 100
PAGE_RANK_DAMPING = 0.85
"""Of PageRank without a question (cascade §III.E)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRankOptions(StatementOptions):
    """Personalised PageRank.

    :param seeds: how many of the nearest statements the walk starts from.
    :param damping: how likely the walk goes on at each step.
    :param candidates: how many statements it gives.
    """

    seeds: Count = 20
    damping: Damping = 0.5
    candidates: Count = 100


def page_rank(graph: GraphView, options: PageRankOptions, top_k: int) -> list[Candidate]:
    """Statements by personalised PageRank over statements and entities.

    The walk starts at the question's entities, by how rare they are and how far they join,
    and at the nearest statements, by cosine; half of it at each kind where there are both.
    """
    view = retriever_in_arrays(graph, "ppr")
    snapshot, query, trace = view.snapshot, view.query, view.session.trace
    cosines, keywords = view.statement_cosines, query.keywords
    with trace.stage("search"):
        nearest = best(cosines, options.seeds)
        entities = np.array(sorted(snapshot_entities(snapshot, query.text, keywords)), np.int64)
    with trace.stage("pagerank"):
        ranks = personalised_page_rank(
            snapshot,
            _shares(np.maximum(cosines[nearest], 0), nearest, len(cosines)),
            _shares(
                passages_of(snapshot).entity_weight[entities], entities, len(snapshot.entity_keys)
            ),
            options.damping,
        )
    top = float(ranks.max(initial=0)) or 1.0
    return [
        Candidate(
            STATEMENT,
            snapshot.statement_ids[row].decode(),
            float(ranks[row]) / top,
            {"ppr": float(ranks[row]), "cosine": float(cosines[row])},
        )
        for row in best(ranks, max(options.candidates, top_k)).tolist()
        if ranks[row] > 0
    ]


def entity_overlap(view: ArrayView, label: str, top_k: int) -> list[Candidate]:
    """Chunks or statements by |Ent(q) ∩ Ent(d)| · (1 + PR(d)), those with none left out.

    The cascade's graph signal (§III.E) on our graph: entities are those that statements
    mention, and PageRank is that of a walk over statements and entities, a chunk's being its
    statements' together.
    """
    snapshot, query = view.snapshot, view.query
    keywords = query.keywords
    of_chunks = label == CHUNK
    with view.session.trace.stage("search"):
        entities = np.array(sorted(snapshot_entities(snapshot, query.text, keywords)), np.int64)
        links = passages_of(snapshot).entity_chunks if of_chunks else snapshot.entity_statements
        ids = snapshot.chunk_ids if of_chunks else snapshot.statement_ids
        overlap = np.bincount(links.gather(entities)[1], minlength=len(ids))
    with view.session.trace.stage("pagerank"):
        ranks = _standing(snapshot)
        if of_chunks:
            ranks = np.bincount(snapshot.statement_chunk, ranks, len(ids)).astype(np.float64)
        scores = overlap * (1 + ranks)
    rows = best(scores, top_k)
    rows = rows[scores[rows] > 0]
    return scored(label, ids[rows], scores[rows], "graph")


@lru_cache(maxsize=1)
def _standing(snapshot: Snapshot) -> NDArray[np.float64]:
    """PageRank of every statement, wherever a walk starts; adds up to at most 1."""
    statements = len(snapshot.statement_ids)
    everywhere = np.full(statements, 1 / max(statements, 1))
    nowhere = np.zeros(len(snapshot.entity_keys))
    return personalised_page_rank(snapshot, everywhere, nowhere, PAGE_RANK_DAMPING)


def personalised_page_rank(
    snapshot: Snapshot,
    statements: NDArray[np.float64],
    entities: NDArray[np.float64],
    damping: float,
) -> NDArray[np.float64]:
    """How often a walk from the given shares is at each statement, shape (statements,).

    It leaves a statement for its entities by their weight, an entity for any of its statements.

    :param statements: share of the starts at each statement, adding up to 1 or 0.
    :param entities: share of the starts at each entity, likewise.
    """
    from scipy.sparse import csr_matrix

    mentions, mentioned = snapshot.statement_entities, snapshot.entity_statements
    shape = (len(statements), len(entities))
    weights = passages_of(snapshot).entity_weight
    to_statements = csr_matrix(
        (np.ones(len(mentions.indices)), mentions.indices, mentions.indptr), shape
    )
    to_entities = csr_matrix(
        (np.repeat(weights, mentioned.degrees()), mentioned.indices, mentioned.indptr), shape[::-1]
    )
    leave_statement = 1 / np.maximum(to_statements @ weights, LEAST_WEIGHT)
    leave_entity = 1 / np.maximum(mentioned.degrees(), 1)
    total = statements.sum() + entities.sum()
    if not total:
        return np.zeros(len(statements))
    start_s, start_e = statements / total, entities / total
    at_s, at_e = start_s, start_e
    for _ in range(MAX_STEPS):
        next_s = (1 - damping) * start_s + damping * (to_statements @ (at_e * leave_entity))
        next_e = (1 - damping) * start_e + damping * (to_entities @ (at_s * leave_statement))
        moved = np.abs(next_s - at_s).sum() + np.abs(next_e - at_e).sum()
        at_s, at_e = next_s, next_e
        if moved < TOLERANCE:
            break
    return np.asarray(at_s, np.float64)


def _shares(
    weights: NDArray[np.floating], rows: NDArray[np.integer], size: int
) -> NDArray[np.float64]:
    shares = np.zeros(size)
    shares[rows] = weights
    total = shares.sum()
    return shares / total if total else shares
