"""From a data set to its results: build the graph, ask every retriever, write the file."""

import platform
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from hlg.errors import InputError
from hlg.evaluation.data.questions import Dataset, Question
from hlg.evaluation.experiment import Experiment, retriever_name, run_experiment
from hlg.evaluation.metrics.assess import Assessor, Outcome
from hlg.evaluation.results import Result, summarize, write_result
from hlg.graph import LexicalGraph
from hlg.reports import Progress

PACKAGES = ("hlg", "ir-measures", "ladybug", "neo4j", "numpy", "onnxruntime", "spacy")
"""Those whose version may move a result."""
BREADTHS = ("candidates", "nodes")
"""Options that say how many candidates a retriever looks at, and gives at most."""


def evaluate(
    graph: LexicalGraph,
    experiment: Experiment,
    *,
    cutoffs: Sequence[int],
    out: Path,
    on_progress: Callable[[Progress], None],
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
    result = result_of(
        graph, experiment.dataset, experiment.questions, outcomes, cutoffs, experiment.baseline
    )
    write_result(out, result)
    journal.unlink()
    return result


def result_of(
    graph: LexicalGraph,
    dataset: Dataset,
    questions: Sequence[Question],
    outcomes: Mapping[str, Sequence[Outcome]],
    cutoffs: Sequence[int],
    baseline: str,
) -> Result:
    """The means, intervals and differences of outcomes, with what they were measured with.

    :param outcomes: by retriever, in the order of ``questions``.
    """
    return Result(
        dataset=dataset.name,
        questions=len(questions),
        null_questions=sum(not question.gold for question in questions),
        k=list(cutoffs),
        embedder=graph.embedder.name,
        versions=_versions() | {"dataset": dataset.fingerprint()},
        retrievers=summarize(questions, outcomes, cutoffs, baseline),
    )


def outcomes_of(
    graph: LexicalGraph,
    experiment: Experiment,
    journal: Path,
    on_progress: Callable[[Progress], None],
) -> dict[str, list[Outcome]]:
    """What came of every question, by retriever, in the questions' order.

    :param journal: where each is kept as soon as it is known, and read from where an earlier
        call of the same experiment left it.
    :raises UsageError: a retriever or an option is unknown.
    :raises InputError: the graph holds something else than the data set.
    """
    assessor = Assessor(experiment.dataset, graph.embedder.count_tokens, experiment.budgets)
    _check_sources(graph, experiment.dataset, assessor)
    experiment = replace(experiment, depths=retriever_depths(graph, experiment))
    key = experiment.key(graph.status().revision, graph.embedder.name)
    return run_experiment(experiment, graph, assessor, journal, key, on_progress)


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
        opened = open_retriever(retriever_name(name), session, experiment.options.get(name))
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


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return versions
