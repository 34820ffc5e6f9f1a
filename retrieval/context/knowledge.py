"""The one subgraph of a conversation: what all its questions found, merged, by strength."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hlg.facts import shown_predicate
from hlg.names import normalize_name
from hlg.records import Hit, Passage, SourceRef
from hlg.retrieval.base import CHUNK, STATEMENT
from hlg.retrieval.context.serialization import Triple
from hlg.schema import PHRASE
from hlg.subgraph import Subgraph, united


@dataclass(frozen=True, slots=True)
class _Link:
    """A fact or relation by ids; the object is an entity or a value. ``node`` is a fact's id."""

    subject: str
    predicate: str
    object: str
    value: bool
    node: str = ""
    confidence: float = 1.0


class Knowledge:
    """A subgraph that grows question by question.

    Strength: what the latest question found comes first; then what more of its best hits
    say (the sum of 1/rank over the hits that lead to the statements of a fact, times how sure
    the fact is).
    """

    def __init__(self) -> None:
        self._graph = Subgraph()
        self._ranks: list[dict[str, int]] = []
        """By question: the best hit's rank that leads to a statement, best first."""
        self._canonical: dict[str, str] = {}

    def add(self, hits: Sequence[Hit], subgraph: Subgraph, canonical: Mapping[str, str]) -> None:
        """Take in what was found for one more question.

        :param canonical: merged entities' ids with their canonical ones'.
        """
        self._canonical |= canonical
        self._graph = united([self._graph, subgraph])
        self._ranks.append(statement_ranks(hits, subgraph))

    @property
    def left_out(self) -> Mapping[str, int]:
        """Nodes by label that the limits of the subgraphs left out."""
        return self._graph.left_out

    def statements(self) -> list[Passage]:
        """All statements, strongest first."""
        passages = statement_passages(self._graph)
        ordered = [id_ for ranks in reversed(self._ranks) for id_ in ranks]
        return [passages[id_] for id_ in dict.fromkeys(ordered) if id_ in passages]

    def triples(self) -> list[Triple]:
        """All facts as triples, strongest first, each once by what it says."""
        supports: dict[str, list[str]] = {}
        for edge in self._graph.edges_of("SUPPORTS"):
            supports.setdefault(edge.source, []).append(edge.target)

        def strength(link: _Link) -> tuple[int, float]:
            for age, ranks in enumerate(reversed(self._ranks)):
                held = {ranks[id_] for id_ in supports.get(link.node, ()) if id_ in ranks}
                if held:
                    return age, -link.confidence * sum(1 / rank for rank in held)
            return len(self._ranks), 0.0

        # Sorting is stable: ties stay in the order in which they were found.
        links = sorted(_links(self._graph), key=strength)
        return _in_words(links, entity_names(self._graph, self._canonical))


def statement_ranks(hits: Sequence[Hit], subgraph: Subgraph) -> dict[str, int]:
    """Statements by the rank of the best hit that leads to them: it is the hit, is on its
    path, or stands in the chunk that was hit."""
    held: dict[str, list[str]] = {}
    for edge in subgraph.edges_of("MENTIONED_IN"):
        held.setdefault(edge.target, []).append(edge.source)
    for edge in subgraph.edges_of("CHILD_OF"):
        held.setdefault(edge.target, []).extend(held.get(edge.source, []))
    ranks: dict[str, int] = {}
    for rank, hit in enumerate(hits, start=1):
        ids = [hit.passage.id] if hit.passage.kind == STATEMENT else []
        ids += [step.id for step in reversed(hit.path) if step.kind == STATEMENT]
        ids += held.get(hit.passage.id, []) if hit.passage.kind == CHUNK else []
        for id_ in ids:
            ranks.setdefault(id_, rank)
    return ranks


def _links(subgraph: Subgraph) -> list[_Link]:
    """Facts with a subject and an object, then relations, in the subgraph's order."""
    subjects = {edge.target: edge.source for edge in subgraph.edges_of("SUBJECT")}
    objects = {edge.source: edge.target for edge in subgraph.edges_of("OBJECT")}
    links = []
    for fact in subgraph.nodes_of("Fact"):
        value = fact.properties.get("object")
        if fact.id in subjects and (fact.id in objects or value is not None):
            predicate = shown_predicate(fact.properties)
            object_ = objects.get(fact.id, value)
            is_value = fact.id not in objects
            sure = float(fact.properties.get("confidence", 1.0))
            link = _Link(subjects[fact.id], predicate, str(object_), is_value, fact.id, sure)
            links.append(link)
    links += [
        _Link(edge.source, str(edge.properties["predicate"]), edge.target, False)
        for edge in subgraph.edges_of("RELATES_TO")
    ]
    return links


