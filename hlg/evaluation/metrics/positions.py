"""Where in what was retrieved the evidence stands (scenarios paper §5, appendix C).

Retrieval coverage and what a reader makes of it are two things: evidence that stands late in a
long context is read less well. A gold document stands where the first hit of it does, by rank
and by the share of all retrieved tokens that come before it.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

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


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document stands first: the number of the piece from 1, the tokens before it and
    their share of all. Of what a model was given: whether a search for documents found it, and
    whether the answer rests on it."""

    rank: int
    tokens: int
    share: float
    in_documents: bool = False
    is_extracted: bool = False

    @property
    def rank_bin(self) -> int:
        """Which of :data:`RANKS` it is in."""
        return bisect(RANK_BINS, self.rank) - 1

    @property
    def decile(self) -> int:
        """Which of :data:`TOKENS` it begins in."""
        return min(int(DECILES * self.share), DECILES - 1)


def first_places(
    gold: Iterable[str], pieces: Sequence[tuple[Iterable[str], int]]
) -> dict[str, Place]:
    """Where the gold documents stand; those that stand nowhere are left out.

    :param pieces: the documents and the tokens of each, best first.
    """
    total = max(1, sum(tokens for _, tokens in pieces))
    before, first = 0, dict[str, Place]()
    for rank, (documents, tokens) in enumerate(pieces, start=1):
        for id_ in documents:
            first.setdefault(id_, Place(rank, before, before / total))
        before += tokens
    return {id_: first[id_] for id_ in dict.fromkeys(gold) if id_ in first}


def positions(
    gold: Sequence[str], documents: Sequence[str], tokens: Sequence[int]
) -> dict[str, float]:
    """Shares of the gold documents by where they stand; each family of shares sums to coverage.

    :param gold: ids, at least one.
    :param documents: the document of each hit, best first.
    :param tokens: of each hit.
    """
    hits = [((document,), size) for document, size in zip(documents, tokens, strict=True)]
    found, wanted = first_places(gold, hits).values(), len(set(gold))
    ranks = Counter(place.rank_bin for place in found)
    deciles = Counter(place.decile for place in found)
    return {
        COVERAGE: len(found) / wanted,
        **{name: ranks[at] / wanted for at, name in enumerate(RANKS)},
        **{name: deciles[at] / wanted for at, name in enumerate(TOKENS)},
    }
