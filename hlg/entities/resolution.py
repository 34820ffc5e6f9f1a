"""A graph's entities: which are the same, merged and split, and what is known of one."""

import difflib
import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from hlg.arguments import one
from hlg.errors import StoreError, UsageError
from hlg.facts import FACTUALITY
from hlg.names import normalize_name
from hlg.records import Entity, Factuality, Merges, SameAs
from hlg.schema import PHRASE
from hlg.store.base import GraphStore
from hlg.store.merges import groups, joined
from hlg.store.records import Row
from hlg.subgraph import LIMITS, Subgraph, SubgraphLimits
from hlg.unicode import one_line

SUGGESTIONS = 3
BY_HAND = "by hand"
"""The rule of a merge that a person made."""

_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class CitedStatement:
    """A statement about an entity, and where it stands."""

    id: str
    text: str
    uri: str


@dataclass(frozen=True, slots=True)
class FactView(Factuality):
    """A fact about an entity in one line, how it is stated, and by which statement."""

    id: str
    text: str
    statement_id: str


@dataclass(frozen=True, slots=True)
class EntityView:
    """An entity with all that is merged with it.

    ``classes`` counts mentions by class; ``entity_class`` is the one with most. ``members``
    are what was merged into it and why; ``neighbours`` counts the statements that are shown
    here and mention both. ``confidence`` is the highest of them. ``left_out`` counts what there
    is beyond the limits, ``unsure`` what is less sure than what is shown.
    """

    id: str
    name: str
    entity_class: str
    mentions: int
    classes: Mapping[str, int]
    aliases: tuple[str, ...] = ()
    members: tuple[SameAs, ...] = ()
    facts: tuple[FactView, ...] = ()
    statements: tuple[CitedStatement, ...] = ()
    neighbours: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    confidence: float = 1.0
    unsure: Mapping[str, int] = field(default_factory=dict)


def merge_line(merge: SameAs) -> str:
    """A merge in a line: score, rule, what goes into what, and what supports it."""
    evidence = merge.evidence
    name = f"{one_line(evidence['name'], 60)} ({evidence['class']})"
    into = f"{one_line(evidence['canonical'], 60)} ({evidence['canonical_class']})"
    context = evidence.get("context")
    support = [] if context is None else [f"context {context:.2f}"]
    if shared := evidence.get("shared"):
        support.append("both with " + ", ".join(one_line(each, 30) for each in shared[:3]))
    because = f"  [{'; '.join(support)}]" if support else ""
    return f"{merge.score:.2f}  {evidence['rule']:<10}  {name} → {into}{because}"


