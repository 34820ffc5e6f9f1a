"""What was asked so far, on disk as soon as it is known: a run that was stopped goes on from it."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from hlg.errors import BudgetReached
from hlg.evaluation.data.questions import Question
from hlg.reports import OnProgress, Progress
from hlg.whole_file import write_whole_text


class OfQuestion(Protocol):
    """A record, a dataclass, of what came of one question."""

    @property
    def question_id(self) -> str: ...


Kept = TypeVar("Kept", bound=OfQuestion)


class Journal(Generic[Kept]):
    """Outcomes by what was asked (a retriever, say) and question id."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.outcomes: dict[str, dict[str, Kept]] = defaultdict(dict)

    def pending(self, asked: str, questions: Sequence[Question]) -> list[tuple[int, Question]]:
        """The questions that nothing is kept of, each with its number among those of a run."""
        left = [each for each in questions if each.id not in self.outcomes[asked]]
        return list(enumerate(left, start=len(questions) - len(left) + 1))

    def found(self, asked: str, questions: Sequence[Question]) -> list[Kept]:
        """What is kept of questions, in their order."""
        return [self.outcomes[asked][each.id] for each in questions]

    def add(self, asked: str, outcome: Kept) -> None:
        """Keep an outcome."""
        self.outcomes[asked][outcome.question_id] = outcome
        self._file.write(_line(asked, outcome))
        self._file.flush()


@contextmanager
def open_journal(path: Path, key: str, kind: type[Kept]) -> Iterator[Journal[Kept]]:
    """The journal at ``path``, with what an earlier run of the same experiment left there.

    The first line names the experiment; a journal with another ``key`` is begun anew. A
    line that a kill cut off is dropped, and the file is written afresh without it, so that
    what is appended starts on a line of its own.
    """
    known = list(_read(path, key, kind))
    lines = [json.dumps(key) + "\n", *(_line(*each) for each in known)]
    write_whole_text(path, "".join(lines), make_folder=True)
    with path.open("a", encoding="utf-8") as file:
        journal: Journal[Kept] = Journal(file)
        for asked, outcome in known:
            journal.outcomes[asked][outcome.question_id] = outcome
        yield journal


def ask_in_turn(
    questions: Sequence[Question],
    rows: Mapping[str, Callable[[Question], bool]],
    on_progress: OnProgress,
) -> tuple[tuple[Question, ...], str]:
    """Ask every question of every row, question by question, until the budget ends; so what is
    ended early has the same questions in every row.

    :param rows: by label what asks a question, and says whether that was yet to be asked.
    :return: the questions that every row was asked, and why there are no more of them.
    :raises BudgetReached: the first question might cost too much.
    """
    total = len(rows) * len(questions)
    for done, question in enumerate(questions):
        try:
            for at, (label, ask) in enumerate(rows.items(), start=1):
                if ask(question):
                    told = f"question {done + 1} of {len(questions)}, {label}"
                    on_progress(Progress("asked", done * len(rows) + at, total, told))
        except BudgetReached as error:
            if not done:
                raise
            return tuple(questions[:done]), str(error)
    return tuple(questions), ""


def _line(asked: str, outcome: Any) -> str:
    return json.dumps([asked, asdict(outcome)]) + "\n"


def _read(path: Path, key: str, kind: type[Kept]) -> Iterator[tuple[str, Kept]]:
    if not path.is_file():
        return
    first, *lines = path.read_text(encoding="utf-8").split("\n")
    if first != json.dumps(key):
        return
    adapter: TypeAdapter[tuple[str, Kept]] = TypeAdapter(tuple[str, kind])  # type: ignore[valid-type]
    for line in lines:
        try:
            yield adapter.validate_json(line)
        except ValidationError:
            return
