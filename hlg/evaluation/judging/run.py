"""Every answer of an evaluation before its judges, as many at once as the model allows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from hlg.errors import ModelError, UsageError
from hlg.evaluation.answers import Asked, plain
from hlg.evaluation.data.labels import EarlierAnswer, Label
from hlg.evaluation.data.records import listed
from hlg.evaluation.judging.judges import JUDGES
from hlg.evaluation.judging.preference import PROMPT, Outcome, preference
from hlg.evaluation.judging.verdicts import Case, correctness
from hlg.graph import LexicalGraph
from hlg.models.language.door import ModelDoor, open_door
from hlg.models.language.providers import required
from hlg.models.tokens import token_counter
from hlg.reports import Progress


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
        return self.door.identity(*sorted(prompts | {PROMPT}))

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
    named = graph.settings.model_copy(update={"llm": model})
    door = required(graph.door if model is None else open_door(named))
    # The graph may be empty as yet, and have no embedder whose tokens are counted.
    return Bench(
        door, listed(judges), window, lambda text: token_counter(graph.graph_embedder).count(text)
    )


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
    earlier: Mapping[str, EarlierAnswer] | None,
    on_progress: Callable[[Progress], None],
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

    found = []
    for done, judged in enumerate(bench.door.map(one, asked), start=1):
        found.append(judged)
        on_progress(Progress("judge", done, len(asked)))
    return tuple(found)


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
        return Marked(label.question, label.correct, verdict.values["correctness"] == 1)

    return tuple(marked for marked in bench.door.map(one, known) if marked is not None)


def _judged(bench: Bench, asked: Asked, earlier: EarlierAnswer | None) -> Judged:
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
