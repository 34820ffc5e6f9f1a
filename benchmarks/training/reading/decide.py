"""Which span leads an answer: trees over what is seen of each span that could.

They are learned from questions of the third that the network never saw, as `hlg ask` finds their
evidence; each fifth is judged by what was learned from the others.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import lightgbm
import numpy as np
from numpy.typing import NDArray

from benchmarks.training.reading.held_out import part_of
from hlg.asking.found import FoundEvidence
from hlg.asking.tables import tables_of
from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.answers import best_of, exact_match, token_f1
from hlg.retrieval.answers.asked import asked_for
from hlg.retrieval.answers.cells.answer import answer_from_cells, is_worked_out
from hlg.retrieval.answers.compare import compare
from hlg.retrieval.answers.extractive import Choice, choice, may_lead
from hlg.retrieval.answers.leads import OF_LEAD
from hlg.retrieval.answers.read_evidence import ReadEvidence

FIFTHS = 5
HALF = 0.5
PARTLY = 0.5
"""What a span counts that shares half of the answer's words, where the answer itself is 1."""
ROUNDS = 200
RISES = {"read": 1, "answering": 1, "one_fact": 1, "two_facts": 1}
"""With which of the signals the chance may only rise."""
OPTIONS = {
    "objective": "cross_entropy",
    "num_leaves": 8,
    "learning_rate": 0.05,
    "min_data_in_leaf": 40,
    "lambda_l2": 5.0,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "num_threads": 1,
    "deterministic": True,
    "seed": 42,
    "verbose": -1,
    "monotone_constraints": [RISES.get(name, 0) for name in OF_LEAD],
}


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """A question with what could lead its answer; ``led`` where another part of the answer leads
    whatever spans there are (cells, a comparison)."""

    name: str
    question: Question
    choice: Choice | None
    led: str | None

    @property
    def fifth(self) -> int:
        """By hash."""
        return part_of(f"k{self.question.id}", FIFTHS)


def decided(name: str, question: Question, found: FoundEvidence, evidence: ReadEvidence) -> Decided:
    """What a question's evidence offers, as it was found and as it was read."""
    asked = asked_for(question.text)
    if tables := tables_of(found.result.hits, found.statements):
        if cells := answer_from_cells(question.text, asked, tables):
            return Decided(name, question, None, cells.text)
        if is_worked_out(question.text):
            return Decided(name, question, None, "")
    if verdict := compare(question.text, asked, found.statements):
        return Decided(name, question, None, verdict.text)
    if not may_lead(question.text, asked):
        return Decided(name, question, None, "")
    offered = choice(evidence)
    return Decided(name, question, offered, None if offered else "")


def labels(each: Decided) -> NDArray[np.float64]:
    """1 for a span that is the answer, a part of it for one that says half of its words."""
    answers = each.question.answers if each.question.gold else ()
    spans = each.choice.spans if each.choice else ()
    found = np.zeros(len(spans))
    for place, span in enumerate(spans if answers else ()):
        if best_of(exact_match, span.text, answers) > 0:
            found[place] = 1.0
        elif best_of(token_f1, span.text, answers) >= HALF:
            found[place] = PARTLY
    return found


def crossed(questions: Sequence[Decided]) -> Iterator[tuple[Decided, str]]:
    """Each question with what would lead its answer, by what was learned from other fifths."""
    for fifth in range(FIFTHS):
        booster = trees([each for each in questions if each.fifth != fifth])
        yield from leads([each for each in questions if each.fifth == fifth], booster)


def leads(questions: Sequence[Decided], booster: lightgbm.Booster) -> Iterator[tuple[Decided, str]]:
    """Each question with what would lead its answer."""
    for each in questions:
        if each.choice is None:
            yield each, each.led or ""
            continue
        best = each.choice.likeliest(np.asarray(booster.predict(each.choice.signals)))
        yield each, each.choice.spans[best.place].text if best.leads else ""


def trees(questions: Sequence[Decided]) -> lightgbm.Booster:
    """Trees that say how likely a span is right; a data set counts as the root of its size."""
    used = [(each.choice.signals, labels(each), each.name) for each in questions if each.choice]
    sizes = Counter(name for _, _, name in used)
    weights = [np.full(len(right), sizes[name] ** -0.5) for _, right, name in used]
    data = lightgbm.Dataset(
        np.concatenate([signals for signals, _, _ in used]),
        np.concatenate([right for _, right, _ in used]),
        weight=np.concatenate(weights),
        feature_name=list(OF_LEAD),
    )
    return lightgbm.train(OPTIONS, data, ROUNDS)
