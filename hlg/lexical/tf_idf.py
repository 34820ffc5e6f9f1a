"""TF-IDF with smoothed IDF and rows of unit length, in numpy alone.

As scikit-learn's ``TfidfVectorizer`` weighs it, which a query could not wait for: importing
it takes longer than a search.
"""

from array import array
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.bm25 import LexicalIndex
from hlg.strings import Strings


def tf_idf(
    texts: Iterable[Iterable[str]],
    *,
    min_texts: int = 1,
    max_texts: int | None = None,
    max_terms: int | None = None,
) -> LexicalIndex:
    """Weigh texts, each given by its terms; a text that keeps no term has a row of zeros.

    :param min_texts: how many texts a term must be in.
    :param max_texts: in how many it may be.
    :param max_terms: how many terms are kept: the most frequent, ties in ascending order.
    """
    terms, columns, lengths = _columns(texts)
    size = len(lengths)
    at = columns * size + np.repeat(np.arange(size), lengths)
    places, counts = np.unique(at, return_counts=True)
    columns, rows = np.divmod(places, max(size, 1))
    held = np.bincount(columns, minlength=len(terms))
    frequent = (held >= min_texts) & (held <= (size if max_texts is None else max_texts))
    if max_terms is not None:
        often = np.where(frequent, np.bincount(columns, counts, len(terms)), 0)
        frequent[np.argsort(-often, kind="stable")[max_terms:]] = False
    idf = np.log((1 + size) / (1 + held)) + 1
    here = frequent[columns]
    columns, rows = columns[here], rows[here]
    weights = counts[here] * idf[columns]
    norms = np.sqrt(np.bincount(rows, weights**2, size))
    return LexicalIndex(
        size,
        Strings.of(terms[place] for place in np.flatnonzero(frequent).tolist()),
        idf[frequent].astype(np.float32),
        np.concatenate([[0], np.cumsum(held[frequent])]),
        rows.astype(np.int32),
        (weights / norms[rows]).astype(np.float32),
    )


def _columns(
    texts: Iterable[Iterable[str]],
) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
    """The distinct terms, ascending; each term of the texts by its place among them; and how
    many terms each text has."""
    known: dict[str, int] = {}
    found, lengths = array("q"), array("q")
    for text in texts:
        before = len(found)
        found.extend(known.setdefault(term, len(known)) for term in text)
        lengths.append(len(found) - before)
    terms = sorted(known)
    place = np.zeros(len(terms), np.int64)
    place[[known[term] for term in terms]] = np.arange(len(terms))
    return terms, place[np.array(found, np.int64)], np.array(lengths, np.int64)
