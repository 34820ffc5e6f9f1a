"""A snapshot out of a store: every node and edge that a walk needs, read once, in batches."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.bm25 import LexicalIndex
from hlg.names import normalize_name
from hlg.retrieval.arrays.found_again import found_again
from hlg.retrieval.arrays.snapshot import Csr, Snapshot, rows_of
from hlg.schema import PHRASE, link_weight
from hlg.store.base import GraphStore
from hlg.store.records import GraphInfo, Relations, Row
from hlg.strings import Strings

_ROW_BYTES = {
    "Chunk": 2_000,
    "Statement": 400,
    "Topic": 40,
    "Entity": 240,
    "MENTIONS": 8,
    "RELATES_TO": 24,
}
"""About what a node or edge takes besides its vector: ids, words, links."""
_EMBEDDED = ("Chunk", "Topic", "Statement")


def estimated_bytes(counts: Mapping[str, int], dimensions: int) -> int:
    """How large a graph's snapshot will be, about."""
    vectors = sum(counts.get(label, 0) for label in _EMBEDDED) * dimensions * 2
    return vectors + sum(counts.get(kind, 0) * size for kind, size in _ROW_BYTES.items())


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a label: ids (``S32``, sorted), texts, and vectors where it has them."""

    ids: NDArray[np.bytes_]
    texts: Sequence[str]
    embeddings: NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class MergedEntities:
    """Entities as a walk sees them, and where each id went."""

    ids: NDArray[np.bytes_]
    """Sorted; of the store's entities."""
    row_of_id: NDArray[np.int32]
    keys: Sequence[str]
    names: Sequence[str]
    words: Sequence[str]
    aliases: Mapping[str, int]
    """By normalised alias, sorted: the row of the entity."""
    leaders: Sequence[int]
    """By row the place in ``ids`` of the entity that gives its name."""
    weights: NDArray[np.float32]
    """By row how far it joins what mentions it: as the one does that joins most."""


Links = NDArray[np.int32]
"""Shape (n, 2): rows at both ends of edges."""

NO_RELATIONS = (np.zeros((0, 2), np.int32), np.zeros(0, np.float32))
"""Links and weights of a graph whose entities relate to nothing."""


def read_snapshot(store: GraphStore, info: GraphInfo) -> Snapshot:
    """Read a store's graph into arrays; of parent chunks and children only the children.

    :raises StoreError: the store can't be read.
    """
    size = info.dimensions
    ordinals: list[int] = []

    def chunk_text(row: Row) -> str:
        ordinals.append(cast(int, row["ordinal"]))
        return f"{row.get('context', '')}\n{row['text']}"

    sources = _read_nodes(store.nodes("Source"), _property("title"), 0)
    parents = {
        str(row["from"]): str(row["to"])
        for batch in store.edges("CHILD_OF", ("Chunk", "Chunk"))
        for row in batch
    }
    wholes = set(parents.values())
    searched = (
        [row for row in batch if row["id"] not in wholes]
        for batch in store.nodes("Chunk", with_embeddings=True)
    )
    chunks = _read_nodes(filter(None, searched), chunk_text, size)
    topics = _read_nodes(store.nodes("Topic", with_embeddings=True), _property("name"), size)
    statements = _read_nodes(
        store.nodes("Statement", with_embeddings=True), _text_with_details, size
    )
    entities = merge_entities(
        [row for batch in store.nodes("Entity") for row in batch if row["class"] != PHRASE],
        store.merges().canonical(),
    )

    def links(
        edge_type: str, ends: tuple[str, str], sides: tuple[Nodes, Nodes | MergedEntities]
    ) -> Links:
        return _read_links(store.edges(edge_type, ends), sides[0].ids, sides[1].ids)

    mentions = links("MENTIONS", ("Statement", "Entity"), (statements, entities))
    mentions[:, 1] = entities.row_of_id[mentions[:, 1]]
    return assemble(
        info.revision,
        sources,
        chunks,
        topics,
        statements,
        entities,
        chunk_source=first_target(
            links("PART_OF", ("Chunk", "Source"), (chunks, sources)), len(chunks.ids)
        ),
        statement_chunk=first_target(
            links("MENTIONED_IN", ("Statement", "Chunk"), (statements, chunks)),
            len(statements.ids),
            np.array(ordinals, np.int64),
        ),
        statement_topic=first_target(
            links("BELONGS_TO", ("Statement", "Topic"), (statements, topics)), len(statements.ids)
        ),
        mentions=mentions,
        relations=_read_relations(store.relations(), entities),
        chunk_parents=np.array(
            [parents.get(id_.decode(), "") for id_ in chunks.ids.tolist()], "S32"
        ),
    )


