"""What a model made of what it was given (scenarios paper, §4 and appendices B and C).

A ranking says what was found; what counts in the end are the documents that the answer rests
on. Those that a model selected are measured as a ranking is, beside what it was given, where
in that the evidence stood, and what it cost.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.positions import DECILES, RANK_BINS, Place, first_places
from hlg.evaluation.metrics.ranking import ranking_metrics

MODEL = "model"
"""Among calls by what was called: the language model."""
SELECTION = ("hits@1", "hits@5", "recall@20", "mrr@100")
RECALLS = ("documents", "graph", "both", "answer")
COSTS = ("model calls", "tool calls", "tokens", "seconds", "US$")

Columns = dict[str, NDArray[np.float64]]
"""By metric a value a question, NaN where it says nothing of one."""


@dataclass(frozen=True, slots=True)
class Given:
    """A piece of what a model was given, with the documents that it stands for; ``by_graph``
    where a walk found it and not a search for documents."""

    documents: tuple[str, ...]
    tokens: int
    by_graph: bool = False


@dataclass(frozen=True, slots=True)
class ModelRun:
    """A question that a model answered.

    ``selected`` are the documents that the answer rests on, the best first; ``given`` are the
    pieces that it read before its answer, in order; ``calls`` count the model's own
    (:data:`MODEL`) and those of each tool. Tokens are those of all calls, also of what was
    answered once and kept; ``money``, in US dollars, is what was paid now. ``problem`` says
    why there is no answer.
    """

    question_id: str
    selected: tuple[str, ...] = ()
    given: tuple[Given, ...] = ()
    calls: Mapping[str, int] = field(default_factory=dict)
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    money: float = 0.0
    answer: str = ""
    problem: str = ""

    def found(self, *, by_graph: bool) -> set[str]:
        """The documents of the pieces that a walk found, or of the others."""
        pieces = (each for each in self.given if each.by_graph == by_graph)
        return {document for piece in pieces for document in piece.documents}


def selection_metrics(questions: Sequence[Question], runs: Sequence[ModelRun]) -> Columns:
    """Hit@1, Hit@5, recall@20 and MRR of what was selected, and the recall of gold documents in
    what searches gave, what walks gave, both, and the answer.

    :param runs: in the order of the questions.
    """
    gold = [question.graded for question in questions]
    ranked = ranking_metrics(gold, [run.selected for run in runs], (1, 5, 20, 100))
    columns: Columns = {name: ranked[name] for name in SELECTION}
    parts = []
    for question, run in zip(questions, runs, strict=True):
        wanted, searched = set(question.gold), run.found(by_graph=False)
        walked = run.found(by_graph=True)
        found = (searched, walked, searched | walked, set(run.selected))
        parts.append([len(wanted & each) / len(wanted) if wanted else np.nan for each in found])
    return columns | dict(zip(RECALLS, np.array(parts).T, strict=True))


def cost_metrics(runs: Sequence[ModelRun]) -> Columns:
    """Calls of the model and of tools, tokens in and out, seconds and US dollars, by question."""
    rows = [
        (
            run.calls.get(MODEL, 0),
            sum(count for name, count in run.calls.items() if name != MODEL),
            run.tokens_in + run.tokens_out,
            run.seconds,
            run.money,
        )
        for run in runs
    ]
    return dict(zip(COSTS, np.array(rows, float).T, strict=True))


def calls_by_name(runs: Iterable[ModelRun]) -> Counter[str]:
    """How often each tool, and the model, was called in all."""
    return sum((Counter(run.calls) for run in runs), Counter())


def places(gold: Iterable[str], run: ModelRun) -> list[Place]:
    """Where the gold documents that a model was given stood (table 3); others are left out."""
    found = first_places(gold, [(piece.documents, piece.tokens) for piece in run.given])
    searched = run.found(by_graph=False)
    return [
        replace(place, in_documents=id_ in searched, is_extracted=id_ in run.selected)
        for id_, place in found.items()
    ]


def by_decile(found: Iterable[Place]) -> list[tuple[int, int]]:
    """Hits and misses by the tenth of the tokens that a document begins in (table 6)."""
    return _hits(found, DECILES, lambda place: place.decile)


def by_rank(found: Iterable[Place]) -> list[tuple[int, int]]:
    """Hits and misses by the bins of :data:`RANK_BINS` (table 7)."""
    return _hits(found, len(RANK_BINS), lambda place: place.rank_bin)


def _hits(
    found: Iterable[Place], bins: int, bin_of: Callable[[Place], int]
) -> list[tuple[int, int]]:
    counts = [[0, 0] for _ in range(bins)]
    for place in found:
        counts[bin_of(place)][not place.is_extracted] += 1
    return [(hits, misses) for hits, misses in counts]
