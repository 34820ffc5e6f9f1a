"""Hybrid search: several searches, each with a weight, as one ranking.

Dense and BM25 as the thesis fuses them (§3.3.3: TM2C2 and a weight α), dense, sparse and
graph as the cascade does (§III.B-F), or any retrievers of the registry.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from hlg.errors import UsageError
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate
from hlg.retrieval.fusion import best_first, reciprocal_rank_fusion, weighted_sum
from hlg.retrieval.options import Count, Share, StatementOptions
from hlg.retrieval.retrievers.modalities import BM25, DENSE, GRAPH, Pool, modality, pooled
from hlg.retrieval.view.arrays import ArrayView
from hlg.retrieval.view.base import GraphView
from hlg.retrieval.view.open import in_arrays, retriever_in_arrays
from hlg.retrieval.weights.by_question import LLM, WAYS, asked_weights, rule_weights
from hlg.retrieval.weights.features import features
from hlg.retrieval.weights.learned import read_weights, weights_beside

LEARNED = "learned"
"""The value of ``alpha`` that weighs each question by itself."""
ALPHA = 0.7
"""What dense search weighs where nothing else is said (benchmarks/fusion.md)."""
TRI_MODAL = DENSE, BM25, GRAPH
"""The cascade's three searches (§III.C-E)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HybridOptions(StatementOptions):
    """Hybrid search.

    :param form: what is given: chunks, or the statements themselves.
    :param over: what is searched, chunks or statements; ``form=statements`` searches
        statements in any case.
    :param modalities: what is fused, with commas between: dense, bm25, tfidf, graph, or
        retrievers.
    :param alpha: α of eq. 16: what the scores of the first of two weigh, the second having
        the rest, but for ``rrf``, which counts both alike;
        ``learned``: each question as ``hlg tune fusion`` learned it.
    :param alpha_model: file of the learned weights; empty: those beside the graph's store.
    :param weights: of the modalities, with commas between; empty: by alpha, or all alike.
        Of dense, bm25 and graph also ``llm``: as the language model weighs each question, by
        the rules without one; ``rules``: by whether a question is financial or has numbers.
    :param fusion: ``tm2c2`` and ``min-max`` add up scaled scores, ``rrf`` ranks.
    :param candidates: how many of each search are looked at.
    """

    form: Literal["statements", "chunks"] = "chunks"
    over: Literal["chunks", "statements"] = "chunks"
    modalities: str = "dense,bm25"
    alpha: Share | Literal["learned"] = ALPHA
    alpha_model: str = ""
    weights: str = ""
    fusion: Literal["tm2c2", "min-max", "rrf"] = "tm2c2"
    candidates: Count = 100

    @property
    def needs_language_model(self) -> bool:
        """As of :class:`Options`; a search goes on by the rules, a measurement should not."""
        return self.weights == LLM or super(HybridOptions, self).needs_language_model


@dataclass(frozen=True, slots=True, kw_only=True)
class TriModalOptions(HybridOptions):
    """Dense, sparse and graph with the weights that the cascade found best, or by question
    (§III.B).

    :param paper: as the paper has it: sparse is half BM25 and half TF-IDF, every score is scaled
        by the least and the most that any passage gets, and graph is names that two patterns
        find, with the PageRank (α .85) of passages that share two of them within fifty;
        ``fusion=rrf`` fuses these by rank.
    """

    modalities: str = ",".join(TRI_MODAL)
    weights: str = "0.50,0.35,0.15"
    paper: bool = False


def hybrid(view: GraphView, options: HybridOptions, top_k: int) -> list[Candidate]:
    """The candidates of all modalities, by their fused scores.

    :raises UsageError: no such modality, or weights that do not fit them.
    :raises ModelError: learned weights are asked for, and there are none that can be read.
    """
    if isinstance(options, TriModalOptions):
        view = retriever_in_arrays(view, "tri-modal")
    names = [name.strip() for name in options.modalities.split(",") if name.strip()]
    _check(options, names)
    modalities = [modality(name) for name in names]
    label = CHUNK if options.over == options.form == "chunks" else STATEMENT
    depth = max(options.candidates, top_k)
    weights = _weights(view, options, names)
    if isinstance(options, TriModalOptions) and options.paper:
        from hlg.retrieval.retrievers.cascade import published_tri_modal

        by_rank = options.fusion == "rrf"
        arrays = in_arrays(view, "paper=true")
        return published_tri_modal(arrays, label, weights, by_rank=by_rank, top_k=depth)
    found = [each.search(view, label, depth) for each in modalities]
    if options.fusion == "rrf":
        return reciprocal_rank_fusion(*found, weights=weights)
    pool = pooled(view, modalities, found, theoretical=options.fusion == "tm2c2")
    if options.alpha == LEARNED:
        alpha = learned_alpha(view, options.alpha_model, pool)
        return _fused(pool, [alpha, 1 - alpha], {"alpha": alpha})
    by_question = options.weights in WAYS
    told = {f"{name}_weight": weights[i] for i, name in enumerate(names) if by_question}
    return _fused(pool, weights, told)


