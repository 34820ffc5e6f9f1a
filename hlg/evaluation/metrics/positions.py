"""Where in what was retrieved the evidence stands (scenarios paper §5, appendix C).

Retrieval coverage and what a reader makes of it are two things: evidence that stands late in a
long context is read less well. A gold document stands where the first hit of it does, by rank
and by the share of all retrieved tokens that come before it.
"""

from bisect import bisect
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

RANK_BINS = (1, 2, 3, 4, 6, 11, 21, 51)
"""The first rank of each of the paper's bins (table 7); the last one has no end."""
DECILES = 10
COVERAGE = "coverage"
"""Recall of retrieval (RoR): gold documents that are anywhere in what was retrieved."""
RANKS = (
    *(
        f"gold_rank_{first}" if first == after - 1 else f"gold_rank_{first}-{after - 1}"
        for first, after in pairwise(RANK_BINS)
    ),
    f"gold_rank_{RANK_BINS[-1]}+",
)
TOKENS = tuple(
    f"gold_tokens_{100 * each // DECILES}-{100 * (each + 1) // DECILES}%" for each in range(DECILES)
)


def positions(
    gold: Sequence[str], documents: Sequence[str], tokens: Sequence[int]
) -> dict[str, float]:
    """Shares of the gold documents by where they stand; each family of shares sums to coverage.

    :param gold: ids, at least one.
    :param documents: the document of each hit, best first.
    :param tokens: of each hit.
    """
    wanted = set(gold)
    ranks = np.zeros(len(RANK_BINS))
    deciles = np.zeros(DECILES)
    before = np.concatenate([[0], np.cumsum(tokens)])
    total = max(float(before[-1]), 1.0)
    found = 0
    for document in wanted:
        if document not in documents:
            continue
        place = documents.index(document)
        found += 1
        deciles[min(int(DECILES * before[place] / total), DECILES - 1)] += 1
        ranks[bisect(RANK_BINS, place + 1) - 1] += 1
    return {
        COVERAGE: found / len(wanted),
        **dict(zip(RANKS, (ranks / len(wanted)).tolist(), strict=True)),
        **dict(zip(TOKENS, (deciles / len(wanted)).tolist(), strict=True)),
    }
