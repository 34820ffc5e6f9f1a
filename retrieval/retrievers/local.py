"""GraphRAG's local search (thesis §3.2.2, eq. 5-10), on a snapshot or in the store.

The question's entities lead to the chunks that mention them (eq. 5), and over RELATES_TO,
either way round, to the chunks of what they relate to (eq. 6-9). The thesis ranks their
union (eq. 10) by similarity alone and finds that this reaches the evidence but does not
put it first. Here a chunk's score is its similarity plus what links it to the question:
each of the question's entities that it mentions, and the best of those further away, rare
ones more; and the chunks nearest to the question are candidates too, for the evidence
that no entity leads to. ``link_weight=0, nearest=0`` is the thesis's own ranking.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray

from hlg.names import normalize_name
from hlg.records import ChunksAround, Entity, Reached
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.arrays.vectors import best, similarities
from hlg.retrieval.base import CHUNK, ENTITY, Candidate, Query, SearchSession, Step
from hlg.retrieval.options import Count, Options, Share
from hlg.retrieval.question.entities import entities_by_keyword, snapshot_entities
from hlg.retrieval.question.keywords import name_spans
from hlg.retrieval.view.related import related_rows

Hops = Annotated[int, Ge(0), Le(4)]

COMMON = 1_000
"""An entity in so many statements says nothing about a chunk that mentions it."""
DECAY = 0.5
"""What an entity counts a hop further away."""
NEAREST_ENTITIES = 5
"""Entities that a question which names none starts from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalOptions(Options):
    """GraphRAG's local search.

    :param hops: how far it goes from the question's entities.
    :param max_degree: an entity in more statements is not walked through.
    :param max_paths: how many new entities it reaches a hop.
    :param link_weight: what a chunk's links to the question count beside its similarity.
    :param nearest: how many of the nearest chunks are looked at whatever they mention.
    """

    hops: Hops = 2
    max_degree: Count = 200
    max_paths: Count = 1_000
    link_weight: Share = 0.2
    nearest: Annotated[int, Ge(0), Le(100_000)] = 100


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Entities that a search reached and chunks that are its candidates.

    ``mentions`` are pairs (place of an entity, place of a chunk), shape (n, 2).
    """

    entities: Sequence[Reached]
    via: NDArray[np.int64]
    """By entity the place of the one that it was reached from, -1 for a start."""
    chunk_ids: Sequence[str]
    cosines: NDArray[np.float32]
    mentions: NDArray[np.int64]


def local(
    session: SearchSession, query: Query, options: LocalOptions, top_k: int
) -> list[Candidate]:
    """Chunks that mention the question's entities or what those relate to, and the nearest."""
    starts = question_entities(session, query)
    if not starts:
        starts = _nearest_entities(session, query)
    found = neighbourhood(session, query, starts, options, top_k)
    return ranked(found, options.link_weight, max(options.pool, top_k))


def question_entities(session: SearchSession, query: Query) -> list[str]:
    """The ids of the entities that a question names, by the graph's own names and by what
    the extractor would find in it; one of each that share a name."""
    with session.trace.stage("names"):
        names = [normalize_name(name) for name in session.recognize(query.text)]
    keywords = list(dict.fromkeys([*query.keywords, *names]))
    snapshot = session.snapshot()
    with session.trace.stage("entities"):
        if snapshot is None:
            keys = dict.fromkeys([*(span.key for span in name_spans(query.text)), *keywords])
            entities: Sequence[Entity] = session.store.entities_named(list(keys))
            named = entities_by_keyword(entities, query.text, keywords)
            return list(dict.fromkeys(id_ for ids in named.values() for id_ in ids))
        rows = sorted(snapshot_entities(snapshot, query.text, keywords, similar=False))
        return [id_.decode() for id_ in snapshot.entity_ids[snapshot.entity_leaders[rows]].tolist()]


def neighbourhood(
    session: SearchSession, query: Query, starts: Sequence[str], options: LocalOptions, top_k: int
) -> Neighbourhood:
    """What a search from entities reaches; one call where it is walked in the store, and one
    more for the nearest chunks."""
    vector = query.vector
    snapshot = session.snapshot()
    nearest = max(options.nearest, top_k) if options.nearest else 0
    if snapshot is not None:
        return _in_snapshot(session, snapshot, starts, vector, options, nearest)
    with session.trace.stage("search"):
        close = session.store.vector_search(CHUNK, vector, nearest) if nearest else []
    with session.trace.stage("relations"):
        around = session.store.chunks_around(
            starts,
            vector,
            hops=options.hops,
            max_degree=options.max_degree,
            max_paths=options.max_paths,
        )
    session.trace.not_walked |= around.not_walked
    return _of_store(around, {scored.id: scored.score for scored in close})


def ranked(found: Neighbourhood, link_weight: float, limit: int) -> list[Candidate]:
    """The best chunks by similarity and links, each with the path from a start to it."""
    links, lead = _links(found)
    scores = found.cosines + link_weight * links
    order = np.lexsort((np.array(found.chunk_ids, "S32"), -scores))[:limit]
    candidates = []
    for i in order.tolist():
        id_, entity = found.chunk_ids[i], int(lead[i])
        signals = {"cosine": float(found.cosines[i]), "links": float(links[i])}
        path: list[Step] = [Step(CHUNK, id_)]
        if entity >= 0:
            signals["hop"] = float(found.entities[entity].hop)
        while entity >= 0:
            path.append(Step(ENTITY, found.entities[entity].id, name=found.entities[entity].name))
            entity = int(found.via[entity])
        candidates.append(Candidate(CHUNK, id_, float(scores[i]), signals, tuple(reversed(path))))
    return candidates


