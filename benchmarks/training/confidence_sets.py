"""What the confidence is trained and measured on: results of searches, and whether they hold
evidence.

Questions are asked as they are and, some of them, a second time of the graph without their
evidence: what a search finds then looks right and is not.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.data.questions import Dataset, Question
from hlg.evaluation.metrics.assess import Assessor
from hlg.evaluation.training.ranker_sets import family_of
from hlg.opened import OpenGraph
from hlg.records import Passage, Source
from hlg.retrieval.arrays.restrict import RestrictedSnapshots
from hlg.retrieval.base import Query, SearchSession
from hlg.retrieval.finish.confidence import chunk_rows, seen_in_arrays
from hlg.retrieval.question.words import AskedWords
from hlg.retrieval.ranker.confidence import LOOKED_AT, hit_signals, result_signals
from hlg.retrieval.registry import open_retriever
from hlg.retrieval.view.arrays import ArrayView
from hlg.retrieval.view.open import open_view

SEARCHES = ("auto", "chunks", "bm25", "statements")
"""A confidence has to mean the same whoever searched."""
MASKED = 2
"""One question of so many is asked a second time without its evidence."""


@dataclass(frozen=True, slots=True)
class LabelledResult:
    """The first hits of a search: their signals, and which of them are evidence, shape (n,)."""

    data: str
    family: str
    search: str
    result: dict[str, float]
    hits: dict[str, NDArray[np.float32]]
    is_evidence: NDArray[np.bool_]


def labelled_results(
    graph: OpenGraph, dataset: Dataset, searches: Sequence[str] = SEARCHES
) -> Iterator[LabelledResult]:
    """The results of a data set's questions over the graph of its corpus."""
    assessor = Assessor(dataset, graph.graph_embedder.count_tokens)
    for number, question in enumerate(dataset.questions):
        masks: list[Collection[str]] = [()]
        if question.gold and number % MASKED == 0:
            masks.append(question.gold)
        for masked in masks:
            yield from _labelled(graph, assessor, dataset.name, question, searches, masked)


def _labelled(
    graph: OpenGraph,
    assessor: Assessor,
    data: str,
    question: Question,
    searches: Sequence[str],
    masked: Collection[str],
) -> Iterator[LabelledResult]:
    """The results of one question, with some documents out of sight."""

    def unmasked(sources: Sequence[Source]) -> list[Source]:
        return [each for each in sources if assessor.document_id(each.uri) not in masked]

    snapshots = (
        RestrictedSnapshots(graph.snapshots, graph.store, unmasked) if masked else graph.snapshots
    )
    session = SearchSession(
        graph.store, graph.graph_embedder, snapshots, is_restricted=bool(masked)
    )
    view = open_view(session, Query(question.text, session))
    if not isinstance(view, ArrayView):
        return
    asked = AskedWords.of(question.text, view.snapshot.chunk_words)
    for search in searches:
        hits = open_retriever(search, session, None).retrieve(question.text, LOOKED_AT)
        rows = chunk_rows(view.snapshot, hits) if hits else None
        if rows is None:
            continue
        seen = seen_in_arrays(view, asked, rows)
        evidence = np.array([is_evidence(assessor, question, x.passage) for x in hits], bool)
        yield LabelledResult(
            data,
            family_of(data),
            search,
            result_signals(asked, seen),
            hit_signals(asked, seen),
            evidence,
        )


def is_evidence(assessor: Assessor, question: Question, passage: Passage) -> bool:
    """Whether a passage holds evidence: it is of a gold document, and where spans are marked in
    that, it overlaps one."""
    document = assessor.document_id(passage.source.uri)
    spans = [span for span in question.spans if span.document_id == document]
    overlaps = any(span.overlaps(passage.start, passage.end) for span in spans)
    return document in question.gold and (overlaps or not spans)
