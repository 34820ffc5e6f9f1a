"""The perceptron of the thesis (eq. 24-27), trained: AdamW, dropout, early stopping.

scikit-learn's has neither dropout nor a sigmoid at its end, and 60,000 weights are no reason
to ask for PyTorch: backpropagation through three layers is written out.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

PATIENCE = 10
EPOCHS = 100
SEED = 42
_DECAYS = (0.9, 0.999)
_EPSILON = 1e-8
Matrix = NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class Perceptron:
    """Two hidden layers with ReLU over a question's embedding, and a sigmoid (eq. 24-26);
    ``parameters`` are weights and bias of each layer in turn."""

    parameters: list[Matrix]

    def predict(
        self, features: NDArray[np.floating], vectors: NDArray[np.floating]
    ) -> NDArray[np.float64]:
        """See :class:`hlg.retrieval.weights.predictors.Predictor`."""
        hidden = np.asarray(vectors, np.float64)
        for place in range(0, len(self.parameters), 2):
            hidden = np.maximum(hidden, 0) if place else hidden
            hidden = hidden @ self.parameters[place] + self.parameters[place + 1]
        return np.asarray(_sigmoid(hidden[:, 0]), np.float64)


@dataclass(frozen=True, slots=True)
class PerceptronSettings:
    """One cell of the grid: ``dropout`` is the chance that a hidden unit is left out."""

    hidden: tuple[int, int] = (64, 32)
    learning_rate: float = 0.001
    batch_size: int = 64
    dropout: float = 0.5
    weight_decay: float = 0.01


@dataclass(frozen=True, slots=True)
class Losses:
    """Mean squared error by epoch."""

    train: tuple[float, ...]
    validation: tuple[float, ...]


def train_perceptron(
    train: tuple[Matrix, Matrix], validation: tuple[Matrix, Matrix], settings: PerceptronSettings
) -> tuple[Perceptron, Losses]:
    """The network as it was when it did best on validation, and how the loss went.

    :param train: vectors, shape (n, d), and targets in 0 to 1, shape (n,); ``validation``
        likewise.
    """
    generator = np.random.default_rng(SEED)
    vectors, targets = (np.asarray(each, np.float32) for each in train)
    parameters = _start(generator, (vectors.shape[1], *settings.hidden, 1))
    steps = AdamW(parameters, settings.learning_rate, settings.weight_decay)
    best = [each.copy() for each in parameters]
    losses: list[tuple[float, float]] = []
    lowest, since = np.inf, 0
    for _ in range(EPOCHS):
        order = generator.permutation(len(vectors))
        for start in range(0, len(order), settings.batch_size):
            rows = order[start : start + settings.batch_size]
            masks = _masks(generator, len(rows), settings)
            steps.take(gradients(parameters, vectors[rows], targets[rows], masks)[1])
        losses.append((_loss(parameters, *train), _loss(parameters, *validation)))
        since += 1
        if losses[-1][1] < lowest:
            lowest, since = losses[-1][1], 0
            best = [each.copy() for each in parameters]
        if since == PATIENCE:
            break
    return Perceptron(best), Losses(*(tuple(each) for each in zip(*losses, strict=True)))


def gradients(
    parameters: list[Matrix], vectors: Matrix, targets: Matrix, masks: list[Matrix] | None = None
) -> tuple[float, list[Matrix]]:
    """The loss of some rows (eq. 27) and its gradient by each parameter.

    :param parameters: weights and bias of each layer in turn.
    :param masks: by hidden layer what its units are multiplied with.
    """
    inputs, last = [vectors], len(parameters) - 2
    for layer in range(0, last, 2):
        hidden = np.maximum(inputs[-1] @ parameters[layer] + parameters[layer + 1], 0)
        inputs.append(hidden * masks[layer // 2] if masks else hidden)
    alpha = _sigmoid(inputs[-1] @ parameters[last] + parameters[last + 1])[:, 0]
    missed = alpha - targets
    flow = (2 * missed * alpha * (1 - alpha) / len(targets))[:, None]
    found: list[Matrix] = []
    for layer in range(last, -1, -2):
        found = [np.asarray(inputs[layer // 2].T @ flow), flow.sum(axis=0), *found]
        if layer:
            flow = (flow @ parameters[layer].T) * (inputs[layer // 2] > 0)
            flow = flow * masks[layer // 2 - 1] if masks else flow
    return float(np.mean(missed**2)), found


class AdamW:
    """Adam with weight decay apart from the gradient (Loshchilov and Hutter 2019, alg. 2)."""

    def __init__(self, parameters: list[Matrix], learning_rate: float, weight_decay: float) -> None:
        self._parameters = parameters
        self._rate, self._decay = learning_rate, weight_decay
        self._means = [np.zeros_like(each) for each in parameters]
        self._squares = [np.zeros_like(each) for each in parameters]
        self._steps = 0

    def take(self, gradient: list[Matrix]) -> None:
        """Move the parameters one step against a gradient, in place."""
        self._steps += 1
        first, second = (1 - decay**self._steps for decay in _DECAYS)
        for parameter, slope, mean, square in zip(
            self._parameters, gradient, self._means, self._squares, strict=True
        ):
            mean += (1 - _DECAYS[0]) * (slope - mean)
            square += (1 - _DECAYS[1]) * (slope**2 - square)
            parameter -= self._rate * (
                mean / first / (np.sqrt(square / second) + _EPSILON) + self._decay * parameter
            )


def _start(generator: np.random.Generator, sizes: tuple[int, ...]) -> list[Matrix]:
    """Weights by He et al. (2015), which keep the spread through ReLU; no bias."""
    parameters: list[Matrix] = []
    for inputs, outputs in pairwise(sizes):
        weights = generator.normal(0, np.sqrt(2 / inputs), (inputs, outputs))
        parameters += [weights.astype(np.float32), np.zeros(outputs, np.float32)]
    return parameters


def _masks(generator: np.random.Generator, rows: int, settings: PerceptronSettings) -> list[Matrix]:
    """Which hidden units stay, scaled so that their sum stays the same on average."""
    left = 1 - settings.dropout
    return [
        ((generator.random((rows, size)) < left) / left).astype(np.float32)
        for size in settings.hidden
    ]


def _loss(parameters: list[Matrix], vectors: Matrix, targets: Matrix) -> float:
    return gradients(parameters, vectors, targets)[0]


def _sigmoid(values: Matrix) -> Matrix:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -60, 60))), values.dtype)
