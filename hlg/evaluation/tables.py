"""Tables of text, for the terminal and for Markdown alike, and a result as such."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.metrics import bootstrap
from hlg.evaluation.metrics.positions import COVERAGE, RANKS, TOKENS
from hlg.evaluation.results import Means, Result

Record = TypeVar("Record")
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

    @classmethod
    def of(cls, title: str, rows: Iterable[Mapping[str, str]]) -> "Table":
        """Of rows that have a cell by heading, all the same headings."""
        rows = list(rows)
        headings = tuple(rows[0]) if rows else ()
        return cls(title, headings, tuple(tuple(row.values()) for row in rows))


def by_type(records: Sequence[Record]) -> dict[str, list[Record]]:
    """All records, where there are any, and where there are several types of questions those of
    each."""
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        groups[attrgetter("type")(record)].append(record)
    types = sorted(groups.keys() - {""})
    every = {"all": list(records)} if records else {}
    return every | {type_: groups[type_] for type_ in types} if len(types) > 1 else every


def number_cell(value: float, form: str = ".3f") -> str:
    """A number, or a dash where there is none."""
    return NONE if np.isnan(value) else format(value, form)


def paid_cell(dollars: float, form: str = ".2f") -> str:
    """What was paid, or a dash where nothing was."""
    return format(dollars, form) if dollars > 0 else NONE


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
    budgets = "evidence within a budget of tokens"
    tables = [
        summary_table(result),
        differences_table(result),
        _types_table(result),
        _means_table(budgets, result.retrievers, _budget_metrics(result)),
    ]
    return [table for table in tables if table.rows and len(table.headings) > 1]


def summary_table(result: Result) -> Table:
    """A row a retriever: headline metrics with intervals, latency, store calls."""
    null = f", {result.null_questions} without an answer" if result.null_questions else ""
    means = _means_table(
        f"{result.dataset}: {result.questions} questions{null}, {result.embedder}, "
        "means with 95 % bootstrap intervals",
        result.retrievers,
        _headline_metrics(result),
    )
    took = [
        (*(f"{each.latency_ms[at]:.1f}" for at in ("p50", "p95")), str(each.store_calls))
        for each in result.retrievers.values()
    ]
    rows = tuple((*row, *more) for row, more in zip(means.rows, took, strict=True))
    return Table(means.title, (*means.headings, "p50 ms", "p95 ms", "store calls"), rows)


def differences_table(result: Result) -> Table:
    """A row a retriever but the baseline: its lead in every headline metric."""
    leads = {k: x.differences for k, x in result.retrievers.items() if x.differences is not None}
    baseline = next((lead.baseline for lead in leads.values()), "")
    title = f"paired differences to {baseline} (* where the interval leaves out 0)"
    return _means_table(title, leads, _headline_metrics(result), signed=True)


def position_tables(result: Result) -> list[Table]:
    """Where the evidence stands in what was retrieved: by rank, and by tokens (scenarios
    paper, tables 6 and 7); a row a retriever, the first column what was retrieved at all."""
    known = {name: found for name, found in result.retrievers.items() if COVERAGE in found.metrics}
    return [
        Table.of(
            title,
            (
                {"retriever": name}
                | {x.rpartition("_")[2]: f"{found.metrics[x]:.3f}" for x in (COVERAGE, *names)}
                for name, found in known.items()
            ),
        )
        for title, names in (
            ("share of the gold documents whose first hit has a rank", RANKS),
            ("share of the gold documents that begin at a part of the retrieved tokens", TOKENS),
        )
    ]


def all_metrics_table(result: Result) -> Table:
    """A row a metric, a column a retriever: everything that was measured."""
    rows = (
        (name, *(_cell(found, name) for found in result.retrievers.values()))
        for name in sorted(_known(result))
    )
    return Table("all metrics", ("metric", *result.retrievers), tuple(rows))


def middle_recall(result: Result) -> str:
    """Recall at the middle k: what there is room for where there is room for one metric."""
    return f"recall@{_middle(result)}"


def _types_table(result: Result) -> Table:
    """A row a retriever, a column a type of question: recall at the middle k."""
    metric = middle_recall(result)
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


def _means_table(
    title: str, found: Mapping[str, Means], metrics: Sequence[str], *, signed: bool = False
) -> Table:
    """A row a retriever, a column a metric."""
    rows = (
        (name, *(_cell(each, metric, signed=signed) for metric in metrics))
        for name, each in found.items()
    )
    return Table(title, ("retriever", *metrics), tuple(rows))


def _middle(result: Result) -> int:
    return result.k[len(result.k) // 2]


def _known(result: Result) -> set[str]:
    return {name for found in result.retrievers.values() for name in found.metrics}


def _headline_metrics(result: Result) -> list[str]:
    """The metrics that fit on a screen: recall at every k, the others at the middle one."""
    names = [f"recall@{each}" for each in result.k]
    names += [f"{measure}@{_middle(result)}" for measure in ("all_gold", "ndcg", "mrr")]
    budgets = _budget_metrics(result)
    known = _known(result)
    return [name for name in (*names, *(budgets[2:3] or budgets[-1:])) if name in known]


def _budget_metrics(result: Result) -> list[str]:
    """Recall within each budget of tokens, the smallest first."""
    for measure in BUDGET_MEASURES:
        if found := [name for name in _known(result) if name.startswith(f"{measure}@")]:
            return sorted(found, key=lambda name: int(name.rpartition("@")[2]))
    return []


def _cell(found: Means, name: str, *, signed: bool = False) -> str:
    if name not in found.metrics:
        return NONE
    return interval_cell(found.metrics[name], *found.intervals[name], signed=signed)
