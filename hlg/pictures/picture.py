"""What is seen of a subgraph: a box with a caption for each node, in its tier's colour."""

import textwrap
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from hlg.facts import shown_predicate
from hlg.pictures.layout import Place, Size, network, tiers
from hlg.subgraph import GraphEdge, GraphNode, Subgraph
from hlg.unicode import counted

FAINT = ("MENTIONS", "IN_COMMUNITY")
"""Types of edges that are many and say little; they are dotted."""
FONT_PIXELS = 13
_LINE = 17
_CHARACTER = 7.2
_MARGIN = 10


@dataclass(frozen=True, slots=True)
class Look:
    """How a label's nodes look. ``wrap`` is in characters; ``lines`` are shown at most."""

    colour: str
    ink: str
    wrap: int
    lines: int


LOOKS = {
    "Source": Look("#6A4C93", "#FFFFFF", 22, 3),
    "Chunk": Look("#B9A3D6", "#1F1F2E", 16, 2),
    "Topic": Look("#1B6CA8", "#FFFFFF", 22, 3),
    "Statement": Look("#4C8EDA", "#FFFFFF", 40, 5),
    "Fact": Look("#A9D3F5", "#1F1F2E", 30, 3),
    "Entity": Look("#F2994A", "#1F1F2E", 26, 2),
    "Community": Look("#3BA272", "#FFFFFF", 30, 3),
}
"""A hue a tier: lineage violet, summarization blue, entities orange, communities green.
``docker/browser/style.grass`` has the same colours."""


@dataclass(frozen=True, slots=True)
class Box:
    """A node's place in pixels (the centre, y downwards), its size, and its caption."""

    node: GraphNode
    lines: tuple[str, ...]
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Picture:
    """Boxes that don't overlap, and the edges between them.

    ``ranks`` maps the id of a passage that was found to its rank.
    """

    title: str
    boxes: tuple[Box, ...]
    edges: tuple[GraphEdge, ...]
    ranks: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    unsure: Mapping[str, int] = field(default_factory=dict)


def picture_of(subgraph: Subgraph, title: str, ranks: Mapping[str, int] | None = None) -> Picture:
    """The picture of a subgraph: its tiers side by side, or a network of entities alone.

    A relation between entities is only drawn where no fact is there to say it.
    """
    ranks = ranks or {}
    captions = {node.id: _lines(node, ranks.get(node.id)) for node in subgraph.nodes}
    sizes = {id_: _size(lines) for id_, lines in captions.items()}
    in_tiers = any(node.label in ("Statement", "Fact") for node in subgraph.nodes)
    hidden = {"RELATES_TO"} if in_tiers else set()
    edges = tuple(edge for edge in subgraph.edges if edge.type not in hidden)
    arrange = tiers if in_tiers else network
    places = arrange(subgraph.nodes, edges, sizes)
    return Picture(
        title=title,
        boxes=tuple(
            Box(node, captions[node.id], *places[node.id], *sizes[node.id])
            for node in subgraph.nodes
        ),
        edges=edges,
        ranks={id_: rank for id_, rank in ranks.items() if id_ in captions},
        left_out=subgraph.left_out,
        unsure=subgraph.unsure,
    )


def caption(node: GraphNode) -> str:
    """What names a node, in one line."""
    shown = node.properties
    if node.label == "Fact":
        return printable(f"{shown_predicate(shown)} {shown.get('object') or ''}") or "—"
    if node.label == "Chunk":
        return f"chunk {shown['ordinal']}"
    for name in ("text", "name", "title", "uri"):
        if text := printable(str(shown.get(name) or "")):
            return text
    return node.id


def what_is_shown(picture: Picture) -> str:
    """How many nodes of each label there are, and how many were left out, in one line."""
    shown = counted_labels(Counter(box.node.label for box in picture.boxes))
    missing = [f"left out: {counted_labels(picture.left_out)}"] if picture.left_out else []
    missing += [f"less sure: {counted_labels(picture.unsure)}"] if picture.unsure else []
    return (shown or "nothing") + (f" ({'; '.join(missing)})" if missing else "")


def counted_labels(counts: Mapping[str, int]) -> str:
    """How many nodes of each label, in words."""
    return ", ".join(counted(label, total) for label, total in counts.items())


def ends_of(one: Box, other: Box) -> tuple[Place, Place]:
    """Where an edge starts and ends: at facing sides of boxes side by side, else at centres."""
    if abs(one.x - other.x) < (one.width + other.width) / 2:
        return (one.x, one.y), (other.x, other.y)
    side = 1 if one.x < other.x else -1
    return (
        (one.x + side * one.width / 2, one.y),
        (other.x - side * other.width / 2, other.y),
    )


def printable(text: str) -> str:
    """A text in one line, without characters that no font and no XML file has."""
    shown = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co") else c for c in text)
    return " ".join(shown.split())


def _lines(node: GraphNode, rank: int | None) -> tuple[str, ...]:
    look = LOOKS[node.label]
    text = caption(node) if rank is None else f"{rank}. {caption(node)}"
    return tuple(textwrap.wrap(text, look.wrap, max_lines=look.lines, placeholder=" …"))


def _size(lines: tuple[str, ...]) -> Size:
    longest = max(map(len, lines))
    return longest * _CHARACTER + 2 * _MARGIN, len(lines) * _LINE + _MARGIN
