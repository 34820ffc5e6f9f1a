"""GraphRAG's local search (thesis §3.2.2, eq. 5-10).

The question's entities lead to the chunks that mention them (eq. 5), and over RELATES_TO,
either way round, to the chunks of what they relate to (eq. 6-9). The thesis ranks their
union (eq. 10) by similarity alone and finds that this reaches the evidence but does not
put it first. Here a chunk's score is its similarity plus what links it to the question:
each of the question's entities that it mentions, and the best of those further away, rare
ones and names more than others and common nouns; and the chunks nearest to the question are
candidates too, for the evidence that no entity leads to. ``link_weight=0, nearest=0`` is the
thesis's own ranking.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le
from numpy.typing import NDArray

from hlg.names import normalize_name
from hlg.retrieval.base import CHUNK, ENTITY, Candidate, Step
from hlg.retrieval.options import Count, Options, Share
from hlg.retrieval.view.base import GraphView, Neighbourhood
from hlg.store.records import Reach

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


def local(view: GraphView, options: LocalOptions, top_k: int) -> list[Candidate]:
    """Chunks that mention the question's entities or what those relate to, and the nearest."""
    starts = question_entities(view) or _nearest_entities(view)
    found = around(view, starts, options, top_k)
    return ranked(found, options.link_weight, max(options.pool, top_k))


def question_entities(view: GraphView) -> list[str]:
    """The ids of the entities that a question names, by the graph's own names; where these
    find none, by what the extractor would find in it. One of each that share a name."""
    session = view.session
    if named := view.entities_named(view.query.keywords):
        return named
    with session.trace.stage("names"):
        names = [normalize_name(name) for name in session.recognize(view.query.text)]
    return view.entities_named(names) if names else []


def around(
    view: GraphView, starts: Sequence[str], options: LocalOptions, top_k: int
) -> Neighbourhood:
    """What a search from entities reaches, and the nearest chunks that are wanted."""
    reach = Reach(options.hops, options.max_degree, options.max_paths)
    return view.neighbourhood(starts, reach, max(options.nearest, top_k) if options.nearest else 0)


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


def _weights(found: Neighbourhood, hops: NDArray[np.int64]) -> NDArray[np.float64]:
    """By entity what it counts: its rarity times how far it joins, or the least that one on the
    way there does."""
    joining = np.array([each.weight for each in found.entities])
    for hop in range(1, int(hops.max(initial=0)) + 1):
        here = np.flatnonzero(hops == hop)
        here = here[found.via[here] >= 0]
        joining[here] = np.minimum(joining[here], joining[found.via[here]])
    degrees = np.array([each.degree for each in found.entities], np.int64)
    return np.asarray(joining * rarity(degrees), np.float64)


def _links(found: Neighbourhood) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """By chunk how strongly it is linked to the question, and the entity that leads to it:
    the fewest hops away, then the rarest."""
    size = len(found.chunk_ids)
    entities, chunks = found.mentions.T
    hops = np.array([each.hop for each in found.entities], np.int64)
    weights = _weights(found, hops)
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


def _nearest_entities(view: GraphView) -> list[str]:
    vector, session = view.query.vector, view.session
    with session.trace.stage("entities"):
        near = session.store.vector_search(ENTITY, vector, NEAREST_ENTITIES)
    if near:
        session.trace.notes.append(
            "the question names no known entity: it starts from the nearest ones by embedding"
        )
    return [scored.id for scored in near]
