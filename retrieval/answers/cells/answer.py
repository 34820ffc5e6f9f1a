"""The answer that cells give to a question, where they are sure to be the ones asked for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.records import Passage
from hlg.retrieval.answers.asked import DATE, NUMBER, PERSON, YES_NO, Asked
from hlg.retrieval.answers.cells.match import SIGNALS, Matched, match
from hlg.retrieval.answers.cells.table import Cell, Table
from hlg.retrieval.answers.cells.wanted import Wanted, wanted
from hlg.retrieval.answers.cells.work import WorkedOut, work_out

__all__ = ["CellAnswer", "answer_from_cells", "best_of", "chance_signals", "is_worked_out"]

WEIGHTS = np.array(
    [1.71, 3.33, -0.04, 1.91, 0.02, 2.16, -0.24, 2.49, 2.36, 0.22, -0.19, -0.43, -0.16, 0.87,
     0.26, 0.24]
)  # fmt: skip
"""Of :data:`hlg.retrieval.answers.cells.match.SIGNALS`."""
CHANCE_SIGNALS = (
    "margin", "row_told", "all_told", "label_asked", "years_told", "is_worked_out", "has_years",
    "label_told", "score",
)  # fmt: skip
CHANCE_WEIGHTS = np.array([0.40, 0.92, -0.82, -0.28, 0.46, 0.07, 1.26, -0.06, 0.37])
BIAS = -6.60
LEAST = 0.5
"""A cell with less of a chance is no answer."""
NO_RIVAL = 3.0
"""The margin of a candidate that stands alone."""
_NO_CELL = re.compile(
    r"(?i)\W*(?:why|how (?!many|much|often|long|old|large|big|high|far|tall|deep))"
)
_EXPLAINED = re.compile(r"(?i)\b(?:explain|describe|refer to|mean by|definition|defined|purpose)\b")


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """What answers; what it was worked out over, empty for a cell as it stands; the cells, where
    they are, and the chance that they are the ones asked for."""

    text: str
    over: str
    cells: tuple[Cell, ...]
    passage: Passage
    chance: float


def answer_from_cells(question: str, asked: Asked, tables: Sequence[Table]) -> CellAnswer | None:
    """What the cells of tables answer; None where none is sure enough.

    :param tables: of what a search found, the best hit's first.
    """
    if not tables or asked.kind == YES_NO or _NO_CELL.match(question):
        return None
    if _EXPLAINED.search(question):
        return None
    what = wanted(question)
    found = match(question, what, tables)
    best = best_of(what, found, WEIGHTS)
    if best is None:
        return None
    place, worked, signals = best
    chance = float(1 / (1 + np.exp(-(signals @ CHANCE_WEIGHTS + BIAS))))
    if chance < LEAST or not fits(asked, what, worked):
        return None
    return CellAnswer(
        worked.text, worked.over, worked.cells, found.candidates[place].table.passage, chance
    )


def is_worked_out(question: str) -> bool:
    """Whether a question asks for what no text says as it stands: a difference of two years."""
    return wanted(question).is_worked_out


def best_of(
    what: Wanted, found: Matched, weights: NDArray[np.float64]
) -> tuple[int, WorkedOut, NDArray[np.float64]] | None:
    """The best candidate that gives what is wanted: its place, that, and the signals of its
    chance, shape (len(CHANCE_SIGNALS),)."""
    if not found.candidates:
        return None
    scores = found.matrix @ weights
    order = np.argsort(-scores, kind="stable")
    for at, place in enumerate(order):
        worked = work_out(what, found.candidates[place])
        if worked is not None:
            rest = [
                other
                for other in order[at + 1 :]
                if found.candidates[other].row != found.candidates[place].row
                or found.candidates[other].cells != found.candidates[place].cells
            ]
            margin = float(scores[place] - scores[rest[0]]) if rest else NO_RIVAL
            signals = chance_signals(what, found.matrix[place], margin, float(scores[place]))
            return int(place), worked, signals
    return None


def chance_signals(
    what: Wanted, signals: NDArray[np.float64], margin: float, score: float
) -> NDArray[np.float64]:
    """What speaks for the best candidate, in the order of :data:`CHANCE_SIGNALS`."""
    told = dict(zip(SIGNALS, signals.tolist(), strict=True)) | {
        "margin": margin,
        "score": score,
        "is_worked_out": float(what.is_worked_out),
        "has_years": float(bool(what.years)),
    }
    return np.array([told[name] for name in CHANCE_SIGNALS])


def fits(asked: Asked, what: Wanted, worked: WorkedOut) -> bool:
    """Whether an answer is of the kind asked for: a number of what has one, a name of a person."""
    has_digit = any(map(str.isdigit, worked.text))
    if asked.kind == NUMBER or what.is_worked_out:
        return has_digit
    if asked.kind == PERSON:
        return not has_digit
    return asked.kind != DATE or has_digit
