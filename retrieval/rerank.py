"""Reranking of candidates by a model's score (HLG eq. 9-10)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from hlg.models.base import Reranker
from hlg.retrieval.base import Candidate


def rerank(
    reranker: Reranker, question: str, candidates: Sequence[Candidate], texts: Mapping[str, str]
) -> list[Candidate]:
    """The candidates by the model's score, ties by what they were ranked by before."""
    scores = reranker.scores(question, [texts[candidate.id] for candidate in candidates])
    return [
        replace(
            candidates[i],
            score=float(scores[i]),
            signals={**candidates[i].signals, "rerank": float(scores[i])},
        )
        for i in np.argsort(-scores, kind="stable").tolist()
    ]
