"""The words of a question as a graph's passages weigh them, and how many of them a text has."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.analysis import analyze
from hlg.lexical.bm25 import LexicalIndex

MAX_TERMS = 60
"""Words of a question that are looked up."""

_NAME = re.compile(r"[A-Z][\w'-]*|\S*\d\S*")
_EDGE = re.compile(r"^\W+|\W+$")


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The words of a question, by term."""

    terms: tuple[str, ...]
    weights: NDArray[np.float64]
    """Their IDF; that of a term in no passage is the greatest of all."""
    known: NDArray[np.bool_]
    """Which of them some passage has."""
    names: NDArray[np.bool_]
    """Which of them stand in names and numbers."""

    @classmethod
    def of(cls, text: str, words: LexicalIndex) -> "AskedWords":
        """The words of a question as an index of passages weighs them."""
        terms = tuple(dict.fromkeys(words.terms(text)))[:MAX_TERMS]
        idf = words.idf(terms).astype(np.float64)
        known = idf > 0
        rarest = float(words.term_idf.max()) if len(words.term_idf) else 1.0
        named = named_terms(text)
        return cls(
            terms,
            np.where(known, idf, rarest),
            known,
            np.array([term in named for term in terms], bool),
        )

    @property
    def total(self) -> float:
        """What all of them weigh, and never nothing."""
        return max(float(self.weights.sum()), 1e-6)

    @property
    def unknown(self) -> float:
        """The share of those that no passage has, by weight."""
        return float(self.weights[~self.known].sum() / self.total)

    def share(self, held: NDArray[np.bool_]) -> NDArray[np.float64]:
        """By text the share of the words that it has, by weight.

        :param held: which of the terms each text has, shape (texts, terms).
        """
        return share(held, self.weights)

    def share_of_names(self, held: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The same of names and numbers; 1 where the question has none."""
        if not self.names.any():
            return np.ones(len(held))
        return share(held[:, self.names], self.weights[self.names])


def share(held: NDArray[np.bool_], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """By row the share of the weights that it has."""
    shares: NDArray[np.float64] = held @ weights / max(float(weights.sum()), 1e-6)
    return shares


def named_terms(text: str) -> set[str]:
    """The terms of a question's names and numbers: words with a capital, but for the first,
    or with a digit.

    >>> sorted(named_terms("Who led Vale Ltd in 1997?"))
    ['1997', 'ltd', 'vale']
    """
    found: set[str] = set()
    for place, word in enumerate(text.split()):
        bare = _EDGE.sub("", word)
        digits = any(character.isdigit() for character in bare)
        if _NAME.fullmatch(bare) and (place or digits):
            found.update(analyze(bare))
    return found
