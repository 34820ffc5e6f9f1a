"""What a hybrid search fuses: dense, BM25, TF-IDF, entities, or what any retriever proposes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.registry import Row
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate
from hlg.retrieval.finish.map_back import chunks_of_statements
from hlg.retrieval.fusion import min_max, tm2c2, united
from hlg.retrieval.options import Options
from hlg.retrieval.registry import RETRIEVERS
from hlg.retrieval.view.arrays import scored
from hlg.retrieval.view.base import GraphView
from hlg.retrieval.view.open import in_arrays

Search = Callable[[GraphView, str, int], list[Candidate]]
"""Candidates of a label, so many at most, best first."""
OWN = "hybrid", "tri-modal"
"""What is fused can't be a fusion itself."""
DENSE, BM25, TF_IDF, GRAPH = "dense", "bm25", "tfidf", "graph"


@dataclass(frozen=True, slots=True)
class Modality:
    """A search, and the least score that it can give: None where that is not known."""

    name: str
    search: Search
    minimum: float | None


@dataclass(frozen=True, slots=True)
class Pool:
    """What several searches found for a question: each candidate once, with its scaled scores.

    ``scaled`` has shape (modalities, candidates), each row in 0 to 1.
    """

    names: tuple[str, ...]
    candidates: list[Candidate]
    scaled: NDArray[np.float64]


def modality(name: str) -> Modality:
    """The modality of that name.

    :raises UsageError: there is none.
    """
    if name in _SEARCHES:
        return _SEARCHES[name]
    if name in RETRIEVERS and name not in OWN:
        row = RETRIEVERS[name]
        return Modality(name, partial(_retrieved, name, row), None)
    known = [*_SEARCHES, *(each for each in RETRIEVERS if each not in OWN)]
    raise UsageError(
        f"no modality {name!r}; there are {', '.join(known)}", option="modalities", known=known
    )


def pooled(
    view: GraphView,
    modalities: Sequence[Modality],
    found: Sequence[Sequence[Candidate]],
    *,
    theoretical: bool = True,
) -> Pool:
    """What modalities found, as one pool.

    :param theoretical: scale from the least score that is possible, where that is known
        (TM2C2); else from the least that was found.
    """
    candidates = united(*found)
    scaled = np.zeros((len(modalities), len(candidates)))
    for row, (each, ranking) in enumerate(zip(modalities, found, strict=True)):
        scores = _scores(view, each.name, ranking, candidates)
        from_least = theoretical and each.minimum is not None
        scaled[row] = tm2c2(scores, each.minimum or 0.0) if from_least else min_max(scores)
    return Pool(tuple(each.name for each in modalities), candidates, scaled)


def _scores(
    view: GraphView, name: str, ranking: Sequence[Candidate], found: Sequence[Candidate]
) -> NDArray[np.float64]:
    """A modality's scores of all candidates; NaN of those that it did not find.

    Cosines are worked out for every candidate, as a passage that is not among the nearest
    is still as near as it is.
    """
    scores = np.full(len(found), np.nan)
    places = {candidate.id: i for i, candidate in enumerate(found)}
    for candidate in ranking:
        scores[places[candidate.id]] = candidate.score
    missing = np.flatnonzero(np.isnan(scores))
    if name == DENSE and len(missing):
        ids = [found[i].id for i in missing.tolist()]
        scores[missing] = view.similarities(found[0].label, ids)
    return scores


def _by_entities(view: GraphView, label: str, depth: int) -> list[Candidate]:
    """By how many of the question's entities are mentioned, times 1 + PageRank (cascade §III.E)."""
    from hlg.retrieval.retrievers.page_rank import entity_overlap

    return entity_overlap(in_arrays(view, "the modality graph"), label, depth)


def _by_grams(view: GraphView, label: str, depth: int) -> list[Candidate]:
    """By the cosine of TF-IDF vectors of words and pairs of them."""
    from hlg.retrieval.arrays.grams import GramIndex
    from hlg.retrieval.retrievers.text_index import text_index

    arrays = in_arrays(view, "the modality tfidf")
    snapshot = arrays.snapshot
    ids = snapshot.chunk_ids if label == CHUNK else snapshot.statement_ids
    index = text_index(view.session, snapshot, label, GramIndex, "grams")
    rows, scores = index.search(view.query.text, depth)
    return scored(label, ids[rows], scores, TF_IDF)


def _retrieved(
    name: str, row: Row[Any], view: GraphView, label: str, depth: int
) -> list[Candidate]:
    """What a retriever proposes, by its own score; its statements as chunks where these are fused.

    :raises UsageError: it needs arrays and there are none, or finds chunks where statements
        are fused.
    """
    found: list[Candidate] = row.load()(view, (row.options_type() or Options)(), depth)[:depth]
    if not found or found[0].label == label:
        return found
    if label == STATEMENT:
        raise UsageError(
            f"retriever {name!r} finds chunks, and statements are fused; give over=chunks",
            option="modalities",
        )
    statements, chunks = view.session.store.statements_in_chunks([each.id for each in found])
    return chunks_of_statements(
        found, {each.id: each for each in statements}, {each.id: each for each in chunks}
    )


_SEARCHES = {
    each.name: each
    for each in (
        Modality(DENSE, lambda view, label, depth: view.nearest(label, depth), -1.0),
        Modality(BM25, lambda view, label, depth: view.matching(label, depth), 0.0),
        Modality(TF_IDF, _by_grams, 0.0),
        Modality(GRAPH, _by_entities, 0.0),
    )
}
"""The searches that are no retrievers, with the least that they can give (thesis eq. 14-15)."""
