"""Retrievers by links between chunks and entities: entity linking (E1) and PageRank."""

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from annotated_types import Ge, Lt
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.models.base import Reranker
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.arrays.vectors import best, similarities
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate, Query, SearchSession, Step
from hlg.retrieval.options import Count, Options, StatementOptions
from hlg.retrieval.question.entities import snapshot_entities
from hlg.retrieval.view.view import best_first

Damping = Annotated[float, Ge(0), Lt(1)]
TOLERANCE = 1e-6
"""Power iteration ends when less than this share of the walk still moves."""
MAX_STEPS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLinkOptions(Options):
    """Entity linking.

    :param chunks: how many chunks it starts from.
    :param nodes: how many chunks there are with the linked ones.
    :param max_degree: an entity in more statements links nothing.
    """

    rerank: str | Reranker = "path"
    chunks: Count = 5
    nodes: Count = 50
    max_degree: Count = 200


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


def entity_link(
    session: SearchSession, query: Query, options: EntityLinkOptions, top_k: int
) -> list[Candidate]:
    """The nearest chunks and those that share entities with them (E1, §6.3.1), by cosine.

    Of the linked chunks those stay that share most entities, then the nearest.

    :raises UsageError: the graph is over the snapshot's budget.
    """
    snapshot = required_snapshot(session, "entity-link")
    with session.trace.stage("search"):
        cosines = similarities(snapshot.chunk_embeddings, query.vector)
        start = best(cosines, options.chunks)
    with session.trace.stage("links"):
        linked, vias = _linked_chunks(
            snapshot, start, cosines, replace(options, nodes=max(options.nodes, top_k)), session
        )
    found = [_chunk(snapshot, int(row), cosines) for row in start]
    for row, (origin, entity) in zip(linked.tolist(), vias, strict=True):
        path = (
            Step(CHUNK, snapshot.chunk_ids[origin].decode()),
            Step(CHUNK, snapshot.chunk_ids[row].decode(), "Entity", snapshot.entity_names[entity]),
        )
        found.append(_chunk(snapshot, row, cosines, path))
    return best_first(found)


def page_rank(
    session: SearchSession, query: Query, options: PageRankOptions, top_k: int
) -> list[Candidate]:
    """Statements by personalised PageRank over statements and entities.

    The walk starts at the question's entities, rare ones first, and at the nearest
    statements, by cosine; half of it at each kind where there are both.

    :raises UsageError: the graph is over the snapshot's budget.
    """
    snapshot = required_snapshot(session, "ppr")
    vector, keywords = query.vector, query.keywords
    with session.trace.stage("search"):
        cosines = similarities(snapshot.statement_embeddings, vector)
        nearest = best(cosines, options.seeds)
        entities = np.array(sorted(snapshot_entities(snapshot, query.text, keywords)), np.int64)
    with session.trace.stage("pagerank"):
        ranks = personalised_page_rank(
            snapshot,
            _shares(np.maximum(cosines[nearest], 0), nearest, len(cosines)),
            _shares(_rarity(snapshot, entities), entities, len(snapshot.entity_keys)),
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


def personalised_page_rank(
    snapshot: Snapshot,
    statements: NDArray[np.float64],
    entities: NDArray[np.float64],
    damping: float,
) -> NDArray[np.float64]:
    """How often a walk from the given shares is at each statement, shape (statements,).

    :param statements: share of the starts at each statement, adding up to 1 or 0.
    :param entities: share of the starts at each entity, likewise.
    """
    from scipy.sparse import csr_matrix

    mentions, mentioned = snapshot.statement_entities, snapshot.entity_statements
    shape = (len(statements), len(entities))
    ones = np.ones(len(mentions.indices))
    to_statements = csr_matrix((ones, mentions.indices, mentions.indptr), shape)
    to_entities = csr_matrix((ones, mentioned.indices, mentioned.indptr), shape[::-1])
    leave_statement = 1 / np.maximum(mentions.degrees(), 1)
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


def required_snapshot(session: SearchSession, retriever: str) -> Snapshot:
    """The snapshot, for retrievers that a store can't answer.

    :raises UsageError: the graph is over its budget.
    """
    snapshot = session.snapshot()
    if snapshot is None:
        raise UsageError(
            f"retriever {retriever!r} needs the graph in memory, and it is larger than "
            "snapshot_budget_mb; raise that setting, or use statement-graph"
        )
    return snapshot


def _linked_chunks(
    snapshot: Snapshot,
    start: NDArray[np.intp],
    cosines: NDArray[np.float32],
    options: EntityLinkOptions,
    session: SearchSession,
) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
    """Rows of linked chunks, and for each the chunk and the rarest entity that lead there."""
    statements = np.flatnonzero(np.isin(snapshot.statement_chunk, start))
    owners, entities = snapshot.statement_entities.gather(statements)
    origins = snapshot.statement_chunk[statements[owners]]
    degrees = snapshot.entity_statements.degrees()
    over = np.unique(entities[degrees[entities] > options.max_degree])
    session.trace.not_walked |= {
        snapshot.entity_names[row]: int(degrees[row]) for row in over.tolist()
    }
    # Rarest entities first, so that the first link to a chunk is the one to show.
    order = np.lexsort((origins, entities, degrees[entities]))
    order = order[degrees[entities[order]] <= options.max_degree]
    distinct, first = np.unique(entities[order], return_index=True)
    distinct = distinct[np.argsort(first)]
    origin_of = dict(
        zip(entities[order][::-1].tolist(), origins[order][::-1].tolist(), strict=True)
    )
    ways, reached = snapshot.entity_statements.gather(distinct)
    pairs = np.stack([snapshot.statement_chunk[reached], ways], axis=1)
    pairs = np.unique(pairs[~np.isin(pairs[:, 0], start)], axis=0)
    chunks, place, shared = np.unique(pairs[:, 0], return_index=True, return_counts=True)
    stay = np.lexsort((chunks, -cosines[chunks], -shared))[: max(options.nodes - len(start), 0)]
    vias = [int(distinct[way]) for way in pairs[place[stay], 1]]
    return chunks[stay], [(origin_of[entity], entity) for entity in vias]


def _chunk(
    snapshot: Snapshot, row: int, cosines: NDArray[np.float32], path: tuple[Step, ...] = ()
) -> Candidate:
    cosine = float(cosines[row])
    signals = {"cosine": cosine, "hops": float(bool(path))}
    return Candidate(CHUNK, snapshot.chunk_ids[row].decode(), cosine, signals, path)


def _shares(
    weights: NDArray[np.floating], rows: NDArray[np.integer], size: int
) -> NDArray[np.float64]:
    shares = np.zeros(size)
    shares[rows] = weights
    total = shares.sum()
    return shares / total if total else shares


def _rarity(snapshot: Snapshot, entities: NDArray[np.int64]) -> NDArray[np.float64]:
    degrees = snapshot.entity_statements.degrees()[entities]
    return np.asarray(np.log1p(len(snapshot.statement_ids) / np.maximum(degrees, 1)))
