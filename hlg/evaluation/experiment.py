"""An experiment: the same questions for every retriever, over one graph; what is done is kept in
a journal, a line of JSON for every question, and the results in a file."""

import platform
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from hlg import __version__
from hlg.errors import InputError, UsageError
from hlg.evaluation.data.questions import Dataset, Question
from hlg.evaluation.journal import open_journal
from hlg.evaluation.metrics.assess import RANKED_DOCUMENTS, TOKEN_BUDGETS, Assessor, Outcome
from hlg.evaluation.results import Result, summarize, write_result
from hlg.evaluation.tables import NONE, Table, paid_cell
from hlg.graph import LexicalGraph
from hlg.ids import content_id
from hlg.reports import OnProgress, Progress, SearchResult

LABEL = ":"
"""Between a retriever's name and what tells it from the same with other options."""
WARM_UP_QUERIES = 2
"""Searches before the clock counts: models and snapshot are in memory afterwards (thesis §4.3)."""
PACKAGES = ("hlg", "ir-measures", "ladybug", "neo4j", "numpy", "onnxruntime", "spacy")
"""Those whose version may move a result."""
BREADTHS = ("candidates", "nodes")
"""Options that say how many candidates a retriever looks at, and gives at most."""
HITS = 20
"""Hits that a stage is asked for."""
CUTOFFS = (1, 5, 10)
PER = 1_000
"""Costs are given for so many questions."""
Stages = Mapping[str, Sequence[Outcome]]
"""By stage its outcomes, in the questions' order."""


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
            retriever=retriever.partition(LABEL)[0],
            top_k=min(self.hits, self.depths.get(retriever, self.hits)),
            options=self.options.get(retriever),
        )

    def key(self, revision: str, embedder: str) -> str:
        """Digest of all that decides an outcome: a journal with the same key may be used."""
        options = sorted((name, sorted(given.items())) for name, given in self.options.items())
        return content_id(
            __version__,
            self.dataset.fingerprint(),
            revision,
            embedder,
            repr(options),
            repr((self.hits, sorted(self.depths.items()), self.budgets)),
        )


def evaluate(
    graph: LexicalGraph,
    experiment: Experiment,
    *,
    cutoffs: Sequence[int],
    out: Path,
    on_progress: OnProgress,
) -> Result:
    """Run an experiment on a graph of its data set and write the result to ``out``.

    Interrupted, it leaves ``out`` as it was and what is done in :func:`journal_path`; the
    same call then goes on from there.

    :raises UsageError: a retriever or an option is unknown.
    :raises InputError: the graph holds something else than the data set.
    :raises StoreError: the graph's store fails or is empty.
    """
    journal = journal_path(out)
    outcomes = outcomes_of(graph, experiment, journal, on_progress)
    dataset, questions = experiment.dataset, experiment.questions
    result = write_outcomes(graph, dataset, outcomes, experiment.baseline, out, cutoffs, questions)
    journal.unlink()
    return result


def write_outcomes(
    graph: LexicalGraph,
    dataset: Dataset,
    outcomes: Stages,
    baseline: str,
    out: Path,
    cutoffs: Sequence[int] = CUTOFFS,
    questions: Sequence[Question] | None = None,
) -> Result:
    """The means, intervals and differences of outcomes, with what they were measured with, as
    they are written to ``out``.

    :param outcomes: in the order of ``questions``, by default those that are answerable.
    """
    questions = dataset.answerable() if questions is None else questions
    versions = {"python": platform.python_version(), "dataset": dataset.fingerprint()}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    result = Result(
        dataset=dataset.name,
        questions=len(questions),
        null_questions=sum(not question.gold for question in questions),
        k=list(cutoffs),
        embedder=graph.embedder.name,
        versions=versions,
        retrievers=summarize(questions, outcomes, cutoffs, baseline),
    )
    write_result(out, result)
    return result


