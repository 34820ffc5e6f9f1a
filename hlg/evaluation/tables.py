"""A result as tables of text, for the terminal and for Markdown alike."""

from dataclasses import dataclass

from hlg.evaluation.metrics.positions import COVERAGE, RANKS, TOKENS
from hlg.evaluation.results import Estimates, Result, RetrieverResult

BUDGET_MEASURES = ("span_recall", "gold_recall")
"""Recall within a budget of tokens: of marked evidence where there is some, else of documents."""


@dataclass(frozen=True, slots=True)
class Table:
    """A title, headings, and rows of as many cells; the first column names the rows."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def headline_metrics(result: Result) -> list[str]:
    """The metrics that fit on a screen: recall at every k, the others at the middle one."""
    k = result.k[len(result.k) // 2]
    names = [f"recall@{each}" for each in result.k]
    names += [f"all_gold@{k}", f"ndcg@{k}", f"mrr@{k}"]
    known = {name for found in result.retrievers.values() for name in found.metrics}
    within = next(iter(budget_metrics(result)[2:3] or budget_metrics(result)[-1:]), "")
    return [name for name in (*names, within) if name in known]


def budget_metrics(result: Result) -> list[str]:
    """Recall within each budget of tokens, the smallest first."""
    known = {name for found in result.retrievers.values() for name in found.metrics}
    for measure in BUDGET_MEASURES:
        budgets = [int(name.rpartition("@")[2]) for name in known if name.startswith(f"{measure}@")]
        if budgets:
            return [f"{measure}@{budget}" for budget in sorted(budgets)]
    return []


def result_tables(result: Result) -> list[Table]:
    """Summary, paired differences to the baseline, and recall by type of question."""
    tables = [
        summary_table(result),
        differences_table(result),
        types_table(result),
        budgets_table(result),
    ]
    return [table for table in tables if table.rows]


def summary_table(result: Result) -> Table:
    """A row a retriever: headline metrics with intervals, latency, store calls."""
    metrics = headline_metrics(result)
    null = f", {result.null_questions} without an answer" if result.null_questions else ""
    return Table(
        f"{result.dataset}: {result.questions} questions{null}, {result.embedder}, "
        "means with 95 % bootstrap intervals",
        ("retriever", *metrics, "p50 ms", "p95 ms", "store calls"),
        tuple(
            (
                name,
                *(_cell(found, metric) for metric in metrics),
                f"{found.latency_ms['p50']:.1f}",
                f"{found.latency_ms['p95']:.1f}",
                str(found.store_calls),
            )
            for name, found in result.retrievers.items()
        ),
    )


def differences_table(result: Result) -> Table:
    """A row a retriever but the baseline: its lead in every headline metric."""
    metrics = headline_metrics(result)
    compared = [
        (name, found.differences)
        for name, found in result.retrievers.items()
        if found.differences is not None
    ]
    baseline = compared[0][1].baseline if compared else ""
    return Table(
        f"paired differences to {baseline} (* where the interval leaves out 0)",
        ("retriever", *metrics),
        tuple(
            (name, *(_cell(lead, metric, signed=True) for metric in metrics))
            for name, lead in compared
        ),
    )


def types_table(result: Result) -> Table:
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
            (
                name,
                *(_cell(found.by_type[type_], metric) for type_ in counts),
            )
            for name, found in result.retrievers.items()
            if counts
        ),
    )


def budgets_table(result: Result) -> Table:
    """A row a retriever, a column a budget: the evidence in the first so many tokens."""
    metrics = budget_metrics(result)
    return Table(
        "evidence within a budget of tokens",
        ("retriever", *metrics),
        tuple(
            (name, *(_cell(found, metric) for metric in metrics))
            for name, found in result.retrievers.items()
            if metrics
        ),
    )


def position_tables(result: Result) -> list[Table]:
    """Where the evidence stands in what was retrieved: by rank, and by tokens (scenarios
    paper, tables 6 and 7); a row a retriever, the first column what was retrieved at all."""
    return [
        Table(
            title,
            ("retriever", COVERAGE, *(name.rpartition("_")[2] for name in names)),
            tuple(
                (name, *(_mean(found, metric) for metric in (COVERAGE, *names)))
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
    names = {name: None for found in result.retrievers.values() for name in found.metrics}
    return Table(
        "all metrics",
        ("metric", *result.retrievers),
        tuple(
            (
                name,
                *(_cell(found, name) for found in result.retrievers.values()),
            )
            for name in sorted(names)
        ),
    )


def _mean(found: Estimates | RetrieverResult, name: str) -> str:
    return f"{found.metrics[name]:.3f}" if name in found.metrics else "–"


def _cell(found: Estimates | RetrieverResult, name: str, *, signed: bool = False) -> str:
    """``0.611 [0.520 0.702]``, or a dash where there is nothing to say."""
    if name not in found.metrics:
        return "–"
    mean, (low, high) = found.metrics[name], found.intervals[name]
    if not signed:
        return f"{mean:.3f} [{low:.3f} {high:.3f}]"
    mark = "" if low <= 0 <= high else "*"
    return f"{mean:+.3f}{mark} [{low:+.3f} {high:+.3f}]"
