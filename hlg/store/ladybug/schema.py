"""The tables of a Ladybug file."""

from dataclasses import asdict

from hlg.schema import EDGES, GRAPH_NODE_ID, NODES
from hlg.store.ladybug.database import Session
from hlg.store.ladybug.write import node_table
from hlg.store.records import GraphInfo


def create_tables(session: Session, info: GraphInfo) -> None:
    """Make all tables, and the node of what the store knows of its graph."""
    for label in NODES:
        rows = node_table(label, (), info.dimensions)
        session("schema/node_table", {"rows": rows}, label=label)
    for edge in EDGES.values():
        session("schema/edge_table", edge=(edge.type, *edge.ends[0]))
    session("write/set_graph_info", {"id": GRAPH_NODE_ID} | asdict(info))
