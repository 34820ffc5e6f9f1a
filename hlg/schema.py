"""The graph's schema: the one list of labels, relationship types and properties.

Both stores create it, ``hlg export`` walks it, and a test holds every Cypher file
against it.
"""

from dataclasses import dataclass, field

SCHEMA_VERSION = 2
SURE = 0.55
"""The confidence from which on facts and entities are shown, where nobody says otherwise: of the
facts, four of five are right by reading (benchmarks/extraction.md)."""
CONCEPT = "Concept"
"""The class of what a common noun names."""
PHRASE = "Phrase"
"""The class of a subject that stands for no entity, in its source's own words: "we", "your bank",
"each party". Each source has its own, of no confidence; facts are about it, of values alone, and
nothing mentions it."""
CONCEPT_WEIGHT = 0.25
"""What a common noun joins, beside a name: two texts on "water" seldom speak of the same."""


def link_weight(entity_class: str, confidence: float) -> float:
    """How far an entity joins what mentions it, from 0 to 1."""
    return confidence * (CONCEPT_WEIGHT if entity_class == CONCEPT else 1.0)


@dataclass(frozen=True, slots=True)
class NodeType:
    """A label with its scalar properties, ``name: type`` (``id`` is the key).

    ``derived`` properties follow from the others; a store may keep them for its own
    look-ups, and they are never exported.
    """

    label: str
    properties: dict[str, str]
    embedded: bool = False
    full_text: tuple[str, ...] = ()
    derived: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EdgeType:
    """A relationship type with the pairs of labels that it joins and its properties."""

    type: str
    ends: tuple[tuple[str, str], ...]
    properties: dict[str, str]


def _typed(properties: str) -> dict[str, str]:
    """Properties by name from ``name:TYPE name:TYPE``; where there is no type it is STRING."""
    parts = (each.partition(":") for each in properties.split())
    return {name: type_ or "STRING" for name, _, type_ in parts}


_FACTUALITY = "confidence:DOUBLE polarity modality condition attributed_to time"
NODES: dict[str, NodeType] = {
    node.label: node
    for node in (
        NodeType("Source", _typed("id uri title metadata text_hash ingested_at")),
        NodeType(
            "Chunk",
            _typed("id ordinal:INT64 start:INT64 end:INT64 text context"),
            embedded=True,
            full_text=("context", "text"),
        ),
        NodeType("Topic", _typed("id name"), embedded=True),
        NodeType(
            "Statement",
            _typed("id text details start:INT64 end:INT64"),
            embedded=True,
            full_text=("text",),
        ),
        NodeType("Fact", _typed(f"id text predicate object {_FACTUALITY}")),
        NodeType(
            "Entity",
            _typed("id name class aliases:STRING[] degree:INT64 confidence:DOUBLE"),
            embedded=True,
            full_text=("name", "aliases"),
            derived=_typed("key alias_keys:STRING[]"),
        ),
        NodeType(
            "Community",
            _typed("id level:INT64 title summary size:INT64 content_hash"),
            embedded=True,
        ),
        NodeType(
            "Graph",
            _typed("id revision embedder dimensions:INT64 schema_version:INT64 communities"),
        ),
    )
}

EDGES: dict[str, EdgeType] = {
    edge.type: edge
    for edge in (
        EdgeType("PART_OF", (("Chunk", "Source"), ("Community", "Community")), {}),
        EdgeType("NEXT", (("Chunk", "Chunk"), ("Statement", "Statement")), {}),
        EdgeType("CHILD_OF", (("Chunk", "Chunk"),), {}),
        EdgeType("MENTIONED_IN", (("Topic", "Chunk"), ("Statement", "Chunk")), {}),
        EdgeType("BELONGS_TO", (("Statement", "Topic"),), {}),
        EdgeType("SUPPORTS", (("Fact", "Statement"),), {}),
        EdgeType("SUBJECT", (("Entity", "Fact"),), {}),
        EdgeType("OBJECT", (("Fact", "Entity"),), {}),
        EdgeType(
            "RELATES_TO",
            (("Entity", "Entity"),),
            _typed("predicate weight:INT64 confidence:DOUBLE"),
        ),
        EdgeType("MENTIONS", (("Statement", "Entity"),), {}),
        EdgeType("SAME_AS", (("Entity", "Entity"),), _typed("score:DOUBLE evidence")),
        EdgeType("DIFFERENT_FROM", (("Entity", "Entity"),), {}),
        EdgeType("IN_COMMUNITY", (("Entity", "Community"),), {}),
    )
}

GRAPH_NODE_ID = "graph"
"""The id of the one ``Graph`` node, which holds what the store knows of itself."""
