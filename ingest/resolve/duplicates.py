"""Entities that are the same across sources: found by their names, confirmed by the graph.

In rounds: first one name in several classes, then other spellings and fuller forms, then
acronyms and surnames; each round takes for one what the rounds before it joined, and all
of them are gone through until nothing is found any more. Groups are stars: whatever joins
one is measured against its canonical entity, and contradicts nothing else that joins it,
so that nothing chains. The class with most mentions is a group's class.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, TypeAlias

import numpy as np

from hlg.ingest.resolve.candidates import (
    Candidate,
    Group,
    near,
    near_names,
    same_names,
    short_forms,
    spellings,
    surnames_of_many,
)
from hlg.ingest.resolve.names import name_parts
from hlg.ingest.resolve.rules import may_be_one, verdicts
from hlg.ingest.resolve.support import Support
from hlg.ingest.resolve.table import EntityTable
from hlg.names import normalize_name
from hlg.records import Merges, SameAs

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
class _Link:
    """An accepted candidate with its score and how alike the contexts are."""

    candidate: Candidate
    score: float
    context: float

    def into(self, group: Group) -> Group:
        """What this says that a group is."""
        is_first = self.candidate.one.row == group.row
        return self.candidate.other if is_first else self.candidate.one


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
        self._joins: dict[int, tuple[float, dict[str, Any]]] = {}
        """By the row of what went into another, how surely, and the evidence as JSON has it."""
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
        accepted, scores = verdicts(candidates, measures, surnames_of_many(groups))
        links = [
            _Link(candidates[i], float(scores[i]), float(measures.context[i]))
            for i in np.flatnonzero(accepted).tolist()
        ]
        for group, into, link in list(self._stars(links)):
            self._record(group, into, link)

    def _stars(self, links: Sequence[_Link]) -> Iterator[tuple[Group, Group, _Link]]:
        """What goes into what, and why: the most mentioned are centres, and each of the
        others goes into the centre that most speaks for, if it fits there."""
        links_of: dict[int, list[_Link]] = defaultdict(list)
        groups: dict[int, Group] = {}
        for link in links:
            for group in (link.candidate.one, link.candidate.other):
                links_of[group.row].append(link)
                groups[group.row] = group
        short = {link.candidate.one.row for link in links if link.candidate.directed}
        stars: dict[int, list[Group]] = {}
        for group in sorted(groups.values(), key=lambda g: (g.row in short, *self._rank(g))):
            options = [(link, link.into(group)) for link in links_of[group.row]]
            options.sort(key=lambda option: (-option[0].score, self._table.ids[option[1].row]))
            for link, into in options:
                star = stars.get(into.row)
                # A long form is not merged into a short one.
                may_merge = not link.candidate.directed or link.candidate.one.row == group.row
                if star and may_merge and self._fits(group, star):
                    star.append(group)
                    yield group, into, link
                    break
            else:
                stars[group.row] = [group]

    def _rank(self, group: Group) -> tuple[int, int, str]:
        return -group.mentions, len(group.name), self._table.ids[group.row]

    def _fits(self, group: Group, star: Sequence[Group]) -> bool:
        rows = {row for each in star for row in each.rows}
        if len(rows) + len(group.rows) > LARGEST_GROUP:
            return False
        if any(not rows.isdisjoint(self._apart.get(row, ())) for row in group.rows):
            return False
        return all(may_be_one(group, each) for each in star)

    def _record(self, group: Group, into: Group, link: _Link) -> None:
        self._root[list(group.rows)] = into.row
        rows = sorted({*self._groups.pop(group.row).rows, *self._groups[into.row].rows})
        self._groups[into.row] = self._group(into.row, rows)
        evidence = {
            "rule": link.candidate.rule,
            "context": None if isnan(link.context) else round(link.context, 3),
            "shared": self._support.shared_names(group.row, into.row, SHARED_NAMES),
        }
        self._joins[group.row] = round(link.score, 3), evidence

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
        for row, (score, evidence) in self._joins.items():
            root = int(self._root[row])
            told = evidence | {
                "name": table.names[row],
                "class": table.classes[row],
                "canonical": table.names[root],
                "canonical_class": self._groups[root].entity_class,
            }
            merges.append(SameAs(table.ids[row], table.ids[root], score, told))
        return sorted(merges, key=lambda each: (-each.score, each.entity_id))


def _distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each pair once, by the first rule that found it."""
    found: dict[tuple[int, int], Candidate] = {}
    for each in candidates:
        pair = min(each.one.row, each.other.row), max(each.one.row, each.other.row)
        found.setdefault(pair, each)
    return list(found.values())
