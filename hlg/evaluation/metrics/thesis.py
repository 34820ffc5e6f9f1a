"""The metrics of the thesis on agentic retrieval (§4.3), each for one question.

Gold-span accuracy asks whether the answer's text was retrieved, chunk accuracy how far
the retrieved texts are the segments that the question was made from. The thesis retrieves
five texts (§4.2). Words are runs of letters and digits, case aside. Coverage is by "longest
common subsequence matching" (LCS), overlap by "word-level sequence matching", which in the
Python that it is written in is the ratio of :class:`difflib.SequenceMatcher`. Whether an
answer's text is in a text does not depend on case either.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

TEXTS = 5
"""How many retrieved texts the thesis looks at (§4.2)."""

_WORD = re.compile(r"\w+")


def gold_span_metrics(
    answers: Sequence[str], texts: Sequence[str], scores: Sequence[float]
) -> dict[str, float]:
    """T1EM, T5EM, T1C, BC, AC, MC, MRR and AT1S (thesis §4.3) of one question.

    - T1EM, T5EM: whether the first, any of the first five texts contains the answer, case
      aside;
    - T1C, BC, AC: share of the answer's words that are in the text in sequence: of the
      first text, the best, the mean over all;
    - MC: the same for all texts joined; MRR: 1 / rank of the first text with the answer;
    - AT1S: the retrieval score of the first text.

    :param answers: the answer's spellings, at least one; the one that fits best counts.
    :param texts: what was retrieved, best first; only the first five are looked at.
    :param scores: the score of each text.
    """
    texts = texts[:TEXTS]
    wanted = [answer.casefold() for answer in answers]
    holds = [any(answer in text.casefold() for answer in wanted) for text in texts]
    covered = [best_coverage(answers, text) for text in texts] or [0.0]
    return {
        "t1em": float(holds[:1] == [True]),
        "t5em": float(any(holds)),
        "t1c": covered[0],
        "bc": max(covered),
        "ac": sum(covered) / len(covered),
        "mc": best_coverage(answers, "\n".join(texts)),
        "answer_mrr": 1 / (holds.index(True) + 1) if any(holds) else 0.0,
        "at1s": float(scores[0]) if texts else 0.0,
    }


def chunk_metrics(segments: Sequence[str], texts: Sequence[str]) -> dict[str, float]:
    """T1O, BO and AO (thesis §4.3) of one question.

    - T1O: the largest overlap between the first text and any segment;
    - BO: the largest overlap between any text and any segment;
    - AO: the mean over all texts and all segments.

    :param segments: the texts that the question was made from, at least one.
    :param texts: what was retrieved, best first; only the first five are looked at.
    """
    overlaps = [[overlap(text, segment) for segment in segments] for text in texts[:TEXTS]]
    every = [value for of_text in overlaps for value in of_text] or [0.0]
    return {
        "t1o": max(overlaps[0]) if overlaps else 0.0,
        "bo": max(every),
        "ao": sum(every) / len(every),
    }


def coverage(answer: str, text: str) -> float:
    """Share of the answer's words that are in the text, in their order: LCS / words."""
    words = _words(answer)
    return longest_common_subsequence(words, _words(text)) / len(words) if words else 0.0


def overlap(left: str, right: str) -> float:
    """2 M / (words of both), where M words are in matching blocks (Ratcliff and Obershelp).

    The longest run of words that both have is a block, and so are, on each side of it, the
    longest runs of what is left: 1 for the same words in the same order, 0 for none shared.
    M is never more than the LCS.
    """
    first, second = _words(left), _words(right)
    if not first or not second:
        return 0.0
    # Left to itself it takes a frequent word of a long text for junk.
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def longest_common_subsequence(left: Sequence[str], right: Sequence[str]) -> int:
    """How many words two lists share in the same order.

    One row of the dynamic programme at a time: L[i, j] is the largest of L[i-1, j], L[i, j-1]
    and, where the words are equal, L[i-1, j-1] + 1.
    """
    shorter, longer = sorted((left, right), key=len)
    numbers: dict[str, int] = {}
    columns = np.array([numbers.setdefault(word, len(numbers)) for word in longer], dtype=np.int64)
    row = np.zeros(len(longer) + 1, dtype=np.int64)
    for word in shorter:
        if word in numbers:
            extended = np.where(columns == numbers[word], row[:-1] + 1, 0)
            row[1:] = np.maximum.accumulate(np.maximum(row[1:], extended))
    return int(row[-1])


def best_coverage(answers: Sequence[str], text: str) -> float:
    """LSS (eq. 17): the coverage of the nearest of several answers, each of which is right."""
    return max((coverage(answer, text) for answer in answers), default=0.0)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
