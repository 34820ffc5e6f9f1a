"""From a question to its answer: search, evidence, the span that answers, citations."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hlg.answers import Answer, AnswerSentence, Citation
from hlg.models.base import Embedder
from hlg.reports import DOUBTFUL, SearchResult
from hlg.retrieval.answers.evidence import EvidenceStatement, evidence_statements
from hlg.retrieval.answers.extractive import Extracted, extract
from hlg.retrieval.answers.reader import load_reader
from hlg.store.base import GraphStore
from hlg.subgraph import Subgraph

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph
    from hlg.retrieval.base import Retriever
    from hlg.retrieval.options import Options

__all__ = ["ask"]


def ask(
    graph: "LexicalGraph",
    question: str,
    *,
    retriever: "str | Retriever | None",
    top_k: int | None,
    options: "Mapping[str, object] | Options | None",
    where: str,
) -> Answer:
    """See :meth:`hlg.LexicalGraph.ask`."""
    found = graph.search(question, retriever=retriever, top_k=top_k, options=options, where=where)
    started = time.perf_counter()
    subgraph = graph.evidence(found.hits)
    answer = by_extraction(question, found, subgraph, graph.store, graph.query_embedder)
    spent = round((time.perf_counter() - started) * 1000, 2)
    total = round(found.timings_ms.get("total", 0.0) + spent, 2)
    return replace(answer, timings_ms={**found.timings_ms, "answer": spent, "total": total})


def by_extraction(
    question: str,
    found: SearchResult,
    subgraph: Subgraph,
    store: GraphStore,
    embedder: Embedder,
) -> Answer:
    """The answer that needs no language model; see :mod:`hlg.retrieval.answers.extractive`."""
    evidence = evidence_statements(found.hits, subgraph)
    cosines = _cosines(question, evidence, store, embedder)
    extracted = extract(question, evidence, cosines, load_reader().scores)
    return _answer(question, found, evidence, extracted)


def _answer(
    question: str,
    found: SearchResult,
    evidence: Sequence[EvidenceStatement],
    extracted: Extracted,
) -> Answer:
    is_answered = bool(extracted.places) and found.confidence >= DOUBTFUL
    numbers = {place: number for number, place in enumerate(extracted.places, start=1)}
    lead = extracted.lead if is_answered else ""
    return Answer(
        question=question,
        lead=lead,
        lead_citations=tuple(sorted(numbers[place] for place in extracted.rests_on if lead)),
        sentences=tuple(
            AnswerSentence(_told(evidence[place]), (number,)) for place, number in numbers.items()
        ),
        citations=tuple(_citation(number, evidence[place]) for place, number in numbers.items()),
        hits=found.hits,
        confidence=found.confidence,
        is_answered=is_answered,
    )


def _told(statement: EvidenceStatement) -> str:
    """A statement so that it can be read alone: who "she" is stands before it."""
    passage = statement.passage
    text = " ".join(passage.text.split())
    is_plain = passage.details in ("", passage.source.title) or passage.details in text
    return text if is_plain else f"({passage.details}) {text}"


def _citation(number: int, statement: EvidenceStatement) -> Citation:
    passage = statement.passage
    return Citation(
        number, passage.source, passage.start, passage.end, passage.text, passage.details
    )


def _cosines(
    question: str, evidence: Sequence[EvidenceStatement], store: GraphStore, embedder: Embedder
) -> NDArray[np.float32]:
    """Of each statement and the question, shape (len(evidence),)."""
    cosines = np.zeros(len(evidence), np.float32)
    vector = embedder.embed([question])[0]
    for kind in sorted({each.passage.kind for each in evidence}):
        places = [i for i, each in enumerate(evidence) if each.passage.kind == kind]
        ids = [evidence[i].passage.id for i in places]
        cosines[places] = store.embeddings(kind, ids) @ vector
    return cosines
