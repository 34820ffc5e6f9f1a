"""Records of sources out of the rows that a store has of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from hlg.records import Embeddings, Fact, SourceGraph, Statement, Topic
from hlg.store.shared import kinds
from hlg.store.shared.kinds import EdgeKind
from hlg.store.shared.rows import (
    NodeRow,
    Pair,
    chunk_of,
    decoded,
    entity_of,
    source_of,
    statement_order,
)


class Assembly:
    """Makes records of rows, which it looks up by what they are linked to.

    :param nodes: rows by label and id; ``embeddings`` likewise.
    :param edges: pairs of ids.
    """

    def __init__(
        self,
        nodes: Mapping[str, Mapping[str, NodeRow]],
        edges: Mapping[EdgeKind, Sequence[Pair]],
        embeddings: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self._nodes = nodes
        self._embeddings = embeddings
        self._chunks_of = _grouped(edges[kinds.PART_OF], by_target=True)
        self._parent = dict(edges[kinds.CHILD_OF])
        self._topic_chunks = _grouped(edges[kinds.TOPIC_IN])
        self._statement_chunks = _grouped(edges[kinds.STATEMENT_IN])
        self._topic = dict(edges[kinds.BELONGS_TO])
        self._entities = _grouped(edges[kinds.MENTIONS])
        self._facts_of = _grouped(edges[kinds.SUPPORTS], by_target=True)
        self._supports = _grouped(edges[kinds.SUPPORTS])
        self._subject = {fact: entity for entity, fact in edges[kinds.SUBJECT]}
        self._object = dict(edges[kinds.OBJECT])
        self._chunk_source = dict(edges[kinds.PART_OF])
        self._topics_of = self._by_source(self._topic_chunks)
        self._statements_of = self._by_source(self._statement_chunks)

    def graphs(self, source_ids: Sequence[str]) -> list[SourceGraph]:
        """The graphs of sources in canonical order; ids that there are no rows of are left out."""
        return [self._graph(id_) for id_ in source_ids if id_ in self._nodes["Source"]]

    def _by_source(self, chunks: Mapping[str, list[str]]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for id_, chunk_ids in chunks.items():
            found[self._chunk_source[chunk_ids[0]]].append(id_)
        return found

    def _graph(self, source_id: str) -> SourceGraph:
        chunks = sorted(
            (
                chunk_of(self._nodes["Chunk"][id_], source_id, self._parent)
                for id_ in self._chunks_of.get(source_id, ())
            ),
            key=lambda chunk: chunk.ordinal,
        )
        ordinals = {chunk.id: chunk.ordinal for chunk in chunks}
        topics = [
            self._topic_record(id_, source_id, ordinals)
            for id_ in sorted(self._topics_of.get(source_id, ()))
        ]
        statements = sorted(
            (self._statement(id_, ordinals) for id_ in self._statements_of.get(source_id, ())),
            key=statement_order,
        )
        facts = self._facts(statements)
        named = {id_ for statement in statements for id_ in statement.entity_ids}
        named.update(fact.subject_id for fact in facts)
        named.update(fact.object_id for fact in facts if fact.object_id is not None)
        entities = [entity_of(self._nodes["Entity"][id_]) for id_ in sorted(named)]
        return SourceGraph(
            source=source_of(self._nodes["Source"][source_id]),
            chunks=tuple(chunks),
            topics=tuple(topics),
            statements=tuple(statements),
            facts=tuple(facts),
            entities=tuple(entities),
            chunk_embeddings=self._matrix("Chunk", [chunk.id for chunk in chunks]),
            topic_embeddings=self._matrix("Topic", [topic.id for topic in topics]),
            statement_embeddings=self._matrix("Statement", [x.id for x in statements]),
            entity_embeddings=self._matrix("Entity", [entity.id for entity in entities]),
        )

    def _topic_record(self, id_: str, source_id: str, ordinals: Mapping[str, int]) -> Topic:
        return Topic(
            source_id=source_id,
            chunk_ids=tuple(sorted(self._topic_chunks[id_], key=ordinals.__getitem__)),
            **decoded(self._nodes["Topic"][id_]),
        )

    def _statement(self, id_: str, ordinals: Mapping[str, int]) -> Statement:
        return Statement(
            chunk_ids=tuple(sorted(self._statement_chunks[id_], key=ordinals.__getitem__)),
            topic_id=self._topic[id_],
            entity_ids=tuple(sorted(self._entities.get(id_, ()))),
            **decoded(self._nodes["Statement"][id_]),
        )

    def _facts(self, statements: Sequence[Statement]) -> list[Fact]:
        place = {statement.id: i for i, statement in enumerate(statements)}
        found = {id_ for statement in place for id_ in self._facts_of.get(statement, ())}
        facts = []
        for id_ in sorted(found):
            row = decoded(self._nodes["Fact"][id_])
            supported = [statement for statement in self._supports[id_] if statement in place]
            facts.append(
                Fact(
                    subject_id=self._subject[id_],
                    statement_ids=tuple(sorted(supported, key=place.__getitem__)),
                    object_id=self._object.get(id_),
                    object_value=row.pop("object", None),
                    **row,
                )
            )
        return facts

    def _matrix(self, label: str, ids: Sequence[str]) -> Embeddings | None:
        vectors = self._embeddings[label]
        known = [vectors[id_] for id_ in ids if id_ in vectors]
        if not known:
            return None
        absent = np.zeros_like(known[0])
        return np.stack([vectors.get(id_, absent) for id_ in ids])


def _grouped(pairs: Iterable[Pair], *, by_target: bool = False) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for one, other in pairs:
        if by_target:
            one, other = other, one
        groups[one].append(other)
    return dict(groups)
