"""Deleting sources with what only they supported, by statements that both stores share."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from hlg.records import Merges
from hlg.store.shared.merging import read_merges, touching
from hlg.store.shared.reading import Run
from hlg.store.shared.rows import GraphRows, Pair, relation_weights

Relation: TypeAlias = tuple[str, str, str]
"""Subject, predicate and object of a RELATES_TO."""


def delete_sources(
    run: Run,
    source_ids: Sequence[str],
    change_degrees: Callable[[Mapping[str, int]], None],
    change_weights: Callable[[Mapping[Relation, int]], None],
) -> tuple[int, Merges]:
    """Delete sources in the caller's transaction.

    Returns how many of the ids there were, and the merges that went with their entities.

    :param change_degrees: adds to the degree of entities, by id.
    :param change_weights: adds to the weight of relations.
    """
    sources = _found(run, "get_source", source_ids)
    if not sources:
        return 0, Merges()
    chunks = _origins(run, "edges_to_part_of_chunk_source", sources)
    topics = _origins(run, "edges_to_mentioned_in_topic_chunk", chunks)
    statements = _origins(run, "edges_to_mentioned_in_statement_chunk", chunks)
    supports = _pairs(run, "edges_to_supports_fact_statement", statements)
    mentions = _pairs(run, "edges_from_mentions_statement_entity", statements)
    facts = sorted({fact for fact, _ in supports})
    named, weights = _named_by(run, facts, supports)
    for label, ids in (
        ("statement", statements),
        ("topic", topics),
        ("chunk", chunks),
        ("source", sources),
    ):
        _delete(run, label, ids)
    _delete(run, "fact", _found(run, "unsupported_facts", facts))
    if weights:
        change_weights({relation: -weight for relation, weight in weights.items()})
        run("delete_weightless", {"ids": sorted({subject for subject, _, _ in weights})})
    degrees = Counter(entity for _, entity in mentions)
    if degrees:
        change_degrees({entity: -degree for entity, degree in degrees.items()})
    gone = _found(run, "unsupported_entities", sorted(named | set(degrees)))
    lost = touching(read_merges(run), set(gone)) if gone else Merges()
    _delete(run, "entity", gone)
    return len(sources), lost


def _named_by(
    run: Run, facts: Sequence[str], supports: list[Pair]
) -> tuple[set[str], dict[Relation, int]]:
    """The entities that facts name, and what SUPPORTS pairs add to their relations."""
    rows = GraphRows()
    rows.edges["SUPPORTS", "Fact", "Statement"] = supports
    subjects = _pairs(run, "edges_to_subject_entity_fact", facts)
    objects = _pairs(run, "edges_from_object_fact_entity", facts)
    rows.edges["SUBJECT", "Entity", "Fact"] = subjects
    rows.edges["OBJECT", "Fact", "Entity"] = objects
    known = {row["id"]: row for row in run("get_fact", {"ids": facts})} if facts else {}
    named = {entity for entity, _ in subjects} | {entity for _, entity in objects}
    return named, relation_weights(known, rows)


def _pairs(run: Run, name: str, ids: Sequence[str]) -> list[Pair]:
    if not ids:
        return []
    return [(row["from"], row["to"]) for row in run(name, {"ids": ids})]


def _origins(run: Run, name: str, ids: Sequence[str]) -> list[str]:
    return sorted({origin for origin, _ in _pairs(run, name, ids)})


def _found(run: Run, name: str, ids: Iterable[str]) -> list[str]:
    unique = list(dict.fromkeys(ids))
    return [row["id"] for row in run(name, {"ids": unique})] if unique else []


def _delete(run: Run, label: str, ids: Sequence[str]) -> None:
    if ids:
        run(f"delete_{label}", {"ids": ids})
