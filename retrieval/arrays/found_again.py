"""How well vectors and words each find what belongs together in a corpus, without a question.

What is near to a statement should stand in its passage. Where vectors find it there more often
than words do, as in forums whose writers say one thing in many ways, they can be trusted with a
question too; in dialogues, where names and single words tell, they can't.
"""

from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.bm25 import LexicalIndex
from hlg.retrieval.arrays.vectors import best, decode_rows, similarities

SAMPLE, FEWEST = 400, 100
"""Statements that are looked for, and in graphs where each takes long."""
MOST_COMPARED = 50_000_000
"""Pairs of statements."""
AT_ONCE = 50
"""Statements that one pass over all vectors compares."""
NEAREST = 5
FEWEST_TERMS = 4
MUCH_OFTENER = 1 / 12
"""From this part more often on, the vector has all the trust there is."""
MOST = 2.0


def found_again(
    texts: Sequence[str],
    embeddings: NDArray[np.float16],
    words: LexicalIndex,
    passages: NDArray[np.int32],
) -> NDArray[np.float32]:
    """The shares of statements of which one of the five nearest others is of their passage: by
    vector, and by BM25. Shape (2,); zeros where there are too few to tell.

    :param texts: of the statements, as ``words`` has indexed them.
    :param embeddings: of the statements, unit length.
    :param passages: the passage of each, -1 for none.
    """
    many = np.bincount(np.maximum(passages, 0), minlength=1) > 1
    shared = np.flatnonzero((passages >= 0) & many[passages])
    if len(texts) <= 2 * NEAREST or len(shared) < FEWEST:
        return np.zeros(2, np.float32)
    count = max(FEWEST, min(SAMPLE, MOST_COMPARED // len(texts)))
    rows = np.random.default_rng(0).permutation(shared).tolist()
    terms = ((row, sorted(set(words.terms(texts[row])))) for row in rows)
    sample = list(islice((each for each in terms if len(each[1]) >= FEWEST_TERMS), count))
    found = []
    for start in range(0, len(sample), AT_ONCE):
        part = sample[start : start + AT_ONCE]
        asked = np.array([row for row, _ in part])
        near = similarities(embeddings, decode_rows(embeddings, asked))
        for column, (row, its_terms) in enumerate(part):
            both = near[:, column], words.scores(its_terms)
            found.append([_is_near(scores, row, passages) for scores in both])
    return np.asarray(np.mean(found, axis=0) if found else np.zeros(2), np.float32)


def vector_worth(shares: NDArray[np.float32]) -> float:
    """How far the vector is trusted in a corpus, from 0 to ``MOST``; 1 in one too small to tell.

    :param shares: how often vectors, and words, find a statement's own passage.
    """
    by_vector, by_words = float(shares[0]), float(shares[1])
    if not by_words:
        return 1.0
    return MOST * min(max((by_vector / by_words - 1) / MUCH_OFTENER, 0.0), 1.0)


def _is_near(scores: NDArray[np.float32], row: int, passages: NDArray[np.int32]) -> bool:
    scores[row] = -np.inf
    nearest = best(scores, NEAREST)
    return bool((passages[nearest] == passages[row]).any())
