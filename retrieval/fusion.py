"""Fusion of rankings that share no scale."""

from collections.abc import Sequence
from dataclasses import replace

from hlg.retrieval.base import Candidate
from hlg.retrieval.view.view import best_first

RRF_OFFSET = 60
"""k of reciprocal rank fusion, as its authors chose it."""


def reciprocal_rank_fusion(*rankings: Sequence[Candidate]) -> list[Candidate]:
    """Each node once, by the sum of 1 / (k + rank) over the rankings that hold it.

    A node keeps the signals of all rankings, and the path of the first that has one.
    """
    fused: dict[str, Candidate] = {}
    for ranking in rankings:
        for rank, candidate in enumerate(ranking, start=1):
            share = 1 / (RRF_OFFSET + rank)
            known = fused.get(candidate.id)
            fused[candidate.id] = (
                replace(candidate, score=share)
                if known is None
                else replace(
                    known,
                    score=known.score + share,
                    signals={**candidate.signals, **known.signals},
                    path=known.path or candidate.path,
                )
            )
    return best_first(fused.values())
