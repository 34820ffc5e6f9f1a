"""Communities as a property graph holds them, by statements that both stores share."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hlg.errors import StoreError
from hlg.records import Community, Embeddings, FactSupport, Relations
from hlg.store.shared.reading import Run, batches, graph_rows
from hlg.store.shared.rows import NodeRow, Pair, decoded
from hlg.store.shared.text import decode_text, encode_text

__all__ = [
    "check_communities",
    "community_rows",
    "member_pairs",
    "nearest_communities",
    "parent_pairs",
    "read_communities",
    "read_fact_supports",
    "relations_of",
]


def check_communities(
    communities: Sequence[Community], embeddings: Embeddings | None, dimensions: int
) -> None:
    """See that communities can be written as they are.

    :raises StoreError: an id is there twice, a parent is none of them or not one level
        above; vectors are not finite float32 of shape (communities, ``dimensions``).
    """
    levels = {community.id: community.level for community in communities}
    if len(levels) < len(communities):
        raise StoreError("a community's id is there twice")
    for community in communities:
        parent = community.parent_id
        if parent is not None and levels.get(parent) != community.level - 1:
            raise StoreError(f"community {community.id!r} has no parent one level above")
    if embeddings is None:
        return
    wanted = (len(communities), dimensions)
    if embeddings.shape != wanted or embeddings.dtype != np.float32:
        raise StoreError(
            f"community vectors are {embeddings.dtype} of shape {embeddings.shape}, "
            f"not float32 of {wanted}"
        )
    if not np.isfinite(embeddings).all():
        raise StoreError("a community vector is not finite")


def community_rows(
    communities: Sequence[Community], embeddings: Embeddings | None
) -> list[NodeRow]:
    """The nodes of communities: the schema's properties, text encoded, and ``embedding``.

    A vector of zeros is none.
    """
    vectors: Iterable[Any] = [None] * len(communities) if embeddings is None else embeddings
    return [
        {
            "id": community.id,
            "level": community.level,
            "title": encode_text(community.title),
            "summary": encode_text(community.summary),
            "size": community.size,
            "content_hash": community.content_hash,
            "embedding": vector if vector is not None and vector.any() else None,
        }
        for community, vector in zip(communities, vectors, strict=True)
    ]


def member_pairs(communities: Sequence[Community]) -> list[Pair]:
    """IN_COMMUNITY: (entity id, community id), an entity to its communities on every level."""
    return [(entity, community.id) for community in communities for entity in community.entity_ids]


def parent_pairs(communities: Sequence[Community]) -> list[Pair]:
    """PART_OF: (community id, parent's id)."""
    return [
        (community.id, community.parent_id)
        for community in communities
        if community.parent_id is not None
    ]


def read_communities(run: Run, ids: Sequence[str] | None) -> list[Community]:
    """All communities, or those with these ids, by level, then the largest first."""
    wanted = [row["id"] for row in run("ids_community")] if ids is None else dict.fromkeys(ids)
    rows = [decoded(row) for row in graph_rows(run, "Community", wanted)]
    members: dict[str, list[str]] = defaultdict(list)
    parents: dict[str, str] = {}
    for batch in batches(row["id"] for row in rows):
        for pair in run("edges_to_in_community_entity_community", {"ids": batch}):
            members[pair["to"]].append(pair["from"])
        for pair in run("edges_from_part_of_community_community", {"ids": batch}):
            parents[pair["from"]] = pair["to"]
    found = [
        Community(
            id=row["id"],
            level=row["level"],
            title=row["title"],
            summary=row["summary"],
            parent_id=parents.get(row["id"]),
            size=row["size"],
            entity_ids=tuple(sorted(members[row["id"]])),
            content_hash=row["content_hash"],
        )
        for row in rows
    ]
    return sorted(found, key=lambda community: (community.level, -community.size, community.id))


def nearest_communities(
    run: Run, vector: Sequence[float], top_k: int, level: int | None
) -> list[tuple[Community, float]]:
    """See :meth:`hlg.store.base.GraphStore.nearest_communities`."""
    parameters = {"vector": vector, "limit": top_k, "level": -1 if level is None else level}
    rows = run("nearest_communities", parameters)
    known = {each.id: each for each in read_communities(run, [row["id"] for row in rows])}
    return [(known[row["id"]], row["score"]) for row in rows]


def read_fact_supports(run: Run, entity_ids: Iterable[str]) -> list[FactSupport]:
    """See :meth:`hlg.store.base.GraphStore.fact_supports`; in order."""
    found = {
        (row["fact"], row["statement"]): FactSupport(
            subject_id=row["subject"],
            subject_name=decode_text(row["name"]),
            object_id=row["object"],
            fact_id=row["fact"],
            statement_id=row["statement"],
        )
        for batch in batches(dict.fromkeys(entity_ids))
        for row in run("fact_supports", {"ids": batch})
    }
    return [found[key] for key in sorted(found)]


def relations_of(
    sources: Sequence[str], targets: Sequence[str], weights: Sequence[int]
) -> Relations:
    """Columns as arrays."""
    return Relations(
        np.array(sources, "S32"), np.array(targets, "S32"), np.array(weights, np.int64)
    )
