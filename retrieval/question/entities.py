"""The entities of a snapshot that a question names."""

from collections.abc import Container, Sequence

from hlg.names import normalize_name
from hlg.records import Entity
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.question.keywords import name_spans, names_in

SIMILAR_NAMES = 10
"""Entities that full text finds for the keywords which name none exactly."""


class SnapshotNames(Container[str]):
    """The names and aliases of a snapshot's entities, looked up one by one."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.row(key) >= 0

    def row(self, key: str) -> int:
        """The entity of a normalised name or alias, -1 where there is none."""
        row = self._snapshot.entity_keys.find(key)
        if row >= 0:
            return row
        alias = self._snapshot.alias_keys.find(key)
        return int(self._snapshot.alias_entity[alias]) if alias >= 0 else -1


def named_keys(text: str, keywords: Sequence[str], known: Container[str]) -> tuple[list[str], str]:
    """The keywords that are known names, and the words of those that name nothing.

    Names inside longer names don't count; nor do keywords that only add to a name.
    """
    named = names_in(name_spans(text), known)
    named += [key for key in keywords if key in known and not _within(key, named)]
    others = [key for key in keywords if not _within(key, named)]
    return list(dict.fromkeys(named)), " ".join(others)


def snapshot_entities(
    snapshot: Snapshot, text: str, keywords: Sequence[str], *, similar: bool = True
) -> dict[int, set[str]]:
    """Rows of the entities that a question names, each with the keywords that name it.

    :param similar: ask the words of entities' names for those keywords that name none,
        together; they count as one.
    """
    names = SnapshotNames(snapshot)
    keys, others = named_keys(text, keywords, names)
    found: dict[int, set[str]] = {}
    for key in keys:
        found.setdefault(names.row(key), set()).add(key)
    if others and similar:
        for row in snapshot.entity_words.search(others, SIMILAR_NAMES)[0].tolist():
            found.setdefault(row, set()).add(others)
    return found


def entities_by_keyword(
    entities: Sequence[Entity], text: str, keywords: Sequence[str]
) -> dict[str, list[str]]:
    """The keywords that name entities, each with their ids; see :func:`named_keys`.

    A name stands for all entities that have it; an alias that is nobody's name, for the
    most mentioned entity that has it, as in a snapshot.
    """
    named: dict[str, list[str]] = {}
    aliased: dict[str, str] = {}
    for entity in sorted(entities, key=lambda entity: (-entity.degree, entity.id)):
        named.setdefault(normalize_name(entity.name), []).append(entity.id)
        for alias in entity.aliases:
            aliased.setdefault(normalize_name(alias), normalize_name(entity.name))
    meant = {**{alias: named[name] for alias, name in aliased.items()}, **named}
    return {key: meant[key] for key in named_keys(text, keywords, meant)[0]}


def _within(key: str, names: Sequence[str]) -> bool:
    return any(key in name or name in key for name in names)
