"""Reading a graph by the statements that both databases accept, one hop at a time.

Each function is given a ``run`` that sends a named statement with its parameters and
returns the rows; which transaction that is part of is the store's own affair.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Protocol, TypeAlias, Unpack

import numpy as np
from numpy.typing import NDArray

from hlg.cypher import Filled
from hlg.records import Chunk, Embeddings, Entity, Source, SourceGraph
from hlg.schema import EDGES, GRAPH_NODE_ID, NODES
from hlg.store.shared import kinds
from hlg.store.shared.assembly import Assembly
from hlg.store.shared.kinds import EdgeKind
from hlg.store.shared.rows import NodeRow, Pair, Sent, chunk_of, decoded, entity_of, source_of
from hlg.store.shared.text import decode_text
from hlg.store.source_text import SourceText, put_together

BATCH = 2000
"""Rows sent or read at once: enough to be fast, little enough for any machine."""

GRAPH = {"id": GRAPH_NODE_ID}
"""The parameter of statements about the graph's own node."""

Rows: TypeAlias = list[dict[str, Any]]


class Run(Protocol):
    """Sends a statement of :mod:`hlg.cypher` and returns its rows.

    ``filled`` are the statement's placeholders.
    """

    def __call__(
        self, name: str, parameters: Mapping[str, Any] = ..., /, **filled: Unpack[Filled]
    ) -> Rows: ...


class Change(Run, Protocol):
    """The same in a transaction that writes."""

    def send(self, name: str, rows: Sent, *, edge: EdgeKind | None = None) -> None:
        """Give rows, where there are any, to a statement that writes."""


Named: TypeAlias = Callable[[Run, Sequence[str]], list["SeenEntity"]]
"""The entities, as a walk sees them, whose normalised name or alias is one of these."""


def batches(items: Iterable[Any], size: int = BATCH) -> Iterator[list[Any]]:
    """Lists of at most ``size`` items."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def rows_for(run: Run, name: str, ids: Iterable[str], **filled: Unpack[Filled]) -> Iterator[Any]:
    """The rows that a statement returns for ids, a batch of them at a time."""
    for batch in batches(ids):
        yield from run(name, {"ids": batch}, **filled)


def lineage_of(
    run: Run, source_ids: Sequence[str]
) -> tuple[dict[str, list[str]], dict[EdgeKind, list[Pair]]]:
    """What hangs on sources: their nodes, and facts and entities that others may share.

    Facts come with all their SUPPORTS pairs to these sources' statements, entities where
    a statement of these sources mentions them or a fact found here names them. Ids come by
    label, pairs of ids by kind.
    """
    edges: dict[EdgeKind, list[Pair]] = defaultdict(list)

    def hop(kind: EdgeKind, ids: Sequence[str], *, back: bool) -> list[str]:
        edges[kind] += edge_pairs(run, kind, ids, back=back)
        return list(dict.fromkeys(pair[0 if back else 1] for pair in edges[kind]))

    chunks = hop(kinds.PART_OF, source_ids, back=True)
    hop(kinds.CHILD_OF, chunks, back=False)
    topics = hop(kinds.TOPIC_IN, chunks, back=True)
    statements = hop(kinds.STATEMENT_IN, chunks, back=True)
    hop(kinds.BELONGS_TO, statements, back=False)
    mentioned = hop(kinds.MENTIONS, statements, back=False)
    facts = hop(kinds.SUPPORTS, statements, back=True)
    subjects = hop(kinds.SUBJECT, facts, back=True)
    objects = hop(kinds.OBJECT, facts, back=False)
    ids = {
        "Source": list(source_ids),
        "Chunk": chunks,
        "Topic": topics,
        "Statement": statements,
        "Fact": facts,
        "Entity": sorted({*mentioned, *subjects, *objects}),
    }
    return ids, edges


def edge_pairs(run: Run, kind: EdgeKind, ids: Iterable[str], *, back: bool = False) -> list[Pair]:
    """The edges of a kind that start (``back``: end) at nodes, as pairs (from, to)."""
    name = "read/edges_to" if back else "read/edges_from"
    return [(row["from"], row["to"]) for row in rows_for(run, name, ids, edge=kind)]


def read_graphs(run: Run, source_ids: Sequence[str]) -> list[SourceGraph]:
    """Sources as they were written, in the order of ``source_ids``, unknown ids left out.

    What :meth:`hlg.store.base.GraphStore.write` was given comes back equal, vectors included,
    but for what other sources added to shared entities and facts (aliases, degree, the name
    that came first, the highest confidence).
    """
    lineage, edges = lineage_of(run, list(dict.fromkeys(source_ids)))
    nodes = {
        label: {row["id"]: row for row in graph_rows(run, label, ids)}
        for label, ids in lineage.items()
    }
    embeddings = {
        label: dict(_vectors(run, label, ids))
        for label, ids in lineage.items()
        if NODES[label].embedded
    }
    return Assembly(nodes, edges, embeddings).graphs(source_ids)


def graph_rows(run: Run, label: str, ids: Iterable[str]) -> Iterator[NodeRow]:
    """The nodes of a label with these ids, as the store holds them, in no order."""
    return rows_for(run, "read/nodes", ids, label=label)


@dataclass(frozen=True, slots=True)
class SeenEntity:
    """An entity as a walk sees it: where it is merged, under its canonical one's name."""

    entity: Entity
    is_merged: bool


