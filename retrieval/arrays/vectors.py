"""Exact dot products with float16 matrices, without a float32 copy of them.

numpy converts float16 number by number. Three integer operations on a block that stays
in the processor's cache give the same float32 values several times faster.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

_BLOCK = 256
_SIGN_AND_MAGNITUDE = np.int32(0x8FFFE000 - (1 << 32))
_BIAS = np.float32(2.0**112)
"""A float16's exponent and mantissa, shifted into a float32, lack this factor."""
_PARALLEL_PRODUCTS = 100_000
"""Fewer rows times vectors are not worth a second thread."""
_THREADS = min(4, os.cpu_count() or 1)


def decode(matrix: NDArray[np.float16]) -> NDArray[np.float32]:
    """The same numbers as float32."""
    decoded = _shifted(matrix.view(np.int16), np.empty(matrix.shape, np.int32))
    decoded *= _BIAS
    return decoded


def decode_rows(matrix: NDArray[np.float16], rows: NDArray[np.integer]) -> NDArray[np.float32]:
    """Rows of a matrix as float32, shape (len(rows), d)."""
    return decode(matrix[rows])


def similarities(matrix: NDArray[np.float16], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Dot products of each row with a vector, or with several in one pass over the rows.

    :param vectors: shape (d,), or (q, d).
    :returns: shape (n,), or (n, q); cosines where all are unit.
    """
    columns = np.ascontiguousarray(vectors.T)
    products = np.empty((len(matrix), *columns.shape[1:]), np.float32)
    if products.size < _PARALLEL_PRODUCTS:
        _multiply(matrix, columns, products)
        return products
    # Whole blocks, so that a product does not depend on the number of threads.
    bounds = np.linspace(0, -(-len(matrix) // _BLOCK), _THREADS + 1).astype(int) * _BLOCK

    def part(low: int, high: int) -> None:
        _multiply(matrix[low:high], columns, products[low:high])

    with ThreadPoolExecutor(_THREADS) as threads:
        list(threads.map(part, bounds[:-1].tolist(), bounds[1:].tolist()))
    return products


def best(scores: NDArray[np.floating], top_k: int) -> NDArray[np.intp]:
    """Rows of the ``top_k`` highest scores, best first, ties by row."""
    if top_k < len(scores):
        cut = np.partition(scores, len(scores) - top_k)[len(scores) - top_k]
        rows = np.flatnonzero(scores >= cut)
    else:
        rows = np.arange(len(scores))
    return rows[np.argsort(-scores[rows], kind="stable")][:top_k]


def _multiply(
    matrix: NDArray[np.float16], columns: NDArray[np.float32], products: NDArray[np.float32]
) -> None:
    bits = matrix.view(np.int16)
    scaled = columns * _BIAS
    block = np.empty((_BLOCK, matrix.shape[1]), np.int32)
    for low in range(0, len(matrix), _BLOCK):
        part = bits[low : low + _BLOCK]
        decoded = _shifted(part, block[: len(part)])
        np.dot(decoded, scaled, out=products[low : low + _BLOCK])


def _shifted(bits: NDArray[np.int16], into: NDArray[np.int32]) -> NDArray[np.float32]:
    np.left_shift(bits, 13, out=into, dtype=np.int32, casting="unsafe")
    np.bitwise_and(into, _SIGN_AND_MAGNITUDE, out=into)
    return into.view(np.float32)
