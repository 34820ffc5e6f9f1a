"""The thesis's progression (§5.5): chunkers, the graph, fusion, conditional reranking; each
stage on the best chunker, by type of question and the eleven metrics."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hlg.errors import UsageError
from hlg.evaluation.corpus import build_corpus
from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.experiment import (
    Stages,
    ask_stages,
    milliseconds_table,
    money_cell,
    write_outcomes,
)
from hlg.evaluation.metrics.assess import Outcome
from hlg.evaluation.report import Report
from hlg.evaluation.results import Means, Result
from hlg.evaluation.tables import Table, number_cell, paid_cell
from hlg.graph import LexicalGraph
from hlg.reports import BuildReport, OnProgress
from hlg.retrieval.retrievers.hybrid import LEARNED
from hlg.retrieval.weights.learned import weights_beside
from hlg.settings import load_settings
from hlg.whole_file import write_whole_text

METRICS = ("t1em", "t5em", "t1c", "bc", "ac", "mc", "answer_mrr", "at1s", "t1o", "bo", "ao")
"""The thesis's eleven (§4.3)."""
DENSE, GRAPH, FUSION, RERANKED = "chunks", "graph", "fusion", "conditional rerank"
AT = "@"
"""Between a chunker and the tokens of its chunks, with their overlap: ``fixed@700/0.2``."""
GRID = (
    *(f"fixed@{tokens}/{overlap}" for tokens in (700, 1000, 1300) for overlap in (0.1, 0.2)),
    *(
        f"semantic:percentile={percentile},window={window}@{tokens}"
        for percentile, tokens in ((80, 800), (80, 1000), (90, 1200))
        for window in (0, 1)
    ),
    *(
        f"hierarchical:parent_tokens={parent}@{child}/{overlap / child:g}"
        for parent, child in ((2000, 500), (2000, 800), (3000, 1000))
        for overlap in (50, 100)
    ),
)
"""The thesis's six configurations of each of three chunkers (§4.2)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is compared: chunkers by name, with sizes behind :data:`AT`, the graph's retriever, the
    file of learned weights (empty: those beside the best chunker's graph, else the default
    weight), what reranks, and below which fused score (eq. 28; the thesis's τ* by default);
    further ``settings`` of the graphs."""

    chunkers: tuple[str, ...] = ("fixed", "semantic", "hierarchical")
    graph: str = "statement-graph"
    weights: str = ""
    reranker: str = "path"
    rerank_below: float = 0.95
    settings: Mapping[str, object] = field(default_factory=dict)


def run_progression(dataset: Dataset, plan: Plan, folder: Path, on_progress: OnProgress) -> Report:
    """Build a graph a chunker, ask each by dense search, and go on with the best: the eleven
    metrics, time and cost, over all questions, then by type.

    Graphs, outcomes and the result are in ``folder``; an interrupted call goes on from there.
    """
    for chunker in plan.chunkers:
        sized(chunker)
    stages: dict[str, Sequence[Outcome]] = {}
    costs = {}
    for chunker in plan.chunkers:
        with _graph(chunker, plan, folder) as graph:
            built = build_corpus(graph, dataset, folder, on_progress)
            costs[chunker] = _cost(built, folder / f"{_slug(chunker)}.build.json")
            journal = folder / f"{_slug(chunker)}.outcomes.jsonl"
            asked = ask_stages(graph, dataset, {DENSE: {}}, journal, on_progress)
            stages[chunker] = asked[DENSE]
    best = max(plan.chunkers, key=lambda chunker: _mean(stages[chunker]))
    with _graph(best, plan, folder) as graph:
        journal = folder / f"{_slug(best)}-stages.outcomes.jsonl"
        asked = ask_stages(graph, dataset, _searches(graph, plan), journal, on_progress)
        for name, outcomes in asked.items():
            stages[f"{best} + {name.partition(':')[2]}"] = outcomes
        result = write_outcomes(graph, dataset, stages, best, folder / "result.json")
    tables = [*_tables(dataset, stages, result), _costs_table(costs, stages)]
    return Report(f"Progression: {dataset.name}", [*tables, milliseconds_table(stages)])


