"""AgenticRAG's evaluation (Suresh et al. 2026, §5): the agents, each also without one of its
parts, and what they are measured against, on the questions of a data set; tables 2 to 5 and 10."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hlg.agent.ask import Agent, AgentOptions
from hlg.agent.bounds import ToolLimits
from hlg.agent.calling import TOOLS
from hlg.agent.steps import AgentLimits
from hlg.agent.trace import Step
from hlg.asking.search import SearchOptions
from hlg.errors import ModelError, UsageError
from hlg.evaluation.answers import Asked, assessed, plain
from hlg.evaluation.data.questions import Dataset, Question
from hlg.evaluation.data.records import listed
from hlg.evaluation.journal import Journal, ask_in_turn, open_journal
from hlg.evaluation.judging.run import Bench, judge_answers
from hlg.evaluation.metrics.answers import best_of, holds
from hlg.evaluation.metrics.assess import Assessor
from hlg.evaluation.metrics.bootstrap import intervals, mean
from hlg.evaluation.metrics.positions import MODEL, ModelRun, cost_metrics
from hlg.evaluation.metrics.ranking import ranking_metrics
from hlg.evaluation.tables import NONE, Table, by_type, number_cell, paid_cell
from hlg.graph import LexicalGraph
from hlg.ids import content_id
from hlg.models.language.answers import Usage
from hlg.models.language.providers import required
from hlg.reports import OnProgress

HOLDS = "holds"
"""Whether a right answer stands in what was said, letter by letter: needs no judge."""
Values = NDArray[np.float64]
RANKED = 10
"""Results of a search that rank the documents of a row that chooses none."""
_PROMPTS = (
    *("agent", "agent-json", "agent-answer", "agent-summary"),
    *("agent-plan", "agent-batch-answer"),
)


@dataclass(frozen=True, slots=True)
class AgentRow:
    """A configuration: how the agent works and searches. ``knows_gold``: it sees nothing but the
    documents that hold the evidence."""

    options: AgentOptions
    retriever: str | None = None
    knows_gold: bool = False

    def within(self, limits: AgentLimits) -> AgentOptions:
        """Its options with limits of one's own; one that never summarises still does not."""
        full = limits.full if self.options.limits.full else 0.0
        return replace(self.options, limits=replace(limits, full=full))


