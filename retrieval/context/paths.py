"""What lies within so many facts of entities, path by path (scenarios paper, §3.3).

A path begins at an entity, goes along at most h facts, whichever way round they are, and meets
nothing twice. Of each entity N paths are taken: the short ones first, and of those of one length
the surest. Entities of one normalised name, and those that are merged, are one.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

from hlg.arguments import whole
from hlg.errors import UsageError
from hlg.names import normalize_name
from hlg.retrieval.context.knowledge import entity_names
from hlg.store.base import GraphStore
from hlg.subgraph import GraphNode, Subgraph, SubgraphLimits, united

MOST_HOPS = 4
WIDEST = 60
"""Entities that a hop goes on from."""
STATEMENTS = 200
"""Statements that a hop reads, where no more paths are wanted."""
_RESTS = ("OBJECT", "SUPPORTS", "MENTIONED_IN", "BELONGS_TO", "CHILD_OF", "PART_OF")
"""What leads from a fact to what it is of."""

Seen = Callable[[Sequence[str]], Collection[str]]
"""Of statements by id those that may be seen."""


@dataclass(frozen=True, slots=True)
class PathLimits:
    """How far paths go, and how many there are: ``paths`` of each of ``entities``.

    The paper has 2 hops, 50 to 500 paths, 5 or 20 entities.

    :raises UsageError: one of them is out of its range.
    """

    hops: int = 2
    paths: int = 100
    entities: int = 5

    def __post_init__(self) -> None:
        for each in fields(self):
            if whole(getattr(self, each.name), each.name) < 1:
                raise UsageError(f"{each.name} has to be 1 or more", option=each.name)
        if self.hops > MOST_HOPS:
            raise UsageError(f"hops goes from 1 to {MOST_HOPS}", option="hops")


class Link(NamedTuple):
    """A fact from an entity to the other end, by their keys; a value leads nowhere."""

    fact: str
    start: str
    end: str
    confidence: float
    is_value: bool = False


def subgraph_of_paths(
    store: GraphStore,
    names: Sequence[str],
    limits: PathLimits,
    *,
    least: float,
    seen: Seen,
    canonical: Mapping[str, str],
) -> Subgraph:
    """The facts of the paths from entities of these names, in the order of the paths, with their
    ends and the statements that say so; in a call of the store or two a hop and entity.

    :param names: the best first; those that name nothing are passed over.
    :param least: the confidence of a fact that is told.
    :param seen: leaves out facts whose statements may not be seen.
    :param canonical: merged entities' ids with their canonical ones'.
    """
    parts, taken, starts = [], dict[str, None](), set[str]()
    for key in dict.fromkeys(key for name in names if (key := normalize_name(name))):
        around = _around(store, key, limits, least, seen, canonical)
        if around is None or around.start in starts:
            continue
        starts.add(around.start)
        parts.append(around.subgraph)
        found = paths_from(around.start, around.links, limits.hops, limits.paths)
        taken |= dict.fromkeys(fact for path in found for fact in path)
        if len(parts) == limits.entities:
            break
    return _only(united(parts), taken) if parts else Subgraph()


def paths_from(
    start: str, links: Mapping[str, Sequence[Link]], hops: int, most: int
) -> list[tuple[str, ...]]:
    """The facts of each path from a start, the short paths first.

    :param links: by the key that they start from, the surest first.
    """
    ending: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((), (start,))]
    found: list[tuple[str, ...]] = []
    for _ in range(hops):
        longer = []
        for facts, met in ending:
            for link in links.get(met[-1], ()):
                if link.end in met:
                    continue
                found.append((*facts, link.fact))
                if len(found) == most:
                    return found
                if not link.is_value:
                    longer.append((found[-1], (*met, link.end)))
        ending = longer
    return found


class _Around(NamedTuple):
    """What a walk from an entity reads, the key that it begins at, and links by key."""

    subgraph: Subgraph
    start: str
    links: Mapping[str, Sequence[Link]]


def _around(
    store: GraphStore,
    name: str,
    limits: PathLimits,
    least: float,
    seen: Seen,
    canonical: Mapping[str, str],
) -> _Around | None:
    """What lies around the entity of a normalised name or alias; None where it is none."""
    most = max(STATEMENTS, 2 * limits.paths)
    bounds = SubgraphLimits(most, 2 * most, 4 * most, least)
    found: _Around | None = None
    read, frontier = set[str](), [name]
    for _ in range(limits.hops):
        entities = store.entities_named(frontier) if frontier else []
        if not entities:
            break
        ids = [each.id for each in sorted(entities, key=lambda each: -each.degree)]
        part = store.around("Entity", ids, bounds)
        known = part if found is None else united([found.subgraph, part])
        names = entity_names(known, canonical)
        keys = {id_: normalize_name(called) for id_, called in names.items()}
        start = found.start if found else next((keys[id_] for id_ in ids if id_ in keys), name)
        found = _Around(known, start, _links(known, keys, seen))
        read |= {*frontier, start}
        ends = (link for key in (*frontier, start) for link in found.links.get(key, ()))
        reached = dict.fromkeys(link.end for link in ends if not link.is_value)
        frontier = [key for key in reached if key not in read][:WIDEST]
    return found


def _links(graph: Subgraph, keys: Mapping[str, str], seen: Seen) -> dict[str, list[Link]]:
    """By entity's key the facts that it is in, the surest first."""
    ends = {edge.source: keys[edge.target] for edge in graph.edges_of("OBJECT")}
    may_be_told = _told(graph, seen)
    found: dict[str, list[Link]] = defaultdict(list)
    facts = {node.id: node for node in graph.nodes_of("Fact") if node.id in may_be_told}
    for edge in graph.edges_of("SUBJECT"):
        if (fact := facts.get(edge.target)) is not None:
            for link in _both_ways(fact, keys[edge.source], ends.get(fact.id)):
                found[link.start].append(link)
    for each in found.values():
        each.sort(key=lambda link: -link.confidence)
    return found


def _both_ways(fact: GraphNode, subject: str, object_: str | None) -> Iterator[Link]:
    sure = float(fact.properties.get("confidence", 1.0))
    if object_ is None:
        yield Link(fact.id, subject, f"{fact.id}:", sure, is_value=True)
        return
    yield Link(fact.id, subject, object_, sure)
    if object_ != subject:
        yield Link(fact.id, object_, subject, sure)


def _told(graph: Subgraph, seen: Seen) -> set[str]:
    """The facts that a statement which may be seen supports."""
    supports = graph.edges_of("SUPPORTS")
    may_see = set(seen([edge.target for edge in supports]))
    return {edge.source for edge in supports if edge.target in may_see}


def _only(graph: Subgraph, facts: Mapping[str, None]) -> Subgraph:
    """Of a subgraph these facts, in their order, with what they join and rest on."""
    edges = [edge for edge in graph.edges if edge.type in (*_RESTS, "SUBJECT", "SAME_AS")]
    kept = set(facts)
    for _ in range(4):  # facts, their statements and ends, chunks and topics, sources
        kept |= {edge.target for edge in edges if edge.source in kept and edge.type in _RESTS}
        kept |= {edge.source for edge in edges if edge.target in facts}
    order = {fact: place for place, fact in enumerate(facts)}
    nodes = [node for node in graph.nodes if node.id in kept]
    nodes.sort(key=lambda node: order.get(node.id, -1) if node.label == "Fact" else -1)
    return Subgraph(
        tuple(nodes),
        tuple(edge for edge in edges if edge.source in kept and edge.target in kept),
        graph.left_out,
        graph.unsure,
    )
