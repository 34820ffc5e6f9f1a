"""Writing in Neo4j: facts, entities and relations merge by id or ends in the database."""

from collections.abc import Collection, Mapping, Sequence

from hlg.names import normalize_name
from hlg.schema import NODES
from hlg.store.base import GraphStore
from hlg.store.shared import kinds
from hlg.store.shared.reading import GRAPH, Change, Run, batches, seen_entities
from hlg.store.shared.rows import GraphRows, NodeRow, Relation, Strength
from hlg.store.shared.text import decode_text, encode_text

_KEY_CHARACTERS = 1000
"""An index holds no key of more than some 8,000 bytes."""
_VECTORS_AT_ONCE = 1000


def name_key(name: str) -> str:
    """The normalised name under which an entity is looked up."""
    return encode_text(normalize_name(name)[:_KEY_CHARACTERS])


class Neo4jWrites(GraphStore):
    """The half of a Neo4j store that writes."""

    def _before_change(self, run: Run) -> None:
        run("write/lock_graph", GRAPH)

    def _create_nodes(self, run: Run, label: str, rows: Sequence[NodeRow]) -> None:
        for batch in batches(map(_without_embedding, rows)):
            run("write/create_nodes", {"rows": batch}, label=label)
        if NODES[label].embedded:
            _write_vectors(run, label, rows)

    def _merge_facts(self, run: Change, rows: GraphRows) -> dict[str, NodeRow]:
        facts = {row["id"]: row for row in rows.nodes["Fact"]}
        for batch in batches(rows.nodes["Fact"]):
            for held in run("write/merge_facts", {"rows": batch}):
                facts[held["id"]] = facts[held["id"]] | held
        entities = [_entity(row) for row in rows.nodes["Entity"]]
        for batch in batches(entities):
            run("write/merge_entities", {"rows": batch})
        for batch in batches(row for row in entities if row["aliases"]):
            run("write/unite_aliases", {"rows": batch})
        _write_vectors(run, "Entity", rows.nodes["Entity"])
        for kind in (kinds.SUBJECT, kinds.OBJECT):
            run.send("write/link_once", rows.edges[kind], edge=kind)
        return facts

    def _add_to_relations(self, run: Change, strengths: Mapping[Relation, Strength]) -> None:
        rows = [[*relation, *added] for relation, added in strengths.items()]
        run.send("write/add_to_relations", rows)

    def _after_merges(self, run: Change, ids: Collection[str]) -> None:
        """Set the keys of entities whose merges changed: a merged one's key is its canonical
        one's, so that a walk takes both for one, and its own name is among its alias keys."""
        rows = [
            [
                seen.entity.id,
                name_key(seen.entity.name),
                sorted(set(map(name_key, seen.entity.aliases))),
            ]
            for seen in seen_entities(run, sorted(ids))
        ]
        run.send("write/set_entity_keys", rows)


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