_FOUR = AgentOptions(switch=False, falls_back=False, offered=("search", "find", "open"))
_ONE = replace(_FOUR, loop="single")
_READS = replace(_ONE, tools=ToolLimits(snippet=4_000))
"""Reads whole passages, as there is no tool to read on with."""
AGENTIC, SINGLE_SHOT = "agentic", "single-shot"
ROWS: Mapping[str, AgentRow] = {
    SINGLE_SHOT: AgentRow(_ONE),
    AGENTIC: AgentRow(_FOUR),
    "no-summarize": AgentRow(replace(_FOUR, limits=AgentLimits(full=0.0))),
    "no-semantic-find": AgentRow(replace(_FOUR, by_meaning=False)),
    "no-multi-query": AgentRow(replace(_FOUR, several_queries=False)),
    "graph-tools": AgentRow(replace(_FOUR, offered=TOOLS)),
    "batch": AgentRow(replace(_FOUR, loop="batch")),
    "bm25": AgentRow(_READS, "bm25"),
    "dense": AgentRow(_READS, "chunks"),
    "oracle": AgentRow(replace(_FOUR, loop="pages"), knows_gold=True),
}
OTHERS = {"graph-tools", "batch"}
"""Rows that the paper has not, and that are asked where they are named."""
PAPERS = tuple(name for name in ROWS if name not in OTHERS)
RANKS = (1, 3)
ALWAYS = ("search", "open", "find", "summarize")
"""Tools that have a column whether they were called or not."""
INTERVAL = "± is half of the 95 % bootstrap interval"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRun(ModelRun):
    """What came of a question in a row; of a search's row what it found counts as selected.

    ``judged`` are the metrics that the judge of the identity ``judge`` gave, or ``problem`` says
    why it gave none. ``is_borne_out``: a sentence follows from what it cites.
    """

    asked: Asked
    is_borne_out: bool
    judge: str = ""
    judged: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AgentReport:
    """Runs by row in the order of the questions, of those that every row was asked; None where the
    model failed. ``metrics`` are those of the judges, ``failed`` says why a model failed, ``ended``
    why there are no more questions, ``usages`` what each model was asked."""

    dataset: str
    questions: tuple[Question, ...]
    runs: Mapping[str, Sequence[AgentRun | None]]
    metrics: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    ended: str = ""
    usages: tuple[Usage, ...] = ()

    def tables(self) -> list[Table]:
        """Recall by split, calls by tool, tokens with their ratio to single-shot, and answers."""
        return [*map(self._recall, RANKS), self._calls(), self._tokens(), self._answers()]

    def _by_split(self, title: str, cell: Callable[[str, list[int]], str]) -> Table:
        """A column a type of question.

        :param cell: by a row's label and the places of the questions.
        """
        places = {each.id: place for place, each in enumerate(self.questions)}
        splits = {
            f"{split} ({len(group)})": [places[each.id] for each in group]
            for split, group in by_type(self.questions).items()
        }
        rows = (
            {"row": label} | {split: cell(label, chosen) for split, chosen in splits.items()}
            for label in self.runs
        )
        return Table.of(title, rows)

    def _recall(self, rank: int) -> Table:
        gold, metric = [question.graded for question in self.questions], f"recall@{rank}"
        found = {
            label: ranking_metrics(gold, [run.selected if run else () for run in runs], [rank])
            for label, runs in self.runs.items()
        }
        return self._by_split(
            f"{self.dataset}: {metric}, %; {INTERVAL}",
            lambda label, places: _cell(100 * found[label][metric][places], 1),
        )

    def _calls(self) -> Table:
        called = {tool for runs in self.runs.values() for run in runs if run for tool in run.calls}
        rows = []
        for label, runs in self.runs.items():
            costs = cost_metrics(runs)
            values = {"tools": costs["tool calls"]} | {
                tool: np.array([run.calls.get(tool, 0) if run else np.nan for run in runs], float)
                for tool in (*ALWAYS, *sorted(called - {*ALWAYS, MODEL}))
            }
            cells = {k: _cell(x, 2) if np.nansum(x) else NONE for k, x in values.items()}
            models = {"model's calls": _cell(costs["model calls"], 2)}
            rows.append({"row": label} | cells | models)
        return Table.of(f"calls a question; {INTERVAL}", rows)

    def _tokens(self) -> Table:
        """Thousands of tokens, each with its ratio to single-shot where that is a row."""
        tokens = {label: cost_metrics(runs)["tokens"] for label, runs in self.runs.items()}
        base = tokens.get(SINGLE_SHOT)

        def cell(label: str, places: list[int]) -> str:
            found = mean(tokens[label][places])
            times = found / mean(base[places]) if base is not None else np.nan
            ratio = f" ({times:.1f}×)" if np.isfinite(times) else ""
            return f"{number_cell(found / 1000, '.1f')}{ratio}"

        title = "tokens a question, thousands, read and written, thinking with them"
        ratio = f" (× those of {SINGLE_SHOT})" if base is not None else ""
        return self._by_split(f"{title}{ratio}", cell)

    def _answers(self) -> Table:
        rows = []
        for label, runs in self.runs.items():
            values = {name: _worth(runs, name) for name in (HOLDS, *self.metrics)} | {
                "answered": np.array([bool(run and run.asked.is_answered) for run in runs], float),
                "borne out": np.array([bool(run and run.is_borne_out) for run in runs], float),
            }
            costs = {name: mean(values) for name, values in cost_metrics(runs).items()}
            rows.append(
                {"row": label}
                | {name: _cell(100 * its, 1) for name, its in values.items()}
                | {"s": number_cell(costs["seconds"], ".1f")}
                | {"US$ per 1,000": paid_cell(1000 * costs["US$"])}
                | {"failed": str(runs.count(None))}
            )
        return Table.of(f"answers, %; {INTERVAL}", rows)


def named_rows(text: str) -> tuple[str, ...]:
    """Rows by name, commas between.

    :raises UsageError: there is no such row, or none is named.
    """
    names = listed(text)
    if wrong := [name for name in names if name not in ROWS] or ([] if names else [""]):
        raise UsageError(
            f"no row {wrong[0]!r}; there are {', '.join(ROWS)}", option="rows", known=ROWS
        )
    return names


def run_agents(
    graph: LexicalGraph,
    dataset: Dataset,
    questions: Sequence[Question],
    rows: Sequence[str],
    models: Sequence[str],
    limits: AgentLimits,
    bench: Bench | None,
    journal: Path,
    on_progress: OnProgress,
) -> AgentReport:
    """Ask every question of every row, question by question, so that what a budget or Ctrl-C
    ends can be compared. What is in the journal is not asked, nor judged, again.

    :param models: the first is asked in every row, the others as agents alone.
    :raises UsageError: there is no language model.
    :raises InputError: the graph holds something else than the data set.
    :raises BudgetReached: the first question might cost too much.
    """
    from hlg import __version__

    assessor = Assessor(dataset, graph.embedder.count_tokens)
    uris = {assessor.document_id(each.uri): each.uri for each in graph.sources()}
    told = (dataset.fingerprint(), graph.status().revision, graph.graph_embedder.name)
    failed: dict[tuple[str, str], str] = {}
    with (
        open_journal(journal, content_id("agents", __version__, *told), AgentRun) as kept,
        ExitStack() as doors,
    ):
        seats = {
            label: _Seat(ROWS[name], ROWS[name].within(limits), asked, assessor, uris, bench, kept)
            for label, name, asked in _labelled(graph, rows, models, doors)
        }

        def ask(label: str, question: Question) -> bool:
            try:
                return seats[label].sit(question)
            except ModelError as error:
                failed[label, question.id] = f"{label}: {error}"
                return True

        asks = {label: partial(ask, label) for label in seats}
        asked, ended = ask_in_turn(questions, asks, on_progress)
        runs = {
            label: [kept.outcomes[seat.key].get(each.id) for each in asked]
            for label, seat in seats.items()
        }
        usages = tuple(required(seat.graph.door).usage for seat in seats.values())
    metrics = tuple(bench.metrics) if bench else ()
    why = tuple(failed.values())
    return AgentReport(dataset.name, asked, runs, metrics, why, ended, usages)


