"""What predicts a question's weight, in plain numpy (thesis eq. 20, 23).

Each kind is a record of numbers, as its file holds it; fitting is
:mod:`hlg.evaluation.training.fusion`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.weights.features import TEXT_FEATURES

Matrix = NDArray[np.floating]

LEAF = -1
"""Stands for a feature where a node of a tree is a leaf."""


class Predictor(Protocol):
    """Predicts what dense search weighs for questions."""

    def predict(self, features: Matrix, vectors: Matrix) -> NDArray[np.float64]:
        """The weight of each question, shape (questions,).

        :param features: shape (questions, 25); ``vectors`` the questions' embeddings.
        """


@dataclass(frozen=True, slots=True)
class Constant:
    """The same weight for every question."""

    value: float
    kind: Literal["constant"] = "constant"

    def predict(self, features: Matrix, vectors: Matrix) -> NDArray[np.float64]:
        return np.full(len(features), float(np.clip(self.value, 0, 1)))


@dataclass(frozen=True, slots=True)
class Ridge:
    """A line through the features of the text (eq. 20), held within 0 and 1."""

    weights: tuple[float, ...]
    bias: float
    kind: Literal["ridge"] = "ridge"

    def predict(self, features: Matrix, vectors: Matrix) -> NDArray[np.float64]:
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

    def predict(self, features: Matrix, vectors: Matrix) -> NDArray[np.float64]:
        rows = features.tolist()
        sums = [sum(tree.of(row) for tree in self.trees) for row in rows]
        return np.asarray(np.clip(sums, 0, 1), np.float64)


LearnedPredictor = Constant | Ridge | Boosted
"""What a file of weights holds."""
