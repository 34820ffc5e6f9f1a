"""What predicts a question's weight, in plain numpy (thesis eq. 20, 23-26).

Each kind is a record of numbers, as its file holds it; fitting is
:mod:`hlg.evaluation.training.fusion`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.weights.features import TEXT_FEATURES

LEAF = -1
"""Stands for a feature where a node of a tree is a leaf."""


@dataclass(frozen=True, slots=True)
class Constant:
    """The same weight for every question."""

    value: float
    kind: Literal["constant"] = "constant"

    def predict(
        self, features: NDArray[np.floating], vectors: NDArray[np.floating]
    ) -> NDArray[np.float64]:
        """The weight of each question, shape (questions,)."""
        return np.full(len(features), float(np.clip(self.value, 0, 1)))


@dataclass(frozen=True, slots=True)
class Ridge:
    """A line through the features of the text (eq. 20), held within 0 and 1."""

    weights: tuple[float, ...]
    bias: float
    kind: Literal["ridge"] = "ridge"

    def predict(
        self, features: NDArray[np.floating], vectors: NDArray[np.floating]
    ) -> NDArray[np.float64]:
        """As :meth:`Constant.predict`."""
        line = features[:, : len(TEXT_FEATURES)] @ np.array(self.weights) + self.bias
        return np.asarray(np.clip(line, 0, 1), np.float64)


@dataclass(frozen=True, slots=True)
class Tree:
    """A regression tree in arrays: a row goes left where its feature is not above the
    threshold; where the feature is :data:`LEAF`, the value counts."""

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]

    def of(self, row: Sequence[float]) -> float:
        """The value of the leaf that a row of features comes to."""
        node = 0
        while self.feature[node] != LEAF:
            below = row[self.feature[node]] <= self.threshold[node]
            node = self.left[node] if below else self.right[node]
        return self.value[node]


@dataclass(frozen=True, slots=True)
class Boosted:
    """The sum of regression trees over all 25 features (eq. 23), held within 0 and 1."""

    trees: tuple[Tree, ...]
    kind: Literal["boosted"] = "boosted"

    def predict(
        self, features: NDArray[np.floating], vectors: NDArray[np.floating]
    ) -> NDArray[np.float64]:
        """As :meth:`Constant.predict`."""
        rows = features.tolist()
        sums = [sum(tree.of(row) for tree in self.trees) for row in rows]
        return np.asarray(np.clip(sums, 0, 1), np.float64)


@dataclass(frozen=True, slots=True)
class Layer:
    """A fully connected layer: ``weights`` of shape (inputs, outputs), as nested lists."""

    weights: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Perceptron:
    """Two hidden layers with ReLU over a question's embedding, and a sigmoid (eq. 24-26)."""

    layers: tuple[Layer, ...]
    kind: Literal["mlp"] = "mlp"

    def predict(
        self, features: NDArray[np.floating], vectors: NDArray[np.floating]
    ) -> NDArray[np.float64]:
        """As :meth:`Constant.predict`."""
        hidden = np.asarray(vectors, np.float64)
        for place, layer in enumerate(self.layers, start=1):
            hidden = hidden @ np.array(layer.weights) + np.array(layer.bias)
            if place < len(self.layers):
                hidden = np.maximum(hidden, 0)
        return np.asarray(1 / (1 + np.exp(-np.clip(hidden[:, 0], -60, 60))), np.float64)


Predictor = Constant | Ridge | Boosted | Perceptron
