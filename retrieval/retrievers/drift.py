"""Global, then local, as GraphRAG's DRIFT search goes: the communities nearest to the question
say where to look, and a local search from their entities and the question's own looks there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hlg.retrieval.base import COMMUNITY, Candidate, Step
from hlg.retrieval.options import Count
from hlg.retrieval.retrievers.global_ import Level, RatedCommunity, nearest_communities
from hlg.retrieval.retrievers.local import Hops, LocalOptions, around, question_entities, ranked
from hlg.retrieval.view.base import GraphView, Neighbourhood
from hlg.store.records import Reached


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftOptions(LocalOptions):
    """Communities, then local search.

    :param level: only communities of this level, and those above it that have no parts;
        of all levels by default.
    :param communities: how many of them are looked at.
    :param members: how many entities of each; larger communities are passed over.
    """

    hops: Hops = 1
    level: Level | None = None
    communities: Count = 10
    members: Count = 50


def drift(view: GraphView, options: DriftOptions, top_k: int) -> list[Candidate]:
    """Chunks around the entities of the nearest communities and of the question.

    :raises UsageError: the graph has no communities.
    """
    rated = nearest_communities(view, options.communities, options.level)
    if not rated:
        return []
    chosen = [each for each in rated if len(each.community.entity_ids) <= options.members]
    named = set(question_entities(view))
    members = [id_ for each in chosen for id_ in each.community.entity_ids]
    starts = sorted(named.union(members))
    found = around(view, starts, options, top_k)
    # What only a community leads to is as far away as what a relation leads to.
    community_of = {id_: each for each in reversed(chosen) for id_ in each.community.entity_ids}
    leads = {
        each.id: community_of[each.starts[0]]
        for each in found.entities
        if each.starts and named.isdisjoint(each.starts)
    }
    found = replace(
        found,
        entities=[
            replace(each, hop=each.hop + 1) if _start(found, i).id in leads else each
            for i, each in enumerate(found.entities)
        ],
    )
    best = ranked(found, options.link_weight, max(options.pool, top_k))
    return [_behind_community(candidate, leads) for candidate in best]


def _start(found: Neighbourhood, place: int) -> Reached:
    """The entity that the way to another one starts from."""
    while found.via[place] >= 0:
        place = int(found.via[place])
    return found.entities[place]


def _behind_community(candidate: Candidate, leads: Mapping[str, RatedCommunity]) -> Candidate:
    """A chunk with the community before the first entity of its path, where that led to it."""
    lead = leads.get(candidate.path[0].id)
    if lead is None:
        return candidate
    step = Step(COMMUNITY, lead.community.id, name=lead.community.title)
    signals = {**candidate.signals, "community": lead.cosine}
    return replace(candidate, signals=signals, path=(step, *candidate.path))
