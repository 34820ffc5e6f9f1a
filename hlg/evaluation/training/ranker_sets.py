"""Questions to train the ranker on: of labelled data sets, or made out of a graph itself."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

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

MADE_QUESTIONS = 400
"""Questions that are made out of a graph at most."""
BRIDGE_HOLDERS = (2, 30)
"""An entity that joins two statements is in at least and at most so many passages."""
MIN_WORDS = 6
"""A statement that a question is made of has at least so many words."""
SEED = 7


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
    matched = _matched([question.text for question in asked], graph, passages)
    evidence = [_evidence(question, chunks_of, by_source) for question in asked]
    labelled = (LabelledQuestion(*each) for each in zip(matched, evidence, strict=True) if each[1])
    return QuestionSet(dataset.name, family_of(dataset.name), passages, tuple(labelled), by_source)


def made_questions(graph: LexicalGraph, say: Callable[[str], None]) -> QuestionSet:
    """Questions made out of a graph: one statement asked through another.

    Two statements of different passages mention an entity that few passages have. The
    question is the first without that entity's name and the second without any name, so
    that only the graph leads from one to the other; both passages are its evidence.

    :raises UsageError: too few statements are joined by an entity.
    """
    snapshot = snapshot_of(graph)
    passages = Passages.of(snapshot)
    pairs = _bridged(passages)
    rows = sorted({row for pair in pairs for row in pair[:2]})
    ids = snapshot.statement_ids.astype(str)[rows].tolist()
    found = graph.store.passages("Statement", ids)
    texts = {row: each.text for row, each in zip(rows, found, strict=True)}
    asked: list[str] = []
    evidence: list[tuple[NDArray[np.int32], ...]] = []
    for first, second, entity in pairs:
        left = _without(texts[first], [snapshot.entity_names[entity]])
        named = snapshot.statement_entities.row(second).tolist()
        right = _without(texts[second], [snapshot.entity_names[row] for row in named])
        if left == texts[first] or min(len(left.split()), len(right.split())) < MIN_WORDS // 2:
            continue
        asked.append(f"{left.rstrip('. ')}, and {right.rstrip('. ')}?")
        chunks = snapshot.statement_chunk[[first, second]].astype(np.int32)
        evidence.append((chunks[:1], chunks[1:]))
    if len(asked) < 20:
        raise UsageError(
            f"only {len(asked)} questions can be made out of the graph, 20 are needed; "
            "give a labelled data set: hlg tune ranker DIR"
        )
    say(f"{len(asked)} questions made of pairs of statements that an entity joins")
    questions = tuple(
        LabelledQuestion(known, units)
        for known, units in zip(_matched(asked, graph, passages), evidence, strict=True)
    )
    return QuestionSet("made from the graph", "made", passages, questions, by_source=False)


def _matched(
    texts: Sequence[str], graph: LexicalGraph, passages: Passages
) -> list[MatchedQuestion]:
    """Questions as the ranker sees them."""
    embed = graph.embedder.embed_spans
    return [MatchedQuestion.of(text, embed(text, clauses(text)), passages) for text in texts]


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


def _bridged(passages: Passages) -> list[tuple[int, int, int]]:
    """Pairs of statements of different chunks with the entity that joins them."""
    snapshot = passages.snapshot
    holders = passages.entity_chunks.degrees()
    bridges = np.flatnonzero((holders >= BRIDGE_HOLDERS[0]) & (holders <= BRIDGE_HOLDERS[1]))
    generator = np.random.default_rng(SEED)
    pairs = []
    for entity in generator.permutation(bridges).tolist():
        rows = generator.permutation(snapshot.entity_statements.row(entity))
        elsewhere = rows[snapshot.statement_chunk[rows] != snapshot.statement_chunk[rows[0]]]
        if len(elsewhere):
            pairs.append((int(rows[0]), int(elsewhere[0]), int(entity)))
        if len(pairs) == MADE_QUESTIONS:
            break
    return pairs


def _without(text: str, names: list[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?:'s)?(?!\w)", "", text, flags=re.IGNORECASE)
    return " ".join(text.split())
