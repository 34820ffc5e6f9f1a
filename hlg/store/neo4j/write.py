"""Writing and deleting sources in Neo4j, inside a transaction that the caller holds."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from hlg.names import normalize_name
from hlg.records import Merges
from hlg.schema import NODES
from hlg.store.shared.deleting import Relation, delete_sources
from hlg.store.shared.merging import restore_merges
from hlg.store.shared.reading import Run, batches, seen_entities
from hlg.store.shared.rows import GraphRows, NodeRow, relation_weights
from hlg.store.shared.text import decode_text, encode_text

_KEY_CHARACTERS = 1000
"""An index holds no key of more than some 8,000 bytes."""
_VECTORS_AT_ONCE = 1000
_LOCAL = ("Source", "Chunk", "Topic", "Statement")
"""Labels whose nodes belong to one source."""


def name_key(name: str) -> str:
    """The normalised name under which an entity is looked up."""
    return encode_text(normalize_name(name)[:_KEY_CHARACTERS])


def write_rows(run: Run, rows: GraphRows, lost: Merges) -> None:
    """Write sources that are not in the graph; facts and entities merge by id.

    :param lost: merges that went with the sources' older selves; those of entities that
        are there again are made again.
    """
    for label in _LOCAL:
        send(run, f"create_{label.lower()}", map(without_embedding, rows.nodes[label]))
    facts = _merge_facts(run, rows.nodes["Fact"])
    entities = [_entity(row) for row in rows.nodes["Entity"]]
    send(run, "merge_entity", entities)
    send(run, "unite_aliases", [row for row in entities if row["aliases"]])
    for label, node in NODES.items():
        if node.embedded:
            write_vectors(run, label, rows.nodes[label])
    for kind, pairs in rows.edges.items():
        send(run, f"link_{'_'.join(kind).lower()}", pairs)
    _add_to_relations(run, relation_weights(facts, rows))
    restore_merges(run, partial(send, run), lost)
    refresh_keys(run, lost.canonical())


def delete_graphs(run: Run, source_ids: Sequence[str]) -> tuple[int, Merges]:
    """Delete sources and what only they supported.

    Returns how many there were, and the merges that went with their entities.
    """
    deleted, lost = delete_sources(
        run,
        source_ids,
        lambda degrees: send(run, "add_to_degrees", degrees.items()),
        lambda weights: _add_to_relations(run, weights),
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
    send(run, "set_entity_keys", rows)


def _add_to_relations(run: Run, weights: Mapping[Relation, int]) -> None:
    send(run, "add_to_relations", ([*relation, added] for relation, added in weights.items()))


def _merge_facts(run: Run, rows: Sequence[NodeRow]) -> dict[str, NodeRow]:
    """Write facts and return them by id as the graph has them: the first predicate stays."""
    facts = {row["id"]: row for row in rows}
    for batch in batches(rows):
        for held in run("merge_fact", {"rows": batch}):
            facts[held["id"]] = facts[held["id"]] | held
    return facts


def write_vectors(run: Run, label: str, rows: Sequence[NodeRow]) -> None:
    """Give nodes of a label, which have none, the vectors that their rows have."""
    """Give nodes of a label, which have none, the vectors that their rows have."""
    embedded = [row for row in rows if row["embedding"] is not None]
    for batch in batches(embedded, _VECTORS_AT_ONCE):
        vectors = [[row["id"], row["embedding"].tolist()] for row in batch]
        run(f"vectors_{label.lower()}", {"rows": vectors})


def send(run: Run, name: str, rows: Iterable[Any]) -> None:
    """Give rows to a statement, in batches."""
    for batch in batches(rows):
        run(name, {"rows": batch})


def without_embedding(row: NodeRow) -> NodeRow:
    """A node's properties, as a statement that creates it takes them."""
    """A node's properties, as a statement that creates it takes them."""
    return {name: value for name, value in row.items() if name != "embedding"}


def _entity(row: NodeRow) -> NodeRow:
    keys = {name_key(decode_text(alias)) for alias in row["aliases"]}
    return without_embedding(row) | {
        "key": name_key(decode_text(row["name"])),
        "alias_keys": sorted(keys),
    }
