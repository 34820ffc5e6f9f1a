"""Every answer of an evaluation before its judges, as many at once as the model allows, and what
they found."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from pydantic import BaseModel

from hlg.errors import ModelError, UsageError
from hlg.evaluation.answers import Asked, SeenPassage, plain
from hlg.evaluation.corpus import door_of
from hlg.evaluation.data.questions import Dataset, Question, Span
from hlg.evaluation.data.records import json_lines, listed, read_text, validated
from hlg.evaluation.judging.judges import JUDGES
from hlg.evaluation.judging.verdicts import (
    PREFERENCE,
    Case,
    Outcome,
    correctness,
    judged_in_turn,
    preference,
)
from hlg.evaluation.metrics.claims import cohen_kappa
from hlg.evaluation.tables import NONE, Table, by_type, mean_cells, number_cell
from hlg.graph import LexicalGraph
from hlg.models.language.door import ModelDoor
from hlg.models.tokens import token_counter
from hlg.reports import OnProgress

CORRECTNESS = "correctness"
"""The judge whose marks a person's can be set against."""
LABELS_FILE = "labels.jsonl"
"""In a data set's folder."""
OUTCOMES = ("win", "loss", "tie")


@dataclass(frozen=True, slots=True)
class Bench:
    """Who judges: judges by name, over one door.

    ``window`` is how many tokens of what was found count as found, as ``count`` counts them;
    None for all of it. HLG's comparison has 3,000 (§6.3.1).
    """

    door: ModelDoor
    judges: tuple[str, ...]
    window: int | None = None
    count: Callable[[str], int] = len

    def __post_init__(self) -> None:
        for name in self.judges:
            JUDGES.named(name)

    @property
    def identity(self) -> str:
        """The judging model and the versions of all prompts that it may be asked with."""
        prompts = {prompt for name in self.judges for prompt in JUDGES.named(name).prompts}
        return self.door.identity(*sorted(prompts | {PREFERENCE}))

    @property
    def metrics(self) -> list[str]:
        """The metrics that the judges give."""
        return [metric for name in self.judges for metric in JUDGES[name].metrics]

    def read(self, passages: Sequence[str]) -> tuple[str, ...]:
        """The passages, best first, that fit the window whole; the first at least."""
        read: list[str] = []
        tokens = 0
        for text in passages:
            tokens += self.count(text)
            if read and self.window is not None and tokens > self.window:
                break
            read.append(text)
        return tuple(read)


def open_bench(
    graph: LexicalGraph, judges: str, model: str | None = None, window: int | None = None
) -> Bench:
    """The judges that are asked for.

    :param judges: names with commas between.
    :param model: another language model than the graph's settings name.
    :raises UsageError: no such judge; there is no language model.
    """
    # The graph may be empty as yet, and have no embedder whose tokens are counted.
    return Bench(
        door_of(graph, model),
        listed(judges),
        window,
        lambda text: token_counter(graph.graph_embedder).count(text),
    )


class Label(BaseModel):
    """An answer that a person marked: the question's id, the answer, whether it is correct."""

    question: str
    answer: str
    correct: bool


class _Earlier(BaseModel):
    questions: list[Asked]


def read_labels(directory: Path) -> tuple[Label, ...]:
    """The marks in a data set's folder; none where it has no ``labels.jsonl``.

    :raises InputError: a line of it is wrong; says which.
    """
    path = directory / LABELS_FILE
    return tuple(json_lines(path, Label)) if path.is_file() else ()


def read_earlier(path: Path) -> dict[str, Asked]:
    """The answers of an earlier evaluation by the question's id.

    :raises InputError: the file can't be read, or is none of ``hlg eval answers --out``.
    """
    wrong = "is no file of hlg eval answers --out"
    earlier = validated(path, _Earlier, read_text(path), wrong)
    return {each.question_id: each for each in earlier.questions}


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judges say of one answer.

    ``outcome`` is against an earlier answer, empty without one; ``is_steady`` whether both
    orders gave the same. ``relevant`` says it for each passage that was read. ``problem`` says
    why a judge gave no verdict.
    """

    question_id: str
    type: str
    values: Mapping[str, float] = field(default_factory=dict)
    relevant: tuple[bool, ...] = ()
    outcome: Outcome | None = None
    is_steady: bool = True
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Marked:
    """An answer that a person marked, and the judge's own mark."""

    question_id: str
    person: bool
    judge: bool


