"""Reranking of candidates (HLG eq. 9-10): by a model, or by the learned path ranker."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hlg.models.base import Reranker
from hlg.retrieval.base import CHUNK, Candidate, Query, SearchSession


def rerank(
    reranker: Reranker, question: str, candidates: Sequence[Candidate], texts: Mapping[str, str]
) -> list[Candidate]:
    """The candidates by the model's score, ties by what they were ranked by before."""
    scores = reranker.scores(question, [texts[candidate.id] for candidate in candidates])
    return _by_scores(candidates, scores, "rerank")


def rerank_by_path(
    session: SearchSession, query: Query, candidates: Sequence[Candidate]
) -> list[Candidate]:
    """The candidates as the learned ranker puts their passages; those it would not look at
    come last, as they were, and so do ids that the graph does not have. A graph without a
    snapshot keeps its order, and says so.

    :raises ModelError: the ranker can't be loaded.
    """
    from hlg.retrieval.arrays.vectors import decode_rows
    from hlg.retrieval.question.matched import MatchedQuestion
    from hlg.retrieval.ranker.anchor_links import anchor_links
    from hlg.retrieval.ranker.candidates import propose
    from hlg.retrieval.ranker.path_ranker import ranker_for, statement_scores
    from hlg.retrieval.ranker.scores import score_all
    from hlg.retrieval.ranker.signals import all_signals
    from hlg.retrieval.retrievers.auto import passages_of

    snapshot = session.snapshot()
    if not candidates:
        return []
    if snapshot is None:
        session.trace.notes.append("the graph is over snapshot_budget_mb: ranked by path score")
        return list(candidates)
    passages = passages_of(snapshot)
    question = MatchedQuestion.of(query.text, query.vectors, passages)
    found = score_all(passages, question)
    proposed = propose(passages, question, found)
    links = anchor_links(passages, question, found, proposed)
    signals = all_signals(passages, question, found, proposed, links)
    ranked = ranker_for(session.store.address).rank(proposed, signals, links, len(proposed))
    values = np.full(len(snapshot.chunk_ids), -np.inf)
    values[[chunk.row for chunk in ranked]] = [chunk.score for chunk in ranked]
    ids = np.array([candidate.id.encode() for candidate in candidates])
    held = snapshot.chunk_ids if candidates[0].label == CHUNK else snapshot.statement_ids
    rows = np.minimum(np.searchsorted(held, ids), len(held) - 1)
    if candidates[0].label == CHUNK:
        scores = values[rows]
    else:
        cosines = decode_rows(snapshot.statement_embeddings, rows) @ query.vector
        holders = snapshot.statement_chunk[rows]
        scores = statement_scores(values[holders], holders, cosines)
    known = np.isfinite(scores) & (held[rows] == ids)
    lowest = scores[known].min(initial=0.0)
    scores[~known] = lowest - 1 - np.arange((~known).sum())
    return _by_scores(candidates, scores, "ranker")


def _by_scores(
    candidates: Sequence[Candidate], scores: NDArray[np.floating], signal: str
) -> list[Candidate]:
    return [
        replace(
            candidates[i],
            score=float(scores[i]),
            signals={**candidates[i].signals, signal: float(scores[i])},
        )
        for i in np.argsort(-scores, kind="stable").tolist()
    ]
