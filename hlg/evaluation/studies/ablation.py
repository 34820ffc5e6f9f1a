"""The cascade's ablation (§III.J, §IV): each part of the pipeline added to those before."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.experiment import (
    Stages,
    ask_stages,
    milliseconds_table,
    money_cell,
    write_outcomes,
)
from hlg.evaluation.report import Report
from hlg.evaluation.results import columns_of
from hlg.evaluation.tables import NONE, Table, differences_table, summary_table
from hlg.graph import LexicalGraph
from hlg.reports import OnProgress
from hlg.retrieval.options import CASCADE, PATH
from hlg.retrieval.weights.by_question import LLM, RULES

DENSE, BI_MODAL, TRI_MODAL = "chunks:dense", "hybrid:bi-modal", "tri-modal"
DYNAMIC = "tri-modal:dynamic"
FIRST = 100
"""Candidates that go on to the rerankers (cascade, table C)."""
RANKS = 10
"""How far an order is looked at."""
DECIDES = f"ndcg@{RANKS}"
WORST = 5
"""Degraded questions that are named."""
_DIGIT = re.compile(r"\d")

Values = NDArray[np.float64]
"""A metric by question."""


def configurations(reranker: str, *, with_model: bool) -> dict[str, dict[str, object]]:
    """The cascade's table A: by label the retriever's options, in order; the language model's
    where there is one. Beside the static weights of the searches those by question (table III):
    the language model's, or algorithm 2's rules."""
    stages: dict[str, dict[str, object]] = {
        DENSE: {},
        BI_MODAL: {"weights": "0.50,0.35"},
        TRI_MODAL: {},
        DYNAMIC: {"weights": LLM if with_model else RULES},
        f"tri-modal:+{Path(reranker).name}": {"rerank": reranker, "pool": FIRST},
    }
    if with_model:
        cascade = CASCADE if reranker == PATH else f"{CASCADE}:{reranker}"
        stages["tri-modal:+llm"] = {"rerank": cascade, "pool": FIRST}
    return stages


def run_ablation(
    graph: LexicalGraph, dataset: Dataset, reranker: str, folder: Path, on_progress: OnProgress
) -> Report:
    """Ask every answerable question of every configuration: the cascade's tables I to VII.

    What was asked is in ``folder``/outcomes.jsonl, so that an interrupted call goes on from
    there, and the raw rankings are in ``folder``/result.json.

    :raises UsageError: the reranker can't be loaded.
    """
    options = configurations(reranker, with_model=graph.door is not None)
    stages = ask_stages(graph, dataset, options, folder / "outcomes.jsonl", on_progress)
    result = write_outcomes(graph, dataset, stages, DENSE, folder / "result.json")
    asked = dataset.answerable()
    decides = {name: columns_of(asked, its, [RANKS])[DECIDES] for name, its in stages.items()}
    tables = [
        summary_table(result),
        differences_table(result),
        *_quality_tables(dataset, decides),
        _swaps_table(stages),
        *_degradation_tables(dataset, stages, decides),
        milliseconds_table(stages),
    ]
    if any(outcome.money for outcomes in stages.values() for outcome in outcomes):
        rows = tuple((name, money_cell(outcomes)) for name, outcomes in stages.items())
        tables.append(Table("US dollars for 1,000 questions", ("configuration", "cost"), rows))
    return Report(f"Ablation: {dataset.name}", [table for table in tables if table.rows])


def swaps(before: Sequence[str], after: Sequence[str]) -> int:
    """Places of the first ten that hold another document than before, or none any more
    (cascade §IV.D)."""
    one, other = (dict(enumerate(order[:RANKS])) for order in (before, after))
    return sum(one.get(place) != other.get(place) for place in range(RANKS))


def degraded(lead: Values) -> list[int]:
    """The places of questions that a stage made worse (cascade §IV.E), the greatest loss first.

    :param lead: the metric after the stage less before it; NaN where it says nothing of one.
    """
    return [place for place in np.argsort(lead, kind="stable").tolist() if lead[place] < -1e-9]


def _reranking(stages: Stages) -> list[tuple[str, str]]:
    """The stages that rerank what the one before them gives, each with that one."""
    names = [name for name in stages if name.startswith(TRI_MODAL) and name != DYNAMIC]
    return list(pairwise(names))


def _quality_tables(dataset: Dataset, decides: Mapping[str, Values]) -> Iterator[Table]:
    """The cascade's tables I and II, what each configuration has, and over the first; and III."""
    means = {name: float(np.nanmean(values)) for name, values in decides.items()}
    over = f"over {DENSE}"
    yield Table.of(
        f"{dataset.name}: {DECIDES} by configuration",
        (
            {"configuration": name, DECIDES: f"{mean:.4f}", over: f"{mean - means[DENSE]:+.4f}"}
            for name, mean in means.items()
        ),
    )
    static, dynamic = means[TRI_MODAL], means[DYNAMIC]
    shown = {"static": f"{static:.4f}", "dynamic": f"{dynamic:.4f}"}
    row = {"data set": dataset.name} | shown | {"difference": f"{dynamic - static:+.4f}"}
    yield Table.of(f"static and dynamic weights: {DECIDES}", [row])


def _swaps_table(stages: Stages) -> Table:
    rows = []
    for before, after in _reranking(stages):
        orders = [
            (one.documents, other.documents)
            for one, other in zip(stages[before], stages[after], strict=True)
        ]
        moved = np.mean([swaps(one, other) for one, other in orders])
        changed = np.mean([one[:1] != other[:1] for one, other in orders])
        cells = {"swaps": f"{moved:.2f}", "first place changed": f"{changed:.0%}"}
        rows.append({"stage": after, "after": before} | cells)
    return Table.of(f"places of the first {RANKS} that hold another document", rows)


def _degradation_tables(
    dataset: Dataset, stages: Stages, decides: Mapping[str, Values]
) -> tuple[Table, Table]:
    """How many questions a stage made worse and what they are like, and the worst of them."""
    texts = [question.text for question in dataset.answerable()]
    numeric = np.array([_DIGIT.search(text) is not None for text in texts])
    words = np.array([len(text.split()) for text in texts])
    rows, worst = [], []
    for before, after in _reranking(stages):
        lead = decides[after] - decides[before]
        worse = degraded(lead)
        share = f"{numeric[worse].mean():.0%}" if worse else NONE
        rows.append(
            (
                after,
                f"{len(worse)} of {len(texts)}",
                f"{numeric[worse].sum()} ({share}; of all {numeric.mean():.0%})",
                f"{words[worse].mean():.1f} against {words.mean():.1f}" if worse else NONE,
            )
        )
        worst += [(after, f"{lead[at]:+.3f}", texts[at]) for at in worse[:WORST]]
    headings = ("stage", "degraded", "with digits", "words, against all questions")
    return (
        Table(f"questions that a stage made worse in {DECIDES}", headings, tuple(rows)),
        Table("the most degraded questions", ("stage", DECIDES, "question"), tuple(worst)),
    )