def judge_answers(
    bench: Bench,
    asked: Sequence[Asked],
    earlier: Mapping[str, Asked] | None,
    on_progress: OnProgress,
) -> tuple[Judged, ...]:
    """The judges' verdicts in the answers' order; one that a judge fails on has its reason.

    :param earlier: answers of another system by the question's id, to be compared with.
    :raises UsageError: the earlier answers are to other questions.
    """
    if earlier is not None and (missing := [x for x in asked if x.question_id not in earlier]):
        raise UsageError(
            f"--against has no answer to {len(missing)} of {len(asked)} questions, such as "
            f"{missing[0].question_id!r}; ask both systems the same questions",
            option="against",
        )

    def one(each: Asked) -> Judged:
        return _judged(bench, each, earlier[each.question_id] if earlier is not None else None)

    return tuple(judged_in_turn(bench.door, one, asked, on_progress))


def judge_labels(
    bench: Bench, asked: Sequence[Asked], labels: Sequence[Label]
) -> tuple[Marked, ...]:
    """The correctness judge on answers that a person marked, of the questions that were asked.

    One that it fails on is left out.
    """
    by_id = {each.question_id: each for each in asked}
    known = [label for label in labels if label.question in by_id]

    def one(label: Label) -> Marked | None:
        question = by_id[label.question]
        try:
            verdict = correctness(bench.door, Case(question.question, question.gold, label.answer))
        except ModelError:
            return None
        return Marked(label.question, label.correct, verdict.values[CORRECTNESS] == 1)

    return tuple(marked for marked in bench.door.map(one, known) if marked is not None)


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


def _judged(bench: Bench, asked: Asked, earlier: Asked | None) -> Judged:
    passages = bench.read([each.text for each in asked.passages])
    case = Case(asked.question, asked.gold, plain(asked), passages)
    values: dict[str, float] = {}
    relevant: tuple[bool, ...] = ()
    try:
        for name in bench.judges:
            verdict = JUDGES.named(name).load()(bench.door, case)
            values |= verdict.values
            relevant = verdict.relevant or relevant
        if earlier is None:
            return Judged(asked.question_id, asked.type, values, relevant)
        found = preference(bench.door, case, plain(earlier))
    except ModelError as error:
        return Judged(asked.question_id, asked.type, values, relevant, problem=str(error))
    return Judged(asked.question_id, asked.type, values, relevant, found.outcome, found.is_steady)


def _holds(passage: SeenPassage, spans: Sequence[Span]) -> bool:
    return any(
        passage.uri.endswith(f"#{span.document_id}") and span.overlaps(passage.start, passage.end)
        for span in spans
    )


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
        return Table.of(
            f"{self.dataset}, against the other system's answers, in both orders (a verdict that "
            "changes with the order is a tie)",
            ({"type": name, "questions": str(len(x))} | _shares(x) for name, x in groups.items()),
        )

    def _agreement(self) -> Table:
        pairs = {
            "answers: correct": [(each.person, each.judge) for each in self.marked],
            "passages: evidence": list(self.evidence),
        }
        known = ({"what was marked": name} | _agreeing(x) for name, x in pairs.items() if x)
        return Table.of("agreement with persons", known)


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


def _shares(group: Sequence[Judged]) -> dict[str, str]:
    values = np.array([[each.outcome == x for x in OUTCOMES] for each in group], np.float64)
    wins, losses, _ = values.sum(axis=0).tolist()
    cells = dict(zip(OUTCOMES, mean_cells(values), strict=True))
    steady = f"{np.mean([each.is_steady for each in group]):.3f}"
    return cells | {"win/loss": f"{wins / losses:.2f}" if losses else NONE, "same in both": steady}


def _agreeing(pairs: Sequence[tuple[bool, bool]]) -> dict[str, str]:
    person, judge = [one for one, _ in pairs], [other for _, other in pairs]
    (same,) = mean_cells(np.equal(person, judge).astype(float)[:, None])
    kappa = number_cell(cohen_kappa(person, judge))
    return {"marks": str(len(pairs)), "equal": same, "Cohen's kappa": kappa}