def outcomes_of(
    graph: LexicalGraph, experiment: Experiment, journal_path: Path, on_progress: OnProgress
) -> dict[str, list[Outcome]]:
    """Ask every question of every retriever; by retriever: outcomes in the questions' order.

    Interrupted at any moment, the same call asks only what was not answered yet.

    :param journal_path: where each is kept as soon as it is known, and read from where an
        earlier call of the same experiment left it.
    :raises UsageError: a retriever or an option is unknown.
    :raises InputError: the graph holds something else than the data set.
    """
    assessor = Assessor(experiment.dataset, graph.embedder.count_tokens, experiment.budgets)
    _check_sources(graph, experiment.dataset, assessor)
    experiment = replace(experiment, depths=retriever_depths(graph, experiment))
    key = experiment.key(graph.status().revision, graph.embedder.name)
    total = len(experiment.questions)
    outcomes = {}
    with open_journal(journal_path, key, Outcome) as journal:
        for retriever in experiment.retrievers:
            pending = journal.pending(retriever, experiment.questions)
            for _, question in pending[:WARM_UP_QUERIES]:
                experiment.search(graph, retriever, question)
            for done, question in pending:
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
            outcomes[retriever] = journal.found(retriever, experiment.questions)
    return outcomes


def paid(graph: LexicalGraph) -> float:
    """What its language model has cost since it was opened, in US dollars."""
    return graph.model_usage.money if graph.model_usage else 0.0


def retriever_depths(graph: LexicalGraph, experiment: Experiment) -> dict[str, int]:
    """By retriever: how many hits it is asked for at most, so that it looks at no more than
    it does for ``hlg query``: B1 reranks 50 chunks, E1 merges 50 (HLG §6.3.1).

    :raises UsageError: a retriever or an option is unknown, or needs a language model and there
        is none.
    """
    from hlg.models.language.providers import required
    from hlg.retrieval.base import SearchSession
    from hlg.retrieval.registry import open_retriever

    session = SearchSession(graph.store, graph.embedder, lambda: None)
    depths = {}
    for name in experiment.retrievers:
        opened = open_retriever(name.partition(LABEL)[0], session, experiment.options.get(name))
        options = getattr(opened, "options", None)
        if getattr(options, "needs_language_model", False):
            required(graph.door)
        bounds = [getattr(options, bound, experiment.hits) for bound in BREADTHS]
        depths[name] = min(experiment.hits, *bounds)
    return depths


def journal_path(out: Path) -> Path:
    """Where the outcomes of an unfinished experiment are kept."""
    return out.with_name(out.name + ".partial.jsonl")


def _check_sources(graph: LexicalGraph, dataset: Dataset, assessor: Assessor) -> None:
    """Every source is a document of the data set, and only one source is."""
    uris: dict[str, str] = {}
    for source in graph.sources():
        id_ = assessor.document_id(source.uri)
        if id_ in uris:
            raise InputError(
                f"the graph holds document {id_!r} of {dataset.name} twice, as {uris[id_]} and "
                f"{source.uri}; evaluate on a graph of its own: give another --store"
            )
        uris[id_] = source.uri


def ask_stages(
    graph: LexicalGraph,
    dataset: Dataset,
    searches: Mapping[str, Mapping[str, object]],
    journal: Path,
    on_progress: OnProgress,
) -> dict[str, list[Outcome]]:
    """What came of the answerable questions, by search: retrievers with options.

    :param journal: as :func:`outcomes_of` has it.
    """
    names = tuple(searches)
    experiment = Experiment(
        dataset, dataset.answerable(), names, names[0], searches, hits=HITS, budgets=()
    )
    return outcomes_of(graph, experiment, journal, on_progress)


def milliseconds_table(stages: Stages) -> Table:
    """A row a stage of the study, a column a stage of searching that takes any time: milliseconds
    on average."""
    found = {name: None for its in stages.values() for each in its for name in each.timings_ms}
    columns = {}
    for name in sorted(found, key="total".__eq__):
        spent = [[each.timings_ms.get(name, 0.0) for each in its] for its in stages.values()]
        cells = [f"{mean:.1f}" if mean else NONE for mean in map(np.mean, spent)]
        if {"0.0", NONE} < {"0.0", NONE, *cells}:
            columns[name] = cells
    title = "milliseconds a question, by stage of the search"
    rows = tuple(zip(stages, *columns.values(), strict=True))
    return Table(title, ("configuration", *columns), rows)


def money_cell(outcomes: Sequence[Outcome]) -> str:
    """US dollars for a thousand questions, or a dash where nothing was paid."""
    return paid_cell(PER * float(np.mean([outcome.money for outcome in outcomes])))
