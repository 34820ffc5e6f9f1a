"""The tables of AgenticRAG's evaluation (Suresh et al. 2026, tables 2 to 5 and 10)."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics import bootstrap
from hlg.evaluation.metrics.ranking import ranking_metrics
from hlg.evaluation.studies.agents import HOLDS, SINGLE_SHOT, AgentRun, AgentsDone
from hlg.evaluation.tables import NONE, Table, by_type

RANKS = (1, 3)
ALWAYS = ("search", "open", "find", "summarize")
"""Tools that have a column whether they were called or not."""
INTERVAL = "± is half of the 95 % bootstrap interval"

Values = NDArray[np.float64]


def agent_tables(name: str, done: AgentsDone, metrics: Sequence[str] = ()) -> list[Table]:
    """Recall by split, calls by tool, tokens with their ratio to single-shot, and answers.

    :param name: of the data set.
    :param metrics: those of the judges.
    """
    if not done.questions:
        return []
    of_rows = {
        label: [runs.get(each.id) for each in done.questions] for label, runs in done.runs.items()
    }
    splits = by_type(done.questions)
    places = {each.id: place for place, each in enumerate(done.questions)}
    rows_of = {split: [places[each.id] for each in group] for split, group in splits.items()}
    recall = [
        _recall_table(
            f"{name}: recall@{rank}, %; {INTERVAL}", rank, done.questions, of_rows, rows_of
        )
        for rank in RANKS
    ]
    return [
        *recall,
        _calls_table(of_rows),
        _tokens_table(of_rows, rows_of),
        _answers_table(of_rows, (HOLDS, *metrics)),
    ]


Runs = Mapping[str, Sequence[AgentRun | None]]
"""By row what came of each question; None where the model failed."""


def _recall_table(
    title: str,
    rank: int,
    questions: Sequence[Question],
    of_rows: Runs,
    rows_of: Mapping[str, Sequence[int]],
) -> Table:
    gold = [question.graded for question in questions]
    rows = []
    for label, runs in of_rows.items():
        ranked = [run.documents if run else () for run in runs]
        found = 100 * ranking_metrics(gold, ranked, [rank])[f"recall@{rank}"]
        rows.append((label, *(_cell(found[places], 1) for places in rows_of.values())))
    return Table(title, ("row", *_headings(rows_of)), tuple(rows))


def _calls_table(of_rows: Runs) -> Table:
    called = {tool for runs in of_rows.values() for run in runs if run for tool in run.calls}
    tools = [*ALWAYS, *sorted(called - set(ALWAYS))]
    rows = []
    for label, runs in of_rows.items():
        all_of_it = _column(runs, lambda run: sum(run.calls.values()))
        each = [_column(runs, partial(_called, tool)) for tool in tools]
        thoughts = _column(runs, lambda run: run.thoughts)
        cells = [_cell(values, 2) if np.nansum(values) else NONE for values in (all_of_it, *each)]
        rows.append((label, *cells, _cell(thoughts, 2)))
    headings = ("row", "tools", *tools, "model's calls")
    return Table(f"calls a question; {INTERVAL}", headings, tuple(rows))


def _called(tool: str, run: AgentRun) -> float:
    return run.calls.get(tool, 0)


def _tokens_table(of_rows: Runs, rows_of: Mapping[str, Sequence[int]]) -> Table:
    """Thousands of tokens, each with its ratio to single-shot where that is a row."""
    tokens = {label: _column(runs, lambda run: run.tokens) for label, runs in of_rows.items()}
    base = tokens.get(SINGLE_SHOT)
    rows = []
    for label, values in tokens.items():
        cells = []
        for places in rows_of.values():
            mean = _mean(values[places])
            times = mean / _mean(base[places]) if base is not None else np.nan
            cells.append(
                f"{mean / 1000:.1f}" + (f" ({times:.1f}×)" if np.isfinite(times) else "")
                if np.isfinite(mean)
                else NONE
            )
        rows.append((label, *cells))
    title = "tokens a question, thousands, read and written, thinking with them"
    ratio = f" (× those of {SINGLE_SHOT})" if base is not None else ""
    return Table(f"{title}{ratio}", ("row", *_headings(rows_of)), tuple(rows))


def _answers_table(of_rows: Runs, metrics: Sequence[str]) -> Table:
    rows = []
    for label, runs in of_rows.items():
        worth = (_worth(runs, metric) for metric in metrics)
        answered = _column(runs, lambda run: run.asked.is_answered, 0.0)
        borne_out = _column(runs, lambda run: run.is_borne_out, 0.0)
        seconds = _mean(_column(runs, lambda run: run.seconds))
        money = _mean(_column(runs, lambda run: run.money))
        rows.append(
            (
                label,
                *(_cell(100 * values, 1) for values in (*worth, answered, borne_out)),
                f"{seconds:.1f}" if np.isfinite(seconds) else NONE,
                f"{1000 * money:.2f}" if money > 0 else NONE,
                str(sum(run is None for run in runs)),
            )
        )
    return Table(
        f"answers, %; {INTERVAL}",
        ("row", *metrics, "answered", "borne out", "s", "US$ per 1,000", "failed"),
        tuple(rows),
    )


def _worth(runs: Sequence[AgentRun | None], metric: str) -> Values:
    """A metric of the answers; 0 where the model failed, NaN where there is none."""
    found = [run.asked.values | dict(run.judged) if run else {metric: 0.0} for run in runs]
    return np.array([each.get(metric, np.nan) for each in found], np.float64)


def _column(
    runs: Sequence[AgentRun | None], value: Callable[[AgentRun], float], failed: float = np.nan
) -> Values:
    return np.array([value(run) if run else failed for run in runs], np.float64)


def _mean(values: Values) -> float:
    return float(bootstrap.means(values[:, None])[0])


def _cell(values: Values, digits: int) -> str:
    """``49.6 ±7.8``."""
    mean = _mean(values)
    if np.isnan(mean):
        return NONE
    low, high = bootstrap.intervals(values[:, None])[:, 0]
    return f"{mean:.{digits}f} ±{(high - low) / 2:.{digits}f}"


def _headings(rows_of: Mapping[str, Sequence[int]]) -> list[str]:
    return [f"{split} ({len(places)})" for split, places in rows_of.items()]