def _tables(dataset: Dataset, stages: Stages, result: Result) -> list[Table]:
    tables = [_stage_table("all questions", result.retrievers, stages)]
    types = [question.type for question in dataset.answerable()]
    for type_ in next(iter(result.retrievers.values())).by_type:
        of_type = {name: found.by_type[type_] for name, found in result.retrievers.items()}
        asked_of_type = {
            name: [o for o, its in zip(outcomes, types, strict=True) if its == type_]
            for name, outcomes in stages.items()
        }
        tables.append(_stage_table(type_, of_type, asked_of_type))
    return tables


def sized(chunker: str) -> dict[str, str]:
    """The settings of a chunker with sizes: tokens, and the overlap as a part of them.

    :raises UsageError: the sizes are no numbers.
    """
    name, _, sizes = chunker.partition(AT)
    tokens, _, overlap = sizes.partition("/")
    given = {"chunker": name, "chunk_tokens": tokens, "chunk_overlap": overlap}
    try:
        int(tokens or 1), float(overlap or 0)
    except ValueError as error:
        raise UsageError(
            f"chunker {chunker!r}: write tokens and overlap as in fixed{AT}700/0.2",
            option="chunker",
        ) from error
    return {setting: value for setting, value in given.items() if value}


def _slug(chunker: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in chunker)


def _graph(chunker: str, plan: Plan, folder: Path) -> LexicalGraph:
    own = {**sized(chunker), "store": str(folder / f"{_slug(chunker)}.lbug")}
    return LexicalGraph.open(settings=load_settings(**{**plan.settings, **own}))


def _cost(built: BuildReport, kept: Path) -> tuple[float, float]:
    """Seconds and US dollars a document of the last build that brought any, which are kept: a graph
    that is there is not built again. NaN where nothing is."""
    if documents := built.added + built.changed:
        money = built.model.money if built.model else 0.0
        cost = (built.seconds["total"] / documents, money / documents)
        write_whole_text(kept, json.dumps(cost))
        return cost
    seconds, money = json.loads(kept.read_text()) if kept.is_file() else (np.nan, np.nan)
    return seconds, money


def _searches(graph: LexicalGraph, plan: Plan) -> dict[str, dict[str, object]]:
    """The stages after the chunker; fusion by learned weights where there are any."""
    learned = plan.weights or weights_beside(graph.store.address).is_file()
    fused: dict[str, object] = {"alpha": LEARNED, "alpha_model": plan.weights} if learned else {}
    conditional = {"rerank": plan.reranker, "rerank_below": plan.rerank_below, "sure_by": "score"}
    return {
        f"{plan.graph}:{GRAPH}": {"form": "chunks"},
        f"hybrid:{FUSION}": fused,
        f"hybrid:{RERANKED}": fused | conditional,
    }


def _mean(outcomes: Sequence[Outcome]) -> float:
    """What chooses a chunker: T1EM, or BO where no answer is known."""
    known = [outcome.values["t1em"] for outcome in outcomes if "t1em" in outcome.values]
    if known:
        return float(np.mean(known))
    return float(np.mean([outcome.values.get("bo", 0.0) for outcome in outcomes]))


def _costs_table(costs: Mapping[str, tuple[float, float]], stages: Stages) -> Table:
    """The thesis's table 2."""
    return Table.of(
        "what a chunker costs",
        (
            {
                "chunker": chunker,
                "build s a document": number_cell(seconds),
                "US$ a document": paid_cell(money, ".4f"),
                "search ms a question": _latency(stages[chunker]),
            }
            for chunker, (seconds, money) in costs.items()
        ),
    )


def _stage_table(type_: str, found: Mapping[str, Means], stages: Stages) -> Table:
    count = len(next(iter(stages.values())))
    return Table.of(
        f"{type_}, n = {count}: means of the thesis's metrics (at1s is on each search's own scale)",
        (
            {"stage": name}
            | {metric: number_cell(each.metrics.get(metric, np.nan)) for metric in METRICS}
            | {"ms": _latency(stages[name]), "US$ per 1,000": money_cell(stages[name])}
            for name, each in found.items()
        ),
    )


def _latency(outcomes: Sequence[Outcome]) -> str:
    return f"{np.mean([outcome.latency_ms for outcome in outcomes]):.1f}"
