"""Gradient-boosted trees in plain numpy: all trees and rows at once, without LightGBM.

The way of QuickScorer (Lucchese et al., SIGIR 2015): each node whose test fails clears the
leaves of its left side from a bit mask; the lowest bit that is left is the tree's leaf.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.models.weights import read_model

MAX_LEAVES = 8
_ALL = np.uint8(0xFF)
_LOWEST_BIT = np.array([(bits & -bits).bit_length() - 1 if bits else 0 for bits in range(256)])


@dataclass(frozen=True, slots=True)
class Trees:
    """An ensemble over named signals; a score is the sum of one leaf a tree.

    ``feature``, ``threshold`` and ``mask`` have shape (trees, 7), ``value`` (trees, 8);
    unused nodes have an infinite threshold, so that their test never fails.
    """

    signals: tuple[str, ...]
    feature: NDArray[np.int32]
    threshold: NDArray[np.float32]
    mask: NDArray[np.uint8]
    value: NDArray[np.float32]

    def scores(self, matrix: NDArray[np.float32]) -> NDArray[np.float32]:
        """Scores of rows, shape (n,), from their signals, shape (n, len(signals))."""
        columns = np.ascontiguousarray(matrix.T, np.float32)
        failed = columns[self.feature.ravel()] > self.threshold.ravel()[:, None]
        masks = np.where(failed, self.mask.ravel()[:, None], _ALL)
        left = np.bitwise_and.reduce(masks.reshape(*self.feature.shape, -1), axis=1)
        places = _LOWEST_BIT[left] + np.arange(len(self.value))[:, None] * MAX_LEAVES
        return np.asarray(self.value.ravel()[places].sum(0, dtype=np.float64), np.float32)

    def select(self, columns: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
        """The signals of this ensemble out of named columns, shape (n, len(signals))."""
        return np.stack([columns[name] for name in self.signals], axis=1)

    @classmethod
    def from_lists(cls, signals: Sequence[str], trees: Sequence[Mapping[str, Any]]) -> "Trees":
        """From trees as ``to_lists`` gives them.

        :raises ValueError: a tree has more than 8 leaves or its lists don't fit together.
        """
        nodes = MAX_LEAVES - 1
        feature = np.zeros((len(trees), nodes), np.int32)
        threshold = np.full((len(trees), nodes), np.inf, np.float32)
        mask = np.full((len(trees), nodes), _ALL, np.uint8)
        value = np.zeros((len(trees), MAX_LEAVES), np.float32)
        for i, tree in enumerate(trees):
            n = len(tree["feature"])
            if not n < MAX_LEAVES or not len(tree["mask"]) == len(tree["threshold"]) == n:
                raise ValueError("a tree is not whole")
            feature[i, :n] = tree["feature"]
            threshold[i, :n] = tree["threshold"]
            mask[i, :n] = tree["mask"]
            value[i, : len(tree["value"])] = tree["value"]
        if len(trees) and not 0 <= int(feature.min()) <= int(feature.max()) < len(signals):
            raise ValueError("a tree tests a signal that has no name")
        return cls(tuple(signals), feature, threshold, mask, value)

    def to_lists(self, signals: Sequence[str], share: float = 1.0) -> list[dict[str, list[float]]]:
        """The trees as they are kept, over other signals that have all of theirs.

        :param share: scales the leaves' values.
        """
        column = np.array([list(signals).index(name) for name in self.signals], np.int32)
        return [
            {
                "feature": column[self.feature[i, :used]].tolist(),
                "threshold": [float(str(each)) for each in self.threshold[i, :used]],
                "mask": self.mask[i, :used].tolist(),
                "value": [float(f"{each * share:.7g}") for each in self.value[i, : used + 1]],
            }
            for i, used in enumerate(np.isfinite(self.threshold).sum(1).tolist())
        ]


@cache
def load_trees(path: Path, signals: tuple[str, ...]) -> Trees:
    """Trees that ship with hlg, over signals in this order; read once.

    :raises ModelError: the file is missing, damaged, or of other signals.
    """

    def trees(model: Any) -> Trees:
        if tuple(model["signals"]) != signals:
            raise ValueError("it has other signals")
        return Trees.from_lists(signals, model["trees"])

    return read_model(path, "model", trees, "install hlg again")


def tree_lists(structure: Mapping[str, Any], share: float = 1.0) -> dict[str, list[float]]:
    """A LightGBM tree (``tree_structure`` of its dump) as the lists that are kept.

    Leaves are numbered from left to right. Thresholds are rounded down to float32, which
    sends every float32 signal the same way. ``share`` scales the leaves' values.

    :raises ValueError: a test is not a plain ``<=`` on a number.
    """
    record: dict[str, list[float]] = {"feature": [], "threshold": [], "mask": [], "value": []}

    def visit(node: Mapping[str, Any]) -> int:
        """Append a node's subtree; gives the bits of its leaves."""
        if "leaf_value" in node:
            record["value"].append(float(f"{node['leaf_value'] * share:.7g}"))
            return 1 << (len(record["value"]) - 1)
        if node["decision_type"] != "<=":
            raise ValueError("trees compare numbers only")
        place = len(record["feature"])
        record["feature"].append(node["split_feature"])
        record["threshold"].append(_floor32(node["threshold"]))
        record["mask"].append(0)
        left = visit(node["left_child"])
        record["mask"][place] = int(_ALL) & ~left
        return left | visit(node["right_child"])

    visit(structure)
    return record


def _floor32(number: float) -> float:
    """The greatest float32 that is not above a number, with no more digits than it needs."""
    rounded = np.float32(number)
    if float(rounded) > number:
        rounded = np.nextafter(rounded, np.float32(-np.inf))
    return float(str(rounded))
