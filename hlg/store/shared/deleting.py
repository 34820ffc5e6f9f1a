"""Deleting sources with what only they supported, by statements that both stores share."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from hlg.records import Merges
from hlg.store.shared.merging import read_merges, touching
from hlg.store.shared.reading import Run, edge_pairs, graph_rows
from hlg.store.shared.rows import (
    EdgeKind,
    GraphRows,
    Pair,
    Relation,
    Strength,
    relation_strengths,
)

_SUPPORTS: EdgeKind = ("SUPPORTS", "Fact", "Statement")
_SUBJECT: EdgeKind = ("SUBJECT", "Entity", "Fact")
_OBJECT: EdgeKind = ("OBJECT", "Fact", "Entity")


def delete_sources(
    run: Run,
    source_ids: Sequence[str],
    change_degrees: Callable[[Mapping[str, int]], None],
    change_relations: Callable[[Mapping[Relation, Strength]], None],
) -> tuple[int, Merges]:
    """Delete sources in the caller's transaction.

    Returns how many of the ids there were, and the merges that went with their entities.

    :param change_degrees: adds to the degree of entities, by id.
    :param change_relations: adds to the strength of relations.
    """
    sources = [row["id"] for row in graph_rows(run, "Source", dict.fromkeys(source_ids))]
    if not sources:
        return 0, Merges()
    chunks = _origins(run, ("PART_OF", "Chunk", "Source"), sources)
    topics = _origins(run, ("MENTIONED_IN", "Topic", "Chunk"), chunks)
    statements = _origins(run, ("MENTIONED_IN", "Statement", "Chunk"), chunks)
    supports = edge_pairs(run, _SUPPORTS, statements, back=True)
    mentions = edge_pairs(run, ("MENTIONS", "Statement", "Entity"), statements)
    facts = sorted({fact for fact, _ in supports})
    named, strengths = _named_by(run, facts, supports)
    for label, ids in (
        ("Statement", statements),
        ("Topic", topics),
        ("Chunk", chunks),
        ("Source", sources),
    ):
        _delete(run, label, ids)
    _delete(run, "Fact", _found(run, "read/unsupported_facts", facts))
    if strengths:
        change_relations({key: Strength(-each.weight, 0.0) for key, each in strengths.items()})
        run("write/delete_weightless", {"ids": sorted({subject for subject, _, _ in strengths})})
    degrees = Counter(entity for _, entity in mentions)
    if degrees:
        change_degrees({entity: -degree for entity, degree in degrees.items()})
    gone = _found(run, "read/unsupported_entities", sorted(named | set(degrees)))
    lost = touching(read_merges(run), set(gone)) if gone else Merges()
    _delete(run, "Entity", gone)
    return len(sources), lost


def _named_by(
    run: Run, facts: Sequence[str], supports: list[Pair]
) -> tuple[set[str], dict[Relation, Strength]]:
    """The entities that facts name, and what SUPPORTS pairs add to their relations."""
    rows = GraphRows()
    rows.edges[_SUPPORTS] = supports
    subjects = edge_pairs(run, _SUBJECT, facts, back=True)
    objects = edge_pairs(run, _OBJECT, facts)
    rows.edges[_SUBJECT] = subjects
    rows.edges[_OBJECT] = objects
    known = {row["id"]: row for row in graph_rows(run, "Fact", facts)}
    named = {entity for entity, _ in subjects} | {entity for _, entity in objects}
    return named, relation_strengths(known, rows)


def _origins(run: Run, kind: EdgeKind, ids: Sequence[str]) -> list[str]:
    return sorted({origin for origin, _ in edge_pairs(run, kind, ids, back=True)})


def _found(run: Run, name: str, ids: Iterable[str]) -> list[str]:
    unique = list(dict.fromkeys(ids))
    return [row["id"] for row in run(name, {"ids": unique})] if unique else []


def _delete(run: Run, label: str, ids: Sequence[str]) -> None:
    if ids:
        run("write/delete_nodes", {"ids": ids}, label=label)
