"""The tables of a Ladybug file: made, and done without where an older hlg made the file."""

from uuid import uuid4

from hlg.schema import EDGES, GRAPH_NODE_ID, NODES, SCHEMA_VERSION
from hlg.store.ladybug.database import Session
from hlg.store.ladybug.write import node_table

NOTHING = ""
"""In the place of a statement: there are no rows."""
WITHOUT_MERGES = {
    "counts_merges": NOTHING,
    "differences": NOTHING,
    "edges_from_different_from_entity_entity": NOTHING,
    "edges_from_same_as_entity_entity": NOTHING,
    "merged_with": NOTHING,
    "merges": NOTHING,
    "seen_entities": "get_entity",
}
"""What answers for statements about merges in a file that has no tables for them."""


def create_tables(session: Session, embedder: str, dimensions: int) -> None:
    """Make all tables, and the node of what the store knows of its graph."""
    for label in NODES:
        rows = node_table(label, (), dimensions)
        session.rows(f"create_{label.lower()}", {"rows": rows})
    create_edge_tables(session)
    graph = {"embedder": embedder, "dimensions": dimensions, "schema_version": SCHEMA_VERSION}
    session.rows("set_graph_info", {"id": GRAPH_NODE_ID, "revision": uuid4().hex} | graph)


def create_edge_tables(session: Session) -> None:
    """Make the tables of relationships that there are not yet."""
    for type_ in EDGES:
        session.rows(f"create_{type_.lower()}")
