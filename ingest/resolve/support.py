"""What the graph itself says about whether two groups of entities are one thing.

Alike contexts (the statements' vectors), neighbours in common (rare ones count for more,
Adamic-Adar), sources in common, and statements that name both. All of it is sparse or
pairwise over candidates: nothing here is quadratic in the number of entities.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from hlg.ingest.resolve.table import EntityTable, incidence
from hlg.names import normalize_name

MOST_ENTITIES = 30
"""A statement that names more entities is a list; what it names are no neighbours."""

Pairs = NDArray[np.int64]
"""Shape (n, 2): rows of two groups."""
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Measures:
    """For each candidate pair, arrays of shape (n,)."""

    context: NDArray[np.float32]
    """Cosine of the sums of their statements' vectors; not a number where one has none."""
    name: NDArray[np.float32]
    """Cosine of their names' vectors; 0 where one has none."""
    shared: NDArray[np.float32]
    """Neighbours in common, each by the inverse logarithm of how many groups it neighbours."""
    together: NDArray[np.int64]
    """Statements that name both."""
    sources: NDArray[np.int64]
    """Sources that name both."""


class Support:
    """Measures of groups, given by the row of each entity's group."""

    def __init__(self, table: EntityTable) -> None:
        self._table = table
        keys = [normalize_name(name) for name in table.names]
        columns = {key: i for i, key in enumerate(sorted(set(keys)))}
        names = dict(sorted(zip(keys, table.names, strict=True), reverse=True))
        self.neighbour_names = [names[key] for key in columns]
        by_key = np.array([columns[key] for key in keys], np.int64)
        rows = np.arange(len(keys), dtype=np.int64)
        own = incidence(np.stack([rows, by_key], axis=1), (len(keys), len(columns)))
        named = np.asarray(table.statements.sum(axis=0)).ravel()
        short = table.statements[:, np.flatnonzero((named > 1) & (named <= MOST_ENTITIES))]
        neighbours = sparse.csr_array(short @ (short.T @ own))
        neighbours.data[:] = 1.0
        self._neighbours = sparse.csr_array(neighbours - neighbours.multiply(own))
        self._neighbours.eliminate_zeros()
        degrees = np.asarray(self._neighbours.sum(axis=0)).ravel()
        self._weights = (1.0 / np.log(2.0 + degrees)).astype(np.float32)
        self._grouped: tuple[sparse.csr_array, ...] = ()
        self._contexts = np.zeros((0, 0), np.float32)

    def group(self, groups: NDArray[np.int64]) -> None:
        """Take entities with the same row in ``groups`` for one from now on."""
        n = len(groups)
        gather = incidence(np.stack([groups, np.arange(n)], axis=1), (n, n))
        self._grouped = tuple(
            sparse.csr_array(gather @ matrix)
            for matrix in (self._neighbours, self._table.statements, self._table.sources)
        )
        for matrix in self._grouped:
            matrix.data[:] = 1.0
        sums = gather @ self._table.contexts
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        self._contexts = (sums / np.maximum(lengths, 1e-9)).astype(np.float32)

    def measure(self, pairs: Pairs) -> Measures:
        """The measures of pairs of groups, by the rows of their names."""
        one, other = pairs[:, 0], pairs[:, 1]
        neighbours, statements, sources = self._grouped
        embeddings = self._table.embeddings
        return Measures(
            context=_known(_cosines(self._contexts, one, other), self._contexts, one, other),
            name=_cosines(embeddings, one, other),
            shared=_overlap(neighbours, one, other) @ self._weights,
            together=_count(statements, one, other),
            sources=_count(sources, one, other),
        )

    def shared_names(self, one: int, other: int, limit: int) -> list[str]:
        """The rarest neighbours that two groups have in common."""
        neighbours = self._grouped[0]
        columns = np.intersect1d(_row(neighbours, one), _row(neighbours, other))
        order = np.lexsort((columns, -self._weights[columns]))
        return [self.neighbour_names[i] for i in columns[order[:limit]].tolist()]


def _row(matrix: sparse.csr_array, i: int) -> NDArray[np.int32]:
    row: NDArray[np.int32] = matrix.indices[matrix.indptr[i] : matrix.indptr[i + 1]]
    return row


def _overlap(matrix: sparse.csr_array, one: Rows, other: Rows) -> sparse.csr_array:
    return sparse.csr_array(matrix[one].multiply(matrix[other]))


def _count(matrix: sparse.csr_array, one: Rows, other: Rows) -> NDArray[np.int64]:
    return np.asarray(_overlap(matrix, one, other).sum(axis=1)).ravel().astype(np.int64)


def _cosines(vectors: NDArray[np.float32], one: Rows, other: Rows) -> NDArray[np.float32]:
    cosines: NDArray[np.float32] = np.einsum("ij,ij->i", vectors[one], vectors[other])
    return cosines


def _known(
    cosines: NDArray[np.float32], vectors: NDArray[np.float32], one: Rows, other: Rows
) -> NDArray[np.float32]:
    there: NDArray[np.bool_] = np.asarray(vectors.any(axis=1))
    known: NDArray[np.float32] = np.where(there[one] & there[other], cosines, np.float32(np.nan))
    return known
