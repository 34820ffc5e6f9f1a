"""What the claims of an answer and of the right answer say about it: RAGChecker's metrics
(Ru et al. 2024, §3.3).

A claim is checked against a text by a judge; here it only counts who bears out whom, and how
far two judges agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Checks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ClaimChecks:
    """Which claims follow from which texts.

    Shapes: ``right_in_answer`` (right claims,), ``said_in_right`` (said claims,),
    ``right_in_passages`` (right claims, passages), ``said_in_passages`` (said claims, passages).
    """

    right_in_answer: Checks
    said_in_right: Checks
    right_in_passages: Checks
    said_in_passages: Checks

    @property
    def relevant(self) -> Checks:
        """The passages that bear out a right claim, shape (passages,)."""
        return np.asarray(self.right_in_passages.any(axis=0), bool)


def rag_checker_metrics(checks: ClaimChecks) -> dict[str, float]:
    """Every metric that is defined: a share of nothing is left out.

    Wrong claims are noise of relevant passages, else of irrelevant ones, else hallucination;
    the three add up to 1 - precision. An answer without claims has an F1 of 0.
    """
    right, said = checks.right_in_answer, checks.said_in_right
    retrieved = np.asarray(checks.right_in_passages.any(axis=1), bool)
    backed = np.asarray(checks.said_in_passages.any(axis=1), bool)
    by_relevant = checks.said_in_passages[:, checks.relevant].any(axis=1)
    precision, recall = _share(said), _share(right)
    found = {
        "precision": precision,
        "recall": recall,
        "F1": _f1(precision, recall),
        "claim recall": _share(retrieved),
        "context precision": _share(checks.relevant),
        "context utilization": _share(right[retrieved]),
        "faithfulness": _share(backed),
        "noise, relevant": _share(~said & by_relevant),
        "noise, irrelevant": _share(~said & backed & ~by_relevant),
        "hallucination": _share(~said & ~backed),
        "self-knowledge": _share(said & ~backed),
    }
    return {name: value for name, value in found.items() if value is not None}


def cohen_kappa(one: Sequence[bool], other: Sequence[bool]) -> float:
    """Agreement of two judges beyond chance (Cohen 1960): 1 is full, 0 that of two who do not look.

    NaN where there is nothing to compare, or both always say one and the same.
    """
    if not one:
        return float("nan")
    observed = float(np.mean(np.equal(one, other)))
    yes, also = float(np.mean(one)), float(np.mean(other))
    by_chance = yes * also + (1 - yes) * (1 - also)
    return (observed - by_chance) / (1 - by_chance) if by_chance < 1 else float("nan")


def _share(checks: Checks) -> float | None:
    return float(checks.mean()) if checks.size else None


def _f1(precision: float | None, recall: float | None) -> float | None:
    if recall is None:
        return None
    precision = precision or 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
