"""Reports: tables as Markdown and figures as files in a folder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from hlg.errors import UsageError
from hlg.evaluation.tables import Table
from hlg.extras import how_to_install
from hlg.whole_file import write_whole, write_whole_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hlg.evaluation.results import Means

Format = Literal["png", "svg"]
_SIZE = (6.4, 4.0)
"""Inches."""


@dataclass(frozen=True, slots=True)
class Report:
    """Tables and plots under a title, and a last paragraph. What draws a plot draws on axes, and
    says whether there was anything to draw."""

    title: str
    tables: Sequence[Table]
    plots: "Mapping[str, Callable[[Axes], bool]]"
    end: str = ""

    def write(self, folder: Path, image_format: Format = "png") -> list[Path]:
        """Write ``report.md`` and the plots; the paths of all that was written.

        :raises UsageError: Matplotlib is not installed.
        """
        drawn = draw_all(self.plots, folder, image_format)
        text = f"# {escaped(self.title)}\n\n{section(self.tables, drawn)}"
        text += f"\n{self.end}\n" if self.end else ""
        write_whole_text(folder / "report.md", text, make_folder=True)
        return [folder / "report.md", *drawn]


def section(tables: Sequence[Table], plots: Sequence[Path]) -> str:
    """Tables, and the plots after them, in Markdown."""
    parts = [f"{escaped(table.title)}\n\n{markdown_table(table)}" for table in tables]
    return "\n".join([*parts, *(f"![{plot.stem}]({plot.name})\n" for plot in plots)])


def draw_all(
    plots: "Mapping[str, Callable[[Axes], bool]]", folder: Path, image_format: Format
) -> list[Path]:
    """Draw figures by name and write them; the paths of those that had anything to draw.

    :raises UsageError: Matplotlib is not installed.
    """
    paths = {folder / f"{name}.{image_format}": draw for name, draw in plots.items()}
    return [path for path, draw in paths.items() if _save_figure(path, draw)]


def _save_figure(path: Path, draw: "Callable[[Axes], bool]") -> bool:
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(f"plots need Matplotlib: {how_to_install('report')}") from error
    figure = Figure(figsize=_SIZE, layout="constrained")
    if not draw(figure.subplots()):
        return False
    image_format = path.suffix.removeprefix(".")
    # A date or random ids in an SVG would make equal plots differ.
    metadata = {"Date": None} if image_format == "svg" else {}
    with rc_context({"svg.hashsalt": "hlg"}):
        image = BytesIO()
        figure.savefig(image, dpi=150, format=image_format, metadata=metadata)
    write_whole(path, [image.getvalue()], make_folder=True)
    return True


def whiskers(
    means: Sequence[float], intervals: Sequence[tuple[float, float]]
) -> tuple[list[float], list[float]]:
    """How far intervals reach below and above their means."""
    pairs = list(zip(means, intervals, strict=True))
    below = [max(0.0, mean - low) for mean, (low, _) in pairs]
    return below, [max(0.0, high - mean) for mean, (_, high) in pairs]


def grouped_bars(
    axes: "Axes", groups: Sequence[str], series: "Mapping[str, Sequence[tuple[Means, str]]]"
) -> None:
    """Bars with their 95 % intervals, a group of them a label, one of each series in each.

    :param series: by name, for each group: the estimates and the metric that is drawn of them.
    """
    width = 0.8 / max(1, len(series))
    for number, (name, of_series) in enumerate(series.items()):
        means = [found.metrics[metric] for found, metric in of_series]
        ends = [found.intervals[metric] for found, metric in of_series]
        places = [place + number * width for place in range(len(groups))]
        axes.bar(places, means, width, yerr=whiskers(means, ends), capsize=2, label=name)
    axes.set_xticks([place + 0.4 - width / 2 for place in range(len(groups))], groups)
    axes.legend(fontsize="small")


def markdown_table(table: Table) -> str:
    """A table in GitHub's Markdown."""
    rows = (table.headings, ("---",) * len(table.headings), *table.rows)
    return "".join(f"| {' | '.join(escaped(cell) for cell in row)} |\n" for row in rows)


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
