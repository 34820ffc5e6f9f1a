"""Frames out of the chances of labels: the likeliest sequence of spans for each predicate."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["KINDS", "LABELS", "ROLES", "Frame", "Span", "decode"]

KINDS = ("none", "stated", "is", "has")
"""What a word may be the head of: a predicate in words, or a thing that something is or has."""
ROLES = ("predicate", "subject", "argument", "time", "place", "condition", "source", "other")
"""``source`` is whose account it is; ``other`` manner, means, purpose, reason, degree."""
LABELS = ("outside", *(f"{mark} {role}" for role in ROLES for mark in ("begin", "inside")))

_ALLOWED = np.array(
    [
        [
            not later.startswith("inside")
            or (earlier != "outside" and earlier.split()[1] == later.split()[1])
            for later in LABELS
        ]
        for earlier in LABELS
    ]
)
_FIRST = np.array([not label.startswith("inside") for label in LABELS])


@dataclass(frozen=True, slots=True)
class Span:
    """Words ``[first, end)`` in a role, with the chance of its least likely word."""

    role: str
    first: int
    end: int
    chance: float

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


def decode(logits: NDArray[np.float32]) -> list[list[Span]]:
    """The spans of each predicate: the likeliest labels of which none is inside what another
    began (Viterbi 1967).

    :param logits: shape (predicates, words, labels), all predicates of one sentence.
    """
    shifted = logits - logits.max(axis=2, keepdims=True)
    chances = np.exp(shifted)
    chances /= chances.sum(axis=2, keepdims=True)
    logs = np.log(chances + 1e-9)
    forbidden = np.where(_ALLOWED, 0.0, -1e9)
    best = np.where(_FIRST, logs[:, 0], -1e9)
    behind = []
    for word in range(1, logits.shape[1]):
        paths = best[:, :, None] + forbidden[None]
        behind.append(paths.argmax(axis=1))
        best = paths.max(axis=1) + logs[:, word]
    labels = np.empty(logits.shape[:2], np.int64)
    rows = np.arange(len(logits))
    labels[:, -1] = best.argmax(axis=1)
    for word in range(logits.shape[1] - 1, 0, -1):
        labels[:, word - 1] = behind[word - 1][rows, labels[:, word]]
    return [_spans(row.tolist(), found) for row, found in zip(labels, chances, strict=True)]


def _spans(labels: list[int], chances: NDArray[np.float32]) -> list[Span]:
    found: list[Span] = []
    for word, label in enumerate(labels):
        if label == 0:
            continue
        role = ROLES[(label - 1) // 2]
        # A word is in the role by whichever mark.
        place = 1 + 2 * ROLES.index(role)
        chance = float(chances[word, place : place + 2].sum())
        if label % 2 or not found or found[-1].end != word:
            found.append(Span(role, word, word + 1, chance))
        else:
            last = found[-1]
            found[-1] = Span(role, last.first, word + 1, min(last.chance, chance))
    return found
