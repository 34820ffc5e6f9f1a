"""Small sources' graphs in canonical order, written out from a few words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from hlg.facts import SupportedFacts, fact_of
from hlg.ids import chunk_id, entity_id, source_id, statement_id, topic_id
from hlg.names import normalize_name
from hlg.records import (
    AFFIRMED,
    DENIED,
    Chunk,
    Embeddings,
    Entity,
    Factuality,
    Source,
    SourceGraph,
    Statement,
    Topic,
)

DIMENSIONS = 8
EMBEDDER = "test-embedder@1"

Triple = tuple[str, str, str]
"""Subject, predicate, object; an object that starts with ``=`` is a value."""


def unit_vectors(count: int, seed: int) -> Embeddings:
    """Random unit vectors, shape (count, DIMENSIONS)."""
    vectors = np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)
    norms: NDArray[np.float32] = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / norms


def vector_of(id_: str) -> NDArray[np.float32]:
    """A unit vector that is the same wherever an id is."""
    return unit_vectors(1, int(id_[:8], 16))[0]


def source_graph(
    uri: str,
    statements: Sequence[tuple[str, Sequence[Triple]]],
    *,
    title: str = "A title",
    topic: str = "a topic",
    entity_class: str = "Thing",
    aliases: dict[str, Sequence[str]] | None = None,
    stated: Mapping[Triple, Factuality] | None = None,
    sure: Mapping[str, float] | None = None,
    chunk_count: int = 2,
    vectors: bool = True,
    metadata: dict[str, object] | None = None,
) -> SourceGraph:
    """A source whose statements are spread over chunks that overlap by one statement.

    :param statements: texts, each with the facts that it supports.
    :param aliases: further names of entities, by name.
    :param stated: how facts are stated; ``sure``: the confidence of entities, by name.
    """
    source = Source(
        id=source_id(uri),
        uri=uri,
        title=title,
        text_hash=str(hash(repr(statements))),
        metadata=metadata or {},
        ingested_at="2024-05-01T12:00:00+00:00",
    )
    chunks = [
        Chunk(
            id=chunk_id(source.id, 100 * i, 100 * i + 100),
            source_id=source.id,
            ordinal=i,
            start=100 * i,
            end=100 * i + 100,
            text=" ".join(text for text, _ in statements[i::chunk_count]) or "empty",
            context=title,
        )
        for i in range(chunk_count)
    ]
    topic_key = topic_id(source.id, topic)
    entities: dict[str, Entity] = {}
    found: dict[str, tuple[Statement, Sequence[Triple]]] = {}
    for i, (text, triples) in enumerate(statements):
        held = [chunks[i % chunk_count].id]
        if i % 3 == 0 and i % chunk_count + 1 < chunk_count:
            held.append(chunks[i % chunk_count + 1].id)
        named = {end for one, _, other in triples for end in (one, other) if end[:1] != "="}
        for name in named:
            id_ = entity_id(name, entity_class)
            more = tuple(sorted((aliases or {}).get(name, ())))
            confidence = (sure or {}).get(name, 1.0)
            entities.setdefault(id_, Entity(id_, name, entity_class, more, confidence=confidence))
        statement = Statement(
            id=statement_id(held[0], text),
            text=text,
            start=10 * i,
            end=10 * i + 5,
            chunk_ids=tuple(held),
            topic_id=topic_key,
            details=f"details {i}" if i % 2 else "",
            entity_ids=tuple(sorted({entity_id(name, entity_class) for name in named})),
        )
        found.setdefault(statement.id, (statement, triples))
    ordered = sorted((each for each, _ in found.values()), key=lambda x: (x.start, x.end, x.id))
    facts = SupportedFacts()
    for statement in ordered:
        for subject, predicate, object_ in found[statement.id][1]:
            key = subject, normalize_name(predicate), object_
            is_value = object_.startswith("=")
            target = object_[1:] if is_value else entities[entity_id(object_, entity_class)]
            how = (stated or {}).get(key, Factuality())
            fact = fact_of(entities[entity_id(subject, entity_class)], key[1], target, (), how)
            facts.add(fact, statement.id)
    degrees = Counter(id_ for statement in ordered for id_ in statement.entity_ids)
    kept = tuple(replace(entities[id_], degree=degrees[id_]) for id_ in sorted(entities))
    used = {id_ for statement in ordered for id_ in statement.chunk_ids}
    holding = tuple(chunk.id for chunk in chunks if chunk.id in used)
    topics = (Topic(topic_key, source.id, topic, holding),) if holding else ()

    def stacked(records: Sequence[Chunk | Topic | Statement | Entity]) -> Embeddings | None:
        return np.stack([vector_of(x.id) for x in records]) if vectors and records else None

    return SourceGraph(
        source=source,
        chunks=tuple(chunks),
        topics=topics,
        statements=tuple(ordered),
        facts=facts.records(),
        entities=kept,
        chunk_embeddings=stacked(chunks),
        topic_embeddings=stacked(topics),
        statement_embeddings=stacked(ordered),
        entity_embeddings=stacked(kept),
    )


NAMES = ("Ada Thorne", "Helix Instruments", "Port Ellery", "Quarry Bank", "Bela Kovacs")
PREDICATES = ("founded", "moved to", "bought")

triples = st.tuples(
    st.sampled_from(NAMES),
    st.sampled_from(PREDICATES),
    st.sampled_from(NAMES) | st.sampled_from(("=1921", "=$2 million")),
)

confidences = st.sampled_from((0.0, 0.25, 0.5, 1.0))
factualities = st.builds(
    Factuality,
    confidence=confidences,
    polarity=st.sampled_from((AFFIRMED, DENIED)),
    modality=st.sampled_from(("", "may")),
    time=st.sampled_from(("", "in 1921")),
)


@st.composite
def source_graphs(draw: st.DrawFn, *, most: int = 3) -> list[SourceGraph]:
    """Up to ``most`` sources that share entities and facts."""
    count = draw(st.integers(1, most))
    return [
        source_graph(
            f"file:///{i}.txt",
            draw(
                st.lists(
                    st.tuples(
                        st.text(st.characters(), min_size=1, max_size=20),
                        st.lists(triples, max_size=3),
                    ),
                    max_size=5,
                )
            ),
            title=draw(st.text(st.characters(), max_size=10)),
            chunk_count=draw(st.integers(1, 3)),
            vectors=True,
            stated=draw(st.dictionaries(triples, factualities, max_size=3)),
            sure=draw(st.dictionaries(st.sampled_from(NAMES), confidences)),
            aliases=draw(
                st.dictionaries(
                    st.sampled_from(NAMES),
                    st.sets(st.text(st.characters(), min_size=1, max_size=5), max_size=2),
                )
            ),
        )
        for i in range(count)
    ]
