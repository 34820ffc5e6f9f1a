"""Which span answers best, and whether it leads: weights, and trees over what they choose.

They are learned from questions of the third that the network never saw, as `hlg ask` finds their
evidence; each fifth is judged by what was learned from the others. The trees learn from spans that
were chosen by weights of other fifths.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
from hlg.retrieval.answers.lead_chance import LEAST, OF_LEAD, Lead, likeliest
from hlg.retrieval.answers.lead_confidence import OF_NONE, OF_SPAN, Weights
from hlg.retrieval.answers.read_evidence import read_evidence
from hlg.retrieval.answers.reader import load_reader

FIFTHS = 5
HALF = 0.5
PARTLY = 0.5
"""What a span counts that shares half of the answer's words, where the answer itself is 1."""
RIDGE = 2.0
ROUNDS = 150
RISES = {
    "agreement": 1, "none": -1, "share": 1, "other": -1, "best odds": 1, "none odds": -1,
    "most read": 1, "read": 1, "score": 1, "one_fact": 1, "two_facts": 1, "fits": 1,
    "none: confidence": 1, "none: missing": -1, "none: read": 1,
}  # fmt: skip
"""With which of the signals the chance may only rise, or only fall."""
OPTIONS = {
    "objective": "binary",
    "num_leaves": 8,
    "learning_rate": 0.04,
    "min_data_in_leaf": 25,
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
    whatever spans there are (cells, a comparison, or a search that found nothing)."""

    name: str
    question: Question
    choice: Choice | None
    led: str | None

    @property
    def fifth(self) -> int:
        """By hash."""
        return part_of(f"k{self.question.id}", FIFTHS)


def decided(name: str, question: Question, found: FoundEvidence) -> Decided:
    """What a question's evidence offers."""
    asked = asked_for(question.text)
    if found.is_doubtful:
        return Decided(name, question, None, "")
    if tables := tables_of(found.result.hits, found.statements):
        if cells := answer_from_cells(question.text, asked, tables):
            return Decided(name, question, None, cells.text)
        if is_worked_out(question.text):
            return Decided(name, question, None, "")
    if verdict := compare(question.text, asked, found.statements):
        return Decided(name, question, None, verdict.text)
    if not may_lead(question.text, asked):
        return Decided(name, question, None, "")
    evidence = read_evidence(
        question.text, found.statements, found.cosines, found.result.confidence
    )
    offered = choice(evidence, load_reader().scores)
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


def fit(questions: Sequence[Decided]) -> Weights:
    """The weights under which the right spans, or none, have the greatest chance; a data set
    counts as the root of its size."""
    from scipy.optimize import minimize

    sizes = Counter(each.name for each in questions)
    rows = [(each.choice.signals, labels(each), sizes[each.name] ** -0.5)
            for each in questions if each.choice is not None]  # fmt: skip
    mean = float(np.mean([share for _, _, share in rows]))

    def loss(point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        spans, none = np.split(point, [len(OF_SPAN)])
        value, slope = RIDGE * float(point @ point) / 2, RIDGE * point
        for signals, right, share in rows:
            odds = np.append(signals.spans @ spans, signals.none @ none)
            chance = np.exp(odds - odds.max())
            chance /= chance.sum()
            good = chance * np.append(right, 0.0 if right.any() else 1.0)
            value -= share / mean * float(np.log(good.sum() + 1e-12))
            off = share / mean * (chance - good / (good.sum() + 1e-12))
            slope = slope + np.append(signals.spans.T @ off[:-1], signals.none * off[-1])
        return value, slope

    start = np.zeros(len(OF_SPAN) + len(OF_NONE))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return Weights(*(part.round(2) for part in np.split(found, [len(OF_SPAN)])))


def crossed(questions: Sequence[Decided]) -> Iterator[tuple[Decided, str]]:
    """Each question with what would lead its answer, by what was learned from other fifths."""
    chosen = _chosen(questions)
    for fifth in range(FIFTHS):
        own = [each for each in questions if each.fifth == fifth]
        yield from leads(own, chosen, trees(chosen, without=fifth))


def learned(questions: Sequence[Decided]) -> tuple[Weights, lightgbm.Booster]:
    """What all questions teach."""
    return fit(questions), trees(_chosen(questions))


def measured(
    questions: Sequence[Decided], weights: Weights, booster: lightgbm.Booster
) -> Iterator[tuple[Decided, str]]:
    """Questions that nothing was learned from with what would lead their answers."""
    yield from leads(questions, {each: _lead(each, weights) for each in questions}, booster)


def leads(
    questions: Sequence[Decided], chosen: Mapping[Decided, Lead | None], booster: lightgbm.Booster
) -> Iterator[tuple[Decided, str]]:
    """Each question with what would lead its answer."""
    for each in questions:
        lead = chosen[each]
        if lead is None or each.choice is None:
            yield each, each.led or ""
        else:
            chance = float(np.asarray(booster.predict(lead.signals[None, :]))[0])
            is_led = lead.is_looked_up or chance >= LEAST
            yield each, each.choice.spans[lead.place].text if is_led else ""


def trees(chosen: Mapping[Decided, Lead | None], without: int = -1) -> lightgbm.Booster:
    """Trees that say how likely a chosen span is right; a data set counts as the root of its
    size."""
    rows = [
        (lead.signals, labels(each)[lead.place] > 0, each.name)
        for each, lead in chosen.items()
        if lead is not None and not lead.is_looked_up and each.fifth != without
    ]
    sizes = Counter(name for _, _, name in rows)
    data = lightgbm.Dataset(
        np.array([signals for signals, _, _ in rows]),
        np.array([right for _, right, _ in rows], np.int32),
        weight=[sizes[name] ** -0.5 for _, _, name in rows],
        feature_name=[name.replace(":", "") for name in OF_LEAD],
    )
    return lightgbm.train(OPTIONS, data, ROUNDS)


def _chosen(questions: Sequence[Decided]) -> dict[Decided, Lead | None]:
    """What answers each question best by weights that were learned from other fifths."""
    weights = [fit([each for each in questions if each.fifth != fifth]) for fifth in range(FIFTHS)]
    return {each: _lead(each, weights[each.fifth]) for each in questions}


def _lead(each: Decided, weights: Weights) -> Lead | None:
    return likeliest(each.choice.spans, each.choice.signals, weights) if each.choice else None
