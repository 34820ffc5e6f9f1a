"""Writing and deleting sources in one Ladybug transaction.

New rows are created from Arrow tables, not by COPY: what COPY loads is not in the engine's
write-ahead log, so that a process killed before the next checkpoint would leave half a
transaction. Entities, facts and relations that are there already are found by one look-up
and changed by one statement each.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from hlg.errors import StoreError
from hlg.records import Merges, SourceGraph
from hlg.schema import EDGES, NODES
from hlg.store.ladybug.database import Session
from hlg.store.shared.deleting import delete_sources
from hlg.store.shared.merging import restore_merges
from hlg.store.shared.rows import (
    EdgeKind,
    GraphRows,
    NodeRow,
    Relation,
    Sent,
    Strength,
    relation_strengths,
    rows_of,
    united_aliases,
)

_ARROW = {
    "STRING": pa.string(),
    "INT64": pa.int64(),
    "DOUBLE": pa.float64(),
    "STRING[]": pa.list_(pa.string()),
}
_OWN = ("Source", "Chunk", "Topic", "Statement")
"""Labels whose nodes belong to one source."""
_SHARED = ("Entity", "Fact")


def node_table(label: str, rows: Sequence[NodeRow], dimensions: int) -> pa.Table:
    """Rows of a label as the columns of its table, the embedding last."""
    node = NODES[label]
    columns = {
        name: pa.array([row[name] for row in rows], _ARROW[type_])
        for name, type_ in node.properties.items()
    }
    if node.embedded:
        columns["embedding"] = _vectors([row["embedding"] for row in rows], dimensions)
    return pa.table(columns)


def write_graphs(session: Session, graphs: Sequence[SourceGraph], dimensions: int) -> None:
    """Write checked graphs, each in place of its older self, in the session's transaction."""
    _, lost = delete_graphs(session, [graph.source.id for graph in graphs])
    rows = rows_of(graphs)
    for label in _OWN:
        _refuse_known(session, label, rows)
        add_nodes(session, label, rows.nodes[label], dimensions)
    known = {
        label: {row["id"]: row for row in _get(session, label, _ids(rows.nodes[label]))}
        for label in _SHARED
    }
    for label in _SHARED:
        fresh = [row for row in rows.nodes[label] if row["id"] not in known[label]]
        add_nodes(session, label, fresh, dimensions)
        _raise_confidence(session, label, rows.nodes[label], known[label])
    _update_entities(session, rows.nodes["Entity"], known["Entity"])
    facts = {
        row["id"]: known["Fact"].get(row["id"], row) | {"confidence": row["confidence"]}
        for row in rows.nodes["Fact"]
    }
    strengths = relation_strengths(facts, rows)
    for kind in (("SUBJECT", "Entity", "Fact"), ("OBJECT", "Fact", "Entity")):
        fact = kind.index("Fact") - 1
        rows.edges[kind] = [pair for pair in rows.edges[kind] if pair[fact] not in known["Fact"]]
    for kind, pairs in rows.edges.items():
        send(session, "write/link", pairs, edge=kind)
    _add_relations(session, strengths)
    restore_merges(session, partial(send, session), lost)


def delete_graphs(session: Session, source_ids: Sequence[str]) -> tuple[int, Merges]:
    """Delete sources and what only they supported, in the session's transaction.

    Returns how many there were, and the merges that went with their entities.
    """
    return delete_sources(
        session,
        source_ids,
        partial(_change_degrees, session),
        partial(_change_relations, session),
    )


def send(session: Session, name: str, rows: Sent, *, edge: EdgeKind | None = None) -> None:
    """Give pairs of ids, or rows of SAME_AS, to a statement, where there are any."""
    if rows:
        names = ("from", "to", *EDGES["SAME_AS"].properties)
        session(name, {"rows": _columns(rows, names[: len(rows[0])])}, edge=edge)


