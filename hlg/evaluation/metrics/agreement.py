"""How far a judge agrees with a person: the share of equal verdicts, and Cohen's kappa."""

from collections.abc import Sequence

import numpy as np

__all__ = ["cohen_kappa", "equal"]


def equal(one: Sequence[bool], other: Sequence[bool]) -> list[float]:
    """1 where both say the same, else 0."""
    return [float(a == b) for a, b in zip(one, other, strict=True)]


def cohen_kappa(one: Sequence[bool], other: Sequence[bool]) -> float:
    """Agreement beyond chance (Cohen 1960): 1 is full, 0 that of two who do not look.

    NaN where there is nothing to compare, or both always say one and the same.
    """
    if not one:
        return float("nan")
    observed = float(np.mean(equal(one, other)))
    yes, also = float(np.mean(one)), float(np.mean(other))
    by_chance = yes * also + (1 - yes) * (1 - also)
    return (observed - by_chance) / (1 - by_chance) if by_chance < 1 else float("nan")
