"""What there is to export, row by row: of a store's whole graph, or of a part of it."""

import base64
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from hlg.schema import EDGES, NODES, EdgeType, NodeType
from hlg.store.base import Row
from hlg.subgraph import Subgraph

__all__ = [
    "EXPORTED_NODES",
    "LEFT_OUT",
    "Exportable",
    "SubgraphRows",
    "edge_properties",
    "edge_rows",
    "in_base64",
    "node_rows",
]

LEFT_OUT = frozenset({"ingested_at"})
EXPORTED_NODES = tuple(node for node in NODES.values() if node.label != "Graph")


class Exportable(Protocol):
    """A graph that gives its nodes and edges as a store does."""

    def nodes(self, label: str, *, with_embeddings: bool = False) -> Iterator[list[Row]]:
        """See :meth:`hlg.store.base.GraphStore.nodes`."""

    def edges(self, edge_type: str, ends: tuple[str, str]) -> Iterator[list[Row]]:
        """See :meth:`hlg.store.base.GraphStore.edges`."""


class SubgraphRows:
    """A part of a graph as rows, ordered as a store orders them."""

    def __init__(self, subgraph: Subgraph) -> None:
        self.subgraph = subgraph
        self._labels = {node.id: node.label for node in subgraph.nodes}

    def nodes(self, label: str, *, with_embeddings: bool = False) -> Iterator[list[Row]]:
        """The nodes of a label, ordered by id; a part of a graph has no embeddings."""
        rows = [{"id": each.id, **each.properties} for each in self.subgraph.nodes_of(label)]
        if rows:
            yield sorted(rows, key=lambda row: str(row["id"]))

    def edges(self, edge_type: str, ends: tuple[str, str]) -> Iterator[list[Row]]:
        """The edges of a type between two labels, ordered by source, target and predicate."""
        rows = [
            {"from": each.source, "to": each.target, **each.properties}
            for each in self.subgraph.edges_of(edge_type)
            if (self._labels[each.source], self._labels[each.target]) == ends
        ]
        if rows:
            yield sorted(
                rows,
                key=lambda row: (str(row["from"]), str(row["to"]), str(row.get("predicate", ""))),
            )


def node_rows(graph: Exportable, node: NodeType, vectors: bool) -> Iterator[list[Row]]:
    """A label's rows, properties in the schema's order, without what an export leaves out."""
    names = [name for name in node.properties if name not in LEFT_OUT]
    if vectors and node.embedded:
        names.append("embedding")
    for batch in graph.nodes(node.label, with_embeddings=vectors and node.embedded):
        yield [{name: row[name] for name in names if name in row} for row in batch]


def edge_rows(graph: Exportable) -> Iterator[tuple[EdgeType, tuple[str, str], list[Row]]]:
    """All relationships in batches, each with its type and the labels that it joins."""
    for edge in EDGES.values():
        for ends in edge.ends:
            for batch in graph.edges(edge.type, ends):
                yield edge, ends, batch


def edge_properties(edge: EdgeType, row: Row) -> Row:
    """A relationship's own properties."""
    return {name: row[name] for name in edge.properties if name in row}


def in_base64(value: object) -> str:
    """A vector as base64 of its float32 in little-endian order."""
    return base64.b64encode(np.asarray(value, "<f4").tobytes()).decode()
