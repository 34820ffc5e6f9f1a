"""Entity linking (E1, HLG §6.3.1): the nearest chunks and those one hop over their entities."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.models.base import Reranker
from hlg.retrieval.arrays.passages import passages_of
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.arrays.vectors import best
from hlg.retrieval.base import CHUNK, Candidate, Step
from hlg.retrieval.fusion import best_first
from hlg.retrieval.options import Count, Options
from hlg.retrieval.view.arrays import ArrayView
from hlg.retrieval.view.base import GraphView
from hlg.retrieval.view.open import retriever_in_arrays


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


def entity_link(graph: GraphView, options: EntityLinkOptions, top_k: int) -> list[Candidate]:
    """The nearest chunks and those that share entities with them, ``nodes`` in all, by cosine.

    Of the linked chunks those stay whose shared entities weigh most, then the nearest.
    """
    view = retriever_in_arrays(graph, "entity-link")
    snapshot, cosines = view.snapshot, view.chunk_cosines
    start = best(cosines, options.chunks)
    with view.session.trace.stage("links"):
        linked, vias = _linked_chunks(view, start, options)
    found = [_chunk(snapshot, int(row), cosines) for row in start]
    for row, (origin, entity) in zip(linked.tolist(), vias, strict=True):
        path = (
            Step(CHUNK, snapshot.chunk_ids[origin].decode()),
            Step(CHUNK, snapshot.chunk_ids[row].decode(), "Entity", snapshot.entity_names[entity]),
        )
        found.append(_chunk(snapshot, row, cosines, path))
    return best_first(found)


def _linked_chunks(
    view: ArrayView, start: NDArray[np.intp], options: EntityLinkOptions
) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
    """Rows of linked chunks, and for each the chunk and the rarest entity that lead there."""
    snapshot, cosines = view.snapshot, view.chunk_cosines
    statements = np.flatnonzero(np.isin(snapshot.statement_chunk, start))
    owners, entities = snapshot.statement_entities.gather(statements)
    origins = snapshot.statement_chunk[statements[owners]]
    degrees = snapshot.entity_statements.degrees()
    over = np.unique(entities[degrees[entities] > options.max_degree])
    view.session.trace.not_walked |= {
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
    chunks, place, held = np.unique(pairs[:, 0], return_index=True, return_inverse=True)
    shared = np.bincount(held, passages_of(snapshot).entity_weight[distinct[pairs[:, 1]]])
    stay = np.lexsort((chunks, -cosines[chunks], -shared))[: max(options.nodes - len(start), 0)]
    vias = [int(distinct[way]) for way in pairs[place[stay], 1]]
    return chunks[stay], [(origin_of[entity], entity) for entity in vias]


def _chunk(
    snapshot: Snapshot, row: int, cosines: NDArray[np.float32], path: tuple[Step, ...] = ()
) -> Candidate:
    cosine = float(cosines[row])
    signals = {"cosine": cosine, "hops": float(bool(path))}
    return Candidate(CHUNK, snapshot.chunk_ids[row].decode(), cosine, signals, path)
