"""Several rankings as one: by their scores where they share a scale, by ranks where not."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hlg.retrieval.base import Candidate

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


def merged(*searches: Iterable[Candidate]) -> list[Candidate]:
    """The union of searches: each statement once, with the signals of all; by cosine."""
    found: dict[str, Candidate] = {}
    for candidate in (candidate for search in searches for candidate in search):
        known = found.get(candidate.id)
        signals = {**known.signals, **candidate.signals} if known else candidate.signals
        found[candidate.id] = replace(candidate, score=signals["cosine"], signals=signals)
    return best_first(found.values())


def best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """By score, ties by id."""
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.id))
