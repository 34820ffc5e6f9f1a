"""The cascade's ablation (§III.J, §IV): each part of the pipeline added to those before."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.evaluate import outcomes_of
from hlg.evaluation.experiment import Experiment
from hlg.evaluation.metrics.assess import Outcome
from hlg.evaluation.metrics.ranking import ranking_metrics
from hlg.evaluation.metrics.swaps import RANKS, degradation, disturbance
from hlg.evaluation.results import Result
from hlg.evaluation.studies.outcomes import (
    HITS,
    Stages,
    bars,
    milliseconds_table,
    money_cell,
    study_result,
    write_study,
)
from hlg.evaluation.tables import Table, differences_table, summary_table
from hlg.graph import LexicalGraph
from hlg.reports import Progress
from hlg.retrieval.options import CASCADE, PATH
from hlg.retrieval.weights.by_question import LLM, RULES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DENSE, BI_MODAL, TRI_MODAL = "chunks:dense", "hybrid:bi-modal", "tri-modal"
DYNAMIC = "tri-modal:dynamic"
FIRST = 100
"""Candidates that go on to the rerankers (cascade, table C)."""
DECIDES = f"ndcg@{RANKS}"
WIDTH = 80
"""Characters of a question in a table."""


def configurations(reranker: str, *, with_model: bool) -> dict[str, dict[str, object]]:
    """The cascade's table A: by label the retriever's options, in order; the language model's
    where there is one. Beside the static weights of the searches those by question (table III):
    the language model's, or algorithm 2's rules."""
    stages: dict[str, dict[str, object]] = {
        DENSE: {},
        BI_MODAL: {"weights": "0.50,0.35"},
        TRI_MODAL: {},
        DYNAMIC: {"weights": LLM if with_model else RULES},
        f"tri-modal:+{_short(reranker)}": {"rerank": reranker, "pool": FIRST},
    }
    if with_model:
        cascade = CASCADE if reranker == PATH else f"{CASCADE}:{reranker}"
        stages["tri-modal:+llm"] = {"rerank": cascade, "pool": FIRST}
    return stages


def run_ablation(
    graph: LexicalGraph,
    dataset: Dataset,
    reranker: str,
    folder: Path,
    on_progress: Callable[[Progress], None],
) -> tuple[Stages, Result]:
    """Ask every answerable question of every configuration. What was asked is in
    ``folder``/outcomes.jsonl, so that an interrupted call goes on from there, and the raw
    rankings are in ``folder``/result.json.

    :raises UsageError: the reranker can't be loaded.
    """
    options = configurations(reranker, with_model=graph.door is not None)
    experiment = Experiment(
        dataset, dataset.answerable(), tuple(options), DENSE, options, hits=HITS, budgets=()
    )
    stages = outcomes_of(graph, experiment, folder / "outcomes.jsonl", on_progress)
    return stages, study_result(graph, dataset, stages, DENSE, folder / "result.json")


def ablation_tables(dataset: Dataset, stages: Stages, result: Result) -> list[Table]:
    """The cascade's tables I to VII, of the configurations that were asked."""
    tables = [
        summary_table(result),
        differences_table(result),
        _weights_table(dataset, stages),
        _swaps_table(stages),
        _degradation_table(dataset, stages),
        _worst_table(dataset, stages),
        milliseconds_table(stages),
    ]
    if any(outcome.money for outcomes in stages.values() for outcome in outcomes):
        tables.append(_money_table(stages))
    return [table for table in tables if table.rows]


def write_ablation(
    dataset: Dataset, stages: Stages, result: Result, folder: Path, image_format: str
) -> list[Path]:
    """The tables and plots of an ablation; the paths of what was written."""
    return write_study(
        f"Ablation: {dataset.name}",
        ablation_tables(dataset, stages, result),
        {
            "quality": bars(("ndcg@10", "mrr@10", "recall@5", "recall@10"), result),
            "time": partial(_draw_times, stages=stages),
        },
        folder,
        image_format,
    )


