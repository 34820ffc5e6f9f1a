"""BM25 over analysed words, as arrays that are mapped from disk and scored in place.

bm25s weighs the postings; a query then only adds up slices of three arrays, so that
searching imports nothing but numpy and the stemmer. Rankings equal Okapi BM25 with
k1 = 1.5, b = 0.75 and an IDF that is floored for words of most documents, as rank_bm25's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.analysis import analyze
from hlg.strings import Strings

IDF_FLOOR = 0.25
"""A word of half of the documents or more weighs this share of the mean IDF."""
MIN_IDF = 1e-3
"""A word that was found never weighs nothing, however small the corpus."""

VERSION = "words 2"
"""Of the arrays as they are kept; changes with how words are analysed or weighed."""
MAX_KNOWN = 100_000


@dataclass(frozen=True, slots=True)
class LexicalIndex:
    """An inverted index: term i is in the rows ``rows[indptr[i]:indptr[i + 1]]``, ascending,
    and gives each the weight beside it: BM25's, or TF-IDF's (:func:`hlg.lexical.tf_idf.tf_idf`)."""

    size: int
    """How many texts there are."""
    vocabulary: Strings
    """Terms, sorted by their UTF-8 bytes."""
    term_idf: NDArray[np.float32]
    indptr: NDArray[np.int64]
    rows: NDArray[np.int32]
    values: NDArray[np.float32]
    known: dict[str, int] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Places of the terms that were looked up so far."""

    @classmethod
    def build(cls, texts: Sequence[str]) -> "LexicalIndex":
        """Index texts; row i is ``texts[i]``."""
        analyzed = [analyze(text) for text in texts]
        vocabulary = sorted({term for terms in analyzed for term in terms})
        if not vocabulary:
            empty = np.zeros(0, np.float32)
            indptr = np.zeros(1, np.int64)
            return cls(len(texts), Strings.of(()), empty, indptr, np.zeros(0, np.int32), empty)
        column = {term: i for i, term in enumerate(vocabulary)}
        postings = _weigh([[column[term] for term in terms] for terms in analyzed], column)
        indptr = np.asarray(postings["indptr"], np.int64)
        idf, rescale = _floored_idf(np.diff(indptr), len(texts))
        values = (postings["data"] * np.repeat(rescale, np.diff(indptr))).astype(np.float32)
        rows = np.asarray(postings["indices"], np.int32)
        return cls(len(texts), Strings.of(vocabulary), idf, indptr, rows, values)

    def terms(self, text: str) -> list[str]:
        """The terms of a text, as they are indexed."""
        return analyze(text)

    def search(self, query: str, top_k: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Rows and scores, best first, ties by row; rows that share no word are left out."""
        return best_rows(self.scores(self.terms(query)), top_k)

    def scores(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """BM25 of every text, shape (size,); a repeated term counts as often as it is given."""
        scores = np.zeros(self.size, np.float32)
        for term in terms:
            rows, values = self.holding(term)
            scores[rows] += values
        return scores

    def holding(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The rows that hold a term, ascending, and what it weighs in each."""
        column = self._column(term)
        if column < 0:
            return self.rows[:0], self.values[:0]
        postings = slice(self.indptr[column], self.indptr[column + 1])
        return self.rows[postings], self.values[postings]

    def weights(self, terms: Sequence[str], rows: NDArray[np.integer]) -> NDArray[np.float32]:
        """What each term adds to the BM25 of each row, shape (len(rows), len(terms)).

        All rows are looked up in all postings at once, by one bisection.
        """
        weights = np.zeros((len(rows), len(terms)), np.float32)
        columns = np.array([self._column(term) for term in terms], np.int64)
        # A restricted index has terms that are in no text of it.
        known = np.flatnonzero((columns >= 0) & (self.indptr[columns + 1] > self.indptr[columns]))
        if not len(known) or not len(rows):
            return weights
        wanted = np.asarray(rows)[:, None]
        last = self.indptr[columns[known] + 1] - 1
        low = np.broadcast_to(self.indptr[columns[known]], (len(rows), len(known))).copy()
        high = np.broadcast_to(last, low.shape).copy()
        while (low < high).any():
            middle = (low + high) // 2
            before = self.rows[middle] < wanted
            low = np.where(before, middle + 1, low)
            high = np.where(before, high, middle)
        low = np.minimum(low, last)
        weights[:, known] = np.where(self.rows[low] == wanted, self.values[low], 0)
        return weights

    def idf(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """Inverse document frequency of each term, 0 where it is in no text."""
        found = [self._column(term) for term in terms]
        return np.array([self.term_idf[i] if i >= 0 else 0 for i in found], np.float32)

    def restricted(self, mask: NDArray[np.bool_]) -> "LexicalIndex":
        """The index of some of its texts, renumbered; terms keep the weight that they have in all.

        :param mask: shape (size,).
        """
        stays = mask[self.rows]
        before = np.concatenate([[0], np.cumsum(stays, dtype=np.int64)])
        places = np.cumsum(mask, dtype=np.int32) - 1
        return replace(
            self,
            size=int(mask.sum()),
            indptr=before[self.indptr],
            rows=places[self.rows[stays]],
            values=self.values[stays],
        )

    def dense(self) -> NDArray[np.float32]:
        """What each term weighs in each text, shape (size, terms)."""
        vectors = np.zeros((self.size, len(self.vocabulary)), np.float32)
        columns = np.repeat(np.arange(len(self.vocabulary)), np.diff(self.indptr))
        vectors[self.rows, columns] = self.values
        return vectors

    def _column(self, term: str) -> int:
        column = self.known.get(term)
        if column is None:
            if len(self.known) >= MAX_KNOWN:
                self.known.clear()
            column = self.known[term] = self.vocabulary.find(term)
        return column


def best_rows(
    scores: NDArray[np.float32], top_k: int
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The rows of the ``top_k`` highest positive scores, best first, ties by row."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > top_k:
        cut = np.partition(scores[rows], len(rows) - top_k)[len(rows) - top_k]
        rows = rows[scores[rows] >= cut]
    rows = rows[np.argsort(-scores[rows], kind="stable")][:top_k]
    return rows.astype(np.int32), scores[rows]


def _weigh(
    columns: Sequence[Sequence[int]], vocabulary: dict[str, int]
) -> dict[str, NDArray[np.generic]]:
    """The postings of bm25s, sorted by term and row, weighed with an IDF that is never 0."""
    import bm25s

    index = bm25s.BM25(method="robertson", idf_method="lucene")
    index.index((columns, vocabulary), create_empty_token=False, show_progress=False)
    scores: dict[str, NDArray[np.generic]] = index.scores
    return scores


def _floored_idf(
    frequency: NDArray[np.int64], size: int
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Each term's Okapi IDF, floored, and what turns the IDF that it was indexed with into it."""
    odds = (size - frequency + 0.5) / (frequency + 0.5)
    okapi = np.log(odds)
    floor = max(IDF_FLOOR * float(okapi.mean()), MIN_IDF)
    idf = np.where(okapi > 0, okapi, floor)
    return idf.astype(np.float32), idf / np.log1p(odds)
