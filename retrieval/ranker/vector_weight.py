"""When the vector is trusted beside the trees: questions whose words the corpus does not use.

Trees that were trained on one kind of corpus follow titles, names and shared words into any
other. Where passages have no titles to follow and even the best one has few of a question's
words, as in forums whose answers say it all differently, the vector may still know what is
meant. In dialogues it does not: whether it does is told by the corpus itself, in which vectors
find what belongs together more often than words do, or less
(:func:`hlg.retrieval.arrays.found_again.found_again`).
"""

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.ranker.standing import Columns

UNTITLED = 0.3
"""Of the nearest passages fewer have titles of their own."""


def weighted_vector(columns: Columns, scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """What is added to the scores of a question's passages, shape (n,); 0 where words serve.

    The share of the question's words, by weight, that even the best passage lacks is what the
    vector counts, in deviations of the trees' scores, where vectors serve the corpus better than
    words (benchmarks/vector_weight.py).

    :param columns: the passages' signals; ``dense_z`` is their standardised cosine.
    :param scores: of the trees, which give the scale.
    """
    if not len(scores) or columns["asked_titles"][0] >= UNTITLED:
        return np.zeros(len(scores), np.float32)
    missing = max(1 - float(columns["asked_covered"][0]), 0.0) * float(columns["asked_vector"][0])
    return np.asarray(missing * float(scores.std()) * columns["dense_z"], np.float32)
