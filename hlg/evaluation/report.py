"""Results drawn: Markdown with tables, and plots as PNG or SVG."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from hlg.evaluation.metrics.positions import COVERAGE, DECILES, TOKENS
from hlg.evaluation.plots import (
    Format,
    draw_all,
    escaped,
    grouped_bars,
    markdown_table,
    section,
    whiskers,
)
from hlg.evaluation.results import Means, Result
from hlg.evaluation.tables import (
    Table,
    all_metrics_table,
    middle_recall,
    position_tables,
    result_tables,
)
from hlg.whole_file import write_whole_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def write_report(
    results: Sequence[Result], folder: Path, image_format: Format = "png"
) -> list[Path]:
    """Write ``report.md`` and its plots into a folder; the paths of all that was written.

    Plots for each result: recall by k, recall by type of question, quality against
    latency, where the evidence stands; whiskers are 95 % intervals.

    :raises UsageError: Matplotlib is not installed.
    """
    text, paths = "# Evaluation\n", list[Path]()
    for number, result in enumerate(results, start=1):
        name = "".join(x if x.isalnum() or x in "-_" else "-" for x in result.dataset)
        drawing = {
            f"{number}-{name}-{of}": partial(draw, result=result) for of, draw in _PLOTS.items()
        }
        plots = draw_all(drawing, folder, image_format)
        text += f"\n{_section(result, plots)}"
        paths += plots
    report = folder / "report.md"
    write_whole_text(report, text, make_folder=True)
    return [report, *paths]


def report_tables(result: Result) -> list[Table]:
    """What a report holds: the tables of a result, and where the evidence stands."""
    return [*result_tables(result), *(table for table in position_tables(result) if table.rows)]


def _section(result: Result, plots: Sequence[Path]) -> str:
    everything = all_metrics_table(result)
    versions = ", ".join(f"{name} {version}" for name, version in sorted(result.versions.items()))
    return (
        f"## {escaped(result.dataset)}\n\n{section(report_tables(result), plots)}\n"
        f"<details><summary>{everything.title}</summary>\n\n{markdown_table(everything)}\n"
        f"</details>\n\nVersions: {escaped(versions)}\n"
    )


def _draw_recall(axes: "Axes", result: Result) -> bool:
    """Recall by k, a line a retriever."""
    for name, found in result.retrievers.items():
        cutoffs = [k for k in result.k if f"recall@{k}" in found.metrics]
        _points(axes, name, found, cutoffs, (f"recall@{k}" for k in cutoffs))
    axes.set(xlabel="k", ylabel="recall@k", title=result.dataset, xticks=result.k, ylim=(0, 1))
    axes.legend()
    return True


def _draw_types(axes: "Axes", result: Result) -> bool:
    """Recall by type of question, a bar a retriever; nothing where there are no types."""
    metric = middle_recall(result)
    first = next(iter(result.retrievers.values()))
    types = [name for name, of_type in first.by_type.items() if metric in of_type.metrics]
    series = {
        name: [(found.by_type[type_], metric) for type_ in types]
        for name, found in result.retrievers.items()
    }
    grouped_bars(axes, types, series)
    axes.set(ylabel=metric, title=result.dataset, ylim=(0, 1))
    return bool(types)


def _draw_latency(axes: "Axes", result: Result) -> bool:
    """Quality against the median latency, a point a retriever."""
    metric = middle_recall(result)
    for name, found in result.retrievers.items():
        if metric in found.metrics:
            _points(axes, name, found, [found.latency_ms["p50"]], [metric])
    axes.set(xscale="log", xlabel="median latency, ms", ylabel=metric, title=result.dataset)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("{x:g}")
    axes.legend()
    return True


def _points(
    axes: "Axes", name: str, found: Means, places: Sequence[float], metrics: Iterable[str]
) -> None:
    """Metrics with their intervals, each at its place."""
    ends = [(found.metrics[metric], found.intervals[metric]) for metric in metrics]
    means = [mean for mean, _ in ends]
    reach = whiskers(means, [interval for _, interval in ends])
    axes.errorbar(places, means, yerr=reach, marker="o", capsize=3, label=name)


def _draw_positions(axes: "Axes", result: Result) -> bool:
    """How much of the evidence stands in the first part of the retrieved tokens."""
    ends = [(place + 1) * 100 // DECILES for place in range(DECILES)]
    known = {name: found for name, found in result.retrievers.items() if COVERAGE in found.metrics}
    for name, found in known.items():
        shares = [found.metrics[each] for each in TOKENS]
        axes.plot([0, *ends], [0, *accumulate(shares)], marker="o", label=name)
    axes.set(xlabel="first part of the retrieved tokens, %", ylabel="gold documents begun")
    axes.set(title=result.dataset, ylim=(0, 1.02))
    if known:
        axes.legend()
    return bool(known)


_PLOTS = {
    "recall": _draw_recall,
    "types": _draw_types,
    "latency": _draw_latency,
    "positions": _draw_positions,
}