def _reranking(stages: Stages) -> list[tuple[str, str]]:
    """The stages that rerank what the one before them gives, each with that one."""
    names = [name for name in stages if name.startswith(TRI_MODAL) and name != DYNAMIC]
    return list(pairwise(names))


def _weights_table(dataset: Dataset, stages: Stages) -> Table:
    static, dynamic = (
        float(np.nanmean(_decisive(dataset, stages[n]))) for n in (TRI_MODAL, DYNAMIC)
    )
    return Table(
        f"static and dynamic weights: {DECIDES}",
        ("data set", "static", "dynamic", "difference"),
        ((dataset.name, f"{static:.4f}", f"{dynamic:.4f}", f"{dynamic - static:+.4f}"),),
    )


def _swaps_table(stages: Stages) -> Table:
    rows = []
    for before, after in _reranking(stages):
        found = disturbance(
            [outcome.documents for outcome in stages[before]],
            [outcome.documents for outcome in stages[after]],
        )
        rows.append((after, before, f"{found.swaps:.2f}", f"{found.top_changed:.0%}"))
    return Table(
        f"places of the first {RANKS} that hold another document",
        ("stage", "after", "swaps", "first place changed"),
        tuple(rows),
    )


def _decisive(dataset: Dataset, outcomes: Sequence[Outcome]) -> NDArray[np.float64]:
    """By question what decides."""
    gold = [dict(zip(q.gold, q.grades, strict=True)) for q in dataset.answerable()]
    return ranking_metrics(gold, [outcome.documents for outcome in outcomes], [RANKS])[DECIDES]


def _leads(dataset: Dataset, stages: Stages, before: str, after: str) -> NDArray[np.float64]:
    return _decisive(dataset, stages[after]) - _decisive(dataset, stages[before])


def _degradation_table(dataset: Dataset, stages: Stages) -> Table:
    texts = [question.text for question in dataset.answerable()]
    rows = []
    for before, after in _reranking(stages):
        found = degradation(texts, _leads(dataset, stages, before, after))
        share = f"{found.numeric / found.count:.0%}" if found.count else "–"
        rows.append(
            (
                after,
                f"{found.count} of {len(texts)}",
                f"{found.numeric} ({share}; of all {found.numeric_of_all:.0%})",
                f"{found.words:.1f} against {found.words_of_all:.1f}" if found.count else "–",
            )
        )
    return Table(
        f"questions that a stage made worse in {DECIDES}",
        ("stage", "degraded", "with digits", "words, against all questions"),
        tuple(rows),
    )


def _worst_table(dataset: Dataset, stages: Stages) -> Table:
    texts = [question.text for question in dataset.answerable()]
    rows = [
        (after, f"{lead:+.3f}", texts[place][:WIDTH])
        for before, after in _reranking(stages)
        for place, lead in degradation(texts, _leads(dataset, stages, before, after)).worst
    ]
    return Table("the most degraded questions", ("stage", DECIDES, "question"), tuple(rows))


def _money_table(stages: Stages) -> Table:
    rows = tuple((name, money_cell(outcomes)) for name, outcomes in stages.items())
    return Table("US dollars for 1,000 questions", ("configuration", "cost"), rows)


def _draw_times(axes: "Axes", stages: Stages) -> bool:
    """Milliseconds a question, by stage of the search, a bar a configuration."""
    names = dict.fromkeys(
        name for outcomes in stages.values() for outcome in outcomes for name in outcome.timings_ms
    )
    left = np.zeros(len(stages))
    for name in names:
        if name == "total":
            continue
        means = np.array(
            [np.mean([o.timings_ms.get(name, 0.0) for o in its]) for its in stages.values()]
        )
        axes.barh(list(stages), means, left=left, label=name)
        left += means
    axes.invert_yaxis()
    axes.set(xlabel="milliseconds a question")
    axes.legend(fontsize="small")
    return True


def _short(reranker: str) -> str:
    """A reranker's name as a label, without the folders before it."""
    return Path(reranker).name
