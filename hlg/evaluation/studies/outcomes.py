"""What the studies share: stages asked one after the other, and what each took."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.experiment import Experiment, outcomes_of, result_of
from hlg.evaluation.metrics.assess import Outcome
from hlg.evaluation.plots import grouped_bars
from hlg.evaluation.results import Result, write_result
from hlg.evaluation.tables import NONE, Table
from hlg.graph import LexicalGraph
from hlg.reports import Progress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HITS = 20
"""Hits that a stage is asked for."""
CUTOFFS = (1, 5, 10)
PER = 1_000
"""Costs are given for so many questions."""
Stages = Mapping[str, Sequence[Outcome]]
"""By stage its outcomes, in the questions' order."""


def ask_stages(
    graph: LexicalGraph,
    dataset: Dataset,
    searches: Mapping[str, Mapping[str, object]],
    journal: Path,
    on_progress: Callable[[Progress], None],
) -> dict[str, list[Outcome]]:
    """What came of the answerable questions, by search: retrievers with options.

    :param journal: as :func:`outcomes_of` has it.
    """
    names = tuple(searches)
    experiment = Experiment(
        dataset, dataset.answerable(), names, names[0], searches, hits=HITS, budgets=()
    )
    return outcomes_of(graph, experiment, journal, on_progress)


def study_result(
    graph: LexicalGraph, dataset: Dataset, stages: Stages, baseline: str, out: Path
) -> Result:
    """The result of a study's stages, written to ``out`` as ``hlg eval run`` writes one."""
    experiment = Experiment(dataset, dataset.answerable(), tuple(stages), baseline)
    result = result_of(graph, experiment, stages, CUTOFFS)
    write_result(out, result)
    return result


def mean_times(stages: Stages) -> dict[str, list[float]]:
    """By stage of searching: milliseconds a question on average in each stage of the study."""
    names = {name: None for its in stages.values() for each in its for name in each.timings_ms}
    return {
        name: [
            float(np.mean([each.timings_ms.get(name, 0.0) for each in its]))
            for its in stages.values()
        ]
        for name in sorted(names, key="total".__eq__)
    }


def milliseconds_table(stages: Stages) -> Table:
    """A row a stage of searching, a column a stage of the study: milliseconds on average."""
    return Table(
        "milliseconds a question, by stage of the search",
        ("stage", *stages),
        tuple(
            (name, *(f"{mean:.1f}" if mean else NONE for mean in means))
            for name, means in mean_times(stages).items()
        ),
    )


def money_cell(outcomes: Sequence[Outcome]) -> str:
    """US dollars for a thousand questions, or a dash where nothing was paid."""
    paid = float(np.mean([outcome.money for outcome in outcomes]))
    return f"{paid * PER:.2f}" if paid else NONE


def draw_metrics(axes: "Axes", metrics: Sequence[str], result: Result) -> bool:
    """Metrics as groups of bars, a bar a stage, with 95 % intervals."""
    found = result.retrievers
    shown = [name for name in metrics if all(name in each.metrics for each in found.values())]
    grouped_bars(axes, shown, {k: [(each, name) for name in shown] for k, each in found.items()})
    axes.set(title=result.dataset, ylim=(0, 1.02))
    return bool(shown)
