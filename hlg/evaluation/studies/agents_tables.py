"""The tables of AgenticRAG's evaluation (Suresh et al. 2026, tables 2 to 5 and 10)."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.bootstrap import intervals, mean
from hlg.evaluation.metrics.positions import MODEL, cost_metrics
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
        ranked = [run.selected if run else () for run in runs]
        found = 100 * ranking_metrics(gold, ranked, [rank])[f"recall@{rank}"]
        rows.append((label, *(_cell(found[places], 1) for places in rows_of.values())))
    return Table(title, ("row", *_headings(rows_of)), tuple(rows))


def _calls_table(of_rows: Runs) -> Table:
    called = {tool for runs in of_rows.values() for run in runs if run for tool in run.calls}
    tools = [*ALWAYS, *sorted(called - {*ALWAYS, MODEL})]
    rows = []
    for label, runs in of_rows.items():
        costs = cost_metrics(runs)
        calls = [[run.calls.get(tool, 0) if run else np.nan for run in runs] for tool in tools]
        every = (costs["tool calls"], *np.array(calls, np.float64))
        cells = [_cell(values, 2) if np.nansum(values) else NONE for values in every]
        rows.append((label, *cells, _cell(costs["model calls"], 2)))
    headings = ("row", "tools", *tools, "model's calls")
    return Table(f"calls a question; {INTERVAL}", headings, tuple(rows))


def _tokens_table(of_rows: Runs, rows_of: Mapping[str, Sequence[int]]) -> Table:
    """Thousands of tokens, each with its ratio to single-shot where that is a row."""
    tokens = {label: cost_metrics(runs)["tokens"] for label, runs in of_rows.items()}
    base = tokens.get(SINGLE_SHOT)
    rows = []
    for label, values in tokens.items():
        cells = []
        for places in rows_of.values():
            tokens_each = mean(values[places])
            times = tokens_each / mean(base[places]) if base is not None else np.nan
            cells.append(
                f"{tokens_each / 1000:.1f}" + (f" ({times:.1f}×)" if np.isfinite(times) else "")
                if np.isfinite(tokens_each)
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
        answered = np.array([run is not None and run.asked.is_answered for run in runs], float)
        borne_out = np.array([run is not None and run.is_borne_out for run in runs], float)
        costs = {name: mean(values) for name, values in cost_metrics(runs).items()}
        seconds, money = costs["seconds"], costs["US$"]
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


def _cell(values: Values, digits: int) -> str:
    """``49.6 ±7.8``."""
    found = mean(values)
    if np.isnan(found):
        return NONE
    low, high = intervals(values[:, None])[:, 0]
    return f"{found:.{digits}f} ±{(high - low) / 2:.{digits}f}"


def _headings(rows_of: Mapping[str, Sequence[int]]) -> list[str]:
    return [f"{split} ({len(places)})" for split, places in rows_of.items()]
