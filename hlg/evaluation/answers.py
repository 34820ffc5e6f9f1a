"""How right a graph's answers are: each question asked, each answer set against the gold."""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from hlg.answers import EXTRACTION, Answer
from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.answers import best_of, exact_match, rouge_l, token_f1
from hlg.evaluation.tables import Table, by_type, mean_cells
from hlg.reports import OnProgress, Progress

METRICS = {"EM": exact_match, "F1": token_f1, "ROUGE-L": rouge_l}
"""Set the lead, or the whole answer where it has none, against the gold answers."""

_CITATIONS = re.compile(r"(?: ?\[\d+\])+")


@dataclass(frozen=True, slots=True)
class SeenPassage:
    """A passage that an answer was made of, with its span."""

    uri: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the answer, and what it is worth by metric.

    ``by`` is who worded it, ``notes`` what went otherwise than asked.
    """

    question_id: str
    type: str
    question: str
    gold: tuple[str, ...]
    lead: str
    text: str
    confidence: float
    is_answered: bool
    values: dict[str, float]
    passages: tuple[SeenPassage, ...] = ()
    by: str = EXTRACTION
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """What came of a data set's questions; those without a known answer are left out."""

    dataset: str
    asked: tuple[Asked, ...]

    def document(self) -> dict[str, object]:
        """All of it, for a file."""
        return {"dataset": self.dataset, "questions": [asdict(each) for each in self.asked]}

    @property
    def noted(self) -> list[str]:
        """The notes of the answers that did not come about as asked: a model failed, say."""
        return ["; ".join(each.notes) for each in self.asked if each.notes]

    def table(self) -> Table:
        """A row a type of question, and one for all: means with 95 % bootstrap intervals."""
        rows = []
        for name, group in by_type(self.asked).items():
            values = np.array([[each.values[metric] for metric in METRICS] for each in group])
            answered = f"{np.mean([each.is_answered for each in group]):.3f}"
            cells = dict(zip(METRICS, mean_cells(values), strict=True))
            rows.append({"type": name, "questions": str(len(group)), "answered": answered} | cells)
        title = f"{self.dataset}: {len(self.asked)} questions with a known answer"
        return Table.of(f"{title}, means with 95 % bootstrap intervals", rows)


def plain(answer: Asked) -> str:
    """What an answer says, without the numbers of its citations; empty where it has none."""
    if not answer.is_answered:
        return ""
    text = _CITATIONS.sub("", answer.text).strip()
    rest = text.removeprefix(answer.lead).strip()
    return f"{answer.lead}. {rest}" if answer.lead and rest != text and rest else text


def evaluate_answers(
    dataset: str,
    questions: Sequence[Question],
    ask: Callable[[str], Answer],
    on_progress: OnProgress,
) -> AnswerReport:
    """Ask every question that has a known answer."""
    known = [question for question in questions if question.answers]
    asked = []
    for done, question in enumerate(known, start=1):
        asked.append(assessed(question, ask(question.text)))
        on_progress(Progress("ask", done, len(known)))
    return AnswerReport(dataset, tuple(asked))


def assessed(question: Question, answer: Answer) -> Asked:
    """A question with its answer, and what that is worth."""
    said = answer.lead or (answer.text if answer.is_answered else "")
    found = (hit.passage for hit in answer.hits)
    return Asked(
        question.id,
        question.type,
        question.text,
        question.answers,
        answer.lead,
        answer.text,
        answer.confidence,
        answer.is_answered,
        {name: best_of(metric, said, question.answers) for name, metric in METRICS.items()},
        tuple(SeenPassage(each.source.uri, each.start, each.end, each.text) for each in found),
        answer.by,
        answer.notes,
    )
