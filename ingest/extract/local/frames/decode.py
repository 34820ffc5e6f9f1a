"""Frames out of the chances of labels: the likeliest sequence of spans for each predicate."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "KINDS",
    "LABELS",
    "ROLES",
    "Frame",
    "Span",
    "begin_inside",
    "decode",
    "likeliest",
    "runs",
    "softmax",
]

KINDS = ("none", "stated", "is", "has")
"""What a word may be the head of: a predicate in words, or a thing that something is or has."""
ROLES = ("predicate", "subject", "argument", "time", "place", "condition", "source", "other")
"""``source`` is whose account it is; ``other`` manner, means, purpose, reason, degree."""

OUTSIDE = "outside"


def begin_inside(kinds: Iterable[str]) -> tuple[str, ...]:
    """The labels of words that are in no span, or begin one or are inside one of some kind."""
    return (OUTSIDE, *(f"{mark} {kind}" for kind in kinds for mark in ("begin", "inside")))


LABELS = begin_inside(ROLES)
LEANING = 0.7
"""Taken from the logarithm of the chance of being in no span: spans that are likelier none are
given too, for the trees to judge."""
PADDED = -1e6
"""Logarithm of the chance that a word that is not there is in a span."""


@dataclass(frozen=True, slots=True)
class Span:
    """Words ``[first, end)`` in a role, with the chance of its least likely word, and those that
    it begins and ends there, however likely the words between are."""

    role: str
    first: int
    end: int
    chance: float
    begins: float = 1.0
    ends: float = 1.0

    def __len__(self) -> int:
        return self.end - self.first


@dataclass(frozen=True, slots=True)
class Frame:
    """A predicate's head, of a kind other than none, with the chance of it, and all its spans."""

    head: int
    kind: str
    chance: float
    spans: tuple[Span, ...]

    def of(self, role: str) -> list[Span]:
        """Its spans in a role, in order."""
        return [span for span in self.spans if span.role == role]


def decode(logits: Sequence[NDArray[np.float32]]) -> list[list[list[Span]]]:
    """The spans of each predicate of some sentences, which are decoded together.

    :param logits: for each sentence, shape (predicates, words, labels).
    """
    if not logits:
        return []
    width = max(each.shape[1] for each in logits)
    chances = [softmax(each) for each in logits]
    logs = np.full((sum(map(len, logits)), width, len(LABELS)), PADDED)
    logs[..., 0] = 0.0
    first = 0
    for each in chances:
        logs[first : first + len(each), : each.shape[1]] = np.log(each + 1e-9)
        first += len(each)
    logs[..., 0] -= LEANING
    rows = iter(likeliest(logs, LABELS).tolist())
    return [[_spans(next(rows)[: len(each)], each) for each in part] for part in chances]


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Chances along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    chances: NDArray[np.float32] = powers / powers.sum(axis=-1, keepdims=True)
    return chances


def likeliest(logs: NDArray[np.float32], names: tuple[str, ...]) -> NDArray[np.int64]:
    """For each row of words the likeliest labels of which none is inside what another began
    (Viterbi 1967).

    :param logs: logarithms of chances, shape (rows, words, labels).
    :param names: of the labels.
    """
    forbidden, first = _transitions(names)
    best = logs[:, 0] + first
    behind = []
    for word in range(1, logs.shape[1]):
        paths = best[:, :, None] + forbidden[None]
        behind.append(paths.argmax(axis=1))
        best = paths.max(axis=1) + logs[:, word]
    labels = np.empty(logs.shape[:2], np.int64)
    rows = np.arange(len(logs))
    labels[:, -1] = best.argmax(axis=1)
    for word in range(logs.shape[1] - 1, 0, -1):
        labels[:, word - 1] = behind[word - 1][rows, labels[:, word]]
    return labels


@cache
def _transitions(names: tuple[str, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What is added for a label behind another, and for one that comes first."""
    inside = np.array([name.startswith("inside") for name in names])
    kinds = np.array([name.rpartition(" ")[2] for name in names])
    allowed = ~inside[None] | (kinds[:, None] == kinds[None])
    return np.where(allowed, 0.0, -1e9), np.where(inside, -1e9, 0.0)


def runs(labels: Sequence[int]) -> list[tuple[int, int]]:
    """The words ``[first, end)`` of each span."""
    bounds = [at for at, label in enumerate(labels) if label == 0 or label % 2]
    return [span for span in pairwise([*bounds, len(labels)]) if labels[span[0]]]


def _spans(labels: list[int], chances: NDArray[np.float32]) -> list[Span]:
    found: list[Span] = []
    for first, end in runs(labels):
        role = ROLES[(labels[first] - 1) // 2]
        goes_on = chances[:, 2 + 2 * ROLES.index(role)]
        # A word is in the role by whichever mark.
        within = goes_on[first:end] + chances[first:end, 1 + 2 * ROLES.index(role)]
        ends = 1 - float(goes_on[end]) if end < len(labels) else 1.0
        found.append(Span(role, first, end, float(within.min()), 1 - float(goes_on[first]), ends))
    return found
