"""What the studies share: stages asked one after the other, means by stage, a folder of results."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.evaluate import result_of
from hlg.evaluation.metrics.assess import Outcome
from hlg.evaluation.plots import check_format, escaped, markdown_table, save_figure
from hlg.evaluation.results import Result, write_result
from hlg.evaluation.tables import Table
from hlg.graph import LexicalGraph
from hlg.whole_file import write_whole_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HITS = 20
"""Hits that a stage is asked for."""
CUTOFFS = (1, 5, 10)
PER = 1_000
"""Costs are given for so many questions."""
Stages = Mapping[str, Sequence[Outcome]]
"""By stage its outcomes, in the questions' order."""


def study_result(
    graph: LexicalGraph, dataset: Dataset, stages: Stages, baseline: str, out: Path
) -> Result:
    """The result of a study's stages, written to ``out`` as ``hlg eval run`` writes one."""
    result = result_of(graph, dataset, dataset.answerable(), stages, CUTOFFS, baseline)
    write_result(out, result)
    return result


def milliseconds_table(stages: Stages) -> Table:
    """A row a stage of searching, a column a stage of the study: milliseconds on average."""
    names = list(
        dict.fromkeys(name for its in stages.values() for o in its for name in o.timings_ms)
    )
    names = [name for name in names if name != "total"] + ["total"]

    def mean(outcomes: Sequence[Outcome], name: str) -> str:
        spent = [outcome.timings_ms.get(name, 0.0) for outcome in outcomes]
        return f"{np.mean(spent):.1f}" if any(spent) else "–"

    return Table(
        "milliseconds a question, by stage of the search",
        ("stage", *stages),
        tuple((name, *(mean(each, name) for each in stages.values())) for name in names),
    )


def money_cell(outcomes: Sequence[Outcome]) -> str:
    """US dollars for a thousand questions, or a dash where nothing was paid."""
    paid = float(np.mean([outcome.money for outcome in outcomes]))
    return f"{paid * PER:.2f}" if paid else "–"


def write_study(
    title: str,
    tables: Sequence[Table],
    plots: Mapping[str, "Callable[[Axes], bool]"],
    folder: Path,
    image_format: str,
) -> list[Path]:
    """``report.md`` with tables and plots; the paths of all that was written.

    :raises UsageError: the format is unknown, or Matplotlib is not installed.
    """
    check_format(image_format)
    drawn = [save_figure(folder / f"{name}.{image_format}", draw) for name, draw in plots.items()]
    paths = [path for path in drawn if path is not None]
    parts = [f"{escaped(table.title)}\n\n{markdown_table(table)}" for table in tables]
    parts += [f"![{path.stem}]({path.name})\n" for path in paths]
    report = folder / "report.md"
    write_whole_text(report, f"# {escaped(title)}\n\n" + "\n".join(parts), make_folder=True)
    return [report, *paths]


def bars(metrics: Sequence[str], result: Result) -> "Callable[[Axes], bool]":
    """Draws metrics as groups of bars, a bar a stage, with 95 % intervals."""
    return partial(_draw_bars, metrics=metrics, result=result)


def _draw_bars(axes: "Axes", metrics: Sequence[str], result: Result) -> bool:
    found = result.retrievers
    shown = [name for name in metrics if all(name in each.metrics for each in found.values())]
    width = 0.8 / max(1, len(found))
    for number, (stage, each) in enumerate(found.items()):
        places = [place + number * width for place in range(len(shown))]
        means = [each.metrics[name] for name in shown]
        ends = [each.intervals[name] for name in shown]
        below = [max(0.0, mean - low) for mean, (low, _) in zip(means, ends, strict=True)]
        above = [max(0.0, high - mean) for mean, (_, high) in zip(means, ends, strict=True)]
        axes.bar(places, means, width, yerr=[below, above], capsize=2, label=stage)
    axes.set_xticks([place + 0.4 - width / 2 for place in range(len(shown))], shown)
    axes.set(title=result.dataset, ylim=(0, 1.02))
    axes.legend(fontsize="small")
    return bool(shown)
