"""Where in what was retrieved the evidence stands, and what a model made of what it was given
(scenarios paper, §4, §5, appendices B and C).

Retrieval coverage and what a reader makes of it are two things: evidence that stands late in a
long context is read less well. A gold document stands where the first hit of it does, by rank
and by the share of all retrieved tokens that come before it. What counts in the end are the
documents that the answer rests on: those that a model selected are measured as a ranking is,
beside what it was given, and what it cost.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.ranking import Columns, ranking_metrics

RANK_BINS = (1, 2, 3, 4, 6, 11, 21, 51)
"""The first rank of each of the paper's bins (table 7); the last one has no end."""
DECILES = 10
COVERAGE = "coverage"
"""Recall of retrieval (RoR): gold documents that are anywhere in what was retrieved."""
RANKS = tuple(
    f"gold_rank_{each}" for each in ("1", "2", "3", "4-5", "6-10", "11-20", "21-50", "51+")
)
TOKENS = tuple(
    f"gold_tokens_{100 * each // DECILES}-{100 * (each + 1) // DECILES}%" for each in range(DECILES)
)

MODEL = "model"
"""Among calls by what was called: the language model."""
SELECTION = ("hits@1", "hits@5", "recall@20", "mrr@100")
RECALLS = ("documents", "graph", "both", "answer")
COSTS = ("model calls", "tool calls", "tokens", "seconds", "US$")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document stands first: the number of the piece from 1, the tokens before it and
    their share of all. Of what a model was given: whether a search for documents found it, and
    whether the answer rests on it."""

    rank: int
    tokens: int
    share: float
    in_documents: bool = False
    is_extracted: bool = False

    @property
    def bins(self) -> tuple[str, str]:
        """Which of :data:`RANKS` it is in, and which of :data:`TOKENS` it begins in."""
        decile = min(int(DECILES * self.share), DECILES - 1)
        return RANKS[bisect(RANK_BINS, self.rank) - 1], TOKENS[decile]


def first_places(
    gold: Iterable[str], pieces: Sequence[tuple[Iterable[str], int]]
) -> dict[str, Place]:
    """Where the gold documents stand; those that stand nowhere are left out.

    :param pieces: the documents and the tokens of each, best first.
    """
    total = max(1, sum(tokens for _, tokens in pieces))
    before, first = 0, dict[str, Place]()
    for rank, (documents, tokens) in enumerate(pieces, start=1):
        for id_ in documents:
            first.setdefault(id_, Place(rank, before, before / total))
        before += tokens
    return {id_: first[id_] for id_ in dict.fromkeys(gold) if id_ in first}


def positions(
    gold: Sequence[str], documents: Sequence[str], tokens: Sequence[int]
) -> dict[str, float]:
    """Shares of the gold documents by where they stand; each family of shares sums to coverage.

    :param gold: ids, at least one.
    :param documents: the document of each hit, best first.
    :param tokens: of each hit.
    """
    hits = [((document,), size) for document, size in zip(documents, tokens, strict=True)]
    found, wanted = first_places(gold, hits).values(), len(set(gold))
    counts = Counter(name for place in found for name in place.bins)
    shares = {name: counts[name] / wanted for name in (*RANKS, *TOKENS)}
    return {COVERAGE: len(found) / wanted} | shares


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


def cost_metrics(runs: Sequence[ModelRun | None]) -> Columns:
    """Calls of the model and of tools, tokens in and out, seconds and US dollars, by question; NaN
    where there is no run."""
    rows = [
        (
            run.calls.get(MODEL, 0),
            sum(count for name, count in run.calls.items() if name != MODEL),
            run.tokens_in + run.tokens_out,
            run.seconds,
            run.money,
        )
        if run is not None
        else (np.nan,) * len(COSTS)
        for run in runs
    ]
    return dict(zip(COSTS, np.array(rows, float).T, strict=True))


def places(gold: Iterable[str], run: ModelRun) -> list[Place]:
    """Where the gold documents that a model was given stood (table 3); others are left out."""
    found = first_places(gold, [(piece.documents, piece.tokens) for piece in run.given])
    searched = run.found(by_graph=False)
    return [
        replace(place, in_documents=id_ in searched, is_extracted=id_ in run.selected)
        for id_, place in found.items()
    ]


def hits_by_bin(found: Iterable[Place]) -> dict[str, tuple[int, int]]:
    """Hits and misses by each of :data:`RANKS` and of :data:`TOKENS` (tables 6 and 7)."""
    counts = Counter((name, place.is_extracted) for place in found for name in place.bins)
    return {name: (counts[name, True], counts[name, False]) for name in (*RANKS, *TOKENS)}
