"""Communities as a property graph holds them, by statements that both stores share."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from hlg.records import Community
from hlg.store.records import FactSupport, Relations
from hlg.store.shared import kinds
from hlg.store.shared.reading import GRAPH, Run, edge_pairs, graph_rows, rows_for
from hlg.store.shared.rows import decoded
from hlg.store.shared.text import decode_text


def read_communities(run: Run, ids: Sequence[str] | None = None) -> list[Community]:
    """All communities, or those with these ids, by level, then the largest first."""
    wanted = (
        [row["id"] for row in run("read/ids", label="Community")]
        if ids is None
        else dict.fromkeys(ids)
    )
    rows = [decoded(row) for row in graph_rows(run, "Community", wanted)]
    members: dict[str, list[str]] = defaultdict(list)
    known = [row["id"] for row in rows]
    for entity, community in edge_pairs(run, kinds.MEMBER, known, back=True):
        members[community].append(entity)
    parents = dict(edge_pairs(run, kinds.PARENT, known))
    found = [
        Community(
            parent_id=parents.get(row["id"]), entity_ids=tuple(sorted(members[row["id"]])), **row
        )
        for row in rows
    ]
    return sorted(found, key=lambda community: (community.level, -community.size, community.id))


def read_revision(run: Run) -> str:
    """The revision that the communities were found at; empty where nobody knows it."""
    (row,) = run("communities/revision", GRAPH)
    revision: str = row["revision"] or ""
    return revision


def nearest_communities(
    run: Run, vector: Sequence[float], top_k: int, level: int | None
) -> list[tuple[Community, float]]:
    """See :meth:`hlg.store.base.GraphStore.nearest_communities`."""
    parameters = {"vector": vector, "limit": top_k, "level": -1 if level is None else level}
    rows = run("communities/nearest_communities", parameters)
    known = {each.id: each for each in read_communities(run, [row["id"] for row in rows])}
    return [(known[row["id"]], row["score"]) for row in rows]


def read_fact_supports(run: Run, entity_ids: Iterable[str]) -> list[FactSupport]:
    """The facts whose subject is one of these entities, with each of their statements; in order."""
    found = {
        (row["fact"], row["statement"]): FactSupport(
            subject_id=row["subject"],
            subject_name=decode_text(row["name"]),
            object_id=row["object"],
            fact_id=row["fact"],
            statement_id=row["statement"],
            confidence=row["confidence"],
        )
        for row in rows_for(run, "read/fact_supports", dict.fromkeys(entity_ids))
    }
    return [found[key] for key in sorted(found)]


def relations_of(
    sources: Sequence[str], targets: Sequence[str], weights: Sequence[float]
) -> Relations:
    """Columns as arrays."""
    return Relations(
        np.array(sources, "S32"), np.array(targets, "S32"), np.array(weights, np.float64)
    )