class Entities:
    """The entities of one store. Names are looked up normalised; an id stands for itself.

    :param min_confidence: of the entities that are listed, and of the facts and neighbours that are
        shown of one.
    """

    def __init__(self, store: GraphStore, min_confidence: float = 0.0) -> None:
        self._store = store
        self._limits = replace(LIMITS, min_confidence=min_confidence)

    def duplicates(self) -> list[SameAs]:
        """The merges that :meth:`merge` would make, strongest first.

        See :mod:`hlg.ingest.resolve.duplicates`.

        :raises StoreError: there is no graph, or it can't be read.
        """
        from hlg.ingest.resolve.duplicates import find_duplicates
        from hlg.ingest.resolve.table import read_entities

        if self._store.info() is None:
            raise StoreError(f"no graph in {self._store.address}; hlg build makes one")
        return find_duplicates(read_entities(self._store), self._store.merges())

    def merge(self) -> list[SameAs]:
        """Make all merges of :meth:`duplicates`, in one transaction; returns them."""
        found = self.duplicates()
        if found:
            self._store.write_merges(joined(self._store.merges().same_as, found))
        return found

    def merge_into(self, name: str, into: str) -> list[SameAs]:
        """Merge the entities of one name into the most mentioned one of another.

        Each brings what is merged into it. Whatever a split decided about them is forgotten.

        :raises UsageError: nothing has such a name, or both are one already.
        """
        moved, targets = self._find(name), self._find(into)
        known = self._store.merges()
        canonical = known.canonical()
        target = max(targets, key=lambda each: (each.degree, each.id))
        root = canonical.get(target.id, target.id)
        fresh = [
            SameAs(each.id, root, 1.0, _by_hand(each, target))
            for each in moved
            if canonical.get(each.id, each.id) != root
        ]
        if not fresh:
            raise UsageError(f"{name!r} and {into!r} are one entity already", option="into")
        self._store.write_merges(joined(known.same_as, fresh))
        return fresh

    def split(self, name: str, other: str | None = None) -> list[SameAs]:
        """Take entities of a name out of their groups; returns the merges that are undone.

        They are kept apart from the rest of their group from now on, and with ``other``
        from its entities alone, merged or not.

        :raises UsageError: nothing has such a name, or it is merged with nothing.
        """
        split = {each.id for each in self._find(name)}
        known = self._store.merges()
        if other is None:
            rest = _group_of(known, split) - split
            if not rest and split & _merged(known):
                rest = split  # one name in several classes: each is on its own again
            if not rest:
                raise UsageError(
                    f"{name!r} is merged with nothing; hlg entities show tells what is",
                    option="name",
                )
        else:
            rest = {each.id for each in self._find(other)}
        pairs = {(min(x, y), max(x, y)) for x in split for y in rest if x != y}
        undone = [each for each in known.same_as if _joins(each, split, rest)]
        self._store.remove_merges([each.entity_id for each in undone], sorted(pairs))
        return undone

    def show(self, name: str, limits: SubgraphLimits | None = None) -> list[EntityView]:
        """What is known of the entities of a name, the most mentioned first.

        :raises UsageError: nothing has such a name.
        """
        known = self._store.merges()
        canonical = known.canonical()
        roots = dict.fromkeys(canonical.get(each.id, each.id) for each in self._find(name))
        views = [self._view(root, known, limits or self._limits) for root in roots]
        return sorted(views, key=lambda view: (-view.mentions, view.id))

    def most_mentioned(self, limit: int, *, merged: bool = False) -> list[Entity]:
        """The entities that most statements mention, of those that are confident enough.

        :param merged: count what is merged as one.
        """
        canonical = self._store.merges().canonical() if merged else {}
        added: Counter[str] = Counter()
        surest: dict[str, float] = {}
        for row in self._rows():
            if own := canonical.get(str(row["id"])):
                added[own] += _degree(row)
                surest[own] = max(surest.get(own, 0.0), _confidence(row))
        least = self._limits.min_confidence
        entities = (
            _entity(row, added)
            for row in self._rows()
            if row["id"] not in canonical
            and max(_confidence(row), surest.get(str(row["id"]), 0.0)) >= least
        )
        return heapq.nsmallest(limit, entities, key=lambda each: (-each.degree, each.id))

    def _find(self, name: str) -> list[Entity]:
        """The entities of this id or name (in any class), else of this alias."""
        key = normalize_name(one(name, str, "name"))
        ids = [name] if _ID.fullmatch(name) else []
        found = self._own(ids) or self._own(each.id for each in self._store.entities_named([key]))
        if not found:
            raise self._unknown(name, key)
        exact = [each for each in found if name == each.id or normalize_name(each.name) == key]
        return exact or [each for each in found if key in map(normalize_name, each.aliases)]

    def _own(self, ids: Iterable[str]) -> list[Entity]:
        """Entities under their own names, whatever they are merged into; "you" is none."""
        wanted = list(ids)
        bare = SubgraphLimits(statements=0, facts=0, entities=len(wanted))
        subgraph = self._store.around("Entity", wanted, bare) if wanted else Subgraph((), ())
        nodes = subgraph.nodes_of("Entity")
        found = [_entity({"id": node.id, **node.properties}) for node in nodes]
        return [each for each in found if each.entity_class != PHRASE]

    def _unknown(self, name: str, key: str) -> UsageError:
        names = {normalize_name(str(row["name"])): str(row["name"]) for row in self._rows()}
        near = [names[each] for each in difflib.get_close_matches(key, names, n=SUGGESTIONS)]
        told = f"no entity {name!r} in {self._store.address}; "
        if near:
            told += f"did you mean {', '.join(map(repr, near))}?"
        elif names:
            told += "hlg entities list has the most mentioned"
        else:
            told += "there are none yet; next: hlg build PATH"
        return UsageError(told, option="name", known=near)

    def _rows(self) -> Iterator[Row]:
        rows = chain.from_iterable(self._store.nodes("Entity"))
        return (row for row in rows if row["class"] != PHRASE)

    def _view(self, root: str, known: Merges, limits: SubgraphLimits) -> EntityView:
        ids = [root, *groups(known.canonical()).get(root, ())]
        own = {each.id: each for each in self._own(ids)}
        subgraph = self._store.around("Entity", ids, limits)
        classes: Counter[str] = Counter()
        for each in own.values():
            classes[each.entity_class] += each.degree
        names = {each.name for each in own.values()} - {own[root].name}
        return EntityView(
            id=root,
            name=own[root].name,
            entity_class=min(classes, key=lambda class_: (-classes[class_], class_)),
            mentions=sum(classes.values()),
            classes=dict(classes.most_common()),
            aliases=tuple(sorted(names.union(*(each.aliases for each in own.values())))),
            members=tuple(each for each in known.same_as if each.canonical_id == root),
            facts=_facts(subgraph, set(ids)),
            statements=_statements(subgraph, set(ids)),
            neighbours=_neighbours(subgraph, set(ids)),
            left_out=subgraph.left_out,
            confidence=max(each.confidence for each in own.values()),
            unsure=subgraph.unsure,
        )


