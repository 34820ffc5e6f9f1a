"""A part of the graph as records: what evidence is made of, and what lies around a node.

Context for a model, pictures and exports are all made from a :class:`Subgraph`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hlg.records import Hit
from hlg.schema import NODES


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node of a label of :data:`hlg.schema.NODES`.

    ``properties`` are the schema's, without ``id`` and without embeddings; text is as it
    was written, absent ones are left out.
    """

    label: str
    id: str
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A relationship of a type of :data:`hlg.schema.EDGES` between the nodes of two ids.

    Two entities may be joined by several ``RELATES_TO``, each with another predicate;
    all other types join a pair once.
    """

    type: str
    source: str
    target: str
    properties: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SubgraphLimits:
    """How many nodes of the labels that can grow without end a subgraph holds, at most.

    Topics, chunks and sources follow from the statements that are kept. Facts, entities and
    relations of less than ``min_confidence`` are left out; but an entity stays that was asked
    for, or that a fact names which stays.
    """

    statements: int = 100
    facts: int = 200
    entities: int = 200
    min_confidence: float = 0.0


LIMITS = SubgraphLimits()
"""Enough for any context, little enough for any machine; pictures take fewer."""


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Nodes and the relationships between them; both ends of every edge are among the nodes.

    Nodes are ordered by label as in the schema, and within a label by what led to them:
    statements in the order in which they were asked for (strongest evidence first), others
    by the first statement that they belong to. Edges are ordered like their ends. A fact
    is only there with its subject and its object. ``left_out`` counts by label the nodes
    that the limits left out; labels of which all are there are not in it. ``unsure`` counts
    likewise those that were left out for their confidence.
    """

    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    unsure: Mapping[str, int] = field(default_factory=dict)

    def nodes_of(self, label: str) -> list[GraphNode]:
        """The nodes of a label, in order."""
        return [node for node in self.nodes if node.label == label]

    def edges_of(self, edge_type: str) -> list[GraphEdge]:
        """The edges of a type, in order."""
        return [edge for edge in self.edges if edge.type == edge_type]


def united(parts: Sequence[Subgraph]) -> Subgraph:
    """Several subgraphs as one: every node and edge once, those of earlier parts first.

    ``left_out`` and ``unsure`` are by label the most of any part, as parts may leave out the same.
    """
    if len(parts) == 1:
        return parts[0]
    nodes: dict[tuple[str, str], GraphNode] = {}
    edges: dict[tuple[str, str, str, object], GraphEdge] = {}
    for part in parts:
        for node in part.nodes:
            nodes.setdefault((node.label, node.id), node)
        for edge in part.edges:
            key = (edge.type, edge.source, edge.target, edge.properties.get("predicate"))
            edges.setdefault(key, edge)
    labels = {label: i for i, label in enumerate(NODES)}
    ordered = sorted(nodes.values(), key=lambda node: labels[node.label])
    return Subgraph(
        tuple(ordered),
        tuple(edges.values()),
        _most(part.left_out for part in parts),
        _most(part.unsure for part in parts),
    )


def _most(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    most: Counter[str] = Counter()
    for each in counts:
        most |= Counter(each)
    return dict(most)


def ids_of(hits: Sequence[Hit]) -> dict[str, list[str]]:
    """By label the statements and chunks that were found, best first, then those of the paths."""
    steps = [(hit.passage.kind, hit.passage.id) for hit in hits]
    steps += [(step.kind, step.id) for hit in hits for step in hit.path]
    found: dict[str, dict[str, None]] = {"Statement": {}, "Chunk": {}}
    for label, id_ in steps:
        if label in found:
            found[label][id_] = None
    return {label: list(ids) for label, ids in found.items() if ids}