def empty_snapshot() -> Snapshot:
    """The snapshot of a graph that holds nothing."""
    nothing = Nodes(np.zeros(0, "S32"), [], np.zeros((0, 0), np.float16))
    rows = np.zeros(0, np.int32)
    return assemble(
        "",
        *(nothing, nothing, nothing, nothing),
        merge_entities([], {}),
        chunk_source=rows,
        statement_chunk=rows,
        statement_topic=rows,
        mentions=np.zeros((0, 2), np.int32),
    )


def assemble(
    revision: str,
    sources: Nodes,
    chunks: Nodes,
    topics: Nodes,
    statements: Nodes,
    entities: MergedEntities,
    *,
    chunk_source: NDArray[np.int32],
    statement_chunk: NDArray[np.int32],
    statement_topic: NDArray[np.int32],
    mentions: Links,
    relations: tuple[Links, NDArray[np.float32]] = NO_RELATIONS,
    chunk_parents: NDArray[np.bytes_] | None = None,
) -> Snapshot:
    """A snapshot from its nodes (texts of sources: titles) and the rows that they link.

    :param relations: entities' rows at both ends, in any order, and weights.
    :param chunk_parents: by chunk the id of what it is part of; of none where None.
    """
    if chunk_parents is None:
        chunk_parents = np.zeros(len(chunks.ids), "S32")
    related, weights = _weighted_csr(*relations, len(entities.keys))
    titles = Strings.of(normalize_name(title) for title in sources.texts)
    keys = Strings.of(entities.keys)
    statement_words = LexicalIndex.build(statements.texts)
    return Snapshot(
        revision=revision,
        source_ids=sources.ids,
        source_titles=titles,
        title_entity=np.array([keys.find(titles[i]) for i in range(len(titles))], np.int32),
        chunk_ids=chunks.ids,
        chunk_embeddings=chunks.embeddings,
        chunk_source=chunk_source,
        chunk_parents=chunk_parents,
        chunk_words=LexicalIndex.build(chunks.texts),
        topic_ids=topics.ids,
        topic_embeddings=topics.embeddings,
        statement_ids=statements.ids,
        statement_embeddings=statements.embeddings,
        statement_chunk=statement_chunk,
        statement_topic=statement_topic,
        statement_words=statement_words,
        entity_keys=keys,
        entity_names=Strings.of(entities.names),
        entity_words=LexicalIndex.build(entities.words),
        alias_keys=Strings.of(entities.aliases),
        alias_entity=np.array(list(entities.aliases.values()), np.int32),
        entity_ids=entities.ids,
        entity_rows=entities.row_of_id,
        entity_leaders=np.array(entities.leaders, np.int32),
        entity_weights=entities.weights,
        relations=related,
        relation_weights=weights,
        statement_entities=csr(mentions, len(statements.ids)),
        entity_statements=csr(mentions[:, ::-1], len(entities.keys)),
        found_again=found_again(
            statements.texts, statements.embeddings, statement_words, statement_chunk
        ),
    )


def merge_entities(rows: Sequence[Row], canonical: Mapping[str, str]) -> MergedEntities:
    """Entities that are one as one: those of one normalised name, and those merged.

    A merged entity is under its canonical one's name, and its own name is an alias. Of those
    that have the name themselves, the most mentioned gives it for people.

    :param rows: as :meth:`hlg.store.base.GraphStore.nodes` gives them, ordered by id.
    :param canonical: merged entities by id, each with its canonical one's.
    """
    name_of = {str(row["id"]): str(row["name"]) for row in rows}
    keys_of = [
        normalize_name(name_of.get(canonical.get(id_, id_), name)) for id_, name in name_of.items()
    ]
    by_degree = sorted(range(len(rows)), key=lambda i: (-cast(int, rows[i].get("degree", 0)), i))
    names: dict[str, str] = {}
    aliases: dict[str, str] = {}
    leaders: dict[str, int] = {}
    for i in sorted(by_degree, key=lambda i: str(rows[i]["id"]) in canonical):
        names.setdefault(keys_of[i], str(rows[i]["name"]))
        leaders.setdefault(keys_of[i], i)
    for i in by_degree:
        for alias in _aliases(rows[i], canonical):
            aliases.setdefault(normalize_name(alias), keys_of[i])
    keys = sorted(names, key=_as_bytes)
    row_of = {key: i for i, key in enumerate(keys)}
    words = [names[key] for key in keys]
    for row, key in zip(rows, keys_of, strict=True):
        words[row_of[key]] = " ".join([words[row_of[key]], *_aliases(row, canonical)])
    row_of_id = np.array([row_of[key] for key in keys_of], np.int32)
    weights = np.zeros(len(keys), np.float32)
    joining = [
        link_weight(str(row["class"]), cast(float, row.get("confidence", 1))) for row in rows
    ]
    np.maximum.at(weights, row_of_id, joining)
    return MergedEntities(
        ids=np.array(list(name_of), "S32"),
        row_of_id=row_of_id,
        keys=keys,
        names=[names[key] for key in keys],
        words=words,
        aliases={
            alias: row_of[aliases[alias]]
            for alias in sorted(aliases, key=_as_bytes)
            if alias and alias not in row_of
        },
        leaders=[leaders[key] for key in keys],
        weights=weights,
    )


