"""What a weight is predicted from: 4 features of a question's text, 21 of its scores
(thesis §3.3.3.3)."""

import re

import numpy as np
from numpy.typing import NDArray

LOOKED_AT = 10
"""Candidates of each search whose scores are features (thesis §4.2: ten of both)."""
TEXT_FEATURES = ("words", "digits", "wh_word", "acronym")
FEATURES = (
    *TEXT_FEATURES,
    *(f"dense_{rank}" for rank in range(1, LOOKED_AT + 1)),
    *(f"bm25_{rank}" for rank in range(1, LOOKED_AT + 1)),
    "overlap",
)
"""The 25 features, in the order of their columns."""

_WH_WORD = re.compile(r"\b(?:who|what|where|when|why|how)\b", re.IGNORECASE)
_ACRONYM = re.compile(r"\b[A-Z]{2,}\b")


def text_features(question: str) -> NDArray[np.float64]:
    """Word count, and 1 where there are digits, a question word, an acronym; shape (4,)."""
    return np.array(
        [
            len(question.split()),
            any(letter.isdigit() for letter in question),
            _WH_WORD.search(question) is not None,
            _ACRONYM.search(question) is not None,
        ],
        np.float64,
    )


def score_features(
    dense: NDArray[np.floating], sparse: NDArray[np.floating]
) -> NDArray[np.float64]:
    """The ten best scaled scores of each search, 0 where there are fewer, and how many
    candidates are among the ten best of both; shape (21,).

    :param dense: scaled scores of all candidates, shape (n,); ``sparse`` those of BM25, 0 of
        what it did not find.
    """
    overlap = np.intersect1d(leading(dense), leading(sparse)).size
    return np.concatenate([_highest(dense), _highest(sparse), [overlap]])


def features(
    question: str, dense: NDArray[np.floating], sparse: NDArray[np.floating]
) -> NDArray[np.float64]:
    """All features of a question, shape (25,); see :data:`FEATURES`."""
    return np.concatenate([text_features(question), score_features(dense, sparse)])


def leading(scores: NDArray[np.floating]) -> NDArray[np.int64]:
    """Places of the ten best scores above 0, best first, ties by place."""
    order = np.argsort(-scores, kind="stable")[:LOOKED_AT]
    return order[scores[order] > 0]


def _highest(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    best = np.zeros(LOOKED_AT)
    found = scores[leading(scores)]
    best[: len(found)] = found
    return best
