"""Entities that are the same across sources: found by their names, confirmed by the graph.

In rounds: first one name in several classes, then other spellings and fuller forms, then
acronyms and surnames; each round takes for one what the rounds before it joined, and all
of them are gone through until nothing is found any more. Groups are stars: whatever joins
one is checked against its canonical entity and contradicts none of its members, so that
nothing chains. The class with most mentions is a group's class.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.resolve_candidates import (
    Candidate,
    Group,
    near,
    near_names,
    same_names,
    short_forms,
    spellings,
    surnames_of_many,
)
from hlg.ingest.resolve_names import name_parts
from hlg.ingest.resolve_rules import may_be_one, verdicts
from hlg.ingest.resolve_support import Measures, Support
from hlg.ingest.resolve_table import EntityTable
from hlg.names import normalize_name
from hlg.records import Merges, SameAs

__all__ = ["find_duplicates"]

LARGEST_GROUP = 40
"""Entities in a group, beyond which nothing joins it: no thing has so many names."""
SHARED_NAMES = 5
"""Common neighbours that the evidence names."""
MOST_PASSES = 10

Round: TypeAlias = Callable[[Sequence[Group]], Iterable[Candidate]]


def find_duplicates(table: EntityTable, known: Merges | None = None) -> list[SameAs]:
    """The merges to make, strongest first; none of what is known or was split.

    Evidence says by which ``rule``, the ``name`` that was merged and its ``class``, the
    ``canonical`` name it goes by now and the group's ``canonical_class``, how alike the
    ``context`` is, and which neighbours are ``shared``.

    :param known: merges that are there already, and pairs that are kept apart.
    """
    return _Resolution(table, known or Merges()).run() if len(table) else []


@dataclass(frozen=True, slots=True)
class _Join:
    """Why an entity went into another; rows, and evidence as JSON has it."""

    into: int
    score: float
    evidence: dict[str, Any]


class _Resolution:
    def __init__(self, table: EntityTable, known: Merges) -> None:
        self._table = table
        self._parts = [name_parts(name) for name in table.names]
        self._keys = [normalize_name(name) for name in table.names]
        self._aliases = [frozenset(map(normalize_name, names)) for names in table.aliases]
        row_of = {id_: row for row, id_ in enumerate(table.ids)}
        self._root = np.arange(len(table), dtype=np.int64)
        for id_, canonical in known.canonical().items():
            if id_ in row_of and canonical in row_of:
                self._root[row_of[id_]] = row_of[canonical]
        self._apart: dict[int, set[int]] = defaultdict(set)
        for one, other in known.different_from:
            if one in row_of and other in row_of:
                self._apart[row_of[one]].add(row_of[other])
                self._apart[row_of[other]].add(row_of[one])
        self._joins: dict[int, _Join] = {}
        self._support = Support(table)
        members: dict[int, list[int]] = defaultdict(list)
        for row, root in enumerate(self._root.tolist()):
            members[root].append(row)
        self._groups = {root: self._group(root, rows) for root, rows in sorted(members.items())}

    def run(self) -> list[SameAs]:
        pairs = near_names(self._parts)

        def variants(groups: Sequence[Group]) -> Iterator[Candidate]:
            yield from spellings(groups)
            yield from near(pairs, groups)

        for _ in range(MOST_PASSES):
            before = len(self._joins)
            for round_ in (same_names, variants, short_forms):
                self._join(round_)
            if len(self._joins) == before:
                break
        return self._merges()

    def _join(self, round_: Round) -> None:
        groups = list(self._groups.values())
        candidates = _distinct(round_(groups))
        if not candidates:
            return
        self._support.group(self._root)
        rows = [(each.one.row, each.other.row) for each in candidates]
        measures = self._support.measure(np.array(rows, np.int64))
        judged = verdicts(candidates, measures, surnames_of_many(groups))
        links: dict[int, list[int]] = defaultdict(list)
        for i in np.flatnonzero(judged.accepted).tolist():
            for row in rows[i]:
                links[row].append(i)
        by_row = dict(self._groups)
        leaves = {rows[i][0] for i in np.flatnonzero(judged.accepted) if candidates[i].directed}
        members = {row: list(by_row[row].rows) for row in links}
        taken: dict[int, list[Group]] = {}
        for row in sorted(links, key=lambda row: (row in leaves, *self._importance(by_row[row]))):
            options = [
                (-float(judged.scores[i]), self._table.ids[into], i, into)
                for i in links[row]
                if (into := rows[i][1] if rows[i][0] == row else rows[i][0]) in taken
                and not (candidates[i].directed and rows[i][1] == row)
            ]
            for _, _, i, into in sorted(options):
                if self._fits(by_row[row], members[row], taken[into], members[into]):
                    self._record(
                        by_row[row], by_row[into], candidates[i], measures, judged.scores, i
                    )
                    members[into] += members[row]
                    taken[into].append(by_row[row])
                    break
            else:
                taken[row] = [by_row[row]]

    def _importance(self, group: Group) -> tuple[int, int, str]:
        return -group.mentions, len(group.name), self._table.ids[group.row]

    def _fits(
        self, group: Group, rows: Sequence[int], into: Sequence[Group], into_rows: Sequence[int]
    ) -> bool:
        if len(rows) + len(into_rows) > LARGEST_GROUP:
            return False
        there = set(into_rows)
        if any(not there.isdisjoint(self._apart.get(row, ())) for row in rows):
            return False
        return all(may_be_one(group, other) for other in into)

    def _record(
        self,
        group: Group,
        into: Group,
        candidate: Candidate,
        measures: Measures,
        scores: NDArray[np.float32],
        i: int,
    ) -> None:
        context = float(measures.context[i])
        self._root[list(group.rows)] = into.row
        rows = sorted({*self._groups.pop(group.row).rows, *self._groups[into.row].rows})
        self._groups[into.row] = self._group(into.row, rows)
        self._joins[group.row] = _Join(
            into.row,
            round(float(scores[i]), 3),
            {
                "rule": candidate.rule,
                "context": None if isnan(context) else round(context, 3),
                "shared": self._support.shared_names(group.row, into.row, SHARED_NAMES),
            },
        )

    def _group(self, root: int, rows: Sequence[int]) -> Group:
        return Group(
            row=root,
            rows=tuple(rows),
            name=self._table.names[root],
            parts=self._parts[root],
            entity_class=self._class(rows),
            classes=frozenset(self._table.classes[row] for row in rows),
            mentions=int(self._table.degrees[list(rows)].sum()),
            keys=frozenset(self._keys[row] for row in rows),
            aliases=frozenset().union(*(self._aliases[row] for row in rows)),
        )

    def _class(self, rows: Sequence[int]) -> str:
        """The class that most mentions speak for."""
        if len(rows) == 1:
            return self._table.classes[rows[0]]
        mentions: Counter[str] = Counter()
        for row in rows:
            mentions[self._table.classes[row]] += int(self._table.degrees[row])
        return min(mentions, key=lambda class_: (-mentions[class_], class_))

    def _merges(self) -> list[SameAs]:
        table = self._table
        merges = []
        for row, join in self._joins.items():
            root = int(self._root[row])
            evidence = join.evidence | {
                "name": table.names[row],
                "class": table.classes[row],
                "canonical": table.names[root],
                "canonical_class": self._groups[root].entity_class,
            }
            merges.append(SameAs(table.ids[row], table.ids[root], join.score, evidence))
        return sorted(merges, key=lambda each: (-each.score, each.entity_id))


def _distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each pair once, by the first rule that found it."""
    found: dict[tuple[int, int], Candidate] = {}
    for each in candidates:
        pair = min(each.one.row, each.other.row), max(each.one.row, each.other.row)
        found.setdefault(pair, each)
    return list(found.values())