def csr(links: Links, size: int) -> Csr:
    """Links as compressed rows, targets ascending, each once."""
    width = int(links[:, 1].max()) + 1 if len(links) else 1
    # Sorting millions is several times faster than np.unique, which hashes them.
    pairs = np.sort(links[:, 0].astype(np.int64) * width + links[:, 1])
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    indptr = np.searchsorted(pairs, np.arange(size + 1, dtype=np.int64) * width)
    return Csr(indptr.astype(np.int64), (pairs % width).astype(np.int32))


def _weighted_csr(
    links: Links, weights: NDArray[np.float32], size: int
) -> tuple[Csr, NDArray[np.float32]]:
    """Links both ways round as compressed rows, each once, with their weights added up."""
    keys = np.concatenate([links, links[:, ::-1]]).astype(np.int64) @ [size, 1]
    pairs, place = np.unique(keys, return_inverse=True)
    indptr = np.searchsorted(pairs, np.arange(size + 1, dtype=np.int64) * size)
    summed = np.bincount(place, np.tile(weights, 2), len(pairs)).astype(np.float32)
    return Csr(indptr.astype(np.int64), (pairs % max(size, 1)).astype(np.int32)), summed


def _read_relations(
    relations: Relations, entities: MergedEntities
) -> tuple[Links, NDArray[np.float32]]:
    """Rows at both ends and weights; what relates an entity to itself is left out."""
    ends = [rows_of(ids, entities.ids) for ids in (relations.sources, relations.targets)]
    links = np.stack(ends, axis=1)
    known = (links >= 0).all(axis=1)
    links, weights = entities.row_of_id[links[known]], relations.weights[known]
    other = links[:, 0] != links[:, 1]
    return links[other].astype(np.int32), weights[other].astype(np.float32)


def first_target(
    links: Links, size: int, order: NDArray[np.int64] | None = None
) -> NDArray[np.int32]:
    """By row the target that comes first in ``order`` (by target; their rows by default)."""
    rank = links[:, 1] if order is None else order[links[:, 1]]
    links = links[np.lexsort((links[:, 1], rank, links[:, 0]))]
    targets = np.full(size, -1, np.int32)
    rows, first = np.unique(links[:, 0], return_index=True)
    targets[rows] = links[first, 1]
    return targets


def _read_nodes(
    batches: Iterable[list[Row]], text_of: Callable[[Row], str], dimensions: int
) -> Nodes:
    ids: list[NDArray[np.bytes_]] = [np.zeros(0, "S32")]
    vectors = [np.zeros((0, dimensions), np.float16)]
    texts: list[str] = []
    absent = np.zeros(dimensions, np.float32)
    for batch in batches:
        ids.append(np.array([str(row["id"]) for row in batch], "S32"))
        texts += map(text_of, batch)
        if dimensions:
            rows = [cast(NDArray[np.float32], row.get("embedding", absent)) for row in batch]
            vectors.append(np.array(rows, np.float16))
    return Nodes(np.concatenate(ids), texts, np.concatenate(vectors))


def _read_links(
    batches: Iterable[list[Row]], from_ids: NDArray[np.bytes_], to_ids: NDArray[np.bytes_]
) -> Links:
    """Rows at both ends; what a write that is under way has brought since is left out."""
    parts = [np.zeros((0, 2), np.int32)]
    for batch in batches:
        ends = [
            rows_of(np.array([str(row[side]) for row in batch], "S32"), ids)
            for side, ids in (("from", from_ids), ("to", to_ids))
        ]
        part = np.stack(ends, axis=1)
        parts.append(part[(part >= 0).all(axis=1)])
    return np.concatenate(parts)


def _property(name: str) -> Callable[[Row], str]:
    return lambda row: str(row.get(name, ""))


def _text_with_details(row: Row) -> str:
    return f"{row['text']} {row.get('details', '')}"


def _aliases(row: Row, merged: Container[str]) -> list[str]:
    own = [str(row["name"])] if row["id"] in merged else []
    return [*own, *map(str, cast(Sequence[str], row.get("aliases") or ()))]


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
