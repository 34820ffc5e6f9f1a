"""Questions of a data set as the ranker is trained on them."""

import re
from collections import defaultdict
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.evaluation.data.questions import Dataset, Question, Span
from hlg.evaluation.metrics.assess import Assessor
from hlg.evaluation.training.ranker import LabelledQuestion, QuestionSet
from hlg.graph import LexicalGraph
from hlg.records import Passage
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.question.clauses import clauses
from hlg.retrieval.question.matched import MatchedQuestion


def family_of(name: str) -> str:
    """Data sets whose names begin alike, up to the first ``_`` or ``-``, are of one family.

    >>> family_of("2wiki_ctx"), family_of("hotpotqa")
    ('2wiki', 'hotpotqa')
    """
    return re.split(r"[_-]", name, maxsplit=1)[0]


def snapshot_of(graph: LexicalGraph) -> Snapshot:
    """The snapshot of a graph's latest revision.

    :raises UsageError: the graph is over the memory budget for snapshots.
    """
    snapshot = graph.snapshots()
    if snapshot is None:
        raise UsageError(
            f"the graph at {graph.store.address} is over max_snapshot_mb = "
            f"{graph.settings.max_snapshot_mb}; the ranker trains on snapshots: allow more",
            option="max_snapshot_mb",
        )
    return snapshot


def question_set(graph: LexicalGraph, dataset: Dataset) -> QuestionSet:
    """The labelled questions of a data set whose documents a graph holds.

    Evidence is a gold document, by those of its chunks that overlap a marked span where
    it has any; in a corpus of few long documents it is each span by itself.
    """
    snapshot = snapshot_of(graph)
    passages = Passages.of(snapshot)
    chunks = graph.store.passages("Chunk", snapshot.chunk_ids.astype(str).tolist())
    assessor = Assessor(dataset, graph.embedder.count_tokens)
    chunks_of: dict[str, list[tuple[int, Passage]]] = defaultdict(list)
    for row, chunk in enumerate(chunks):
        chunks_of[assessor.document_id(chunk.source.uri)].append((row, chunk))
    asked = dataset.answerable()
    by_source = len(dataset.documents) > len(asked) / 10
    labelled = []
    for question in asked:
        if evidence := _evidence(question, chunks_of, by_source):
            vectors = graph.embedder.embed_spans(question.text, clauses(question.text))
            matched = MatchedQuestion.of(question.text, vectors, passages)
            labelled.append(LabelledQuestion(matched, evidence))
    return QuestionSet(dataset.name, family_of(dataset.name), passages, tuple(labelled), by_source)


def _evidence(
    question: Question, chunks_of: Mapping[str, list[tuple[int, Passage]]], by_source: bool
) -> tuple[NDArray[np.int32], ...]:
    spans: dict[str, list[Span]] = {id_: [] for id_ in question.gold}
    for span in question.spans:
        spans.setdefault(span.document_id, []).append(span)
    if by_source or not question.spans:
        wanted = [(id_, spans[id_]) for id_ in question.gold]
    else:
        wanted = [(id_, [span]) for id_, each in spans.items() for span in each]
    units = (
        [
            row
            for row, chunk in chunks_of.get(id_, ())
            if not marked or any(span.overlaps(chunk.start, chunk.end) for span in marked)
        ]
        for id_, marked in wanted
    )
    return tuple(np.array(unit, np.int32) for unit in units if unit)
