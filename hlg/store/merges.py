"""Arithmetic of merges: groups of entities that are one stay stars around a canonical one."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from hlg.records import Merges, SameAs


def groups(canonical: Mapping[str, str]) -> dict[str, list[str]]:
    """By canonical id the ids merged into it, ascending."""
    members: dict[str, list[str]] = defaultdict(list)
    for id_ in sorted(canonical):
        members[canonical[id_]].append(id_)
    return dict(members)


def joined(known: Iterable[SameAs], fresh: Iterable[SameAs]) -> list[SameAs]:
    """The merges to write so that ``fresh`` ones hold beside those that are known.

    A group that is merged goes whole into the other's canonical one, each member with the
    evidence that it had. Ordered by entity; what is known already is left out.
    """
    before = {each.entity_id: each for each in known}
    merges = dict(before)
    for each in fresh:
        _join(merges, each)
    return [merges[id_] for id_ in sorted(merges) if merges[id_] != before.get(id_)]


def _join(merges: dict[str, SameAs], fresh: SameAs) -> None:
    def root(id_: str) -> str:
        return merges[id_].canonical_id if id_ in merges else id_

    old, new = root(fresh.entity_id), root(fresh.canonical_id)
    if fresh.entity_id == new:  # the canonical one goes into a member of its own group
        new = fresh.canonical_id
        merges.pop(new, None)
    for id_, each in merges.items():
        if each.canonical_id == old:
            merges[id_] = replace(each, canonical_id=new)
    for id_ in {old, fresh.entity_id} - {new}:
        merges[id_] = replace(fresh, entity_id=id_, canonical_id=new)


def contradicted(known: Merges, parted: Iterable[tuple[str, str]]) -> list[str]:
    """The merged entities that are to be taken out of their groups, so that pairs differ."""
    canonical = known.canonical()
    return sorted(
        {
            one if one in canonical else other
            for one, other in parted
            if canonical.get(one, one) == canonical.get(other, other)
        }
    )
