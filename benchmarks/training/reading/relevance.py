"""Which statements answer: trees over what is seen of them.

They are learned from questions that the reading network never saw, as `hlg ask` finds their
evidence, and judged by what was learned from other data sets.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import lightgbm
import numpy as np
from numpy.typing import NDArray

from benchmarks.training.reading.decide import OPTIONS as OF_LEADS
from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.answers import best_of, holds, normalized
from hlg.retrieval.answers.read_evidence import ReadEvidence
from hlg.retrieval.answers.relevance import (
    OF_STATEMENT,
    chosen_statements,
    statement_signals,
)

VERDICTS = frozenset(("", "yes", "no", "noanswer"))
ROUNDS = 150
RISES = {
    "cosine": 1, "rank": -1, "share": 1, "share_behind": 1, "share_shown": 1, "share_own": 1,
    "names": 1, "others": 1, "both": 1, "read": 1, "read_behind": 1, "answering": 1,
    "answering_behind": 1, "fact_behind": 1, "confidence": 1,
}  # fmt: skip
"""With which of the signals the relevance may only rise, or only fall."""
OPTIONS = OF_LEADS | {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 5,
    "learning_rate": 0.05,
    "min_data_in_leaf": 60,
    "lambda_l2": 10.0,
    "monotone_constraints": [RISES.get(name, 0) for name in OF_STATEMENT],
}


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A question's evidence with what is seen of each statement, and which of them answer, shape
    (statements,); ``is_marked`` where the data set marks that by an answer's words or a span."""

    name: str
    evidence: ReadEvidence
    signals: NDArray[np.float32]
    answers: NDArray[np.bool_]
    is_marked: bool


def shown(name: str, question: Question, evidence: ReadEvidence, there: NDArray[np.bool_]) -> Shown:
    """What is seen of a question's evidence.

    :param there: which statements are of what is marked as evidence, shape (statements,).
    """
    words = [each for each in question.answers if normalized(each) not in VERDICTS]
    told = np.array([best_of(holds, each.text, words or [""]) > 0 for each in evidence.shown], bool)
    by_words = bool(words) and (bool((there & told).any()) or not question.spans)
    return Shown(
        name,
        evidence,
        statement_signals(evidence),
        there & told if by_words else there,
        bool(words or question.spans),
    )


def crossed(
    questions: Sequence[Shown], unlearned: Collection[str]
) -> dict[Shown, NDArray[np.float64]]:
    """How relevant each statement is, by trees that learned from the other data sets.

    :param unlearned: data sets that nothing is ever learned from.
    """
    found: dict[Shown, NDArray[np.float64]] = {}
    for name in dict.fromkeys(each.name for each in questions):
        apart = {name, *unlearned}
        booster = trees([each for each in questions if each.name not in apart])
        own = [each for each in questions if each.name == name]
        found |= {each: np.asarray(booster.predict(each.signals, raw_score=True)) for each in own}
    return found


def trees(questions: Sequence[Shown]) -> lightgbm.Booster:
    """Trees that put what answers a question first, of those where that is marked; a data set
    counts as the root of its size."""
    used = [
        each
        for each in questions
        if each.is_marked and each.answers.any() and not each.answers.all()
    ]
    sizes = Counter(each.name for each in used)
    weights = [np.full(len(each.answers), sizes[each.name] ** -0.5) for each in used]
    data = lightgbm.Dataset(
        np.concatenate([each.signals for each in used]),
        np.concatenate([each.answers for each in used]).astype(np.int32),
        weight=np.concatenate(weights),
        group=[len(each.answers) for each in used],
        feature_name=list(OF_STATEMENT),
    )
    return lightgbm.train(OPTIONS, data, ROUNDS)


COLUMNS = ("answered", "shown", "first", "statements")
"""Questions whose evidence was found, those with a statement that answers among what is shown, and
as the first of it, and the statements that are shown to all of them."""


def rows(told: Mapping[Shown, NDArray[np.float64]]) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """By data set the columns of :data:`COLUMNS`.

    :param told: how relevant each question's statements are, by trees that never saw it.
    """
    for name in dict.fromkeys(each.name for each in told):
        counts = [_counted(each, told[each]) for each in told if each.name == name]
        yield name, np.sum(counts, axis=0)


def _counted(each: Shown, relevant: NDArray[np.float64]) -> NDArray[np.int64]:
    if not each.answers.any():
        return np.zeros(len(COLUMNS), np.int64)
    places = chosen_statements(each.evidence, relevant)
    right = each.answers[places]
    return np.array([1, right.any(), right[:1].any(), len(places)], np.int64)
