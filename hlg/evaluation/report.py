"""Reports: tables as Markdown and figures as files in a folder; the results of experiments so."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from hlg.errors import UsageError
from hlg.evaluation.metrics.positions import COVERAGE, DECILES, TOKENS
from hlg.evaluation.results import Means, Result
from hlg.evaluation.tables import (
    Table,
    all_metrics_table,
    middle_recall,
    position_tables,
    result_tables,
)
from hlg.extras import how_to_install
from hlg.whole_file import write_whole, write_whole_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Format = Literal["png", "svg"]
_SIZE = (6.4, 4.0)
"""Inches."""


@dataclass(frozen=True, slots=True)
class Report:
    """Tables under a title."""

    title: str
    tables: Sequence[Table]

    def write(self, folder: Path) -> Path:
        """Write ``report.md``; gives its path."""
        text = f"# {escaped(self.title)}\n\n{section(self.tables)}"
        write_whole_text(folder / "report.md", text, make_folder=True)
        return folder / "report.md"


def section(tables: Sequence[Table], plots: Sequence[Path] = ()) -> str:
    """Tables, and the plots after them, in Markdown."""
    parts = [f"{escaped(table.title)}\n\n{markdown_table(table)}" for table in tables]
    return "\n".join([*parts, *(f"![{plot.stem}]({plot.name})\n" for plot in plots)])


def draw_all(
    plots: "Mapping[str, Callable[[Axes], bool]]", folder: Path, image_format: Format
) -> list[Path]:
    """Draw figures by name and write them; the paths of those that had anything to draw.

    :param plots: what draws each on axes, and says whether there was anything to draw.
    :raises UsageError: Matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(f"plots need Matplotlib: {how_to_install('report')}") from error
    # A date or random ids in an SVG would make equal plots differ.
    metadata = {"Date": None} if image_format == "svg" else {}
    paths = []
    for name, draw in plots.items():
        figure = Figure(figsize=_SIZE, layout="constrained")
        if draw(figure.subplots()):
            image, path = BytesIO(), folder / f"{name}.{image_format}"
            with rc_context({"svg.hashsalt": "hlg"}):
                figure.savefig(image, dpi=150, format=image_format, metadata=metadata)
            write_whole(path, [image.getvalue()], make_folder=True)
            paths.append(path)
    return paths


def whiskers(
    means: Sequence[float], intervals: Sequence[tuple[float, float]]
) -> tuple[list[float], list[float]]:
    """How far intervals reach below and above their means."""
    pairs = list(zip(means, intervals, strict=True))
    below = [max(0.0, mean - low) for mean, (low, _) in pairs]
    return below, [max(0.0, high - mean) for mean, (_, high) in pairs]


def markdown_table(table: Table) -> str:
    """A table in GitHub's Markdown."""
    rows = (table.headings, ("---",) * len(table.headings), *table.rows)
    return "".join(f"| {' | '.join(escaped(cell) for cell in row)} |\n" for row in rows)


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


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
    width = 0.8 / len(result.retrievers)
    for number, (name, found) in enumerate(result.retrievers.items()):
        means = [found.by_type[type_].metrics[metric] for type_ in types]
        ends = [found.by_type[type_].intervals[metric] for type_ in types]
        places = [place + number * width for place in range(len(types))]
        axes.bar(places, means, width, yerr=whiskers(means, ends), capsize=2, label=name)
    axes.set_xticks([place + 0.4 - width / 2 for place in range(len(types))], types)
    axes.set(ylabel=metric, title=result.dataset, ylim=(0, 1))
    axes.legend(fontsize="small")
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
