"""Tri-modal search as the cascade paper has it (§III.C-F), over all passages of a graph."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.arrays.document_graph import DocumentGraph
from hlg.retrieval.arrays.grams import GramIndex
from hlg.retrieval.base import CHUNK, Candidate
from hlg.retrieval.fusion import best_first, min_max, reciprocal_rank_fusion, weighted_sum
from hlg.retrieval.retrievers.text_index import text_index
from hlg.retrieval.view.arrays import ArrayView

SEARCHES = "dense", "sparse", "graph"
"""What is fused, in the order of the weights."""


def published_tri_modal(
    view: ArrayView, label: str, weights: Sequence[float], *, by_rank: bool, top_k: int
) -> list[Candidate]:
    """The best passages by the weighted sum of what each search gives, scaled from 0 to 1 by
    the least and the most that it gives any passage; or, ``by_rank``, by reciprocal ranks.

    Sparse is half BM25 and half the cosine of TF-IDF, each scaled by itself; graph counts the
    names that question and passage share, more for passages that are central.
    """
    ids = view.snapshot.chunk_ids if label == CHUNK else view.snapshot.statement_ids
    scaled = _scaled_scores(view, label)
    fused = weighted_sum(scaled, weights)
    names = [f"{name}_share" for name in SEARCHES]

    def candidate(row: int, score: float) -> Candidate:
        signals = dict(zip(names, scaled[:, row].tolist(), strict=True))
        return Candidate(label, ids[row].decode(), score, signals)

    def ranking(scores: NDArray[np.float64]) -> list[Candidate]:
        found = best_first(
            candidate(row, float(scores[row])) for row in np.flatnonzero(scores > 0).tolist()
        )
        return found[:top_k]

    return reciprocal_rank_fusion(*map(ranking, scaled))[:top_k] if by_rank else ranking(fused)


def _scaled_scores(view: ArrayView, label: str) -> NDArray[np.float64]:
    """Of each search and passage, shape (3, passages)."""
    snapshot, text = view.snapshot, view.query.text
    of_chunks = label == CHUNK
    words = snapshot.chunk_words if of_chunks else snapshot.statement_words
    grams = text_index(view.session, snapshot, label, GramIndex, "grams")
    documents = text_index(view.session, snapshot, label, DocumentGraph, "documents")
    dense = view.chunk_cosines if of_chunks else view.statement_cosines
    with view.session.trace.stage("search"):
        sparse = (_scaled(words.scores(words.terms(text))) + _scaled(grams.scores(text))) / 2
        return np.stack([_scaled(dense), sparse, _scaled(documents.scores(text))])


def _scaled(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Between the least and the best; nothing where nothing was found."""
    return min_max(scores) if scores.any() else np.zeros(len(scores))
