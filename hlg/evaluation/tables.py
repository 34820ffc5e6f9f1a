"""Tables of text, for the terminal and for Markdown alike, and a result as such."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.metrics import bootstrap
from hlg.evaluation.metrics.positions import COVERAGE, RANKS, TOKENS
from hlg.evaluation.results import Means, Result

NONE = "–"
"""Stands where there is nothing to say."""
BUDGET_MEASURES = ("span_recall", "gold_recall")
"""Recall within a budget of tokens: of marked evidence where there is some, else of documents."""


@dataclass(frozen=True, slots=True)
class Table:
    """A title, headings, and rows of as many cells; the first column names the rows."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class _Typed(Protocol):
    @property
    def type(self) -> str: ...


TypedRecord = TypeVar("TypedRecord", bound=_Typed)


def by_type(records: Iterable[TypedRecord]) -> dict[str, list[TypedRecord]]:
    """All records, and where there are several types of them those of each."""
    groups = {"all": list(records)}
    types = sorted({each.type for each in groups["all"]} - {""})
    if len(types) > 1:
        groups |= {type_: [x for x in groups["all"] if x.type == type_] for type_ in types}
    return groups


def interval_cell(mean: float, low: float, high: float, *, signed: bool = False) -> str:
    """``0.611 [0.520 0.702]``; a difference has signs, and a star where the interval leaves
    out 0."""
    if np.isnan(mean):
        return NONE
    if not signed:
        return f"{mean:.3f} [{low:.3f} {high:.3f}]"
    return f"{mean:+.3f}{'' if low <= 0 <= high else '*'} [{low:+.3f} {high:+.3f}]"


def mean_cells(values: NDArray[np.float64], *, signed: bool = False) -> list[str]:
    """The mean of each column with its 95 % bootstrap interval.

    :param values: shape (questions, columns), NaN where a metric says nothing of a question.
    """
    if not values.size:
        return [NONE] * values.shape[1]
    ends = zip(bootstrap.means(values), *bootstrap.intervals(values), strict=True)
    return [interval_cell(*each, signed=signed) for each in ends]


def result_tables(result: Result) -> list[Table]:
    """Summary, paired differences to the baseline, recall by type, evidence by budget."""
    tables = [
        summary_table(result),
        differences_table(result),
        _types_table(result),
        _table("evidence within a budget of tokens", _found(result), _budget_metrics(result)),
    ]
    return [table for table in tables if table.rows and len(table.headings) > 1]


def summary_table(result: Result) -> Table:
    """A row a retriever: headline metrics with intervals, latency, store calls."""
    null = f", {result.null_questions} without an answer" if result.null_questions else ""
    return _table(
        f"{result.dataset}: {result.questions} questions{null}, {result.embedder}, "
        "means with 95 % bootstrap intervals",
        _found(result),
        _headline_metrics(result),
        {
            "p50 ms": [f"{each.latency_ms['p50']:.1f}" for each in result.retrievers.values()],
            "p95 ms": [f"{each.latency_ms['p95']:.1f}" for each in result.retrievers.values()],
            "store calls": [str(each.store_calls) for each in result.retrievers.values()],
        },
    )


def differences_table(result: Result) -> Table:
    """A row a retriever but the baseline: its lead in every headline metric."""
    leads = {name: each.differences for name, each in result.retrievers.items()}
    known = {name: lead for name, lead in leads.items() if lead is not None}
    baseline = next((lead.baseline for lead in known.values()), "")
    title = f"paired differences to {baseline} (* where the interval leaves out 0)"
    return _table(title, known, _headline_metrics(result), signed=True)


def position_tables(result: Result) -> list[Table]:
    """Where the evidence stands in what was retrieved: by rank, and by tokens (scenarios
    paper, tables 6 and 7); a row a retriever, the first column what was retrieved at all."""
    return [
        Table(
            title,
            ("retriever", COVERAGE, *(name.rpartition("_")[2] for name in names)),
            tuple(
                (name, *(f"{found.metrics[metric]:.3f}" for metric in (COVERAGE, *names)))
                for name, found in result.retrievers.items()
                if COVERAGE in found.metrics
            ),
        )
        for title, names in (
            ("share of the gold documents whose first hit has a rank", RANKS),
            ("share of the gold documents that begin at a part of the retrieved tokens", TOKENS),
        )
    ]


def all_metrics_table(result: Result) -> Table:
    """A row a metric, a column a retriever: everything that was measured."""
    names = {name for found in result.retrievers.values() for name in found.metrics}
    return Table(
        "all metrics",
        ("metric", *result.retrievers),
        tuple(
            (name, *(_cell(found, name) for found in result.retrievers.values()))
            for name in sorted(names)
        ),
    )


def _types_table(result: Result) -> Table:
    """A row a retriever, a column a type of question: recall at the middle k."""
    metric = f"recall@{result.k[len(result.k) // 2]}"
    counts = {
        type_: of_type.questions
        for found in result.retrievers.values()
        for type_, of_type in found.by_type.items()
        if metric in of_type.metrics
    }
    return Table(
        f"{metric} by type of question",
        ("retriever", *(f"{type_} ({count})" for type_, count in counts.items())),
        tuple(
            (name, *(_cell(found.by_type[type_], metric) for type_ in counts))
            for name, found in result.retrievers.items()
        ),
    )


def _table(
    title: str,
    found: Mapping[str, Means],
    metrics: Sequence[str],
    columns: Mapping[str, Sequence[str]] | None = None,
    *,
    signed: bool = False,
) -> Table:
    """A row a retriever, a column a metric, and further columns."""
    columns = columns or {}
    rows = [
        (name, *(_cell(each, metric, signed=signed) for metric in metrics))
        for name, each in found.items()
    ]
    more = zip(*columns.values(), strict=True) if columns else ((),) * len(rows)
    cells = tuple((*row, *others) for row, others in zip(rows, more, strict=True))
    return Table(title, ("retriever", *metrics, *columns), cells)


def _found(result: Result) -> Mapping[str, Means]:
    return dict(result.retrievers)


def _headline_metrics(result: Result) -> list[str]:
    """The metrics that fit on a screen: recall at every k, the others at the middle one."""
    k = result.k[len(result.k) // 2]
    names = [f"recall@{each}" for each in result.k]
    names += [f"all_gold@{k}", f"ndcg@{k}", f"mrr@{k}"]
    budgets = _budget_metrics(result)
    known = {name for found in result.retrievers.values() for name in found.metrics}
    return [name for name in (*names, *(budgets[2:3] or budgets[-1:])) if name in known]


def _budget_metrics(result: Result) -> list[str]:
    """Recall within each budget of tokens, the smallest first."""
    known = {name for found in result.retrievers.values() for name in found.metrics}
    for measure in BUDGET_MEASURES:
        budgets = [int(name.rpartition("@")[2]) for name in known if name.startswith(f"{measure}@")]
        if budgets:
            return [f"{measure}@{budget}" for budget in sorted(budgets)]
    return []


def _cell(found: Means, name: str, *, signed: bool = False) -> str:
    if name not in found.metrics:
        return NONE
    return interval_cell(found.metrics[name], *found.intervals[name], signed=signed)
