"""What judges found, as tables and as a document."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from hlg.evaluation.answers import Asked, SeenPassage
from hlg.evaluation.data.labels import EarlierAnswer, Label
from hlg.evaluation.data.questions import Dataset, Question, Span
from hlg.evaluation.judging.judges import JUDGES
from hlg.evaluation.judging.run import Bench, Judged, Marked, judge_answers, judge_labels
from hlg.evaluation.metrics.claims import cohen_kappa
from hlg.evaluation.tables import NONE, Table, by_type, mean_cells
from hlg.reports import Progress

CORRECTNESS = "correctness"
"""The judge whose marks a person's can be set against."""
OUTCOMES = ("win", "loss", "tie")


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """Verdicts of judges, and how far they agree with persons.

    ``marked`` are answers that a person marked as well; ``evidence`` pairs of a person's and
    the judge's word on whether a passage holds evidence.
    """

    dataset: str
    model: str
    identity: str
    judges: tuple[str, ...]
    judged: tuple[Judged, ...]
    marked: tuple[Marked, ...] = ()
    evidence: tuple[tuple[bool, bool], ...] = ()

    def document(self) -> dict[str, object]:
        """All of it, for a file."""
        return {
            "judge": self.identity,
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
        groups = by_type(self.judged) if self.judged else {}
        names = dict.fromkeys(name for judge in self.judges for name in JUDGES.named(judge).metrics)
        cells = {
            type_: mean_cells(np.array([[x.values.get(n, np.nan) for n in names] for x in group]))
            for type_, group in groups.items()
        }
        return Table(
            f"{self.dataset}, judged by {self.model}: means with 95 % bootstrap intervals",
            ("metric", *(f"{type_} ({len(group)})" for type_, group in groups.items())),
            tuple(
                (name, *(cells[type_][place] for type_ in groups))
                for place, name in enumerate(names)
            ),
        )

    def _outcomes(self) -> Table:
        compared = [each for each in self.judged if each.outcome is not None]
        groups = by_type(compared) if compared else {}
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
    on_progress: Callable[[Progress], None],
    *,
    labels: Sequence[Label] = (),
    earlier: Mapping[str, EarlierAnswer] | None = None,
) -> JudgeReport:
    """Have answers judged, compared with another system's, and set against a person's marks.

    :raises UsageError: the other system was asked other questions.
    """
    judged = judge_answers(bench, asked, earlier, on_progress)
    return JudgeReport(
        dataset.name,
        bench.door.model,
        bench.identity,
        bench.judges,
        judged,
        judge_labels(bench, asked, labels) if CORRECTNESS in bench.judges else (),
        tuple(evidence_marks(dataset.questions, asked, judged)),
    )


def evidence_marks(
    questions: Iterable[Question], asked: Iterable[Asked], judged: Iterable[Judged]
) -> list[tuple[bool, bool]]:
    """For each passage that a judge looked at, where a data set marks evidence by its span:
    whether it holds some of it, and whether the judge finds it relevant."""
    spans = {question.id: question.spans for question in questions if question.spans}
    pairs = []
    for answer, verdict in zip(asked, judged, strict=True):
        if marked := spans.get(answer.question_id):
            looked_at = zip(answer.passages, verdict.relevant, strict=False)
            pairs += [(_holds(passage, marked), relevant) for passage, relevant in looked_at]
    return pairs


def _holds(passage: SeenPassage, spans: Sequence[Span]) -> bool:
    return any(
        passage.uri.endswith(f"#{span.document_id}") and span.overlaps(passage.start, passage.end)
        for span in spans
    )


def _shares(group: Sequence[Judged]) -> list[str]:
    counts = [sum(each.outcome == outcome for each in group) for outcome in OUTCOMES]
    values = np.array([[each.outcome == x for x in OUTCOMES] for each in group], np.float64)
    wins, losses, _ = counts
    ratio = f"{wins / losses:.2f}" if losses else NONE
    steady = np.mean([each.is_steady for each in group])
    return [*mean_cells(values), ratio, f"{steady:.3f}"]


def _agreeing(pairs: Sequence[tuple[bool, bool]]) -> list[str]:
    person, judge = [one for one, _ in pairs], [other for _, other in pairs]
    kappa = cohen_kappa(person, judge)
    (same,) = mean_cells(np.equal(person, judge).astype(float)[:, None])
    return [str(len(pairs)), same, NONE if np.isnan(kappa) else f"{kappa:.3f}"]
