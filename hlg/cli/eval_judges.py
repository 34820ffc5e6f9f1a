"""The judges of ``hlg eval answers``: opened from what the command line says, and printed."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hlg.cli.console import one_line, say
from hlg.cli.tables import print_tables
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.evaluation.answers import AnswerReport
    from hlg.evaluation.data.labels import EarlierAnswer, Label
    from hlg.evaluation.data.questions import Dataset
    from hlg.evaluation.judging.report import JudgeReport
    from hlg.evaluation.judging.run import Bench
    from hlg.graph import LexicalGraph
    from hlg.reports import Progress

__all__ = ["Judging", "open_judging", "print_judged"]


@dataclass(frozen=True, slots=True)
class Judging:
    """Judges, and what their verdicts are set against."""

    bench: "Bench"
    labels: "tuple[Label, ...]"
    earlier: "dict[str, EarlierAnswer] | None"

    def report(
        self, dataset: "Dataset", answers: "AnswerReport", show: "Callable[[Progress], None]"
    ) -> "JudgeReport":
        """What the judges say of the answers."""
        from hlg.evaluation.judging.report import judge_report

        return judge_report(
            self.bench, dataset, answers.asked, show, labels=self.labels, earlier=self.earlier
        )


def open_judging(
    graph: "LexicalGraph",
    directory: Path,
    judges: str,
    model: str | None,
    against: Path | None,
    window: int | None,
) -> Judging | None:
    """The judges that are asked for; None where none is.

    :param judges: names with commas between.
    :param model: another language model than the settings name.
    :raises UsageError: no such judge; there is no language model.
    :raises InputError: the other system's answers or the labels can't be read.
    """
    names = tuple(dict.fromkeys(name.strip() for name in judges.split(",") if name.strip()))
    if not names and against is None:
        if model is not None:
            raise UsageError("--judge-model without --judge or --against", option="judge-model")
        return None
    from hlg.evaluation.data.labels import read_earlier, read_labels
    from hlg.evaluation.judging.run import Bench
    from hlg.models.language.door import open_door

    named = graph.settings.model_copy(update={"llm": model})
    door = graph.require_door() if model is None else open_door(named)
    assert door is not None
    # The graph may be empty as yet, and have no embedder whose tokens are counted.
    bench = Bench(door, names, window, lambda text: graph.token_counter.count(text))
    earlier = read_earlier(against) if against is not None else None
    return Judging(bench, read_labels(directory), earlier)


def print_judged(report: "JudgeReport", judging: Judging, graph: "LexicalGraph") -> None:
    """The judges' tables; what they failed on, and what another model cost, on stderr."""
    if problems := report.problems:
        say(
            f"not judged: {len(problems)} of {len(report.judged)} answers ({one_line(problems[0])})"
        )
    if judging.bench.door is not graph.opened_door:
        say(f"judged by {report.model}: {judging.bench.door.usage.summary()}")
    print_tables(report.tables())
