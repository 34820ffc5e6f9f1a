"""Deleting sources with what only they supported, by statements that both stores share."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from hlg.records import Merges
from hlg.store.shared import kinds
from hlg.store.shared.merging import read_merges, touching
from hlg.store.shared.reading import Change, Run, graph_rows, lineage_of
from hlg.store.shared.rows import Relation, Strength, relation_strengths


def delete_sources(
    run: Change,
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
    ids, edges = lineage_of(run, sources)
    facts = {row["id"]: row for row in graph_rows(run, "Fact", ids["Fact"])}
    strengths = relation_strengths(facts, edges)
    for label in ("Statement", "Topic", "Chunk", "Source"):
        _delete(run, label, ids[label])
    _delete(run, "Fact", _found(run, "read/unsupported_facts", ids["Fact"]))
    if strengths:
        add_to_relations({key: Strength(-each.weight, 0.0) for key, each in strengths.items()})
        run("write/delete_weightless", {"ids": sorted({subject for subject, _, _ in strengths})})
    degrees = Counter(entity for _, entity in edges[kinds.MENTIONS])
    run.send("write/add_to_degrees", [(entity, -degree) for entity, degree in degrees.items()])
    gone = _found(run, "read/unsupported_entities", ids["Entity"])
    lost = touching(read_merges(run), set(gone)) if gone else Merges()
    _delete(run, "Entity", gone)
    return len(sources), lost


def _found(run: Run, name: str, ids: Sequence[str]) -> list[str]:
    return [row["id"] for row in run(name, {"ids": ids})] if ids else []


def _delete(run: Run, label: str, ids: Sequence[str]) -> None:
    if ids:
        run("write/delete_nodes", {"ids": ids}, label=label)
