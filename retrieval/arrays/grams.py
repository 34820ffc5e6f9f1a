"""TF-IDF over single words and pairs of neighbours: cosines of 50,000 features.

The weights are kept as arrays, so that a question only adds up slices of them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.analysis import analyze
from hlg.lexical.bm25 import VERSION as WORDS_VERSION
from hlg.lexical.bm25 import LexicalIndex, best_rows
from hlg.lexical.tf_idf import tf_idf

MAX_FEATURES = 50_000
"""The grams that are most frequent in the corpus."""


def grams(text: str) -> Iterator[str]:
    """The terms of a text, and each two that follow each other."""
    terms = analyze(text)
    yield from terms
    yield from map(" ".join, pairwise(terms))


@dataclass(frozen=True, slots=True)
class GramIndex:
    """TF-IDF vectors of unit length of texts: ``postings`` by gram, each with its weight."""

    version: ClassVar[str] = f"grams 1, {WORDS_VERSION}"
    postings: LexicalIndex

    @classmethod
    def build(cls, texts: Sequence[str], order: Sequence[int] = ()) -> "GramIndex":
        """Weigh texts; row i is ``texts[i]``, in whatever ``order`` they follow each other."""
        return cls(tf_idf(map(grams, texts), max_terms=MAX_FEATURES))

    def search(self, query: str, top_k: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Rows and cosines, best first, ties by row; rows that share no gram are left out."""
        return best_rows(self.scores(query), top_k)

    def scores(self, query: str) -> NDArray[np.float32]:
        """The cosine of every text, shape (size,)."""
        counts = Counter(grams(query))
        weights = self.postings.idf(list(counts)) * np.array(list(counts.values()), np.float32)
        norm = float(np.linalg.norm(weights))
        scores = np.zeros(self.postings.size, np.float32)
        for gram, weight in zip(counts, weights.tolist(), strict=True):
            if weight:
                rows, values = self.postings.holding(gram)
                scores[rows] += weight / norm * values
        return scores
