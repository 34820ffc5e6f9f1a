"""What there is to export, row by row: of a store's whole graph, or of a part of it."""

import base64
from collections.abc import Iterator
from functools import cached_property
from typing import Protocol

import numpy as np

from hlg.facts import is_confident
from hlg.schema import EDGES, NODES, EdgeType, NodeType
from hlg.store.base import GraphStore
from hlg.store.records import Row
from hlg.subgraph import Subgraph

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


class SureRows:
    """A store's graph without what is less sure than it is asked to be.

    An entity stays that a fact names which stays.
    """

    def __init__(self, store: GraphStore, least: float) -> None:
        self._store = store
        self._least = least

    @cached_property
    def _hidden(self) -> set[str]:
        unsure = {
            label: {
                str(row["id"])
                for batch in self._store.nodes(label)
                for row in batch
                if not is_confident(row, self._least)
            }
            for label in ("Fact", "Entity")
        }
        named = {
            str(row[entity])
            for edge_type, ends, entity, fact in (
                ("SUBJECT", ("Entity", "Fact"), "from", "to"),
                ("OBJECT", ("Fact", "Entity"), "to", "from"),
            )
            for batch in self._store.edges(edge_type, ends)
            for row in batch
            if row[entity] in unsure["Entity"] and row[fact] not in unsure["Fact"]
        }
        return unsure["Fact"] | (unsure["Entity"] - named)

    def nodes(self, label: str, *, with_embeddings: bool = False) -> Iterator[list[Row]]:
        """See :meth:`hlg.store.base.GraphStore.nodes`."""
        for batch in self._store.nodes(label, with_embeddings=with_embeddings):
            yield [row for row in batch if row["id"] not in self._hidden]

    def edges(self, edge_type: str, ends: tuple[str, str]) -> Iterator[list[Row]]:
        """See :meth:`hlg.store.base.GraphStore.edges`."""
        for batch in self._store.edges(edge_type, ends):
            yield [
                row
                for row in batch
                if self._hidden.isdisjoint((str(row["from"]), str(row["to"])))
                and is_confident(row, self._least)
            ]

    def counts(self) -> dict[str, int]:
        """See :meth:`hlg.store.base.GraphStore.counts`: of all that the store has."""
        return self._store.counts()


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


def in_base64(row: Row) -> Row:
    """A node's row with its vector, if any, as base64 of its float32 in little-endian order."""
    if "embedding" not in row:
        return row
    vector = np.asarray(row["embedding"], "<f4")
    return row | {"embedding": base64.b64encode(vector.tobytes()).decode()}
