"""Between records and what a property graph holds: rows of nodes and pairs of ids.

Both stores write from :func:`rows_of` and read back through :mod:`.assembly`, so that they
can't differ in what a record means.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from hlg.facts import FACTUALITY, relation_predicate
from hlg.records import Chunk, Embeddings, Entity, Source, SourceGraph, Statement
from hlg.schema import NODES
from hlg.store.shared import kinds
from hlg.store.shared.kinds import EdgeKind
from hlg.store.shared.text import decode_text, encode_text

NodeRow: TypeAlias = dict[str, Any]
Pair: TypeAlias = tuple[str, str]
Sent: TypeAlias = Sequence[Sequence[Any]]
"""Rows that are given to a statement."""
Relation: TypeAlias = tuple[str, str, str]
"""Subject, predicate and object of a RELATES_TO."""
Record = TypeVar("Record")


class Strength(NamedTuple):
    """What a RELATES_TO gains: statements that support it, and the highest confidence of the facts
    that they state."""

    weight: int
    confidence: float


@dataclass(slots=True)
class GraphRows:
    """Sources' graphs as a property graph holds them; shared entities and facts once.

    ``nodes`` are rows of the schema's properties by label, text encoded, plus
    ``embedding`` (float32 array or None) where the label has one. ``edges`` are pairs
    (from, to) by kind, without RELATES_TO: its weight follows from the facts.
    """

    nodes: dict[str, list[NodeRow]] = field(default_factory=lambda: defaultdict(list))
    edges: dict[EdgeKind, list[Pair]] = field(default_factory=lambda: defaultdict(list))


def rows_of(graphs: Sequence[SourceGraph]) -> GraphRows:
    """The rows of checked graphs (:func:`hlg.store.shared.checking.check_graphs`)."""
    rows = GraphRows()
    entities: dict[str, NodeRow] = {}
    facts: dict[str, NodeRow] = {}
    for graph in graphs:
        metadata = metadata_text(graph.source.metadata)
        rows.nodes["Source"].append(node_row("Source", graph.source, metadata=metadata))
        _add_chunks(rows, graph)
        _add_topics(rows, graph)
        _add_statements(rows, graph)
        _add_facts(rows, facts, graph)
        _merge_entities(entities, graph)
    degrees = Counter(entity for _, entity in rows.edges[kinds.MENTIONS])
    for id_, row in entities.items():
        row["degree"] = degrees[id_]
    rows.nodes["Entity"] = list(entities.values())
    rows.nodes["Fact"] = list(facts.values())
    return rows


def relation_strengths(
    facts: Mapping[str, NodeRow], edges: Mapping[EdgeKind, Sequence[Pair]]
) -> dict[Relation, Strength]:
    """What the SUPPORTS pairs among ``edges`` add to RELATES_TO.

    :param facts: the facts as the store holds them, by id: their words are the relation's.
    """
    subjects = {fact: entity for entity, fact in edges[kinds.SUBJECT]}
    objects = dict(edges[kinds.OBJECT])
    strengths: dict[Relation, Strength] = {}
    for fact, _ in edges[kinds.SUPPORTS]:
        if fact in objects:
            row = facts[fact]
            relation = subjects[fact], relation_predicate(row), objects[fact]
            weight, confidence = strengths.get(relation, Strength(0, 0.0))
            strengths[relation] = Strength(weight + 1, max(confidence, row["confidence"]))
    return strengths


def node_row(label: str, record: Any, **own: Any) -> NodeRow:
    """The schema's properties of a record, text encoded.

    :param own: what stands for a property that the record has not, or not so; ``embedding`` too.
    """
    row = {
        name: _encoded(own[name] if name in own else getattr(record, name))
        for name in NODES[label].properties
    }
    return row | {"embedding": own["embedding"]} if "embedding" in own else row


def _encoded(value: Any) -> Any:
    if isinstance(value, str):
        return encode_text(value)
    return list(map(encode_text, value)) if isinstance(value, tuple) else value


def source_of(row: NodeRow) -> Source:
    """The record of a source's row."""
    return Source(**decoded(row) | {"metadata": json.loads(row["metadata"])})


def chunk_of(row: NodeRow, source_id: str, parents: Mapping[str, str]) -> Chunk:
    """The record of a chunk's row."""
    return Chunk(source_id=source_id, parent_id=parents.get(row["id"]), **decoded(row))


def entity_of(row: NodeRow) -> Entity:
    """The record of an entity's row."""
    known = decoded(row)
    return Entity(
        id=known["id"],
        name=known["name"],
        entity_class=known["class"],
        aliases=tuple(known["aliases"]),
        degree=known["degree"],
        confidence=known["confidence"],
    )


