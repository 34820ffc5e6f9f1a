"""Communities in Neo4j, inside a transaction that the caller holds."""

from collections.abc import Sequence
from itertools import chain, repeat

from hlg.records import Community, Embeddings, Relations
from hlg.store.neo4j.write import send, without_embedding, write_vectors
from hlg.store.shared.communities import community_rows, member_pairs, parent_pairs, relations_of
from hlg.store.shared.reading import Run


def write_communities(
    run: Run, communities: Sequence[Community], embeddings: Embeddings | None
) -> None:
    """Put communities in place of all that there are."""
    rows = community_rows(communities, embeddings)
    run("delete_communities")
    send(run, "create_community", map(without_embedding, rows))
    write_vectors(run, "Community", rows)
    send(run, "link_in_community_entity_community", member_pairs(communities))
    send(run, "link_part_of_community_community", parent_pairs(communities))


def read_relations(run: Run) -> Relations:
    """All RELATES_TO, grouped by where they come from, so that few rows are sent."""
    rows = run("relation_weights")
    sources = chain.from_iterable(repeat(row["source"], len(row["targets"])) for row in rows)
    targets = chain.from_iterable(row["targets"] for row in rows)
    weights = chain.from_iterable(row["weights"] for row in rows)
    return relations_of(list(sources), list(targets), list(weights))
