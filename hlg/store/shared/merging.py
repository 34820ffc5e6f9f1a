"""Which entities are the same: kept, read and undone by statements that both stores share.

A merge is one SAME_AS from an entity to its canonical one, so that groups are stars and
an undo is one relationship less. What was split once stays apart by DIFFERENT_FROM.
"""

import json
from collections.abc import Collection, Iterable, Sequence

from hlg.errors import StoreError
from hlg.records import EntityPair, Merges, SameAs
from hlg.store.shared import kinds
from hlg.store.shared.reading import Change, Run, graph_rows


def read_merges(run: Run) -> Merges:
    """All merges and all pairs that were parted."""
    return Merges(
        same_as=tuple(
            SameAs(row["from"], row["to"], row["score"], json.loads(row["evidence"]))
            for row in run("merge/merges")
        ),
        different_from=tuple((row["from"], row["to"]) for row in run("merge/differences")),
    )


def write_merges(run: Change, merges: Sequence[SameAs]) -> set[str]:
    """Join entities to their canonical ones; returns the ids of those that now walk elsewhere.

    :raises StoreError: an entity is unknown, or the groups would not be stars.
    """
    known = read_merges(run)
    into = {each.entity_id: each.canonical_id for each in known.same_as}
    fresh = {each.entity_id: each.canonical_id for each in merges}
    if len(fresh) < len(merges):
        raise StoreError("an entity is merged into two others")
    into |= fresh
    chained = sorted(id_ for id_, canonical in into.items() if canonical in into)
    if chained:
        raise StoreError(f"entity {chained[0]!r} would be merged into one that is itself merged")
    _require(run, {*fresh, *fresh.values()})
    run("merge/unlink_same_as", {"ids": sorted(fresh)})
    _link(run, merges)
    root = {id_: into.get(id_, id_) for pair in known.different_from for id_ in pair}
    run.send(
        "merge/unlink_different_from",
        [(one, other) for one, other in known.different_from if root[one] == root[other]],
    )
    return set(fresh)


def remove_merges(
    run: Change, entity_ids: Collection[str], different: Iterable[EntityPair]
) -> set[str]:
    """Undo the merges of entities and keep pairs apart; returns the ids of those undone.

    :raises StoreError: an entity of a pair is unknown, or is to differ from itself.
    """
    known = read_merges(run)
    undone = known.canonical().keys() & set(entity_ids)
    if undone:
        run("merge/unlink_same_as", {"ids": sorted(undone)})
    pairs = {(min(pair), max(pair)) for pair in different}
    if any(one == other for one, other in pairs):
        raise StoreError("an entity can't differ from itself")
    _require(run, {id_ for pair in pairs for id_ in pair})
    run.send("write/link", sorted(pairs - set(known.different_from)), edge=kinds.DIFFERENT_FROM)
    return undone


def touching(merges: Merges, ids: set[str]) -> Merges:
    """The merges and pairs that name one of these entities."""
    return Merges(
        tuple(x for x in merges.same_as if not ids.isdisjoint((x.entity_id, x.canonical_id))),
        tuple(pair for pair in merges.different_from if not ids.isdisjoint(pair)),
    )


def restore_merges(run: Change, lost: Merges) -> None:
    """Make again what went with deleted entities, where all of them are there again."""
    ends = {id_ for x in lost.same_as for id_ in (x.entity_id, x.canonical_id)}
    ends.update(id_ for pair in lost.different_from for id_ in pair)
    there = _there(run, ends)
    _link(run, [x for x in lost.same_as if {x.entity_id, x.canonical_id} <= there])
    parted = [pair for pair in lost.different_from if set(pair) <= there]
    run.send("write/link", parted, edge=kinds.DIFFERENT_FROM)


def _link(run: Change, merges: Iterable[SameAs]) -> None:
    rows = [
        (
            each.entity_id,
            each.canonical_id,
            float(each.score),
            json.dumps(dict(each.evidence), sort_keys=True),
        )
        for each in merges
    ]
    run.send("merge/link_same_as", rows)


def _require(run: Run, ids: Collection[str]) -> None:
    unknown = sorted(set(ids) - _there(run, ids))
    if unknown:
        raise StoreError(f"there is no entity {unknown[0]!r}")


def _there(run: Run, ids: Collection[str]) -> set[str]:
    return {row["id"] for row in graph_rows(run, "Entity", sorted(ids))}