def decoded(row: NodeRow) -> NodeRow:
    """A node's row with its text as it was before :func:`rows_of`, absent properties left out, and
    aliases ascending."""
    return {name: _decoded_value(value) for name, value in row.items() if value is not None}


def _decoded_value(value: Any) -> Any:
    if isinstance(value, str):
        return decode_text(value)
    return sorted(map(decode_text, value)) if isinstance(value, list) else value


def united_aliases(one: Iterable[str], other: Iterable[str]) -> list[str]:
    """Encoded aliases of both, once each, in the order of the text that they stand for."""
    return sorted({*one, *other}, key=decode_text)


def metadata_text(metadata: Mapping[str, Any]) -> str:
    """A source's metadata as the store holds it."""
    return json.dumps(dict(metadata), sort_keys=True)


def _add_chunks(rows: GraphRows, graph: SourceGraph) -> None:
    edges = rows.edges
    families: dict[str | None, list[Chunk]] = defaultdict(list)
    for chunk, embedding in with_vectors(graph.chunks, graph.chunk_embeddings):
        rows.nodes["Chunk"].append(node_row("Chunk", chunk, embedding=embedding))
        edges[kinds.PART_OF].append((chunk.id, chunk.source_id))
        if chunk.parent_id is not None:
            edges[kinds.CHILD_OF].append((chunk.id, chunk.parent_id))
        families[chunk.parent_id].append(chunk)
    for family in families.values():
        family.sort(key=lambda chunk: chunk.ordinal)
        edges[kinds.NEXT_CHUNK] += [(one.id, next_.id) for one, next_ in pairwise(family)]


def _add_topics(rows: GraphRows, graph: SourceGraph) -> None:
    for topic, embedding in with_vectors(graph.topics, graph.topic_embeddings):
        rows.nodes["Topic"].append(node_row("Topic", topic, embedding=embedding))
        rows.edges[kinds.TOPIC_IN] += [(topic.id, id_) for id_ in topic.chunk_ids]


def _add_statements(rows: GraphRows, graph: SourceGraph) -> None:
    edges = rows.edges
    for statement, embedding in with_vectors(graph.statements, graph.statement_embeddings):
        id_ = statement.id
        rows.nodes["Statement"].append(node_row("Statement", statement, embedding=embedding))
        edges[kinds.STATEMENT_IN] += [(id_, x) for x in statement.chunk_ids]
        edges[kinds.BELONGS_TO].append((id_, statement.topic_id))
        edges[kinds.MENTIONS] += [(id_, x) for x in statement.entity_ids]
    ordered = sorted(graph.statements, key=statement_order)
    edges[kinds.NEXT_STATEMENT] += [(one.id, next_.id) for one, next_ in pairwise(ordered)]


def _add_facts(rows: GraphRows, facts: dict[str, NodeRow], graph: SourceGraph) -> None:
    edges = rows.edges
    for fact in graph.facts:
        edges[kinds.SUPPORTS] += [(fact.id, id_) for id_ in fact.statement_ids]
        if fact.id in facts:
            _raise(facts[fact.id], fact.confidence)
            continue
        row = node_row("Fact", fact, object=fact.object_value, confidence=float(fact.confidence))
        # What the text does not say is absent.
        unsaid = {name: None for name in FACTUALITY if row[name] == ""}
        facts[fact.id] = row | unsaid
        edges[kinds.SUBJECT].append((fact.subject_id, fact.id))
        if fact.object_id is not None:
            edges[kinds.OBJECT].append((fact.id, fact.object_id))


def _raise(row: NodeRow, confidence: float) -> None:
    row["confidence"] = max(row["confidence"], float(confidence))


def _merge_entities(entities: dict[str, NodeRow], graph: SourceGraph) -> None:
    for entity, embedding in with_vectors(graph.entities, graph.entity_embeddings):
        aliases = map(encode_text, entity.aliases)
        if entity.id in entities:
            known = entities[entity.id]
            _raise(known, entity.confidence)
            known["aliases"] = united_aliases(known["aliases"], aliases)
            continue
        entities[entity.id] = node_row(
            "Entity",
            entity,
            **{"class": entity.entity_class},
            confidence=float(entity.confidence),
            embedding=embedding,
        ) | {"aliases": united_aliases((), aliases)}


def with_vectors(
    records: Sequence[Record], embeddings: Embeddings | None
) -> Iterator[tuple[Record, Any]]:
    """Records with their vectors; None where there are none, or all of one is zero."""
    if embeddings is None:
        return zip(records, [None] * len(records), strict=True)
    there: list[bool] = np.any(embeddings, axis=1).tolist()
    return (
        (record, vector if has else None)
        for record, vector, has in zip(records, embeddings, there, strict=True)
    )


def statement_order(statement: Statement) -> tuple[int, int, str]:
    """By which a source's statements are sorted."""
    return statement.start, statement.end, statement.id
