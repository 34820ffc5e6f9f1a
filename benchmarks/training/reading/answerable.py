"""Whether what is shown answers: trees over what is seen of the evidence as a whole.

They are learned from the questions that the statements' trees are learned from, those without an
answer among them, and judged by what was learned from other data sets.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import lightgbm
import numpy as np
from numpy.typing import NDArray

from benchmarks.training.reading.decide import OPTIONS as OF_LEADS
from benchmarks.training.reading.relevance import RISES as OF_RELEVANCE
from benchmarks.training.reading.relevance import Shown
from hlg.retrieval.answers.answerable import LEAST, OF_EVIDENCE, evidence_signals
from hlg.retrieval.answers.relevance import chosen_statements

ROUNDS = 120
RISES = OF_RELEVANCE | {
    "relevance": 1, "best_read": 1, "best_answering": 1, "second_answering": 1, "missing": -1,
}  # fmt: skip
OPTIONS = OF_LEADS | {
    "objective": "binary",
    "num_leaves": 6,
    "monotone_constraints": [RISES.get(name, 0) for name in OF_EVIDENCE],
}
COLUMNS = ("answered", "called absent", "absent", "called so")
"""Questions whose shown statements answer, those of them that would be called absent, questions of
whose evidence nothing answers, and those of them that would be called so."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A question with what is seen of its evidence; whether anything in that answers, and whether
    what is shown does."""

    name: str
    signals: NDArray[np.float32]
    is_there: bool
    is_right: bool


def judged(relevant: Mapping[Shown, NDArray[np.float64]]) -> Iterator[Judged]:
    """What is seen of questions, by how relevant each statement of theirs is."""
    for each, scores in relevant.items():
        if len(scores) and (chosen := chosen_statements(each.evidence, scores)):
            signals = evidence_signals(each.evidence, chosen, each.signals, scores)
            right = bool(each.answers[chosen].any())
            yield Judged(each.name, signals, bool(each.answers.any()), right)


def crossed(questions: Sequence[Judged], unlearned: Collection[str]) -> NDArray[np.float64]:
    """How likely each is answered, by trees that learned from the other data sets."""
    found = np.zeros(len(questions))
    for name in dict.fromkeys(each.name for each in questions):
        booster = trees([each for each in questions if each.name not in {name, *unlearned}])
        rows = [place for place, each in enumerate(questions) if each.name == name]
        found[rows] = booster.predict(np.stack([questions[row].signals for row in rows]))
    return found


def trees(questions: Sequence[Judged]) -> lightgbm.Booster:
    """Trees that say how likely what is shown answers; a data set counts as the root of its
    size."""
    sizes = Counter(each.name for each in questions)
    data = lightgbm.Dataset(
        np.stack([each.signals for each in questions]),
        np.array([each.is_right for each in questions]),
        weight=[sizes[each.name] ** -0.5 for each in questions],
        feature_name=list(OF_EVIDENCE),
    )
    return lightgbm.train(OPTIONS, data, ROUNDS)


def rows(
    questions: Sequence[Judged], chances: NDArray[np.float64]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """By data set the columns of :data:`COLUMNS`."""
    absent = chances < LEAST
    for name in dict.fromkeys(each.name for each in questions):
        own = np.array([each.name == name for each in questions])
        right = own & np.array([each.is_right for each in questions])
        nothing = own & ~np.array([each.is_there for each in questions])
        counts = right, right & absent, nothing, nothing & absent
        yield name, tuple(int(each.sum()) for each in counts)