def learned_alpha(view: GraphView, path: str, pool: Pool) -> float:
    """What dense search weighs for a question by the learned weights; the default where they
    don't fit the graph any more, which the trace then says.

    :raises ModelError: there are none, or they can't be read.
    """
    session = view.session
    file = Path(path) if path else weights_beside(session.store.address)
    learned = read_weights(file)
    corpus = view.snapshot.chunk_ids if isinstance(view, ArrayView) else None
    if stale := learned.why_stale(session.embedder.name, corpus):
        session.trace.notes.append(
            f"alpha={ALPHA:g}: the learned weights {file} are not used, {stale}; "
            "hlg tune fusion learns them anew"
        )
        return ALPHA
    found = features(view.query.text, *pool.scaled)
    return float(learned.predictor.predict(found[None], view.query.vector[None])[0])


def _fused(pool: Pool, weights: Sequence[float], signals: Mapping[str, float]) -> list[Candidate]:
    """The pool by weighted sums (eq. 16), with what each modality gave."""
    fused = weighted_sum(pool.scaled, weights)
    return best_first(
        replace(
            candidate,
            score=float(fused[i]),
            signals={
                **candidate.signals,
                **{f"{name}_share": float(pool.scaled[m, i]) for m, name in enumerate(pool.names)},
                **signals,
            },
        )
        for i, candidate in enumerate(pool.candidates)
    )


def _check(options: HybridOptions, names: Sequence[str]) -> None:
    """
    :raises UsageError: the options don't fit together.
    """
    if not names or len(set(names)) < len(names):
        raise UsageError(
            f"modalities={options.modalities!r}: name at least one, each once", option="modalities"
        )
    if options.weights in WAYS and list(names) != list(TRI_MODAL):
        raise UsageError(
            f"weights={options.weights} weighs {', '.join(TRI_MODAL)}; leave out modalities, and "
            "ask tri-modal",
            option="weights",
        )
    if isinstance(options, TriModalOptions) and options.paper and list(names) != list(TRI_MODAL):
        raise UsageError(
            "paper=true fuses dense, sparse and graph; leave out modalities", option="paper"
        )
    is_default = list(names) == [DENSE, BM25] and options.fusion == "tm2c2" and not options.weights
    if options.alpha == LEARNED and not (is_default and options.over == options.form == "chunks"):
        raise UsageError(
            "alpha=learned weighs dense and bm25 over chunks by tm2c2; leave out modalities, "
            "weights, fusion, over and form",
            option="alpha",
        )


def _weights(view: GraphView, options: HybridOptions, names: Sequence[str]) -> list[float]:
    """What the modalities weigh for the view's question, in their order."""
    if options.weights in WAYS:
        text = view.query.text
        by_model = options.weights == LLM
        return list(asked_weights(view.session, text) if by_model else rule_weights(text))
    if not options.weights:
        alpha = options.alpha if isinstance(options.alpha, float) else ALPHA
        two = len(names) == 2 and options.fusion != "rrf"
        return [alpha, 1 - alpha] if two else [1.0] * len(names)
    try:
        weights = [float(part) for part in options.weights.split(",")]
    except ValueError:
        weights = []
    if len(weights) != len(names) or min(weights) < 0 or not 0 < sum(weights) < np.inf:
        raise UsageError(
            f"weights={options.weights!r}: give {len(names)} numbers with commas between, none "
            f"below 0 and not all 0; or, of {', '.join(TRI_MODAL)}, {' or '.join(WAYS)}",
            option="weights",
        )
    return weights
