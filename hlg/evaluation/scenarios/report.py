"""The scenarios paper's tables 1 to 8, of what was run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

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
    by_decile,
    by_rank,
    calls_by_name,
    cost_metrics,
    places,
    selection_metrics,
)
from hlg.evaluation.scenarios.rows import NAMES, Scenario
from hlg.evaluation.tables import NONE, Table

Runs = Mapping[Scenario, Sequence[ModelRun]]
HEADINGS = ("Hit@1", "Hit@5", "R@20", "MRR")
WIDTH = 60
"""Characters of a title in a table."""


@dataclass(frozen=True, slots=True)
class ScenarioReport:
    """What came of the rows on a data set's questions.

    ``model`` is empty where there is none; ``graph`` says what was walked.
    """

    dataset: str
    questions: tuple[Question, ...]
    runs: Runs
    model: str
    graph: str
    title_of: Callable[[str], str]

    def means(self) -> dict[Scenario, dict[str, float]]:
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
            | {"calls": dict(calls_by_name(self.runs[row]))}
            | {"problems": sum(bool(run.problem) for run in self.runs[row])}
            for row, means in self.means().items()
        ]
        tables = [
            {"title": each.title, "headings": each.headings, "rows": each.rows}
            for each in self.tables()
        ]
        head = {"dataset": self.dataset, "questions": len(self.questions)}
        return head | {"model": self.model, "graph": self.graph, "rows": rows, "tables": tables}

    def tables(self) -> list[Table]:
        """Tables 1 to 8, those that have rows; then what every row cost."""
        means, row = self.means(), self._widest()
        found = self._places(row) if row is not None else []
        tables = [
            self._quality(means),
            self._savings(means),
            *([_extracted_table(row, found)] if row is not None else ()),
            self._recalls(means),
            self._agents(means),
            *([*_bin_tables(row, found), self._case(row)] if row is not None else ()),
            _costs_table(means),
        ]
        return [table for table in tables if table.rows]

    def _quality(self, means: Mapping[Scenario, Mapping[str, float]]) -> Table:
        model = f"; {self.model}" if self.model else ""
        return Table(
            f"Table 1: {self.dataset}, {len(self.questions)} questions{model}; documents that the "
            f"model selects, or that retrieval ranks; walks over {self.graph}",
            ("scenario", *HEADINGS),
            tuple(
                (f"{row.number} {NAMES[row.number]}: {row.name}", *_cells(its, SELECTION))
                for row, its in means.items()
                if not row.baseline
            ),
        )

    def _savings(self, means: Mapping[Scenario, Mapping[str, float]]) -> Table:
        """Optimised rows beside what they are compared with."""
        by_name = {(row.number, row.name): its for row, its in means.items()}
        compared = {(row.number, row.baseline) for row in means if row.baseline}
        rows = []
        for row, its in means.items():
            base = by_name.get((row.number, row.baseline))
            if row.baseline or (row.number, row.name) in compared:
                change = its["tokens"] / base["tokens"] - 1 if base and base["tokens"] else None
                told = f" ({change:+.0%})" if change is not None else ""
                tokens = f"{its['tokens']:,.0f}{told}"
                rows.append((row.label, *_cells(its, (*SELECTION, "both")), tokens))
        title = "Table 2: context optimisation; RoR is the recall of retrieval"
        return Table(title, ("scenario", *HEADINGS, "RoR", "tokens"), tuple(rows))

    def _recalls(self, means: Mapping[Scenario, Mapping[str, float]]) -> Table:
        rows = [(row.label, *_cells(its, RECALLS)) for row, its in means.items() if row.paths]
        title = "Table 4: recall of the gold documents, of rows with a graph"
        return Table(title, ("scenario", *RECALLS), tuple(rows))

    def _agents(self, means: Mapping[Scenario, Mapping[str, float]]) -> Table:
        names = ("tool calls", "seconds", "both", "answer")
        rows = [(x.label, *_cells(its, names)) for x, its in means.items() if x.number >= 7]
        headings = ("scenario", "tool calls", "seconds", "retrieval", "answer")
        return Table("Table 5: agents; recall of retrieval and answer", headings, tuple(rows))

    def _widest(self) -> Scenario | None:
        """Of the rows with one answer that which gives most tokens, of the optimised where there
        are such (the paper's is 500 paths of 20 entities)."""
        answered = [row for row in self.runs if row.decides == "answer"]
        size = {
            row: sum(each.tokens for run in self.runs[row] for each in run.given)
            for row in answered
        }
        return max(
            answered, key=lambda row: (bool(row.baseline), size[row], row.paths), default=None
        )

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
        found.sort(key=lambda pair: pair[0].rank)
        return Table(
            f"Table 8: gold documents given for: {question.text}",
            ("status", "document", "rank", "token %"),
            tuple(
                (
                    "extracted" if place.is_extracted else "missed",
                    (self.title_of(id_) or id_)[:WIDTH],
                    str(place.rank),
                    f"{place.share:.1%}",
                )
                for place, id_ in found
            ),
        )


def _cells(means: Mapping[str, float], names: Sequence[str]) -> list[str]:
    return [NONE if np.isnan(means[name]) else f"{means[name]:.3f}" for name in names]


def _extracted_table(row: Scenario, found: Sequence[Place]) -> Table:
    rows = []
    for name, is_extracted in (("extracted", True), ("missed", False)):
        group = [place for place in found if place.is_extracted == is_extracted]
        if not group:
            continue
        rows.append(
            (
                name,
                str(len(group)),
                f"{np.mean([place.in_documents for place in group]):.1%}",
                *_middle([place.rank for place in group], "{:.1f}"),
                *_middle([place.tokens for place in group], "{:,.0f}"),
                *_middle([place.share for place in group], "{:.1%}"),
            )
        )
    means = ("rank", "token", "token %")
    headings = [f"{how} {what}" for what in means for how in ("mean", "median")]
    return Table(
        f"Table 3: gold documents in what was given, {row.label}",
        ("group", "documents", "in searched", *headings),
        tuple(rows),
    )


def _middle(values: Sequence[float], form: str) -> tuple[str, str]:
    return form.format(float(np.mean(values))), form.format(float(np.median(values)))


def _bin_tables(row: Scenario, found: Sequence[Place]) -> list[Table]:
    return [
        Table(
            f"Table {number}: hits by {what}, {row.label}",
            (what, "hits", "misses", "hit rate"),
            tuple(
                (
                    name.rpartition("_")[2],
                    str(hits),
                    str(misses),
                    f"{hits / (hits + misses):.1%}" if hits + misses else NONE,
                )
                for name, (hits, misses) in zip(names, counts, strict=True)
            ),
        )
        for number, what, names, counts in (
            (6, "token decile", TOKENS, by_decile(found)),
            (7, "rank", RANKS, by_rank(found)),
        )
    ]


def _costs_table(means: Mapping[Scenario, Mapping[str, float]]) -> Table:
    """What every row cost, a question on average."""
    forms = ("{:.1f}", "{:.1f}", "{:,.0f}", "{:.2f}")
    *counted, money = COSTS
    return Table(
        "calls, tokens and time a question",
        ("scenario", *COSTS),
        tuple(
            (
                row.label,
                *(form.format(its[name]) for form, name in zip(forms, counted, strict=True)),
                f"{its[money]:.4f}" if its[money] > 0 else NONE,
            )
            for row, its in means.items()
        ),
    )
