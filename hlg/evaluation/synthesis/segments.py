"""Documents cut into segments, what each is about, and which two share it: pure functions."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from hlg.evaluation.data.questions import DatasetDocument, Span
from hlg.names import is_part
from hlg.records import SourceGraph

NAMING = frozenset(("person", "organization", "product", "work"))
"""The classes of what two segments can share (thesis §4.1: PERSON, ORG, PRODUCT, WORK_OF_ART)."""
NAMED = 5
"""Names that stand for a segment (thesis §4.1)."""
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Segment:
    """The characters ``[start, end)`` of a document, and the names that stand for it."""

    document: DatasetDocument
    start: int
    end: int
    names: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return self.document.text[self.start : self.end]

    @property
    def span(self) -> Span:
        return Span(self.document.id, self.start, self.end)

    def located(self, text: str) -> Span | None:
        """Where a text stands in it, letter by letter; None where it doesn't."""
        at = self.text.find(text) if text else -1
        start = self.start + at
        return Span(self.document.id, start, start + len(text)) if at >= 0 else None


def segments(document: DatasetDocument, words: int, least: int) -> Iterator[Segment]:
    """A document in runs of so many words; the last is left out below ``least`` (thesis §4.1)."""
    places = [match.span() for match in _WORD.finditer(document.text)]
    for first in range(0, len(places), words):
        run = places[first : first + words]
        if len(run) >= min(least, words):
            yield Segment(document, run[0][0], run[-1][1])


def names_in(graph: SourceGraph, segment: Segment) -> tuple[str, ...]:
    """The names that most statements wholly in a segment are about, at most :data:`NAMED`."""
    named = (x for x in graph.entities if x.entity_class.casefold() in NAMING)
    names = {x.id: x.name for x in named if not is_part(x.name)}
    counts = Counter(
        names[id_]
        for statement in graph.statements
        if segment.start <= statement.start and statement.end <= segment.end
        for id_ in statement.entity_ids
        if id_ in names
    )
    return tuple(sorted(counts, key=lambda name: (-counts[name], name))[:NAMED])


def pairs(
    found: Sequence[Segment], *, of_one_file: bool, shared: int, each: int
) -> list[tuple[int, int]]:
    """Positions of two segments that share names, those first that share the rarest.

    The thesis (§4.1) pairs segments "sharing the same entities"; how many is ``shared``. A
    name counts by its rarity, log(n / segments that have it).

    :param of_one_file: pairs within a document, or else of two documents.
    :param each: a segment is in so many pairs at most.
    """
    keys = [{name.casefold() for name in segment.names} for segment in found]
    rows = [at for at, names in enumerate(keys) for _ in names]
    order = {name: number for number, name in enumerate(sorted(set().union(*keys)))}
    columns = [order[name] for names in keys for name in names]
    has = csr_array((np.ones(len(rows)), (rows, columns)), (len(found), max(1, len(order))))
    rarity = np.log(max(2, len(found)) / np.maximum(1, has.sum(axis=0)))
    counts, weights = (has @ has.T).tocoo(), (has.multiply(rarity) @ has.T).tocsr()
    files = [segment.document.id for segment in found]
    candidates = [
        (one, other)
        for one, other, count in zip(counts.row, counts.col, counts.data, strict=True)
        if one < other and count >= shared and (files[one] == files[other]) == of_one_file
    ]
    candidates.sort(key=lambda pair: (-weights[pair], pair))
    return list(_at_most(candidates, each))


def _at_most(candidates: Iterable[tuple[int, int]], each: int) -> Iterator[tuple[int, int]]:
    used: Counter[int] = Counter()
    for one, other in candidates:
        if used[one] < each and used[other] < each:
            used.update((one, other))
            yield int(one), int(other)
