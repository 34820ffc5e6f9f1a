"""Recognising a question that one passage answers (HLG §C.1.2), so that it is not walked."""

from collections.abc import Sequence

MARGIN = 0.08
"""The best passage's cosine is ahead of the second's by at least this."""
CONCENTRATION = 0.5
"""At least this share of the first statements lies in the best passage."""
FIRST_STATEMENTS = 6


def is_single_passage(
    passages: Sequence[tuple[str, float]], statement_passages: Sequence[str]
) -> bool:
    """Whether the first search says that the evidence lies in one passage.

    It does where one passage is far ahead and the nearest statements are in it.

    :param passages: ids and cosines of the nearest passages, best first.
    :param statement_passages: the passage of each of the nearest statements, best first.
    """
    if not passages or not statement_passages:
        return False
    best, score = passages[0]
    margin = score - passages[1][1] if len(passages) > 1 else score
    first = statement_passages[:FIRST_STATEMENTS]
    inside = sum(passage == best for passage in first) / len(first)
    return margin >= MARGIN and inside >= CONCENTRATION
