"""The scenarios paper's tables 1 to 8, of what was run."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.bootstrap import mean
from hlg.evaluation.metrics.positions import (
    COSTS,
    RANKS,
    RECALLS,
    SELECTION,
    TOKENS,
    ModelRun,
    Place,
    cost_metrics,
    hits_by_bin,
    places,
    selection_metrics,
)
from hlg.evaluation.scenarios.rows import NAMES, Scenario
from hlg.evaluation.tables import Table, number_cell, paid_cell

Runs = Mapping[Scenario, Sequence[ModelRun]]
Means = Mapping[Scenario, Mapping[str, float]]
QUALITY = dict(zip(("Hit@1", "Hit@5", "R@20", "MRR"), SELECTION, strict=True))
GRAPHS = {name: name for name in RECALLS}
AGENTS = {"tool calls": "tool calls", "seconds": "seconds", "retrieval": "both", "answer": "answer"}
"""Metrics by their headings."""
WIDTH = 60
"""Characters of a title in a table."""


@dataclass(frozen=True, slots=True)
class ScenarioReport:
    """What came of the rows on the questions that every row was asked, in their order.

    ``model`` is empty where there is none; ``graph`` says what was walked, ``ended`` why there
    are no more questions.
    """

    dataset: str
    questions: tuple[Question, ...]
    runs: Runs
    model: str
    graph: str
    title_of: Callable[[str], str]
    ended: str = ""

    def means(self) -> Means:
        """By row its means; of questions whose evidence is known."""
        found = {}
        for row, runs in self.runs.items():
            columns = selection_metrics(self.questions, runs) | cost_metrics(runs)
            found[row] = {name: mean(values) for name, values in columns.items()}
        return found

    def document(self) -> dict[str, object]:
        """All of it, for a program."""
        rows = [
            {"scenario": row.number, "name": row.name}
            | {name: None if np.isnan(x) else round(x, 6) for name, x in means.items()}
            | {"calls": dict(sum((Counter(run.calls) for run in self.runs[row]), Counter()))}
            | {"problems": sum(bool(run.problem) for run in self.runs[row])}
            for row, means in self.means().items()
        ]
        head = {"dataset": self.dataset, "questions": len(self.questions)}
        told = head | {"model": self.model, "graph": self.graph, "rows": rows}
        return told | {"tables": [asdict(each) for each in self.tables()]}

    @property
    def problems(self) -> list[str]:
        """Why answers could not be used."""
        return [run.problem for runs in self.runs.values() for run in runs if run.problem]

    def tables(self) -> list[Table]:
        """Tables 1 to 8, those that have rows; then what every row cost."""
        means, row = self.means(), self._widest()
        found = self._places(row) if row is not None else []
        tables = [
            self._quality(means),
            _savings_table(means),
            *([_extracted_table(row, found)] if row is not None else ()),
            Table.of(
                "Table 4: recall of the gold documents, of rows with a graph",
                (_cells(x, its, GRAPHS) for x, its in means.items() if x.paths),
            ),
            Table.of(
                "Table 5: agents; recall of retrieval and answer",
                (_cells(x, its, AGENTS) for x, its in means.items() if x.number >= 7),
            ),
            *([*_bin_tables(row, found), self._case(row)] if row is not None else ()),
            _costs_table(means),
        ]
        return [table for table in tables if table.rows]

    def _quality(self, means: Means) -> Table:
        model = f"; {self.model}" if self.model else ""
        return Table.of(
            f"Table 1: {self.dataset}, {len(self.questions)} questions{model}; documents that the "
            f"model selects, or that retrieval ranks; walks over {self.graph}",
            (
                _cells(row, its, QUALITY)
                | {"scenario": f"{row.number} {NAMES[row.number]}: {row.name}"}
                for row, its in means.items()
                if not row.baseline
            ),
        )

    def _widest(self) -> Scenario | None:
        """Of the rows with one answer that which gives most tokens, of the optimised where there
        are such (the paper's is 500 paths of 20 entities)."""

        def width(row: Scenario) -> tuple[bool, int, int]:
            tokens = sum(each.tokens for run in self.runs[row] for each in run.given)
            return bool(row.baseline), tokens, row.paths

        return max((row for row in self.runs if row.decides == "answer"), key=width, default=None)

    def _places(self, row: Scenario) -> list[Place]:
        pairs = zip(self.questions, self.runs[row], strict=True)
        return [place for question, run in pairs for place in places(question.gold, run)]

    def _case(self, row: Scenario) -> Table:
        """The question with most gold documents given, document by document."""
        pairs = list(zip(self.questions, self.runs[row], strict=True))
        question, run = max(pairs, key=lambda pair: len(places(pair[0].gold, pair[1])))
        found = [
            (place, id_) for id_ in dict.fromkeys(question.gold) for place in places((id_,), run)
        ]
        return Table.of(
            f"Table 8: gold documents given for: {question.text}",
            (
                {
                    "status": "extracted" if place.is_extracted else "missed",
                    "document": (self.title_of(id_) or id_)[:WIDTH],
                    "rank": str(place.rank),
                    "token %": f"{place.share:.1%}",
                }
                for place, id_ in sorted(found, key=lambda pair: pair[0].rank)
            ),
        )


def _cells(row: Scenario, means: Mapping[str, float], names: Mapping[str, str]) -> dict[str, str]:
    """A row with metrics by their headings."""
    cells = {heading: number_cell(means[name]) for heading, name in names.items()}
    return {"scenario": row.label} | cells


def _savings_table(means: Means) -> Table:
    """Optimised rows beside what they are compared with."""
    by_name = {(row.number, row.name): its for row, its in means.items()}
    compared = {(row.number, row.baseline) for row in means if row.baseline}
    rows = []
    for row, its in means.items():
        base = by_name.get((row.number, row.baseline))
        if row.baseline or (row.number, row.name) in compared:
            told = (
                f" ({its['tokens'] / base['tokens'] - 1:+.0%})" if base and base["tokens"] else ""
            )
            tokens = {"tokens": f"{its['tokens']:,.0f}{told}"}
            rows.append(_cells(row, its, QUALITY | {"RoR": "both"}) | tokens)
    return Table.of("Table 2: context optimisation; RoR is the recall of retrieval", rows)


def _extracted_table(row: Scenario, found: Sequence[Place]) -> Table:
    rows = []
    for name, is_extracted in (("extracted", True), ("missed", False)):
        if group := [place for place in found if place.is_extracted == is_extracted]:
            searched = np.mean([place.in_documents for place in group])
            cells = {"group": name, "documents": str(len(group)), "in searched": f"{searched:.1%}"}
            for what, form, values in (
                ("rank", ".1f", [place.rank for place in group]),
                ("token", ",.0f", [place.tokens for place in group]),
                ("token %", ".1%", [place.share for place in group]),
            ):
                cells[f"mean {what}"] = format(float(np.mean(values)), form)
                cells[f"median {what}"] = format(float(np.median(values)), form)
            rows.append(cells)
    return Table.of(f"Table 3: gold documents in what was given, {row.label}", rows)


def _bin_tables(row: Scenario, found: Sequence[Place]) -> list[Table]:
    counts = hits_by_bin(found)
    return [
        Table.of(
            f"Table {number}: hits by {what}, {row.label}",
            (
                {
                    what: name.rpartition("_")[2],
                    "hits": str(hits),
                    "misses": str(misses),
                    "hit rate": number_cell(hits / (hits + misses or np.nan), ".1%"),
                }
                for name, (hits, misses) in counts.items()
                if name in names
            ),
        )
        for number, what, names in ((6, "token decile", TOKENS), (7, "rank", RANKS))
    ]


def _costs_table(means: Means) -> Table:
    """What every row cost, a question on average."""
    *counted, money = COSTS
    forms = dict(zip(counted, (".1f", ".1f", ",.0f", ".2f"), strict=True))
    return Table.of(
        "calls, tokens and time a question",
        (
            {"scenario": row.label}
            | {name: format(its[name], form) for name, form in forms.items()}
            | {money: paid_cell(its[money], ".4f")}
            for row, its in means.items()
        ),
    )
