"""Where reranking pays: every question asked with and without, and a threshold between
(thesis §3.4.2, §5.4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.evaluation.data.questions import Dataset, Question
from hlg.evaluation.experiment import PER, ask_stages
from hlg.evaluation.facts import wilson_interval
from hlg.evaluation.metrics.assess import Outcome
from hlg.evaluation.metrics.ranking import Columns
from hlg.evaluation.metrics.thesis import TEXTS
from hlg.evaluation.report import Report
from hlg.evaluation.results import columns_of
from hlg.evaluation.tables import NONE, Table, interval_cell
from hlg.graph import LexicalGraph
from hlg.reports import OnProgress

LEAST_SKIPPED = 30
"""Questions that have to be skipped for their share to count (eq. 32)."""
PRECISION = 10_000
"""A threshold has so many steps from 0 to 1, so that it can be written down."""
STEPS = 11
"""Thresholds in the table, besides τ*: each skips a tenth fewer."""
QUALITY = (f"recall@{TEXTS}", f"ndcg@{TEXTS}", "t1em")


@dataclass(frozen=True, slots=True)
class Skipped:
    """The questions that a threshold leaves as they are: how many, and for what share of them
    the search was right (eq. 30), with its 95 % interval (eq. 31)."""

    threshold: float
    count: int
    precision: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class BothWays:
    """Every question of a data set as the search ranks it, and reranked.

    Arrays are by question: ``confidence`` of the search, ``right`` whether one of its first five
    hits holds the answer (or, where no answer's text is known, is of a gold document);
    ``plain`` and ``reranked`` the metrics, ``milliseconds`` and ``money`` of both.
    """

    title: str
    confidence: NDArray[np.float64]
    right: NDArray[np.bool_]
    plain: Columns
    reranked: Columns

    def skipped(self, threshold: float) -> Skipped:
        """What a threshold skips."""
        left = self.confidence >= threshold
        count, held = int(left.sum()), int(self.right[left].sum())
        share = held / count if count else float("nan")
        return Skipped(threshold, count, share, wilson_interval(held, count))

    def means(self, threshold: float) -> dict[str, float]:
        """The means at a threshold; at 0 nothing is reranked, above the highest confidence all."""
        left = self.confidence >= threshold
        mixed = {k: np.where(left, column, self.reranked[k]) for k, column in self.plain.items()}
        return {k: float(np.nanmean(x)) for k, x in mixed.items() if not np.isnan(x).all()}

    def calibrated(self, beta: float, least: int = LEAST_SKIPPED) -> Skipped | None:
        """τ*: the lowest threshold at which Wilson's lower bound on the precision of what is
        skipped is at least ``beta``, and enough is skipped to say so (eq. 32); None where no
        threshold is that good."""
        known = self.confidence[(self.confidence >= 0) & (self.confidence <= 1)]
        steps = np.unique([0.0, *np.floor(known * PRECISION) / PRECISION])
        found = (self.skipped(threshold) for threshold in steps.tolist())
        good = (each for each in found if each.count >= least and each.interval[0] >= beta)
        return next(good, None)

    def thresholds(self, steps: int) -> list[float]:
        """Those that skip all questions, none, and equal shares between, ascending."""
        shares = np.quantile(self.confidence, np.linspace(0, 1, steps))
        return [0.0, *np.unique(np.round(shares[1:], 3)).tolist(), 1.0]


def ask_both_ways(
    graph: LexicalGraph,
    dataset: Dataset,
    retriever: str,
    reranker: str,
    sure_by: Literal["confidence", "score"],
    journal: Path,
    on_progress: OnProgress,
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
    ways = {"plain": "none", "reranked": reranker}
    searches = {
        f"{retriever}:{way}": {**(options or {}), "rerank": given} for way, given in ways.items()
    }
    outcomes = ask_stages(graph, dataset, searches, journal, on_progress)
    plain, reranked = outcomes.values()
    return BothWays(
        f"{dataset.name}: {retriever} reranked by {reranker} where its {sure_by} is below τ; "
        f"{len(asked)} questions",
        np.array([getattr(outcome, sure_by) for outcome in plain], np.float64),
        np.array([_is_right(*each) for each in zip(asked, plain, strict=True)]),
        _values(asked, plain),
        _values(asked, reranked),
    )


def threshold_report(both: BothWays, best: Skipped | None, beta: float) -> Report:
    """A table with a row a threshold (what is skipped and how right that is, quality, time,
    money)."""
    steps = {*both.thresholds(STEPS), *([best.threshold] if best else [])}
    means = {step: both.means(step) for step in (*sorted(steps), np.inf)}
    quality = [name for name in QUALITY if name in means[0.0]]
    is_paid = any(each["money"] > 0 for each in means.values())

    def row(step: float) -> dict[str, str]:
        found, of_step = both.skipped(step), means[step]
        precision = interval_cell(found.precision, *found.interval) if found.count else NONE
        mark = " *" if best and step == best.threshold else ""
        cells = {
            "τ": "always" if step == np.inf else f"{step:.4g}{mark}",
            "skipped": str(found.count),
            "share": f"{found.count / len(both.right):.2f}",
            "right among skipped": precision,
            **{name: f"{of_step[name]:.3f}" for name in quality},
            "ms a question": f"{of_step['milliseconds']:.1f}",
        }
        return cells | ({f"US$ per {PER:,}": f"{of_step['money'] * PER:.2f}"} if is_paid else {})

    told = f"τ* = {best.threshold:.4g}" if best else f"no threshold reaches β = {beta:g}"
    return Report("Conditional reranking", [Table.of(f"{both.title}; {told}", map(row, means))])


def _is_right(question: Question, outcome: Outcome) -> bool:
    if "t5em" in outcome.values:
        return outcome.values["t5em"] > 0
    return not set(question.gold).isdisjoint(outcome.documents[:TEXTS])


def _values(questions: tuple[Question, ...], outcomes: list[Outcome]) -> Columns:
    found = columns_of(questions, outcomes, [TEXTS])
    return {
        **{name: found[name] for name in QUALITY if name in found},
        "milliseconds": np.array([outcome.latency_ms for outcome in outcomes]),
        "money": np.array([outcome.money for outcome in outcomes]),
    }
