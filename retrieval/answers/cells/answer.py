"""The answer that cells give to a question, where they are sure to be the ones asked for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hlg.records import Passage
from hlg.retrieval.answers.asked import DATE, NUMBER, PERSON, YES_NO, Asked
from hlg.retrieval.answers.cells.match import SIGNALS, Matched, match
from hlg.retrieval.answers.cells.quoted import quoting_rows, ranked_rows
from hlg.retrieval.answers.cells.table import Cell, Table
from hlg.retrieval.answers.cells.wanted import LOOK_UP, Wanted, wanted
from hlg.retrieval.answers.cells.work import WorkedOut, work_out, work_out_pair

WEIGHTS = np.array(
    [2.41, 2.65, 0.48, 1.4, 0.55, 1.27, -0.54, 3.05, 1.82, 1.22, -0.28, -0.23, -0.44, 1.01, -0.25,
     0.9]
)  # fmt: skip
"""Of :data:`hlg.retrieval.answers.cells.match.SIGNALS`."""
CHANCE_SIGNALS = (
    "margin", "row_told", "all_told", "label_asked", "years_told", "is_worked_out", "has_years",
    "label_told", "score", "is_looked_up", "header_told", "verbatim", "is_told_whole",
)  # fmt: skip
CHANCE_WEIGHTS = np.array(
    [0.29, 1.76, -0.03, 0.27, 0.7, -1.46, 0.43, 0.34, 0.03, -2.41, 0.45, 0.64, 1.12]
)
BIAS = -3.05
"""Both by ``python -m benchmarks.cell_answers``."""
LEAST = 0.48
"""A cell with less of a chance is no answer."""
WHOLE = 0.99
"""What a row tells of a question all of whose words it has."""
PAIR_MARGIN, NO_RIVAL = 1.0, 3.0
"""What stands for the margin of two rows, and of a candidate that stands alone."""
_NO_CELL = re.compile(
    r"(?i)\W*(?:why|how (?!many|much|often|long|old|large|big|high|far|tall|deep))"
)
_EXPLAINED = re.compile(r"(?i)\b(?:explain|describe|refer to|mean by|definition|defined|purpose)\b")


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """What answers; what it was worked out over, empty for a cell as it stands; and the cells,
    where they are."""

    text: str
    over: str
    cells: tuple[Cell, ...]
    passage: Passage


def answer_from_cells(question: str, asked: Asked, tables: Sequence[Table]) -> CellAnswer | None:
    """What the cells of tables answer; None where none is sure enough.

    :param tables: of what a search found, the best hit's first.
    """
    if not tables or not may_be_cells(question, asked):
        return None
    what = wanted(question)
    found = quoting_rows(what, tables)
    if found is None and not asked.choices:
        found = ranked_rows(what, tables)
    if found is not None:
        worked, table = found
        return CellAnswer(worked.text, worked.over, worked.cells, table.passage)
    best = best_answer(question, what, tables, WEIGHTS)
    if best is None:
        return None
    worked, table, signals = best
    chance = float(1 / (1 + np.exp(-(signals @ CHANCE_WEIGHTS + BIAS))))
    if chance < LEAST or not fits(asked, what, worked):
        return None
    return CellAnswer(worked.text, worked.over, worked.cells, table.passage)


def may_be_cells(question: str, asked: Asked) -> bool:
    """Whether a question can be answered by cells: not one for a reason or an explanation."""
    explained = _NO_CELL.match(question) or _EXPLAINED.search(question)
    return asked.kind != YES_NO and not explained


def is_worked_out(question: str) -> bool:
    """Whether a question asks for what no text says as it stands: a difference of two years."""
    return wanted(question).is_worked_out


Best = tuple[WorkedOut, Table, NDArray[np.float64]]
"""What answers best, the table that it is of, and the signals of its chance, shape
(len(CHANCE_SIGNALS),)."""


def best_answer(
    question: str, what: Wanted, tables: Sequence[Table], weights: NDArray[np.float64]
) -> Best | None:
    """What the rows of tables give that fit a question best.

    :param weights: of :data:`hlg.retrieval.answers.cells.match.SIGNALS`.
    """
    if what.pair:
        return _best_pair(question, what, tables, weights)
    found = match(question, what, tables)
    best = best_of(what, found, weights)
    return best and (best[1], found.candidates[best[0]].table, best[2])


def _best_pair(
    question: str, what: Wanted, tables: Sequence[Table], weights: NDArray[np.float64]
) -> Best | None:
    """What two rows of one table give, whose cells stand under one header."""
    one, other = (match(question, replace(what, words=words), tables) for words in what.pair)
    ones, others = _best_rows(one, weights), _best_rows(other, weights)
    best: tuple[float, Best] | None = None
    for key in ones.keys() & others.keys():
        (score, first), (second_score, second) = ones[key], others[key]
        worked = work_out_pair(what, one.candidates[first], other.candidates[second])
        weaker = min(score, second_score)
        if worked is not None and (best is None or weaker > best[0]):
            signals = one.matrix[first] if score <= second_score else other.matrix[second]
            chances = chance_signals(what, signals, PAIR_MARGIN, weaker)
            best = weaker, (worked, one.candidates[first].table, chances)
    return best and best[1]


def _best_rows(
    found: Matched, weights: NDArray[np.float64]
) -> dict[tuple[str, int, str], tuple[float, int]]:
    """The best candidate of each column of each table, with its score."""
    best: dict[tuple[str, int, str], tuple[float, int]] = {}
    for place, score in enumerate((found.matrix @ weights).tolist()):
        each = found.candidates[place]
        key = each.table.passage.id, each.table.rows[0].start, each.cells[0].header
        best[key] = max(best.get(key, (score, place)), (score, place), key=lambda x: x[0])
    return best


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
            rivals = (
                float(scores[other])
                for other in order[at + 1 :]
                if _differs(worked, work_out(what, found.candidates[other]))
            )
            margin = float(scores[place]) - next(rivals, float(scores[place]) - NO_RIVAL)
            signals = chance_signals(
                what, found.matrix[place], margin, float(scores[place]), over=worked.over
            )
            return int(place), worked, signals
    return None


def _differs(one: WorkedOut, other: WorkedOut | None) -> bool:
    """Whether another candidate would answer something else."""
    return other is not None and other.text != one.text


def chance_signals(
    what: Wanted, signals: NDArray[np.float64], margin: float, score: float, over: str = ""
) -> NDArray[np.float64]:
    """What speaks for the best candidate, in the order of :data:`CHANCE_SIGNALS`; ``over`` is
    what it was worked out over, empty for a cell as it stands."""
    of_row = dict(zip(SIGNALS, signals.tolist(), strict=True))
    is_looked_up = what.how == LOOK_UP and not over
    told = of_row | {
        "margin": margin,
        "score": score,
        "is_worked_out": float(what.is_worked_out),
        "has_years": float(bool(what.years)),
        "is_looked_up": float(is_looked_up),
        "is_told_whole": float(is_looked_up and of_row["row_told"] > WHOLE),
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