def seen_entity(row: NodeRow) -> SeenEntity:
    """An entity's row that may name its canonical one, as a walk sees it."""
    entity = entity_of(row)
    canonical = row.get("canonical")
    if canonical is None:
        return SeenEntity(entity, is_merged=False)
    aliases = sorted({entity.name, *entity.aliases})
    seen = replace(entity, name=decode_text(canonical), aliases=tuple(aliases))
    return SeenEntity(seen, is_merged=True)


def seen_entities(run: Run, ids: Iterable[str]) -> list[SeenEntity]:
    """The entities with these ids as a walk sees them, ordered by id."""
    rows = rows_for(run, "merge/seen_entities", ids, label="Entity")
    return sorted(map(seen_entity, rows), key=lambda seen: seen.entity.id)


def embeddings(run: Run, label: str, ids: Sequence[str], dimensions: int) -> Embeddings:
    """Vectors in the order of ``ids``; a row of zeros where a node has none."""
    found = dict(_vectors(run, label, dict.fromkeys(ids)))
    matrix = np.zeros((len(ids), dimensions), dtype=np.float32)
    for i, id_ in enumerate(ids):
        if id_ in found:
            matrix[i] = found[id_]
    return matrix


def cosines(run: Run, label: str, ids: Iterable[str], vector: Sequence[float]) -> dict[str, float]:
    """The cosines of nodes that have vectors with a unit vector, by id."""
    return {
        row["id"]: row["cosine"]
        for batch in batches(sorted(ids))
        for row in run("search/cosines", {"ids": batch, "vector": vector}, label=label)
    }


def sources(run: Run) -> list[Source]:
    """All sources, ordered by uri."""
    ids = [row["id"] for row in run("read/ids", label="Source")]
    found = [source_of(row) for row in graph_rows(run, "Source", ids)]
    return sorted(found, key=lambda source: (source.uri, source.id))


def texts(run: Run, source_ids: Sequence[str]) -> list[SourceText]:
    """Sources with their whole text and its chunks, in the order of ``source_ids``, unknown ids
    left out."""
    ids = list(dict.fromkeys(source_ids))
    found = {row["id"]: source_of(row) for row in graph_rows(run, "Source", ids)}
    pairs = dict(edge_pairs(run, kinds.PART_OF, found, back=True))
    parents = dict(edge_pairs(run, kinds.CHILD_OF, pairs))
    chunks: dict[str, list[Chunk]] = defaultdict(list)
    for row in graph_rows(run, "Chunk", pairs):
        source = pairs[row["id"]]
        chunks[source].append(chunk_of(row, source, parents))
    return [put_together(found[id_], chunks[id_]) for id_ in ids if id_ in found]


def counts(run: Run) -> dict[str, int]:
    """How many nodes of each label and relationships of each type there are.

    The keys are those of :data:`hlg.schema.NODES` without ``Graph``, and of
    :data:`hlg.schema.EDGES`.
    """
    totals = dict.fromkeys((label for label in NODES if label != "Graph"), 0)
    totals |= dict.fromkeys(EDGES, 0)
    for row in (*run("read/counts"), *run("merge/counts_merges")):
        totals[row["name"]] += row["total"]
    return totals


def statements_of_topics(run: Run, ids: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs (topic id, statement id), ordered by both."""
    rows = rows_for(run, "read/statements_of_topics", dict.fromkeys(ids))
    return sorted({(row["topic"], row["statement"]) for row in rows})


def statements_mentioning(run: Run, ids: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs (entity id, id of a statement that mentions it itself), ordered by both."""
    rows = rows_for(run, "read/statements_of_entities", dict.fromkeys(ids))
    return sorted({(row["entity"], row["statement"]) for row in rows})


def statements_of_entities(run: Run, ids: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs (entity id, id of a statement about it or what it is merged with), ordered."""
    owners: dict[str, set[str]] = {id_: {id_} for id_ in ids}
    for row in rows_for(run, "merge/merged_with", list(owners)):
        owners.setdefault(row["other"], set()).add(row["id"])
    pairs = statements_mentioning(run, list(owners))
    return sorted({(owner, statement) for id_, statement in pairs for owner in owners[id_]})


def nodes(run: Run, label: str, *, with_embeddings: bool) -> Iterator[Rows]:
    """All nodes of a label in batches, ordered by id; absent properties left out."""
    for ids in batches(row["id"] for row in run("read/ids", label=label)):
        rows = sorted(map(decoded, graph_rows(run, label, ids)), key=lambda row: row["id"])
        if with_embeddings and NODES[label].embedded:
            vectors = dict(_vectors(run, label, ids))
            for row in rows:
                if row["id"] in vectors:
                    row["embedding"] = vectors[row["id"]]
        if rows:
            yield rows


def edges(run: Run, edge_type: str, ends: tuple[str, str]) -> Iterator[Rows]:
    """All relationships of a type between two labels, ordered by source, target, predicate."""
    has_properties = EDGES[edge_type].properties
    name = "read/edges_with_properties_from" if has_properties else "read/edges_from"
    for ids in batches(row["id"] for row in run("read/ids", label=ends[0])):
        rows = [decoded(row) for row in run(name, {"ids": ids}, edge=(edge_type, *ends))]
        rows.sort(key=lambda row: (row["from"], row["to"], row.get("predicate", "")))
        if rows:
            yield rows


def _vectors(run: Run, label: str, ids: Iterable[str]) -> Iterator[tuple[str, NDArray[np.float32]]]:
    for batch in batches(ids):
        rows = run("read/embeddings", {"ids": batch}, label=label)
        if rows:
            matrix = np.array([row["embedding"] for row in rows], dtype=np.float32)
            yield from zip((row["id"] for row in rows), matrix, strict=True)
