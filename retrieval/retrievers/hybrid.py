"""Hybrid search: several searches, each with a weight, as one ranking.

Dense and BM25 as the thesis fuses them (§3.3.3: TM2C2 and a weight α), dense, sparse and
graph as the cascade does (§III.B-F), or any retrievers of the registry.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate
from hlg.retrieval.finish.map_back import chunks_of_statements
from hlg.retrieval.fusion import (
    best_first,
    min_max,
    reciprocal_rank_fusion,
    tm2c2,
    united,
    weighted_sum,
)
from hlg.retrieval.options import Count, Options, Share, StatementOptions
from hlg.retrieval.registry import RETRIEVERS
from hlg.retrieval.view.arrays import ArrayView
from hlg.retrieval.view.base import GraphView

Search = Callable[[GraphView, str, int], list[Candidate]]
OWN = "hybrid", "tri-modal"
"""What is fused can't be a fusion itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HybridOptions(StatementOptions):
    """Hybrid search.

    :param form: what is given: chunks, or the statements themselves.
    :param over: what is searched, chunks or statements; ``form=statements`` searches
        statements in any case.
    :param modalities: what is fused, with commas between: dense, bm25, graph, or retrievers.
    :param alpha: α of eq. 16: what the first of two weighs, the second having the rest.
    :param weights: of the modalities, with commas between; empty: by alpha, or all alike.
    :param fusion: ``tm2c2`` and ``min-max`` add up scaled scores, ``rrf`` ranks.
    :param candidates: how many of each search are looked at.
    """

    form: Literal["statements", "chunks"] = "chunks"
    over: Literal["chunks", "statements"] = "chunks"
    modalities: str = "dense,bm25"
    alpha: Share = 0.5
    weights: str = ""
    fusion: Literal["tm2c2", "min-max", "rrf"] = "tm2c2"
    candidates: Count = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TriModalOptions(HybridOptions):
    """Dense, sparse and graph with the weights that the cascade found best (§III.B)."""

    modalities: str = "dense,bm25,graph"
    weights: str = "0.50,0.35,0.15"


@dataclass(frozen=True, slots=True)
class _Modality:
    """A search and the least score that it can give, None where that is not known."""

    search: Search
    minimum: float | None


def hybrid(view: GraphView, options: HybridOptions, top_k: int) -> list[Candidate]:
    """The candidates of all modalities, by their fused scores.

    :raises UsageError: no such modality, or weights that do not fit them.
    """
    names = [name.strip() for name in options.modalities.split(",") if name.strip()]
    modalities = [_modality(name) for name in names]
    weights = _weights(options, names)
    label = CHUNK if options.over == options.form == "chunks" else STATEMENT
    depth = max(options.candidates, top_k)
    rankings = [each.search(view, label, depth) for each in modalities]
    if options.fusion == "rrf":
        return reciprocal_rank_fusion(*rankings, weights=weights)
    found = united(*rankings)
    scores = np.stack(
        [_scores(view, name, ranking, found) for name, ranking in zip(names, rankings, strict=True)]
    )
    scaled = np.stack(
        [
            min_max(row)
            if options.fusion == "min-max" or each.minimum is None
            else tm2c2(row, each.minimum)
            for row, each in zip(scores, modalities, strict=True)
        ]
    )
    fused = weighted_sum(scaled, weights)
    return best_first(
        replace(
            candidate,
            score=float(fused[i]),
            signals={**candidate.signals}
            | {f"{name}_share": float(scaled[m, i]) for m, name in enumerate(names)},
        )
        for i, candidate in enumerate(found)
    )


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
    if name == "dense" and len(missing):
        ids = [found[i].id for i in missing.tolist()]
        scores[missing] = view.similarities(found[0].label, ids)
    return scores


def _modality(name: str) -> _Modality:
    if name == "dense":
        return _Modality(lambda view, label, depth: view.nearest(label, depth), -1.0)
    if name == "bm25":
        return _Modality(lambda view, label, depth: view.matching(label, depth), 0.0)
    if name == "graph":
        return _Modality(_by_entities, 0.0)
    if name in RETRIEVERS and name not in OWN:
        return _Modality(lambda view, label, depth: _retrieved(name, view, label, depth), None)
    known = ["dense", "bm25", "graph", *(each for each in RETRIEVERS if each not in OWN)]
    raise UsageError(
        f"no modality {name!r}; there are {', '.join(known)}", option="modalities", known=known
    )


def _weights(options: HybridOptions, names: Sequence[str]) -> list[float]:
    if not names or len(set(names)) < len(names):
        raise UsageError(
            f"modalities={options.modalities!r}: name at least one, each once", option="modalities"
        )
    if not options.weights:
        return [options.alpha, 1 - options.alpha] if len(names) == 2 else [1.0] * len(names)
    try:
        weights = [float(part) for part in options.weights.split(",")]
    except ValueError:
        weights = []
    if len(weights) != len(names) or min(weights) < 0 or not 0 < sum(weights) < np.inf:
        raise UsageError(
            f"weights={options.weights!r}: give {len(names)} numbers with commas between, none "
            "below 0 and not all 0",
            option="weights",
        )
    return weights


def _by_entities(view: GraphView, label: str, depth: int) -> list[Candidate]:
    """By how many of the question's entities are mentioned, times 1 + PageRank (cascade §III.E)."""
    from hlg.retrieval.retrievers.page_rank import entity_overlap

    if not isinstance(view, ArrayView):
        raise UsageError(
            "the modality graph needs the graph in memory, and it is larger than "
            "snapshot_budget_mb; raise that setting, or leave it out",
            option="modalities",
        )
    return entity_overlap(view, label, depth)


def _retrieved(name: str, view: GraphView, label: str, depth: int) -> list[Candidate]:
    """What a retriever proposes, by its own score; its statements as chunks where these are fused.

    :raises UsageError: it needs arrays and there are none, or finds chunks where statements
        are fused.
    """
    row = RETRIEVERS[name]
    propose = row.load()
    if row.needs_arrays and not isinstance(view, ArrayView):
        raise UsageError(
            f"retriever {name!r} needs the graph in memory, and it is larger than "
            "snapshot_budget_mb; raise that setting, or leave it out",
            option="modalities",
        )
    found = propose(view, (row.options_type() or Options)(), depth)[:depth]
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