@dataclass(frozen=True, slots=True)
class _Seat:
    """A row with the graph whose model is asked in it, and what its runs are judged by and kept
    in; ``uris`` are the graph's sources by document."""

    row: AgentRow
    options: AgentOptions
    graph: LexicalGraph
    assessor: Assessor
    uris: Mapping[str, str]
    bench: Bench | None
    kept: Journal[AgentRun]

    @property
    def key(self) -> str:
        """What its runs are kept under."""
        settings = self.graph.settings
        searched = (self.row.retriever or settings.retriever, settings.min_confidence)
        model = required(self.graph.door).identity(*_PROMPTS)
        return content_id("row", model, repr(self.options), repr(searched))

    def sit(self, question: Question) -> bool:
        """Ask and judge what was not yet asked and judged, and keep it; says whether anything
        was."""
        bench, key = self.bench, self.key
        known = self.kept.outcomes[key].get(question.id)
        run = known or self._asked(question)
        if known is None:
            self.kept.add(key, run)
        if bench is None or not question.answers or run.judge == bench.identity:
            return known is None
        (judged,) = judge_answers(bench, [run.asked], None, lambda progress: None)
        if judged.problem:
            self.kept.outcomes[key][question.id] = replace(run, problem=judged.problem)
        else:
            self.kept.add(key, replace(run, judge=bench.identity, judged=judged.values))
        return True

    def _asked(self, question: Question) -> AgentRun:
        known = question.gold if self.row.knows_gold else ()
        gold = [self.uris[id_] for id_ in known if id_ in self.uris]
        # JSON's strings are strings of a condition.
        where = f"uri in ({', '.join(json.dumps(each, ensure_ascii=False) for each in gold)})"
        how = SearchOptions(self.row.retriever, where=where if gold else "")
        steps: list[Step] = []
        answer = Agent(self.graph, how, self.options, on_step=steps.append).ask(question.text)
        found = answer.hits
        if self.options.loop == "single":  # the search ranks, and not what the answer cites
            result = self.graph.search(question.text, retriever=how.retriever, top_k=RANKED)
            found = result.hits
        sources = (hit.passage.source.uri for hit in found)
        documents = dict.fromkeys(map(self.assessor.document_id, sources))
        asked = replace(assessed(question, answer), is_answered=bool(answer.sentences))
        worth = {HOLDS: best_of(holds, plain(asked), question.answers)} if question.answers else {}
        return AgentRun(
            question.id,
            tuple(documents),
            calls=dict(Counter(step.what for step in steps)),
            tokens_in=answer.usage.tokens_in,
            tokens_out=answer.usage.tokens_out,
            seconds=answer.timings_ms["total"] / 1000,
            money=answer.usage.money,
            asked=replace(asked, values=worth),
            is_borne_out=answer.is_answered,
        )


def _labelled(
    graph: LexicalGraph, rows: Sequence[str], models: Sequence[str], doors: ExitStack
) -> Iterator[tuple[str, str, LexicalGraph]]:
    """A label, the name of a row and the graph with the model that is asked in it, in the order of
    the paper's table 5."""
    first, *others = models or [required(graph.door).model]
    graphs = {first: _with_model(graph, first if models else None, doors)}
    for name in rows:
        for model in (first, *others) if name == AGENTIC else (first,):
            if model not in graphs:
                graphs[model] = _with_model(graph, model, doors)
            label = f"{name} ({model})" if others and name == AGENTIC else name
            yield label, name, graphs[model]


def _with_model(graph: LexicalGraph, model: str | None, doors: ExitStack) -> LexicalGraph:
    """The graph, asked through another model where one is named."""
    if model is None:
        return graph
    settings = graph.settings.model_copy(update={"llm": model})
    other = LexicalGraph(graph.store, settings, embedder=graph.embedder)
    doors.callback(required(other.door).close)
    return other


def _worth(runs: Sequence[AgentRun | None], metric: str) -> Values:
    """A metric of the answers; 0 where the model failed, NaN where there is none."""
    found = [run.asked.values | dict(run.judged) if run else {metric: 0.0} for run in runs]
    return np.array([each.get(metric, np.nan) for each in found], np.float64)


def _cell(values: Values, digits: int) -> str:
    """``49.6 ±7.8``; of one question alone there is no interval."""
    found = mean(values)
    if np.isnan(found):
        return NONE
    if np.count_nonzero(~np.isnan(values)) < 2:
        return f"{found:.{digits}f}"
    low, high = intervals(values[:, None])[:, 0]
    return f"{found:.{digits}f} ±{(high - low) / 2:.{digits}f}"