def _in_words(links: Iterable[_Link], named: Mapping[str, str]) -> list[Triple]:
    """Links by the names of what they join; the first of those that say the same stays."""
    said: dict[tuple[str, str, str], Triple] = {}
    for link in links:
        subject = named[link.subject]
        object_ = link.object if link.value else named[link.object]
        triple = Triple(subject, link.predicate, object_)
        said.setdefault((subject, normalize_name(link.predicate), object_), triple)
    return list(said.values())


def entity_names(subgraph: Subgraph, canonical: Mapping[str, str]) -> dict[str, str]:
    """What each entity is called: those of one normalised name, and those that are merged,
    by one name: the canonical entity's where it is there, else the most mentioned one's; "we" and
    "you" with the source that says so."""
    entities = {node.id: node.properties for node in subgraph.nodes_of("Entity")}
    for id_, source in _speaking(subgraph, entities):
        name = f"{entities[id_]['name']} ({source.title or source.uri})"
        entities[id_] = {**entities[id_], "name": name}
    groups = _Groups()
    for id_, properties in entities.items():
        groups.join(id_, f"name {normalize_name(str(properties['name']))}")
        if id_ in canonical:
            groups.join(id_, canonical[id_])
    first = {canonical[id_] for id_ in entities if id_ in canonical}
    best: dict[str, tuple[bool, int, str]] = {}
    for id_, properties in entities.items():
        rank = (id_ not in first, -int(properties.get("degree", 0)), str(properties["name"]))
        group = groups.find(id_)
        best[group] = min(rank, best.get(group, rank))
    return {id_: best[groups.find(id_)][2] for id_ in entities}


def _speaking(
    subgraph: Subgraph, entities: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[str, SourceRef]]:
    """By entity that no name stands for its source."""
    if not any(properties.get("class") == PHRASE for properties in entities.values()):
        return
    passages = statement_passages(subgraph)
    statements = {edge.source: edge.target for edge in subgraph.edges_of("SUPPORTS")}
    told = {edge.source: statements.get(edge.target, "") for edge in subgraph.edges_of("SUBJECT")}
    for id_, statement in told.items():
        if entities[id_].get("class") == PHRASE and statement in passages:
            yield id_, passages[statement].source


class _Groups:
    """Disjoint sets of ids."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def find(self, id_: str) -> str:
        """The one id that stands for the group of ``id_``."""
        root = id_
        while (above := self._parent.get(root, root)) != root:
            root = above
        self._parent[id_] = root
        return root

    def join(self, one: str, other: str) -> None:
        self._parent[self.find(one)] = self.find(other)


def statement_passages(subgraph: Subgraph) -> dict[str, Passage]:
    """The statements of a subgraph as passages, by id."""
    nodes = {node.id: node.properties for node in subgraph.nodes}
    targets: dict[str, dict[str, str]] = {}
    for edge in subgraph.edges:
        targets.setdefault(edge.type, {}).setdefault(edge.source, edge.target)
    passages = {}
    for statement in subgraph.nodes_of(STATEMENT):
        chunk = targets.get("MENTIONED_IN", {}).get(statement.id, "")
        chunk = targets.get("CHILD_OF", {}).get(chunk, chunk)
        source = targets.get("PART_OF", {}).get(chunk)
        if source is None:
            continue
        topic = nodes.get(targets.get("BELONGS_TO", {}).get(statement.id, ""), {})
        properties = statement.properties
        passages[statement.id] = Passage(
            kind=STATEMENT,
            id=statement.id,
            text=str(properties["text"]),
            details=str(properties.get("details", "")),
            start=int(properties["start"]),
            end=int(properties["end"]),
            chunk_id=chunk,
            topic=str(topic.get("name", "")),
            source=SourceRef(
                source, str(nodes[source].get("uri", "")), str(nodes[source].get("title", ""))
            ),
        )
    return passages