def rarity(degrees: NDArray[np.integer]) -> NDArray[np.float64]:
    """1 for an entity that one statement mentions, 0 for one that :data:`COMMON` do."""
    share = np.log(np.maximum(degrees, 1)) / np.log(COMMON)
    return np.asarray(np.maximum(1 - share, 0), np.float64)


def _links(found: Neighbourhood) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """By chunk how strongly it is linked to the question, and the entity that leads to it:
    the fewest hops away, then the rarest."""
    size = len(found.chunk_ids)
    entities, chunks = found.mentions.T
    weights = rarity(np.array([each.degree for each in found.entities], np.int64))
    hops = np.array([each.hop for each in found.entities], np.int64)
    links = np.zeros(size)
    for hop in np.unique(hops).tolist():
        here = hops[entities] == hop
        if hop == 0:
            links += np.bincount(chunks[here], weights[entities[here]], size)
        else:
            most = np.zeros(size)
            np.maximum.at(most, chunks[here], weights[entities[here]])
            links += DECAY**hop * most
    lead = np.full(size, -1, np.int64)
    order = np.lexsort((entities, -weights[entities], hops[entities]))[::-1]
    lead[chunks[order]] = entities[order]
    return links, lead


def _nearest_entities(session: SearchSession, query: Query) -> list[str]:
    vector = query.vector
    with session.trace.stage("entities"):
        near = session.store.vector_search(ENTITY, vector, NEAREST_ENTITIES)
    if near:
        session.trace.notes.append(
            "the question names no known entity: it starts from the nearest ones by embedding"
        )
    return [scored.id for scored in near]


def _in_snapshot(
    session: SearchSession,
    snapshot: Snapshot,
    starts: Sequence[str],
    vector: NDArray[np.float32],
    options: LocalOptions,
    nearest: int,
) -> Neighbourhood:
    with session.trace.stage("search"):
        cosines = similarities(snapshot.chunk_embeddings, vector)
        chosen = np.zeros(len(cosines), bool)
        chosen[best(cosines, nearest) if nearest else []] = True
    with session.trace.stage("relations"):
        degrees = snapshot.entity_statements.degrees()
        related = related_rows(
            snapshot.relations,
            snapshot.relation_weights,
            degrees,
            entity_rows(snapshot, starts),
            hops=options.hops,
            max_degree=options.max_degree,
            max_paths=options.max_paths,
        )
        owners, statements = snapshot.entity_statements.gather(related.rows)
        pairs = np.unique(np.stack([owners, snapshot.statement_chunk[statements]], axis=1), axis=0)
        chosen[pairs[:, 1]] = True
    session.trace.not_walked |= {
        snapshot.entity_names[row]: int(degrees[row]) for row in related.not_walked.tolist()
    }
    chunks = np.flatnonzero(chosen)
    leaders = snapshot.entity_ids[snapshot.entity_leaders[related.rows]]
    given: dict[int, list[str]] = defaultdict(list)
    for start in sorted(set(starts)):
        for row in entity_rows(snapshot, [start]).tolist():
            given[row].append(start)
    entities = [
        Reached(
            id_.decode(),
            snapshot.entity_names[row],
            int(degrees[row]),
            hop,
            starts=tuple(given[row]) if row in given else (),
        )
        for id_, row, hop in zip(
            leaders.tolist(), related.rows.tolist(), related.hops.tolist(), strict=True
        )
    ]
    pairs[:, 1] = np.searchsorted(chunks, pairs[:, 1])
    return Neighbourhood(
        entities,
        related.via,
        [id_.decode() for id_ in snapshot.chunk_ids[chunks].tolist()],
        cosines[chunks],
        pairs.astype(np.int64),
    )


def entity_rows(snapshot: Snapshot, ids: Sequence[str]) -> NDArray[np.int64]:
    """Rows of entities by id; unknown ones are left out."""
    wanted = np.array(ids, "S32")
    if not len(wanted) or not len(snapshot.entity_ids):
        return np.zeros(0, np.int64)
    place = np.searchsorted(snapshot.entity_ids, wanted)
    place = np.minimum(place, len(snapshot.entity_ids) - 1)
    rows = snapshot.entity_rows[place[snapshot.entity_ids[place] == wanted]]
    return np.asarray(rows, np.int64)


def _of_store(around: ChunksAround, nearest: dict[str, float]) -> Neighbourhood:
    cosines = {**around.cosines, **nearest}
    ids = sorted(cosines)
    place = {id_: i for i, id_ in enumerate(ids)}
    entity = {each.id: i for i, each in enumerate(around.reached)}
    pairs = [(entity[one], place[chunk]) for one, chunk in around.mentions if chunk in place]
    return Neighbourhood(
        around.reached,
        np.array([-1 if x.via is None else entity[x.via] for x in around.reached], np.int64),
        ids,
        np.array([cosines[id_] for id_ in ids], np.float32),
        np.array(pairs, np.int64).reshape(-1, 2),
    )
