"""Reranking of candidates (HLG eq. 9-10): by a model, or by the learned path ranker."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hlg.models.base import Reranker
from hlg.retrieval.arrays.passages import passages_of
from hlg.retrieval.arrays.snapshot import as_ids, rows_of
from hlg.retrieval.arrays.vectors import decode_rows
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate
from hlg.retrieval.question.matched import MatchedQuestion
from hlg.retrieval.ranker.anchor_links import anchor_links
from hlg.retrieval.ranker.path_ranker import ranker_for, statement_scores
from hlg.retrieval.ranker.scores import score_all
from hlg.retrieval.ranker.signals import all_signals
from hlg.retrieval.texts import behind_path
from hlg.retrieval.view.arrays import ArrayView


def rerank(
    reranker: Reranker,
    question: str,
    candidates: Sequence[Candidate],
    texts: Mapping[str, str],
    share: float = 1.0,
) -> list[Candidate]:
    """The candidates by the model's score, ties by what they were ranked by before.

    :param texts: of passages and of the statements on their paths, by id.
    :param share: what the score counts beside the logarithm of the rank that a candidate had,
        both standardised: a small model knows less than the search and it together.
    """
    given = [
        behind_path(texts[each.id], (texts[step] for step in _led_by(each) if step in texts))
        for each in candidates
    ]
    scores = shared(reranker.scores(question, given), share)
    return _by_scores(candidates, scores, "rerank")


def shared(scores: NDArray[np.floating], share: float) -> NDArray[np.floating]:
    """Scores of candidates in their order, with what that order counts beside them.

    :param share: what the scores count, 1: they alone, as they are.
    """
    if share == 1:
        return scores
    before = -np.log1p(np.arange(len(scores)))
    return share * _standardized(scores) + (1 - share) * _standardized(before)


def _standardized(values: NDArray[np.floating]) -> NDArray[np.floating]:
    if not len(values):
        return values
    return np.asarray((values - values.mean()) / max(float(values.std()), 1e-6))


def _led_by(candidate: Candidate) -> list[str]:
    """Ids of the statements on the way to a candidate."""
    return [
        step.id for step in candidate.path if step.label == STATEMENT and step.id != candidate.id
    ]


def rerank_by_path(view: ArrayView, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates as the learned ranker puts their own passages.

    The passages of the candidates are all that is ranked, and links are followed only from
    one of them to another: what was not proposed neither comes in nor lends weight. Ids that
    the graph does not have come last.

    :raises ModelError: the ranker can't be loaded.
    """
    if not candidates:
        return []
    snapshot = view.snapshot
    are_chunks = candidates[0].label == CHUNK
    held = snapshot.chunk_ids if are_chunks else snapshot.statement_ids
    places = rows_of(as_ids(candidate.id for candidate in candidates), held)
    known = places >= 0
    rows = places[known]
    owners = rows if are_chunks else snapshot.statement_chunk[rows]
    standing = _standing(view, owners)
    if not are_chunks:
        cosines = decode_rows(snapshot.statement_embeddings, rows) @ view.query.vector
        standing = statement_scores(standing, owners, cosines)
    scores = np.empty(len(candidates))
    scores[known] = standing
    scores[~known] = standing.min(initial=0.0) - 1 - np.arange((~known).sum())
    return _by_scores(candidates, scores, "ranker")


def _standing(view: ArrayView, owners: NDArray[np.integer]) -> NDArray[np.float64]:
    """The score of the passage at each row of ``owners``, ranked among just these."""
    rows, place = np.unique(owners.astype(np.int32), return_inverse=True)
    if not len(rows):
        return np.zeros(0)
    passages = passages_of(view.snapshot)
    question = MatchedQuestion.of(view.query.text, view.query.vectors, passages)
    scores = score_all(passages, question)
    signals = all_signals(scores, rows, anchor_links(scores, rows))
    values = ranker_for(view.session.store.address).scores(signals)
    return values.astype(np.float64)[place]


def _by_scores(
    candidates: Sequence[Candidate], scores: NDArray[np.floating], signal: str
) -> list[Candidate]:
    order = np.argsort(-scores, kind="stable")
    return [
        Candidate(each.label, each.id, score, {**each.signals, signal: score}, each.path)
        for each, score in zip(
            (candidates[i] for i in order.tolist()), scores[order].tolist(), strict=True
        )
    ]
