"""Communities in a Ladybug file."""

from collections.abc import Sequence

from hlg.records import Community, Embeddings, Relations
from hlg.store.ladybug.database import Session
from hlg.store.ladybug.write import add_edges, add_nodes
from hlg.store.shared.communities import community_rows, member_pairs, parent_pairs, relations_of

_WIDENED = (
    "widen_community_size",
    "widen_community_content_hash",
    "widen_graph_communities",
)
"""Columns that files of before there were communities lack."""


def write_communities(
    session: Session,
    communities: Sequence[Community],
    embeddings: Embeddings | None,
    dimensions: int,
) -> None:
    """Put communities in place of all that there are, in the session's transaction."""
    for name in _WIDENED:
        session.rows(name)
    session.rows("delete_communities")
    add_nodes(session, "Community", community_rows(communities, embeddings), dimensions)
    add_edges(session, ("IN_COMMUNITY", "Entity", "Community"), member_pairs(communities))
    add_edges(session, ("PART_OF", "Community", "Community"), parent_pairs(communities))


def read_relations(session: Session) -> Relations:
    """All RELATES_TO, a column at a time: no row ever is an object of its own."""
    table = session.table("relation_weights")
    if not table.num_rows:
        return relations_of((), (), ())
    columns = (table[name].to_pylist() for name in ("source", "target", "weight"))
    return relations_of(*columns)
