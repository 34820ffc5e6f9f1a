"""A graph as a Mermaid flowchart, as large as Mermaid draws; what is left out is counted.

Of a part of a graph: statements with their topics, sources and entities, strongest first;
chunks and facts are drawn as what they join, values are not. Of a whole graph: the
entities that most statements are about, and how they relate. Mermaid itself stops at 500
edges or 50,000 characters.
"""

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from hlg.export.rows import EXPORTED_NODES, Exportable, SubgraphRows, SureRows
from hlg.facts import shown_predicate
from hlg.schema import PHRASE
from hlg.store.base import GraphStore
from hlg.store.records import Row
from hlg.subgraph import GraphEdge, GraphNode, Subgraph

MOST_NODES = 80
MOST_EDGES = 250
LONGEST_LABEL = 60
_NOT_SHOWN = re.compile(r'["<>&#;`\\\[\]{}|]')
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_CAPTIONS = {
    "Source": "title",
    "Topic": "name",
    "Statement": "text",
    "Entity": "name",
    "Community": "title",
}
"""What is drawn, and the property that each says."""
_STYLES = {
    "Source": "fill:#d9d9d9,stroke:#7f7f7f",
    "Topic": "fill:#fde0b2,stroke:#d98a00",
    "Statement": "fill:#cfe2f7,stroke:#2f6fb0",
    "Entity": "fill:#d2ecd0,stroke:#3b8a3a",
    "Community": "fill:#e6d3f0,stroke:#7d3f98",
}
_JOINED = ("BELONGS_TO", "MENTIONS", "IN_COMMUNITY", "SAME_AS")


def mermaid(graph: Exportable, vectors: bool) -> Iterator[str]:
    """The lines of the flowchart; the last one says what was left out, if anything was."""
    if isinstance(graph, SubgraphRows):
        subgraph = graph.subgraph
    else:
        subgraph = _most_mentioned(cast(GraphStore | SureRows, graph))
    nodes, links, left_out = _drawn(subgraph)
    numbers = {node.id: f"n{i}" for i, node in enumerate(nodes, start=1)}
    yield "flowchart LR\n"
    for node in nodes:
        shown = node.properties
        caption = str(shown.get(_CAPTIONS[node.label]) or shown.get("uri", ""))
        yield f'  {numbers[node.id]}["{mermaid_label(caption)}"]:::{node.label}\n'
    for source, target, label in links:
        yield f'  {numbers[source]} -->|"{mermaid_label(label)}"| {numbers[target]}\n'
    for label in dict.fromkeys(node.label for node in nodes):
        yield f"  classDef {label} {_STYLES[label]}\n"
    if left_out:
        counts = ", ".join(f"{count} {label}" for label, count in sorted(left_out.items()))
        yield f"%% left out: {counts}\n"


def mermaid_label(text: str) -> str:
    """Text inside quotes in Mermaid, where it can't end them or start anything else."""
    line = " ".join(_UNPRINTABLE.sub(" ", text).split())
    if len(line) > LONGEST_LABEL:
        line = line[: LONGEST_LABEL - 1].rstrip() + "…"
    return _NOT_SHOWN.sub(lambda match: f"#{ord(match[0])};", line) or " "


def _most_mentioned(store: GraphStore | SureRows) -> Subgraph:
    """The entities of a graph that most statements are about, with their relations."""

    def strength(row: Row) -> tuple[int, str]:
        return -cast(int, row["degree"]), str(row["id"])

    rows = (r for batch in store.nodes("Entity") for r in batch if r["class"] != PHRASE)
    shown = {str(row["id"]): row for row in heapq.nsmallest(MOST_NODES, rows, key=strength)}
    relations = [
        GraphEdge("RELATES_TO", str(row["from"]), str(row["to"]), row)
        for batch in store.edges("RELATES_TO", ("Entity", "Entity"))
        for row in batch
        if row["from"] in shown and row["to"] in shown
    ]
    relations.sort(key=lambda edge: -cast(int, edge.properties["weight"]))
    counts = store.counts()
    left_out = {node.label: counts.get(node.label, 0) for node in EXPORTED_NODES}
    left_out["Entity"] -= len(shown)
    return Subgraph(
        tuple(GraphNode("Entity", id_, row) for id_, row in shown.items()),
        tuple(relations),
        {label: count for label, count in left_out.items() if count},
    )


def _drawn(
    subgraph: Subgraph,
) -> tuple[list[GraphNode], list[tuple[str, str, str]], Mapping[str, int]]:
    """The nodes and links that there is room for, and how many others there are."""
    nodes = {node.id: node for node in subgraph.nodes}
    links = _links(subgraph, nodes)
    order = _order(subgraph, links)
    shown = {id_: nodes[id_] for id_ in order[:MOST_NODES]}
    inside = [link for link in links if link[0] in shown and link[1] in shown]
    left_out = Counter(subgraph.left_out)
    left_out.update(nodes[id_].label for id_ in order[MOST_NODES:])
    with_objects = {edge.source for edge in subgraph.edges_of("OBJECT")}
    left_out["Value"] = len(subgraph.nodes_of("Fact")) - len(with_objects)
    left_out["links"] = len(links) - min(len(inside), MOST_EDGES)
    return list(shown.values()), inside[:MOST_EDGES], +left_out


def _links(subgraph: Subgraph, nodes: Mapping[str, GraphNode]) -> list[tuple[str, str, str]]:
    """What is drawn between nodes: (from, to, label), each once, facts by their predicates."""
    sources = {edge.source: edge.target for edge in subgraph.edges_of("PART_OF")}
    subjects = {edge.target: edge.source for edge in subgraph.edges_of("SUBJECT")}
    links = [
        (edge.source, edge.target, edge.type.replace("_", " ").lower())
        for type_ in _JOINED
        for edge in subgraph.edges_of(type_)
    ]
    links += [
        (edge.source, sources[edge.target], "in")
        for edge in subgraph.edges_of("MENTIONED_IN")
        if nodes[edge.source].label == "Statement" and edge.target in sources
    ]
    links += [
        (subjects[edge.source], edge.target, shown_predicate(nodes[edge.source].properties))
        for edge in subgraph.edges_of("OBJECT")
        if edge.source in subjects
    ]
    links += [
        (edge.source, edge.target, str(edge.properties["predicate"]))
        for edge in subgraph.edges_of("RELATES_TO")
    ]
    return list(dict.fromkeys(links))


def _order(subgraph: Subgraph, links: Iterable[tuple[str, str, str]]) -> list[str]:
    """What is drawn: each statement with what it is joined to, then what is left."""
    joined: dict[str, list[str]] = defaultdict(list)
    for source, target, _ in links:
        joined[source].append(target)
    order: dict[str, None] = {}
    for statement in subgraph.nodes_of("Statement"):
        order |= dict.fromkeys([statement.id, *joined[statement.id]])
    return list(order | dict.fromkeys(x.id for x in subgraph.nodes if x.label in _CAPTIONS))
