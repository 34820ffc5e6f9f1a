"""An experiment: the same questions for every retriever, over one graph; what is done is kept in
a journal, a line of JSON for every question."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from hlg.errors import UsageError
from hlg.evaluation.data.questions import Dataset, Question
from hlg.evaluation.journal import open_journal
from hlg.evaluation.metrics.assess import RANKED_DOCUMENTS, TOKEN_BUDGETS, Assessor, Outcome
from hlg.graph import LexicalGraph
from hlg.ids import content_id
from hlg.reports import Progress, SearchResult

LABEL = ":"
"""Between a retriever's name and what tells it from the same with other options."""
WARM_UP_QUERIES = 2
"""Searches before the clock counts: models and snapshot are in memory afterwards (thesis §4.3)."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is compared: retrievers by name, each with options of its own, and to which.

    A retriever is there more than once, with other options, as ``NAME:LABEL``.

    ``hits`` is how many hits are asked for, enough to rank 100 documents by. ``depths`` is
    less for a retriever that looks at fewer: it is measured as it is used, and looks at no
    more because a metric would read on.

    :raises UsageError: the baseline is none of the retrievers.
    """

    dataset: Dataset
    questions: tuple[Question, ...]
    retrievers: tuple[str, ...]
    baseline: str
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    hits: int = RANKED_DOCUMENTS
    depths: Mapping[str, int] = field(default_factory=dict)
    budgets: tuple[int, ...] = TOKEN_BUDGETS

    def __post_init__(self) -> None:
        if self.baseline not in self.retrievers:
            known = ", ".join(self.retrievers)
            raise UsageError(
                f"the baseline {self.baseline!r} is none of the retrievers; there are {known}",
                option="baseline",
                known=self.retrievers,
            )

    def search(self, graph: LexicalGraph, retriever: str, question: Question) -> SearchResult:
        """What one of the retrievers finds for a question."""
        return graph.search(
            question.text,
            retriever=retriever_name(retriever),
            top_k=min(self.hits, self.depths.get(retriever, self.hits)),
            options=self.options.get(retriever),
        )

    def key(self, revision: str, embedder: str) -> str:
        """Digest of all that decides an outcome: a journal with the same key may be used."""
        from hlg import __version__

        options = sorted((name, sorted(given.items())) for name, given in self.options.items())
        return content_id(
            __version__,
            self.dataset.fingerprint(),
            revision,
            embedder,
            repr(options),
            repr((self.hits, sorted(self.depths.items()), self.budgets)),
        )


def retriever_name(labelled: str) -> str:
    """The name in ``NAME:LABEL``."""
    return labelled.partition(LABEL)[0]


def run_experiment(
    experiment: Experiment,
    graph: LexicalGraph,
    assessor: Assessor,
    journal_path: Path,
    key: str,
    on_progress: Callable[[Progress], None],
) -> dict[str, list[Outcome]]:
    """Ask every question of every retriever; by retriever: outcomes in the questions' order.

    Interrupted at any moment, the same call asks only what was not answered yet.

    :raises HlgError: a retriever or an option is unknown, or the graph's store fails.
    """
    total = len(experiment.questions)
    with open_journal(journal_path, key, Outcome) as journal:
        for retriever in experiment.retrievers:
            known = journal.outcomes[retriever]
            pending = [question for question in experiment.questions if question.id not in known]
            for question in pending[:WARM_UP_QUERIES]:
                experiment.search(graph, retriever, question)
            for done, question in enumerate(pending, start=total - len(pending) + 1):
                before = paid(graph)
                started = time.perf_counter()
                result = experiment.search(graph, retriever, question)
                latency_ms = (time.perf_counter() - started) * 1000
                outcome = replace(
                    assessor.outcome(question, result.hits, latency_ms, result.store_calls),
                    score=result.hits[0].score if result.hits else 0.0,
                    confidence=result.confidence,
                    timings_ms=dict(result.timings_ms),
                    money=paid(graph) - before,
                )
                journal.add(retriever, outcome)
                on_progress(Progress(retriever, done, total, "; ".join(result.notes)))
        return {
            retriever: [journal.outcomes[retriever][q.id] for q in experiment.questions]
            for retriever in experiment.retrievers
        }


def paid(graph: LexicalGraph) -> float:
    """What its language model has cost since it was opened, in US dollars."""
    return graph.model_usage.money if graph.model_usage else 0.0
