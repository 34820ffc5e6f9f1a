"""Deleting sources with what only they supported, by statements that both stores share."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from hlg.records import Merges
from hlg.store.shared import kinds
from hlg.store.shared.kinds import EdgeKind
from hlg.store.shared.merging import Send, read_merges, touching
from hlg.store.shared.reading import Run, edge_pairs, graph_rows
from hlg.store.shared.rows import (
    GraphRows,
    Pair,
    Relation,
    Strength,
    relation_strengths,
)


def delete_sources(
    run: Run,
    send: Send,
    source_ids: Sequence[str],
    add_to_relations: Callable[[Mapping[Relation, Strength]], None],
) -> tuple[int, Merges]:
    """Delete sources in the caller's transaction.

    Returns how many of the ids there were, and the merges that went with their entities.

    :param add_to_relations: adds to the strength of relations.
    """
    sources = [row["id"] for row in graph_rows(run, "Source", dict.fromkeys(source_ids))]
    if not sources:
        return 0, Merges()
    chunks = _origins(run, kinds.PART_OF, sources)
    topics = _origins(run, kinds.TOPIC_IN, chunks)
    statements = _origins(run, kinds.STATEMENT_IN, chunks)
    supports = edge_pairs(run, kinds.SUPPORTS, statements, back=True)
    mentions = edge_pairs(run, kinds.MENTIONS, statements)
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
        add_to_relations({key: Strength(-each.weight, 0.0) for key, each in strengths.items()})
        run("write/delete_weightless", {"ids": sorted({subject for subject, _, _ in strengths})})
    degrees = Counter(entity for _, entity in mentions)
    send("write/add_to_degrees", [(entity, -degree) for entity, degree in degrees.items()])
    gone = _found(run, "read/unsupported_entities", sorted(named | set(degrees)))
    lost = touching(read_merges(run), set(gone)) if gone else Merges()
    _delete(run, "Entity", gone)
    return len(sources), lost


def _named_by(
    run: Run, facts: Sequence[str], supports: list[Pair]
) -> tuple[set[str], dict[Relation, Strength]]:
    """The entities that facts name, and what SUPPORTS pairs add to their relations."""
    rows = GraphRows()
    rows.edges[kinds.SUPPORTS] = supports
    subjects = edge_pairs(run, kinds.SUBJECT, facts, back=True)
    objects = edge_pairs(run, kinds.OBJECT, facts)
    rows.edges[kinds.SUBJECT] = subjects
    rows.edges[kinds.OBJECT] = objects
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