def _by_hand(entity: Entity, target: Entity) -> dict[str, Any]:
    return {
        "rule": BY_HAND,
        "name": entity.name,
        "class": entity.entity_class,
        "canonical": target.name,
        "canonical_class": target.entity_class,
    }


def _merged(known: Merges) -> set[str]:
    return {id_ for each in known.same_as for id_ in (each.entity_id, each.canonical_id)}


def _group_of(known: Merges, ids: set[str]) -> set[str]:
    """All that is merged with one of these entities."""
    canonical = known.canonical()
    roots = {canonical.get(id_, id_) for id_ in ids}
    return {id_ for id_ in _merged(known) if canonical.get(id_, id_) in roots}


def _joins(each: SameAs, split: set[str], rest: set[str]) -> bool:
    """Whether a merge has to go so that two sets of entities are apart."""
    ends = {each.entity_id, each.canonical_id}
    return bool(ends & split) and bool(ends & rest)


def _degree(row: Row) -> int:
    degree = row.get("degree", 0)
    assert isinstance(degree, int)
    return degree


def _confidence(row: Row) -> float:
    return float(str(row.get("confidence", 1.0)))


def _entity(row: Row, added: Mapping[str, int] | None = None) -> Entity:
    aliases = row.get("aliases") or ()
    assert isinstance(aliases, list | tuple)
    id_ = str(row["id"])
    degree = _degree(row) + (added or {}).get(id_, 0)
    sure = _confidence(row)
    return Entity(id_, str(row["name"]), str(row["class"]), tuple(aliases), degree, sure)


def _facts(subgraph: Subgraph, ids: set[str]) -> tuple[FactView, ...]:
    about = {edge.target for edge in subgraph.edges_of("SUBJECT") if edge.source in ids}
    about |= {edge.source for edge in subgraph.edges_of("OBJECT") if edge.target in ids}
    said_by = {edge.source: edge.target for edge in subgraph.edges_of("SUPPORTS")}
    found: dict[str, FactView] = {}
    for node in subgraph.nodes_of("Fact"):
        how = {name: node.properties[name] for name in FACTUALITY if name in node.properties}
        if node.id in about:
            text = str(node.properties["text"])
            found.setdefault(
                text, FactView(id=node.id, text=text, statement_id=said_by[node.id], **how)
            )
    return tuple(found.values())


def _statements(subgraph: Subgraph, ids: set[str]) -> tuple[CitedStatement, ...]:
    chunk_of = {edge.source: edge.target for edge in subgraph.edges_of("MENTIONED_IN")}
    source_of = {edge.source: edge.target for edge in subgraph.edges_of("PART_OF")}
    uris = {node.id: str(node.properties["uri"]) for node in subgraph.nodes_of("Source")}
    said = {edge.source for edge in subgraph.edges_of("MENTIONS") if edge.target in ids}
    return tuple(
        CitedStatement(node.id, str(node.properties["text"]), uris[source_of[chunk_of[node.id]]])
        for node in subgraph.nodes_of("Statement")
        if node.id in said
    )


def _neighbours(subgraph: Subgraph, ids: set[str]) -> dict[str, int]:
    names = {node.id: str(node.properties["name"]) for node in subgraph.nodes_of("Entity")}
    mentions = list(subgraph.edges_of("MENTIONS"))
    said = {edge.source for edge in mentions if edge.target in ids}
    together = Counter(
        names[edge.target] for edge in mentions if edge.source in said and edge.target not in ids
    )
    return dict(sorted(together.items(), key=lambda item: (-item[1], item[0])))
