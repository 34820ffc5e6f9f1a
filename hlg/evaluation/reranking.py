"""Where reranking pays: every question asked with and without, and a threshold between
(thesis §3.4.2, §5.4)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.evaluate import outcomes_of
from hlg.evaluation.experiment import Experiment
from hlg.evaluation.metrics.assess import Outcome
from hlg.evaluation.metrics.ranking import ranking_metrics
from hlg.evaluation.metrics.thesis import TEXTS
from hlg.evaluation.metrics.thresholds import (
    LEAST_SKIPPED,
    Skipped,
    calibrated_threshold,
    evenly,
    skipped,
)
from hlg.evaluation.plots import check_format, markdown_table, save_figure
from hlg.evaluation.tables import Table
from hlg.graph import LexicalGraph
from hlg.reports import Progress
from hlg.whole_file import write_whole_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = 11
"""Thresholds in the table, besides τ*: each skips a tenth fewer."""
HITS = 20
"""Hits that are asked for: the metrics look at five documents."""
QUALITY = (f"recall@{TEXTS}", f"ndcg@{TEXTS}", "t1em")
PER = 1_000
"""Costs are given for so many questions."""
SureBy = Literal["confidence", "score"]


@dataclass(frozen=True, slots=True)
class BothWays:
    """Every question of a data set as the search ranks it, and reranked.

    Arrays are by question: ``sureness`` of the search, ``right`` whether one of its first five
    hits holds the answer (or, where no answer's text is known, is of a gold document);
    ``plain`` and ``reranked`` the metrics, ``milliseconds`` and ``money`` of both.
    """

    dataset: str
    retriever: str
    reranker: str
    sure_by: SureBy
    sureness: NDArray[np.float64]
    right: NDArray[np.bool_]
    plain: Mapping[str, NDArray[np.float64]]
    reranked: Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class AtThreshold:
    """What a threshold gives: what it skips, and the means over all questions, each reranked
    or not as the threshold says."""

    skipped: Skipped
    share: float
    means: Mapping[str, float]


def ask_both_ways(
    graph: LexicalGraph,
    dataset: Dataset,
    retriever: str,
    reranker: str,
    sure_by: SureBy,
    journal: Path,
    on_progress: Callable[[Progress], None],
    options: Mapping[str, object] | None = None,
) -> BothWays:
    """Ask every answerable question of a data set with and without reranking.

    :param options: of the retriever, besides ``rerank``.
    :param journal: where the outcomes are kept; an interrupted call goes on from there.
    :raises UsageError: fewer questions than a threshold needs.
    """
    asked = dataset.answerable()
    if len(asked) < LEAST_SKIPPED:
        raise UsageError(
            f"{dataset.name} has {len(asked)} questions with known evidence; a threshold needs "
            f"{LEAST_SKIPPED} that are skipped"
        )
    names = f"{retriever}:plain", f"{retriever}:reranked"
    given = dict(options or {})
    experiment = Experiment(
        dataset,
        asked,
        names,
        names[0],
        {names[0]: given | {"rerank": "none"}, names[1]: given | {"rerank": reranker}},
        hits=HITS,
        budgets=(),
    )
    outcomes = outcomes_of(graph, experiment, journal, on_progress)
    gold = [dict(zip(each.gold, each.grades, strict=True)) for each in asked]
    plain = outcomes[names[0]]
    return BothWays(
        dataset.name,
        retriever,
        reranker,
        sure_by,
        np.array([getattr(outcome, sure_by) for outcome in plain], np.float64),
        np.array(
            [_is_right(outcome, set(each)) for outcome, each in zip(plain, gold, strict=True)]
        ),
        _values(gold, plain),
        _values(gold, outcomes[names[1]]),
    )


def at_threshold(both: BothWays, threshold: float) -> AtThreshold:
    """The means at a threshold; at 0 nothing is reranked, above the highest sureness all is."""
    left = both.sureness >= threshold
    mixed = {
        name: np.where(left, column, both.reranked[name]) for name, column in both.plain.items()
    }
    means = {
        name: float(np.nanmean(column))
        for name, column in mixed.items()
        if not np.isnan(column).all()
    }
    return AtThreshold(skipped(both.sureness, both.right, threshold), float(left.mean()), means)


def calibrate(both: BothWays, beta: float) -> Skipped | None:
    """τ* of eq. 32."""
    return calibrated_threshold(both.sureness, both.right, beta)


def threshold_table(both: BothWays, best: Skipped | None, beta: float) -> Table:
    """A row a threshold: what is skipped and how right that is, quality, time, money."""
    thresholds = set(evenly(both.sureness.tolist(), STEPS))
    if best is not None:
        thresholds.add(best.threshold)
    rows = [at_threshold(both, threshold) for threshold in (*sorted(thresholds), np.inf)]
    found = f"τ* = {best.threshold:.4g}" if best else f"no threshold reaches β = {beta:g}"
    quality = [name for name in QUALITY if name in rows[0].means]
    with_money = any(row.means["money"] > 0 for row in rows)
    return Table(
        f"{both.dataset}: {both.retriever} reranked by {both.reranker} where its {both.sure_by} "
        f"is below τ; {len(both.right)} questions; {found}",
        (
            "τ",
            "skipped",
            "share",
            "right among skipped",
            *quality,
            "ms a question",
            *((f"US$ per {PER:,}",) if with_money else ()),
        ),
        tuple(
            (
                _threshold(row.skipped.threshold, best),
                str(row.skipped.count),
                f"{row.share:.2f}",
                _share(row.skipped),
                *(f"{row.means[name]:.3f}" for name in quality),
                f"{row.means['milliseconds']:.1f}",
                *((f"{row.means['money'] * PER:.2f}",) if with_money else ()),
            )
            for row in rows
        ),
    )


def write_threshold_report(
    both: BothWays, best: Skipped | None, beta: float, folder: Path, image_format: str = "png"
) -> list[Path]:
    """``report.md`` with the table and a plot; the paths of what was written.

    :raises UsageError: the format is unknown, or Matplotlib is not installed.
    """
    check_format(image_format)
    plot = folder / f"thresholds.{image_format}"
    save_figure(plot, partial(_draw, both=both, best=best, beta=beta))
    table = threshold_table(both, best, beta)
    path = folder / "report.md"
    text = f"# Conditional reranking\n\n{table.title}\n\n{markdown_table(table)}\n"
    write_whole_text(path, f"{text}![thresholds]({plot.name})\n")
    return [path, plot]


def _is_right(outcome: Outcome, gold: set[str]) -> bool:
    if "t5em" in outcome.values:
        return outcome.values["t5em"] > 0
    return not gold.isdisjoint(outcome.documents[:TEXTS])


def _values(gold: list[dict[str, int]], outcomes: list[Outcome]) -> dict[str, NDArray[np.float64]]:
    ranked = ranking_metrics(gold, [outcome.documents for outcome in outcomes], [TEXTS])
    values = {name: ranked[name] for name in QUALITY if name in ranked}
    values["t1em"] = np.array([outcome.values.get("t1em", np.nan) for outcome in outcomes])
    values["milliseconds"] = np.array([outcome.latency_ms for outcome in outcomes])
    values["money"] = np.array([outcome.money for outcome in outcomes])
    return values


def _threshold(threshold: float, best: Skipped | None) -> str:
    if threshold == np.inf:
        return "always"
    return f"{threshold:.4g}{' *' if best and threshold == best.threshold else ''}"


def _share(found: Skipped) -> str:
    if not found.count:
        return "–"
    low, high = found.interval
    return f"{found.precision:.3f} [{low:.3f} {high:.3f}]"


def _draw(axes: "Axes", both: BothWays, best: Skipped | None, beta: float) -> bool:
    """How right the skipped are with Wilson's interval, quality, and the share that is
    reranked, by threshold."""
    thresholds = [each for each in evenly(both.sureness.tolist(), 4 * STEPS) if each < 1]
    rows = [at_threshold(both, threshold) for threshold in thresholds]
    rows = [row for row in rows if row.skipped.count]
    places = [row.skipped.threshold for row in rows]
    axes.plot(places, [row.skipped.precision for row in rows], label="right among skipped")
    ends = [row.skipped.interval for row in rows]
    axes.fill_between(places, [low for low, _ in ends], [high for _, high in ends], alpha=0.2)
    name = QUALITY[0]
    axes.plot(places, [row.means[name] for row in rows], label=name)
    axes.plot(places, [1 - row.share for row in rows], label="share reranked", linestyle=":")
    axes.axhline(beta, color="grey", linewidth=1, label=f"β = {beta:g}")
    if best is not None:
        axes.axvline(best.threshold, color="black", linewidth=1, label=f"τ* = {best.threshold:.3g}")
    low = min(places)
    axes.set(xlabel=f"τ on the {both.sure_by}", ylim=(0, 1.02), xlim=(low, max(places)))
    axes.legend(fontsize="small")
    return True
