"""Local search in a store: what entities relate to, and the chunks that mention them.

By statements that both stores share; entities of one normalised name are one, and so are
merged ones, as they are in a snapshot.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hlg.names import normalize_name
from hlg.schema import link_weight
from hlg.store.records import ChunksAround, Reach, Reached
from hlg.store.shared.reading import Named, Run, SeenEntity, cosines, rows_for, seen_entities


@dataclass(frozen=True, slots=True)
class EntityGroup:
    """Entities that are one: their normalised name, ids, how many statements there are, and how
    far the one that joins most does."""

    key: str
    name: str
    ids: tuple[str, ...]
    degree: int
    weight: float

    def reached(self, hop: int, via: str | None = None, starts: tuple[str, ...] = ()) -> Reached:
        return Reached(self.ids[0], self.name, self.degree, hop, via, starts, self.weight)


def chunks_around(
    run: Run, named: Named, entity_ids: Sequence[str], vector: Sequence[float], reach: Reach
) -> ChunksAround:
    """See :meth:`hlg.store.base.GraphStore.chunks_around`."""
    starts = groups_of(run, named, seen_entities(run, entity_ids))
    groups = {group.key: group for group in starts}
    given = set(entity_ids)
    reached = {
        key: group.reached(0, starts=tuple(sorted(given.intersection(group.ids))))
        for key, group in groups.items()
    }
    not_walked: dict[str, int] = {}
    frontier = sorted(groups, key=_as_bytes)
    for hop in range(1, reach.hops + 1):
        over = [key for key in frontier if groups[key].degree > reach.max_degree]
        not_walked |= {groups[key].name: groups[key].degree for key in over}
        walked = [groups[key] for key in frontier if groups[key].degree <= reach.max_degree]
        found, links = _neighbours(run, named, walked)
        frontier = []
        for (origin, key), _ in sorted(links.items(), key=_heaviest):
            if key in reached or found[key].degree > reach.max_degree:
                continue
            groups[key] = found[key]
            reached[key] = found[key].reached(hop, reached[origin].id)
            frontier.append(key)
            if len(frontier) == reach.max_paths:
                break
        frontier.sort(key=_as_bytes)
    pairs = _chunk_pairs(run, [groups[key] for key in reached])
    near = cosines(run, "Chunk", {chunk for _, chunk in pairs}, vector)
    return ChunksAround(tuple(reached.values()), tuple(pairs), near, not_walked)


def _neighbours(
    run: Run, named: Named, walked: Sequence[EntityGroup]
) -> tuple[dict[str, EntityGroup], dict[tuple[str, str], float]]:
    """What groups relate to, by key, and the weight of each pair of keys."""
    key_of = {id_: group.key for group in walked for id_ in group.ids}
    rows = list(rows_for(run, "read/related_entities", sorted(key_of)))
    seen = seen_entities(run, sorted({row["to"] for row in rows}))
    other = {each.entity.id: normalize_name(each.entity.name) for each in seen}
    links: dict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        pair = key_of[row["from"]], other[row["to"]]
        if pair[0] != pair[1]:
            links[pair] += row["weight"]
    return {group.key: group for group in groups_of(run, named, seen)}, links


def groups_of(run: Run, named: Named, entities: Iterable[SeenEntity]) -> list[EntityGroup]:
    """The whole groups of some entities, in the order of their keys."""
    keys = {normalize_name(seen.entity.name) for seen in entities}
    alike: dict[str, list[SeenEntity]] = defaultdict(list)
    for seen in named(run, sorted(keys)) if keys else ():
        key = normalize_name(seen.entity.name)
        if key in keys:
            alike[key].append(seen)
    return [_group(key, alike[key]) for key in sorted(alike, key=_as_bytes)]


def _group(key: str, alike: Sequence[SeenEntity]) -> EntityGroup:
    """What gives a group its name comes first: no merged entity, and the most mentioned."""
    order = sorted(alike, key=lambda x: (x.is_merged, -x.entity.degree, x.entity.id))
    ordered = [seen.entity for seen in order]
    ids = tuple(entity.id for entity in ordered)
    degree = sum(entity.degree for entity in ordered)
    weight = max(link_weight(entity.entity_class, entity.confidence) for entity in ordered)
    return EntityGroup(key, ordered[0].name, ids, degree, weight)


def _chunk_pairs(run: Run, groups: Sequence[EntityGroup]) -> list[tuple[str, str]]:
    """(Entity, chunk): the first chunk of every statement that mentions a group's member;
    the entity is the group's first."""
    first_of = {id_: group.ids[0] for group in groups for id_ in group.ids}
    places: dict[str, tuple[int, str]] = {}
    mentions: set[tuple[str, str]] = set()
    for row in rows_for(run, "read/chunks_of_entities", sorted(first_of)):
        place = row["ordinal"], row["chunk"]
        places[row["statement"]] = min(place, places.get(row["statement"], place))
        mentions.add((first_of[row["entity"]], row["statement"]))
    return sorted({(entity, places[statement][1]) for entity, statement in mentions})


def _heaviest(link: tuple[tuple[str, str], float]) -> tuple[float, bytes, bytes]:
    (origin, key), weight = link
    return -weight, _as_bytes(key), _as_bytes(origin)


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
