"""Results of an experiment: means, intervals and differences, in a file that diffs well."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from hlg.evaluation.data.questions import Question
from hlg.evaluation.data.records import read_text, validated
from hlg.evaluation.metrics import bootstrap
from hlg.evaluation.metrics.assess import Outcome
from hlg.evaluation.metrics.ranking import Columns, ranking_metrics
from hlg.whole_file import write_whole_text

DIGITS = 6


class Means(BaseModel):
    """Means over questions with their 95 % bootstrap intervals, by metric."""

    model_config = ConfigDict(frozen=True)

    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float]]


class Estimates(Means):
    """Those of the ``questions`` that at least one metric says something of."""

    questions: int


class Differences(Estimates):
    """A retriever less the baseline, question by question."""

    baseline: str


class RetrieverResult(Means):
    """What a retriever did: ``store_calls`` is the most that any question took."""

    by_type: dict[str, Estimates] = {}
    differences: Differences | None = None
    latency_ms: dict[str, float]
    store_calls: int
    run: dict[str, list[str]]


class Result(BaseModel):
    """An experiment's result, as it is in its file.

    ``questions`` counts all that were asked, ``null_questions`` those without an answer in
    the corpus, which no metric counts.
    """

    model_config = ConfigDict(frozen=True)

    dataset: str
    questions: int
    null_questions: int = 0
    k: list[int]
    embedder: str
    versions: dict[str, str]
    retrievers: dict[str, RetrieverResult]


def summarize(
    questions: Sequence[Question],
    outcomes: Mapping[str, Sequence[Outcome]],
    cutoffs: Sequence[int],
    baseline: str,
) -> dict[str, RetrieverResult]:
    """Metrics of every retriever, over all questions and by type, and set against one of them.

    :param outcomes: by retriever, in the order of ``questions``.
    """
    matrices = {name: columns_of(questions, found, cutoffs) for name, found in outcomes.items()}
    types = np.array([question.type for question in questions])
    return {
        name: RetrieverResult(
            **_estimates(matrices[name]).model_dump(exclude={"questions"}),
            by_type={
                type_: _estimates({k: x[types == type_] for k, x in matrices[name].items()})
                for type_ in sorted(set(types) - {""})
            },
            differences=_differences(matrices, name, baseline),
            latency_ms=_latency([outcome.latency_ms for outcome in found]),
            store_calls=max(outcome.store_calls for outcome in found),
            run={outcome.question_id: list(outcome.documents) for outcome in found},
        )
        for name, found in outcomes.items()
    }


def write_result(path: Path, result: Result) -> None:
    """Write a result: keys sorted, a question a line; the file is there whole or not at all."""
    text = _rendered(result.model_dump(mode="json", exclude_none=True)) + "\n"
    write_whole_text(path, text, make_folder=True)


def read_result(path: Path) -> Result:
    """Read what :func:`write_result` wrote.

    :raises InputError: the file can't be read, or is no result.
    """
    return validated(path, Result, read_text(path), "not a result of hlg eval run")


def columns_of(
    questions: Sequence[Question], outcomes: Sequence[Outcome], cutoffs: Sequence[int]
) -> Columns:
    """The metrics of rankings, and those that outcomes have."""
    gold = [question.graded for question in questions]
    values: Columns = ranking_metrics(gold, [outcome.documents for outcome in outcomes], cutoffs)
    for name in sorted({name for outcome in outcomes for name in outcome.values}):
        values[name] = np.array([outcome.values.get(name, np.nan) for outcome in outcomes])
    return values


def _estimates(values: Columns) -> Estimates:
    """Means and intervals of the metrics that have a value for any question."""
    table = np.column_stack(list(values.values()))
    means, (low, high) = bootstrap.means(table), bootstrap.intervals(table)
    known = [(i, name) for i, name in enumerate(values) if not np.isnan(means[i])]
    return Estimates(
        questions=int((~np.isnan(table)).any(axis=1).sum()),
        metrics={name: round(means[i], DIGITS) for i, name in known},
        intervals={name: (round(low[i], DIGITS), round(high[i], DIGITS)) for i, name in known},
    )


def _differences(matrices: Mapping[str, Columns], name: str, baseline: str) -> Differences | None:
    if name == baseline:
        return None
    base = matrices[baseline]
    paired = {key: column - base[key] for key, column in matrices[name].items() if key in base}
    return Differences(baseline=baseline, **_estimates(paired).model_dump())


def _latency(milliseconds: Sequence[float]) -> dict[str, float]:
    found = (np.mean(milliseconds), *np.percentile(milliseconds, (50, 95)))
    return {k: round(float(x), 3) for k, x in zip(("mean", "p50", "p95"), found, strict=True)}


def _rendered(value: Any, indent: int = 0) -> str:
    """JSON with an object's members on lines of their own and everything else on one line."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value)
    inner = " " * (indent + 1)
    members = (
        f"{inner}{json.dumps(key)}: {_rendered(value[key], indent + 1)}" for key in sorted(value)
    )
    return "{\n" + ",\n".join(members) + "\n" + " " * indent + "}"
