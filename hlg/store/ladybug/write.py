"""Writing in a Ladybug file.

New rows are created from Arrow tables, not by COPY: what COPY loads is not in the engine's
write-ahead log, so that a process killed before the next checkpoint would leave half a
transaction. Entities, facts and relations that are there already are found by one look-up
and changed by one statement each.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from hlg.schema import NODES
from hlg.store.base import GraphStore
from hlg.store.ladybug.database import columns_of
from hlg.store.shared import kinds
from hlg.store.shared.reading import Change, Run, graph_rows
from hlg.store.shared.rows import GraphRows, NodeRow, Relation, Strength, united_aliases

_ARROW = {
    "STRING": pa.string(),
    "INT64": pa.int64(),
    "DOUBLE": pa.float64(),
    "STRING[]": pa.list_(pa.string()),
}


class LadybugWrites(GraphStore):
    """The half of a Ladybug store that writes."""

    def _create_nodes(self, run: Run, label: str, rows: Sequence[NodeRow]) -> None:
        if rows:
            table = node_table(label, rows, self._known().dimensions)
            run("write/create_nodes", {"rows": table}, label=label)

    def _merge_facts(self, run: Change, rows: GraphRows) -> dict[str, NodeRow]:
        known: dict[str, dict[str, NodeRow]] = {}
        for label in ("Entity", "Fact"):
            nodes = rows.nodes[label]
            there = {row["id"]: row for row in graph_rows(run, label, [x["id"] for x in nodes])}
            self._create_nodes(run, label, [row for row in nodes if row["id"] not in there])
            surer = [
                (row["id"], row["confidence"])
                for row in nodes
                if row["id"] in there and row["confidence"] > there[row["id"]]["confidence"]
            ]
            _set(run, label, "confidence", surer)
            known[label] = there
        self._update_entities(run, rows.nodes["Entity"], known["Entity"])
        for kind in (kinds.SUBJECT, kinds.OBJECT):
            fact = kind.index("Fact") - 1
            fresh = [pair for pair in rows.edges[kind] if pair[fact] not in known["Fact"]]
            run.send("write/link", fresh, edge=kind)
        return {
            row["id"]: known["Fact"].get(row["id"], row) | {"confidence": row["confidence"]}
            for row in rows.nodes["Fact"]
        }

    def _update_entities(
        self, run: Change, rows: Sequence[NodeRow], known: Mapping[str, NodeRow]
    ) -> None:
        again = [row for row in rows if row["id"] in known]
        degrees = [(row["id"], row["degree"]) for row in again]
        run.send("write/add_to_degrees", degrees)
        united = {
            row["id"]: united_aliases(known[row["id"]]["aliases"], row["aliases"]) for row in again
        }
        changed = [(id_, names) for id_, names in united.items() if names != known[id_]["aliases"]]
        _set(run, "Entity", "aliases", changed)

    def _add_to_relations(self, run: Change, strengths: Mapping[Relation, Strength]) -> None:
        if not strengths:
            return
        asked = columns_of(strengths, ("subject", "relation", "target"))
        found = run("read/relations", {"rows": asked})
        known = {(row["subject"], row["relation"], row["target"]) for row in found}
        changed = [(*key, *added) for key, added in strengths.items() if key in known]
        if changed:
            table = columns_of(changed, ("subject", "relation", "target", "added", "surest"))
            run("write/add_to_relations", {"rows": table})
        fresh = [(*key, *added) for key, added in strengths.items() if key not in known]
        if fresh:
            table = columns_of(fresh, ("from", "predicate", "to", "weight", "confidence"))
            run("write/add_relations", {"rows": table})


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


def _set(run: Run, label: str, name: str, values: Sequence[tuple[str, object]]) -> None:
    """Set a property of nodes of a label, by id, where there are any."""
    if values:
        table = columns_of(values, ("key", "given"))
        run("write/set_property", {"rows": table}, label=label, property=name)


def _vectors(vectors: Sequence[Any], dimensions: int) -> pa.FixedSizeListArray:
    absent = np.zeros(dimensions, np.float32)
    rows = [absent if vector is None else vector for vector in vectors]
    values = np.concatenate(rows) if rows else np.zeros(0, np.float32)
    mask = pa.array([vector is None for vector in vectors], pa.bool_())
    return pa.FixedSizeListArray.from_arrays(pa.array(values, pa.float32()), dimensions, mask=mask)
