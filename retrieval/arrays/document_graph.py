"""The cascade's graph of documents (cascade §III.E): texts that share names, and their PageRank."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hlg.strings import Strings

WINDOW = 50
"""A document is compared with so many that follow it."""
LEAST_SHARED = 2
"""Documents that share so many names are neighbours."""
DAMPING = 0.85
TOLERANCE = 1e-9
"""PageRank has settled when less than this moves in a step."""
MAX_STEPS = 100

_PHRASE = re.compile(r"\b[A-ZÀ-ÖØ-Þ]\w*(?:\s+[A-ZÀ-ÖØ-Þ]\w*)*")
_NUMBER = re.compile(r"\b\d+(?:[.,]\d+)*\b")


def names_of(text: str) -> frozenset[str]:
    """Capitalised phrases and numbers of a text, by two patterns as the paper has them."""
    phrases = (" ".join(match.split()) for match in _PHRASE.findall(text))
    return frozenset([*phrases, *_NUMBER.findall(text)])


@dataclass(frozen=True, slots=True)
class DocumentGraph:
    """Who holds which name, and how central each document is: name i is in the documents
    ``rows[indptr[i]:indptr[i + 1]]``; ``ranks`` has shape (documents,)."""

    version: ClassVar[str] = "documents 2"
    names: Strings
    """Sorted."""
    indptr: NDArray[np.int64]
    rows: NDArray[np.int32]
    ranks: NDArray[np.float64]

    @classmethod
    def build(cls, texts: Sequence[str], order: Sequence[int]) -> "DocumentGraph":
        """Make the graph of texts; row i is ``texts[i]``.

        :param order: the rows as documents follow each other, for the window.
        """
        held = [names_of(text) for text in texts]
        names = sorted({name for each in held for name in each}, key=str.encode)
        column = {name: i for i, name in enumerate(names)}
        columns = np.array([column[name] for each in held for name in each], np.int64)
        owners = np.repeat(np.arange(len(texts), dtype=np.int32), [len(each) for each in held])
        by_name = np.lexsort((owners, columns))
        indptr = np.searchsorted(columns[by_name], np.arange(len(names) + 1))
        ranks = page_rank(len(texts), _edges(held, order))
        return cls(Strings.of(names), indptr.astype(np.int64), owners[by_name], ranks)

    def scores(self, query: str) -> NDArray[np.float32]:
        """|Entities(q) ∩ Entities(d)| · (1 + PR(d)) of every document, shape (documents,)."""
        shared = np.zeros(len(self.ranks))
        for name in names_of(query):
            column = self.names.find(name)
            if column >= 0:
                shared[self.rows[self.indptr[column] : self.indptr[column + 1]]] += 1
        return np.asarray(shared * (1 + self.ranks), np.float32)


def page_rank(documents: int, edges: NDArray[np.int64]) -> NDArray[np.float64]:
    """PR(i) = (1 - α) / N + α Σ PR(j) / degree(j) over the neighbours j, shape (documents,).

    :param edges: pairs of neighbours, each once, shape (n, 2).
    """
    ends = np.concatenate([edges, edges[:, ::-1]])
    leave = 1 / np.maximum(np.bincount(ends[:, 0], minlength=documents), 1)
    ranks = np.full(documents, 1 / max(documents, 1))
    for _ in range(MAX_STEPS):
        arrived = np.bincount(ends[:, 1], (ranks * leave)[ends[:, 0]], documents)
        before, ranks = ranks, (1 - DAMPING) / max(documents, 1) + DAMPING * arrived
        if np.abs(ranks - before).sum() < TOLERANCE:
            break
    return ranks


def _edges(held: Sequence[frozenset[str]], order: Sequence[int]) -> NDArray[np.int64]:
    pairs = [
        (one, other)
        for place, one in enumerate(order)
        for other in order[place + 1 : place + 1 + WINDOW]
        if len(held[one] & held[other]) >= LEAST_SHARED
    ]
    return np.array(pairs, np.int64).reshape(-1, 2)