def _get(session: Session, label: str, ids: Sequence[str]) -> list[Any]:
    """The rows of the nodes with these ids, embeddings aside, each once."""
    if not ids:
        return []
    return session("read/nodes", {"ids": list(dict.fromkeys(ids))}, label=label)


def _refuse_known(session: Session, label: str, rows: GraphRows) -> None:
    known = _get(session, label, _ids(rows.nodes[label]))
    if known:
        raise StoreError(f"{label} {known[0]['id']!r} belongs to another source already")


def add_nodes(session: Session, label: str, rows: Sequence[NodeRow], dimensions: int) -> None:
    """Create nodes of a label, where there are any."""
    if rows:
        table = node_table(label, rows, dimensions)
        session("write/create_nodes", {"rows": table}, label=label)


def _update_entities(
    session: Session, rows: Sequence[NodeRow], known: Mapping[str, NodeRow]
) -> None:
    _change_degrees(session, {row["id"]: row["degree"] for row in rows if row["id"] in known})
    united = {
        row["id"]: united_aliases(known[row["id"]]["aliases"], row["aliases"])
        for row in rows
        if row["id"] in known
    }
    changed = [(id_, names) for id_, names in united.items() if names != known[id_]["aliases"]]
    _set(session, "Entity", "aliases", changed)


def _raise_confidence(
    session: Session, label: str, rows: Sequence[NodeRow], known: Mapping[str, NodeRow]
) -> None:
    surer = [
        (row["id"], row["confidence"])
        for row in rows
        if row["id"] in known and row["confidence"] > known[row["id"]]["confidence"]
    ]
    _set(session, label, "confidence", surer)


def _set(session: Session, label: str, name: str, values: Sequence[tuple[str, object]]) -> None:
    """Set a property of nodes of a label, by id, where there are any."""
    if values:
        table = _columns(values, ("key", "given"))
        session("write/set_property", {"rows": table}, label=label, property=name)


def _change_degrees(session: Session, added: Mapping[str, int]) -> None:
    if added:
        session("write/add_to_degree", {"rows": _columns(added.items(), ("id", "added"))})


def _add_relations(session: Session, strengths: Mapping[Relation, Strength]) -> None:
    """Add to the relations that there are, and make those that there are not."""
    if not strengths:
        return
    asked = _columns(strengths, ("subject", "relation", "target"))
    found = session("read/relations", {"rows": asked})
    known = {(row["subject"], row["relation"], row["target"]) for row in found}
    _change_relations(session, {key: n for key, n in strengths.items() if key in known})
    add_relations(session, {key: n for key, n in strengths.items() if key not in known})


def add_relations(session: Session, strengths: Mapping[Relation, Strength]) -> None:
    """Create RELATES_TO, where there are any, by (subject, predicate, object)."""
    fresh = [(*relation, *strength) for relation, strength in strengths.items()]
    if fresh:
        table = _columns(fresh, ("from", "predicate", "to", "weight", "confidence"))
        session("write/add_relations", {"rows": table})


def _change_relations(session: Session, added: Mapping[Relation, Strength]) -> None:
    if added:
        changes = [(*relation, *strength) for relation, strength in added.items()]
        table = _columns(changes, ("subject", "relation", "target", "added", "surest"))
        session("write/add_to_relations", {"rows": table})


def _columns(rows: Iterable[Sequence[object]], names: Sequence[str]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return pa.table([pa.array(column) for column in columns], names=list(names))


def _vectors(vectors: Sequence[Any], dimensions: int) -> pa.FixedSizeListArray:
    absent = np.zeros(dimensions, np.float32)
    rows = [absent if vector is None else vector for vector in vectors]
    values = np.concatenate(rows) if rows else np.zeros(0, np.float32)
    mask = pa.array([vector is None for vector in vectors], pa.bool_())
    return pa.FixedSizeListArray.from_arrays(pa.array(values, pa.float32()), dimensions, mask=mask)


def _ids(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]
