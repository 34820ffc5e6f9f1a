"""Questions in three parts, every kind of them in each alike: to train, to choose, to report."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.data.questions import Dataset

SEED = 42
SHARES = (0.7, 0.15, 0.15)
"""Of the questions what is trained on, what chooses, what is reported (thesis §4.1, §4.2)."""
Part = Literal["train", "validation", "test"]
PARTS: tuple[Part, ...] = ("train", "validation", "test")


def split(strata: Sequence[str], seed: int = SEED) -> NDArray[np.str_]:
    """The part that each row goes to, so that every stratum has the same shares of all parts.

    :param strata: by row; what a question is of: its data set, its type.
    """
    generator = np.random.default_rng(seed)
    names = np.array(strata)
    parts = np.empty(len(names), "<U10")
    for stratum in np.unique(names):
        rows = generator.permutation(np.flatnonzero(names == stratum))
        ends = np.round(np.cumsum(SHARES) * len(rows)).astype(int)
        for part, chosen in zip(PARTS, np.split(rows, ends[:-1]), strict=True):
            parts[chosen] = part
    return parts


def in_parts(dataset: Dataset) -> list[Dataset]:
    """A data set of each part that has questions, by their types: its name with the part's
    behind it, and all documents."""
    parts = split([question.type for question in dataset.questions])
    held = {part: np.flatnonzero(parts == part).tolist() for part in PARTS}
    return [
        replace(
            dataset,
            name=f"{dataset.name}-{part}",
            questions=tuple(dataset.questions[row] for row in rows),
        )
        for part, rows in held.items()
        if rows
    ]
