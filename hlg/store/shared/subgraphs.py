"""Subgraphs, by statements that both stores share: one hop at a time, then what it holds.

A walk starts from statements, in the order that the caller gave; everything else is
reached from them, so that limits keep what belongs to the first.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from hlg.facts import is_confident
from hlg.schema import EDGES, NODES
from hlg.store.shared import kinds
from hlg.store.shared.communities import read_fact_supports
from hlg.store.shared.kinds import EdgeKind
from hlg.store.shared.reading import Run, edge_pairs, graph_rows, rows_for, statements_of_entities
from hlg.store.shared.rows import Pair, decoded
from hlg.subgraph import LIMITS, GraphEdge, GraphNode, Subgraph, SubgraphLimits


def evidence(run: Run, label: str, ids: Sequence[str], limits: SubgraphLimits = LIMITS) -> Subgraph:
    """All that statements, or those in chunks (``label``), rest on.

    The statements in the order of ``ids`` (in a chunk that of the text), unknown ones
    left out, with their chunks, topics and sources, the entities that they mention, and
    the facts that support them with their subjects and objects.
    """
    if label == "Statement":
        return _of_statements(run, ids, limits)
    if label == "Chunk":
        return _of_chunks(run, ids, limits)
    raise ValueError(f"evidence is made of Statements or Chunks, not of a {label}")


def around(run: Run, label: str, ids: Sequence[str], limits: SubgraphLimits = LIMITS) -> Subgraph:
    """What lies around nodes of a label (Entity, Source, Community).

    Of entities the statements that mention them or what they are merged with, those
    first that mention most of them; of sources their statements in the order of the
    text; both as :func:`evidence` has them. Of communities the entities in most
    statements, and the statements that most facts between the entities stand in, with
    no entities from elsewhere. Around entities and communities also the relations and
    merges between the entities that are there.
    """
    if label == "Entity":
        return _of_entities(run, ids, limits)
    if label == "Source":
        return _of_sources(run, ids, limits)
    if label == "Community":
        return _of_communities(run, ids, limits)
    raise ValueError(f"there is nothing around a {label}: ask for Entity, Source or Community")


def _of_statements(run: Run, ids: Sequence[str], limits: SubgraphLimits) -> Subgraph:
    walk = _Walk(run, limits)
    known = {row["id"] for row in graph_rows(run, "Statement", dict.fromkeys(ids))}
    walk.expand(id_ for id_ in ids if id_ in known)
    return walk.subgraph()


def _of_chunks(run: Run, ids: Sequence[str], limits: SubgraphLimits) -> Subgraph:
    walk = _Walk(run, limits)
    whole = dict(edge_pairs(run, kinds.CHILD_OF, ids, back=True))
    walk.reach("Chunk", ids)
    pairs = edge_pairs(run, kinds.STATEMENT_IN, dict.fromkeys([*ids, *whole]), back=True)
    by_chunk = defaultdict(set)
    for statement, chunk in pairs:
        by_chunk[whole.get(chunk, chunk)].add(statement)
        by_chunk[chunk].add(statement)
    statements = dict.fromkeys(statement for statement, _ in pairs)
    starts = {row["id"]: row["start"] for row in graph_rows(run, "Statement", statements)}
    walk.expand(
        statement
        for chunk in ids
        for statement in sorted(by_chunk[chunk], key=lambda id_: (starts[id_], id_))
    )
    return walk.subgraph()


def _of_entities(run: Run, ids: Sequence[str], limits: SubgraphLimits) -> Subgraph:
    walk = _Walk(run, limits)
    walk.reach("Entity", ids)
    # Those that name several of the entities say more about what is between them.
    named = Counter(statement for _, statement in statements_of_entities(run, ids))
    walk.expand(sorted(named, key=lambda id_: (-named[id_], id_)))
    walk.relate()
    return walk.subgraph()


def _of_sources(run: Run, ids: Sequence[str], limits: SubgraphLimits) -> Subgraph:
    walk = _Walk(run, limits)
    walk.reach("Source", ids)
    order = {id_: i for i, id_ in enumerate(ids)}
    found = rows_for(run, "read/statements_of_sources", ids)
    rows = sorted(found, key=lambda row: order[row["source"]])
    walk.expand(row["statement"] for row in rows)
    return walk.subgraph()


def _of_communities(run: Run, ids: Sequence[str], limits: SubgraphLimits) -> Subgraph:
    walk = _Walk(run, limits)
    walk.reach("Community", ids)
    walk.reach("Community", walk.follow(kinds.PARENT, ids))
    found = dict.fromkeys(entity for entity, _ in edge_pairs(run, kinds.MEMBER, ids, back=True))
    members = walk.read("Entity", walk.confident("Entity", list(found)))
    reached = walk.reach("Entity", sorted(members, key=lambda id_: (-members[id_]["degree"], id_)))
    walk.follow(kinds.MEMBER, reached)
    walk.close("Entity")
    said = Counter(
        support.statement_id
        for support in read_fact_supports(run, reached)
        if support.object_id in members
    )
    walk.expand(sorted(said, key=lambda id_: (-said[id_], id_)))
    walk.relate()
    return walk.subgraph()


class _Walk:
    """What was reached so far, each label's ids in the order in which they were."""

    def __init__(self, run: Run, limits: SubgraphLimits) -> None:
        self._run = run
        self._limits = {
            "Statement": limits.statements,
            "Fact": limits.facts,
            "Entity": limits.entities,
        }
        self._ids: dict[str, dict[str, None]] = {label: {} for label in NODES}
        self._edges: dict[EdgeKind, Sequence[Pair]] = {}
        self._between: list[tuple[str, dict[str, Any]]] = []
        self._closed: set[str] = set()
        self._left_out: dict[str, set[str]] = defaultdict(set)
        self._least = limits.min_confidence
        self._properties: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
        self._not_confident: dict[str, set[str]] = defaultdict(set)

    def reach(self, label: str, ids: Iterable[str]) -> list[str]:
        """Add nodes up to the label's limit; returns those of ``ids`` that are there now."""
        wanted = list(dict.fromkeys(ids))
        known = self._ids[label]
        new = [] if label in self._closed else [id_ for id_ in wanted if id_ not in known]
        room = max(0, self._limits[label] - len(known)) if label in self._limits else len(new)
        known.update(dict.fromkeys(new[:room]))
        self._left_out[label].update(new[room:])
        return [id_ for id_ in wanted if id_ in known]

    def read(self, label: str, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Properties by id, in the order of ``ids``, unknown ones left out; a node is read once."""
        known = self._properties[label]
        for row in graph_rows(self._run, label, [id_ for id_ in ids if id_ not in known]):
            properties = decoded(row)
            known[properties.pop("id")] = properties
        return {id_: known[id_] for id_ in ids if id_ in known}

    def confident(self, label: str, ids: Sequence[str]) -> Sequence[str]:
        """Those of some nodes that are confident enough; the others are counted."""
        if self._least <= 0:
            return ids
        there = self.read(label, ids)
        kept = [id_ for id_ in there if is_confident(there[id_], self._least)]
        self._not_confident[label].update(there.keys() - set(kept))
        return kept

    def close(self, label: str) -> None:
        """Let no more nodes of a label in, and count none as left out."""
        self._closed.add(label)

    def expand(self, statements: Iterable[str]) -> None:
        """Add statements, and everything that hangs on those within the limit."""
        reached = self.reach("Statement", statements)
        chunks = self.reach("Chunk", self.follow(kinds.STATEMENT_IN, reached))
        self.reach("Chunk", self.follow(kinds.CHILD_OF, chunks))
        topics = self.reach("Topic", self.follow(kinds.BELONGS_TO, reached))
        self.reach("Entity", self.confident("Entity", self.follow(kinds.MENTIONS, reached)))
        self._add_facts(self.confident("Fact", self.follow(kinds.SUPPORTS, reached, back=True)))
        self.follow(kinds.TOPIC_IN, topics)
        self.reach("Source", self.follow(kinds.PART_OF, list(self._ids["Chunk"])))

    def relate(self) -> None:
        """Add the relations and the merges between the entities that were reached."""
        if entities := list(self._ids["Entity"]):
            ids = {"ids": entities}
            related = self._run("read/relations_between", ids)
            merged = self._run("read/edges_with_properties_from", ids, edge=kinds.SAME_AS)
            self._between = [
                *(("RELATES_TO", row) for row in related if is_confident(row, self._least)),
                *(("SAME_AS", row) for row in merged),
            ]

    def follow(self, kind: EdgeKind, ids: Sequence[str], *, back: bool = False) -> list[str]:
        """Add the edges of a kind that start (``back``: end) at ``ids``, in their order; returns
        the nodes at the other ends."""
        near, far = (1, 0) if back else (0, 1)
        order = {id_: i for i, id_ in enumerate(ids)}
        pairs = edge_pairs(self._run, kind, order, back=back)
        pairs.sort(key=lambda pair: order[pair[near]])
        self._edges[kind] = pairs
        return list(dict.fromkeys(pair[far] for pair in pairs))

    def subgraph(self) -> Subgraph:
        """All that was reached and is there, with the edges between."""
        nodes = {
            id_: GraphNode(label, id_, properties)
            for label, ids in self._ids.items()
            for id_, properties in self.read(label, list(ids)).items()
        }
        rank = {id_: i for i, id_ in enumerate(nodes)}
        edges = [
            GraphEdge(type_, *pair)
            for (type_, _, _), pairs in self._edges.items()
            for pair in dict.fromkeys(pairs)
            if rank.keys() >= set(pair)
        ]
        for type_, row in self._between:
            properties = decoded(row)
            ends = properties.pop("from"), properties.pop("to")
            if rank.keys() >= set(ends):
                edges.append(GraphEdge(type_, *ends, properties))
        types = list(EDGES)
        edges.sort(key=lambda e: (types.index(e.type), rank[e.source], rank[e.target]))
        left_out = {label: len(ids) for label, ids in self._left_out.items() if ids}
        hidden = {label: len(ids - nodes.keys()) for label, ids in self._not_confident.items()}
        unsure = {label: count for label, count in hidden.items() if count}
        return Subgraph(tuple(nodes.values()), tuple(edges), left_out, unsure)

    def _add_facts(self, facts: Sequence[str]) -> None:
        """Add facts with their subjects and objects, as far as there is room for all of it."""
        room = self._limits["Fact"]
        self._left_out["Fact"].update(facts[room:])
        facts = facts[:room]
        self.follow(kinds.SUBJECT, facts, back=True)
        self.follow(kinds.OBJECT, facts)
        subjects = {fact: entity for entity, fact in self._edges[kinds.SUBJECT]}
        objects = dict(self._edges[kinds.OBJECT])
        ends = {
            fact: [side[fact] for side in (subjects, objects) if fact in side] for fact in facts
        }
        self.reach("Entity", (entity for entities in ends.values() for entity in entities))
        entities = self._ids["Entity"].keys()
        whole = [fact for fact, named in ends.items() if entities >= set(named)]
        if "Entity" not in self._closed:
            self._left_out["Fact"].update(ends.keys() - set(whole))
        self.reach("Fact", whole)
