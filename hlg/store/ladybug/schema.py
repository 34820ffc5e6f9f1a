"""The tables of a Ladybug file: made, and done without where an older hlg made the file."""

from dataclasses import asdict

from hlg.records import GraphInfo
from hlg.schema import EDGES, GRAPH_NODE_ID, NODES
from hlg.store.ladybug.database import Lacks, Session
from hlg.store.ladybug.write import node_table

WITHOUT_MERGES = Lacks(
    types=frozenset({"SAME_AS", "DIFFERENT_FROM"}),
    instead={
        "merge/counts_merges": "",
        "merge/differences": "",
        "merge/merged_with": "",
        "merge/merges": "",
        "merge/seen_entities": "read/nodes",
    },
)
"""What answers for statements about merges in a file that has no tables for them."""


def create_tables(session: Session, info: GraphInfo) -> None:
    """Make all tables, and the node of what the store knows of its graph."""
    for label in NODES:
        rows = node_table(label, (), info.dimensions)
        session("schema/node_table", {"rows": rows}, label=label)
    create_edge_tables(session)
    session("write/set_graph_info", {"id": GRAPH_NODE_ID} | asdict(info))


def create_edge_tables(session: Session) -> None:
    """Make the tables of relationships that there are not yet."""
    for edge in EDGES.values():
        session("schema/edge_table", edge=(edge.type, *edge.ends[0]))


def add_community_properties(session: Session) -> None:
    """Add the columns that files of before there were communities lack."""
    for label, name in (
        ("Community", "size"),
        ("Community", "content_hash"),
        ("Graph", "communities"),
    ):
        session("schema/add_property", label=label, property=name)
