"""Where the boxes of a picture lie: side by side by tier, or as a network.

The order within a tier is igraph's layered layout (Sugiyama), which crosses few edges;
a network is its Kamada-Kawai layout, drawn out until no box covers another.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hlg.subgraph import GraphEdge, GraphNode

if TYPE_CHECKING:
    import igraph

Size: TypeAlias = tuple[float, float]
"""Width and height in pixels."""
Place: TypeAlias = tuple[float, float]
"""Centre in pixels, y downwards."""

COLUMNS = ("Source", "Chunk", "Topic", "Statement", "Fact", "Entity", "Community")
_BETWEEN_COLUMNS = 64.0
_BETWEEN_ROWS = 12.0
_SPREAD = 44.0
"""How far apart the rows of a short column may be."""
_GROWTH = 1.08
_ENOUGH = 120
"""Steps that a network is drawn out by, at most: ten thousandfold."""


def tiers(
    nodes: Sequence[GraphNode], edges: Sequence[GraphEdge], sizes: Mapping[str, Size]
) -> dict[str, Place]:
    """Each label in a column, from sources on the left to communities on the right."""
    label_of = {node.id: node.label for node in nodes}
    used = [label for label in COLUMNS if label in label_of.values()]
    layer_of = {id_: used.index(label) for id_, label in label_of.items()}
    # Edges that pass a column by would pull it out of order, and say nothing that others don't.
    between = [edge for edge in edges if abs(layer_of[edge.source] - layer_of[edge.target]) == 1]
    layout = _graph(nodes, between).layout_sugiyama(layers=list(layer_of.values()), maxiter=500)
    order = {node.id: layout[i][0] for i, node in enumerate(nodes)}
    columns: dict[str, list[str]] = defaultdict(list)
    for node in sorted(nodes, key=lambda node: order[node.id]):
        columns[node.label].append(node.id)
    places: dict[str, Place] = {}
    tallest = max((_height(ids, sizes) for ids in columns.values()), default=0.0)
    left = 0.0
    for label in used:
        width = max(sizes[id_][0] for id_ in columns[label])
        for id_, y in _stacked(columns[label], sizes, tallest).items():
            places[id_] = (left + width / 2, y)
        left += width + _BETWEEN_COLUMNS
    return places


def network(
    nodes: Sequence[GraphNode], edges: Sequence[GraphEdge], sizes: Mapping[str, Size]
) -> dict[str, Place]:
    """Nodes near those that they are joined with; the same for the same subgraph."""
    if not nodes:
        return {}
    # Starting from a circle, it moves without chance.
    graph = _graph(nodes, edges)
    found = graph.layout_kamada_kawai(seed=graph.layout_circle())
    centres = np.array(found.coords, dtype=np.float64) * [90.0, 60.0]
    boxes = np.array([sizes[node.id] for node in nodes]) + _BETWEEN_ROWS
    for _ in range(_ENOUGH):
        if not _overlap(centres, boxes):
            break
        centres *= _GROWTH
    return {node.id: (float(x), float(y)) for node, (x, y) in zip(nodes, centres, strict=True)}


def _graph(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> "igraph.Graph":
    import igraph

    row = {node.id: i for i, node in enumerate(nodes)}
    pairs = {(row[edge.source], row[edge.target]) for edge in edges}
    return igraph.Graph(len(nodes), sorted(pairs)).simplify()


def _height(ids: Sequence[str], sizes: Mapping[str, Size]) -> float:
    return sum(sizes[id_][1] + _BETWEEN_ROWS for id_ in ids)


def _stacked(ids: Sequence[str], sizes: Mapping[str, Size], tallest: float) -> dict[str, float]:
    """Heights of centres, one below the other, around zero; few are drawn apart a little."""
    room = (tallest - _height(ids, sizes)) / len(ids)
    gap = _BETWEEN_ROWS + min(room, _SPREAD)
    heights = np.array([sizes[id_][1] + gap for id_ in ids])
    centres = np.cumsum(heights) - heights / 2 - heights.sum() / 2
    return dict(zip(ids, centres.tolist(), strict=True))


def _overlap(centres: NDArray[np.float64], boxes: NDArray[np.float64]) -> bool:
    """Whether any two boxes share a point, shapes (n, 2) and (n, 2)."""
    distances = np.abs(centres[:, None] - centres[None])
    room = (boxes[:, None] + boxes[None]) / 2
    return int(np.count_nonzero((distances < room).all(axis=2))) > len(boxes)
