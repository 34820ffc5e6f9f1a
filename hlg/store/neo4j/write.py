"""Writing and deleting sources in Neo4j, inside a transaction that the caller holds."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from hlg.names import normalize_name
from hlg.records import Merges, SourceGraph
from hlg.schema import NODES
from hlg.store.shared.deleting import delete_sources
from hlg.store.shared.merging import restore_merges
from hlg.store.shared.reading import Run, batches, seen_entities
from hlg.store.shared.rows import (
    EdgeKind,
    NodeRow,
    Relation,
    Strength,
    relation_strengths,
    rows_of,
)
from hlg.store.shared.text import decode_text, encode_text

_KEY_CHARACTERS = 1000
"""An index holds no key of more than some 8,000 bytes."""
_VECTORS_AT_ONCE = 1000
_LOCAL = ("Source", "Chunk", "Topic", "Statement")
"""Labels whose nodes belong to one source."""
_OF_FACTS = ("SUBJECT", "OBJECT")
"""Types whose relationships come with a fact, which other sources may have brought."""


def name_key(name: str) -> str:
    """The normalised name under which an entity is looked up."""
    return encode_text(normalize_name(name)[:_KEY_CHARACTERS])


def write_graphs(run: Run, graphs: Sequence[SourceGraph]) -> None:
    """Write checked graphs, each in place of its older self; facts and entities merge by id."""
    _, lost = delete_graphs(run, [graph.source.id for graph in graphs])
    rows = rows_of(graphs)
    for label in _LOCAL:
        create_nodes(run, label, rows.nodes[label])
    facts = _merge_facts(run, rows.nodes["Fact"])
    entities = [_entity(row) for row in rows.nodes["Entity"]]
    send(run, "write/merge_entities", entities)
    send(run, "write/unite_aliases", [row for row in entities if row["aliases"]])
    _write_vectors(run, "Entity", rows.nodes["Entity"])
    for kind, pairs in rows.edges.items():
        name = "write/link_once" if kind[0] in _OF_FACTS else "write/link"
        send(run, name, pairs, edge=kind)
    _add_to_relations(run, relation_strengths(facts, rows))
    restore_merges(run, partial(send, run), lost)
    refresh_keys(run, lost.canonical())


def delete_graphs(run: Run, source_ids: Sequence[str]) -> tuple[int, Merges]:
    """Delete sources and what only they supported.

    Returns how many there were, and the merges that went with their entities.
    """
    deleted, lost = delete_sources(
        run,
        source_ids,
        lambda degrees: send(run, "write/add_to_degrees", degrees.items()),
        lambda strengths: _add_to_relations(run, strengths),
    )
    refresh_keys(run, lost.canonical())
    return deleted, lost


def refresh_keys(run: Run, ids: Iterable[str]) -> None:
    """Set the keys of entities whose merges changed: a merged one's key is its canonical
    one's, so that a walk takes both for one, and its own name is among its alias keys."""
    rows = (
        [
            seen.entity.id,
            name_key(seen.entity.name),
            sorted(set(map(name_key, seen.entity.aliases))),
        ]
        for seen in seen_entities(run, ids)
    )
    send(run, "write/set_entity_keys", rows)


def _add_to_relations(run: Run, strengths: Mapping[Relation, Strength]) -> None:
    rows = ([*relation, *added] for relation, added in strengths.items())
    send(run, "write/add_to_relations", rows)


def _merge_facts(run: Run, rows: Sequence[NodeRow]) -> dict[str, NodeRow]:
    """Write facts and return them by id as the graph has them: the first wording stays."""
    facts = {row["id"]: row for row in rows}
    for batch in batches(rows):
        for held in run("write/merge_facts", {"rows": batch}):
            facts[held["id"]] = facts[held["id"]] | held
    return facts


def create_nodes(run: Run, label: str, rows: Sequence[NodeRow]) -> None:
    """Create nodes of a label, with their vectors."""
    for batch in batches(map(_without_embedding, rows)):
        run("write/create_nodes", {"rows": batch}, label=label)
    if NODES[label].embedded:
        _write_vectors(run, label, rows)


def send(run: Run, name: str, rows: Iterable[Any], *, edge: EdgeKind | None = None) -> None:
    """Give rows to a statement, in batches."""
    for batch in batches(rows):
        run(name, {"rows": batch}, edge=edge)


def _write_vectors(run: Run, label: str, rows: Sequence[NodeRow]) -> None:
    """Give nodes of a label, which have none, the vectors that their rows have."""
    embedded = [row for row in rows if row["embedding"] is not None]
    for batch in batches(embedded, _VECTORS_AT_ONCE):
        vectors = [[row["id"], row["embedding"].tolist()] for row in batch]
        run("write/set_vectors", {"rows": vectors}, label=label)


def _without_embedding(row: NodeRow) -> NodeRow:
    """A node's properties, as a statement that creates it takes them."""
    return {name: value for name, value in row.items() if name != "embedding"}


def _entity(row: NodeRow) -> NodeRow:
    keys = {name_key(decode_text(alias)) for alias in row["aliases"]}
    return _without_embedding(row) | {
        "key": name_key(decode_text(row["name"])),
        "alias_keys": sorted(keys),
    }
