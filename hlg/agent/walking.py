"""Walking the graph for an agent: what is said of entities, what joins them, and by which
statement; only over the sources that the agent may see."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from hlg.asking.search import statements_seen
from hlg.errors import UsageError
from hlg.facts import shown_predicate
from hlg.names import normalize_name
from hlg.records import Entity, Passage
from hlg.retrieval.context.knowledge import statement_passages
from hlg.subgraph import Subgraph, SubgraphLimits
from hlg.unicode import one_line

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph

STATEMENTS_A_HOP = 200
"""Statements that a hop reads, shared by the entities that it starts from."""
WIDEST = 60
"""Entities that a hop goes on from."""
NEAR, ALIKE = 4, 0.5
"""So many names at most, of at least that cosine, are offered for one that is none."""


@dataclass(frozen=True, slots=True)
class Said:
    """A statement about an entity, and the fact that it supports, in words, if there is one."""

    fact: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Link:
    """A statement that leads from one entity to another, with the fact that joins them if any."""

    start: str
    end: str
    end_class: str
    end_id: str
    fact: str
    passage: Passage


class EntityWalk:
    """Reads what entities' statements say, each hop in three calls of the store.

    :param where: only what sources that fulfil this say is seen (:mod:`hlg.where`).
    """

    def __init__(self, graph: "LexicalGraph", where: str = "") -> None:
        self._graph = graph
        self._where = where

    def named(self, name: str) -> list[Entity]:
        """The entities of a name or an alias, with all that they are merged with.

        :raises UsageError: there is none.
        """
        key = normalize_name(name)
        found = self._graph.store.entities_named([key]) if key else []
        # Under a condition an entity may be there of which no source that may be seen tells.
        if not found or (self._where and not self.statements([each.id for each in found])):
            near = self._near(name)
            hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "search for it"
            raise UsageError(
                f"no entity is named {name[:80]!r}; {hint}", option="entity", known=near
            )
        return sorted(found, key=lambda each: (-each.degree, each.id))

    def _near(self, name: str) -> list[str]:
        """The names nearest to one, of entities that may be seen."""
        store = self._graph.store
        vector = self._graph.graph_embedder.embed([name])[0]
        near = [
            each.id for each in store.vector_search("Entity", vector, NEAR) if each.score > ALIKE
        ]
        seen = [id_ for id_ in near if not self._where or self.statements([id_])]
        nodes = store.around("Entity", seen, SubgraphLimits(0, 0, NEAR)).nodes_of("Entity")
        names = {node.id: one_line(str(node.properties["name"]), 80) for node in nodes}
        return list(dict.fromkeys(names[id_] for id_ in seen if id_ in names))

    def statements(self, entity_ids: Sequence[str]) -> list[str]:
        """The statements about entities that may be seen, those with facts of theirs first; of
        each entity in turn."""
        store = self._graph.store
        sure = sorted(store.fact_supports(entity_ids), key=lambda each: -each.confidence)
        pairs = [(each.subject_id, each.statement_id) for each in sure]
        pairs += store.statements_of_entities(entity_ids)
        by_entity: dict[str, list[str]] = {id_: [] for id_ in entity_ids}
        for entity, statement in pairs:
            by_entity.setdefault(entity, []).append(statement)
        rounds = zip_longest(*by_entity.values())
        ids = list(dict.fromkeys(id_ for each in rounds for id_ in each if id_))
        return statements_seen(self._graph, self._where, ids)

    def subgraph(self, entity_ids: Sequence[str]) -> Subgraph:
        """What the statements about entities rest on."""
        most = STATEMENTS_A_HOP
        limits = SubgraphLimits(
            most, 2 * most, 4 * most, min_confidence=self._graph.settings.min_confidence
        )
        ids = self.statements(entity_ids)[:most]
        return self._graph.store.evidence("Statement", ids, limits)

    def hops(
        self, start: Sequence[Entity], hops: int, goal: Collection[str] = ()
    ) -> list[list[Link]]:
        """The links to entities that each hop is the first to reach; stops at one of a ``goal``.

        Entities of one normalised name are one. Of several links to one that with the most
        facts on its way is taken.
        """
        facts = {normalize_name(each.name): 0 for each in start}
        frontier = [each.id for each in start]
        found: list[list[Link]] = []
        for _ in range(hops):
            reached: dict[str, tuple[int, Link]] = {}
            for link in links_of(self.subgraph(frontier), frontier):
                key, many = normalize_name(link.end), facts[normalize_name(link.start)]
                many += bool(link.fact)
                if key not in facts and (key not in reached or many > reached[key][0]):
                    reached[key] = many, link
            facts |= {key: many for key, (many, _) in reached.items()}
            links = [link for _, link in reached.values()]
            found.append(links)
            if not links or any(link.end_id in goal for link in links):
                break
            keys = list(dict.fromkeys(normalize_name(link.end) for link in links[:WIDEST]))
            frontier = [each.id for each in self._graph.store.entities_named(keys)]
        return found


def said_of(subgraph: Subgraph, entity_ids: Collection[str]) -> list[Said]:
    """What statements say of entities: facts first, then the statements that support none."""
    passages = statement_passages(subgraph)
    facts = _facts(subgraph)
    said, told = [], set()
    for fact, statement in _supports(subgraph):
        start, end, words = facts[fact]
        if (start in entity_ids or end in entity_ids) and fact not in told:
            told |= {fact, statement}
            said.append(Said(words, passages[statement]))
    mentioning = {
        edge.source for edge in subgraph.edges_of("MENTIONS") if edge.target in entity_ids
    }
    rest = [id_ for id_ in passages if id_ in mentioning and id_ not in told]
    return said + [Said("", passages[id_]) for id_ in rest]


def links_of(subgraph: Subgraph, entity_ids: Collection[str]) -> list[Link]:
    """What leads from entities to others: facts that join them, then statements that name both."""
    passages = statement_passages(subgraph)
    entities = {node.id: node.properties for node in subgraph.nodes_of("Entity")}
    facts = _facts(subgraph)
    found: list[Link] = []

    def add(one: str, other: str, words: str, statement: str) -> None:
        for start, end in ((one, other), (other, one)):
            if start in entity_ids and end in entities and end not in entity_ids:
                names = entities[start]["name"], entities[end]["name"]
                kind = str(entities[end].get("class", ""))
                found.append(Link(*names, kind, end, words, passages[statement]))

    for fact, statement in _supports(subgraph):
        add(*facts[fact], statement)
    named: dict[str, list[str]] = {}
    for edge in subgraph.edges_of("MENTIONS"):
        named.setdefault(edge.source, []).append(edge.target)
    for statement, mentioned in named.items():
        for one in (id_ for id_ in mentioned if id_ in entity_ids):
            for other in mentioned:
                if other not in entity_ids:
                    add(one, other, "", statement)
    return found


def _supports(subgraph: Subgraph) -> list[tuple[str, str]]:
    """Facts with the statements that support them, in the order of the facts."""
    return [(edge.source, edge.target) for edge in subgraph.edges_of("SUPPORTS")]


def _facts(subgraph: Subgraph) -> dict[str, tuple[str, str, str]]:
    """By fact its subject's id, its object's, or "" where that is a value, and it in words."""
    names = {node.id: str(node.properties["name"]) for node in subgraph.nodes_of("Entity")}
    subjects = {edge.target: edge.source for edge in subgraph.edges_of("SUBJECT")}
    objects = {edge.source: edge.target for edge in subgraph.edges_of("OBJECT")}
    found = {}
    for node in subgraph.nodes_of("Fact"):
        subject, object_ = subjects[node.id], objects.get(node.id, "")
        value = names[object_] if object_ else str(node.properties.get("object", ""))
        words = f"{names[subject]} {shown_predicate(node.properties)} {value}"
        found[node.id] = subject, object_, words
    return found
