"""What judges found, as tables and as a document."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from hlg.evaluation.answers import Asked
from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.judging.run import (
    CORRECTNESS,
    Bench,
    Judged,
    Label,
    Marked,
    evidence_marks,
    judge_answers,
    judge_labels,
)
from hlg.evaluation.metrics.claims import cohen_kappa
from hlg.evaluation.tables import NONE, Table, by_type, mean_cells
from hlg.reports import OnProgress

OUTCOMES = ("win", "loss", "tie")


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """Verdicts of judges, and how far they agree with persons.

    ``marked`` are answers that a person marked as well; ``evidence`` pairs of a person's and
    the judge's word on whether a passage holds evidence.
    """

    dataset: str
    bench: Bench
    judged: tuple[Judged, ...]
    marked: tuple[Marked, ...] = ()
    evidence: tuple[tuple[bool, bool], ...] = ()

    def document(self) -> dict[str, object]:
        """All of it, for a file."""
        return {
            "judge": self.bench.identity,
            "judged": [asdict(each) for each in self.judged],
            "marked": [asdict(each) for each in self.marked],
        }

    def tables(self) -> list[Table]:
        """Metrics by type of question; wins and losses; agreement with persons."""
        tables = [self._metrics(), self._outcomes(), self._agreement()]
        return [table for table in tables if table.rows]

    @property
    def problems(self) -> list[str]:
        """Why answers have no verdict."""
        return [each.problem for each in self.judged if each.problem]

    def _metrics(self) -> Table:
        groups, names = by_type(self.judged), list(dict.fromkeys(self.bench.metrics))
        columns = [
            mean_cells(np.array([[x.values.get(n, np.nan) for n in names] for x in group]))
            for group in groups.values()
        ]
        return Table(
            f"{self.dataset}, judged by {self.bench.door.model}: means with 95 % bootstrap "
            "intervals",
            ("metric", *(f"{type_} ({len(group)})" for type_, group in groups.items())),
            tuple((name, *cells) for name, *cells in zip(names, *columns, strict=True)),
        )

    def _outcomes(self) -> Table:
        groups = by_type([each for each in self.judged if each.outcome is not None])
        return Table(
            f"{self.dataset}, against the other system's answers, in both orders (a verdict that "
            "changes with the order is a tie)",
            ("type", "questions", *OUTCOMES, "win/loss", "same in both"),
            tuple((type_, str(len(group)), *_shares(group)) for type_, group in groups.items()),
        )

    def _agreement(self) -> Table:
        pairs = {
            "answers: correct": [(each.person, each.judge) for each in self.marked],
            "passages: evidence": list(self.evidence),
        }
        return Table(
            "agreement with persons",
            ("what was marked", "marks", "equal", "Cohen's kappa"),
            tuple((name, *_agreeing(found)) for name, found in pairs.items() if found),
        )


def judge_report(
    bench: Bench,
    dataset: Dataset,
    asked: Sequence[Asked],
    on_progress: OnProgress,
    *,
    labels: Sequence[Label] = (),
    earlier: Mapping[str, Asked] | None = None,
) -> JudgeReport:
    """Have answers judged, compared with another system's, and set against a person's marks.

    :raises UsageError: the other system was asked other questions.
    """
    judged = judge_answers(bench, asked, earlier, on_progress)
    marked = judge_labels(bench, asked, labels) if CORRECTNESS in bench.judges else ()
    evidence = evidence_marks(dataset.questions, asked, judged)
    return JudgeReport(dataset.name, bench, judged, marked, tuple(evidence))


def _shares(group: Sequence[Judged]) -> list[str]:
    values = np.array([[each.outcome == x for x in OUTCOMES] for each in group], np.float64)
    wins, losses, _ = values.sum(axis=0).tolist()
    ratio = f"{wins / losses:.2f}" if losses else NONE
    steady = np.mean([each.is_steady for each in group])
    return [*mean_cells(values), ratio, f"{steady:.3f}"]


def _agreeing(pairs: Sequence[tuple[bool, bool]]) -> list[str]:
    person, judge = [one for one, _ in pairs], [other for _, other in pairs]
    kappa = cohen_kappa(person, judge)
    (same,) = mean_cells(np.equal(person, judge).astype(float)[:, None])
    return [str(len(pairs)), same, NONE if np.isnan(kappa) else f"{kappa:.3f}"]
