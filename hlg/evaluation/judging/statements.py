"""How true a graph's statements are to their text, by a judge (HLG paper, appendix A, table 6)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel

from hlg.errors import ModelError
from hlg.evaluation.corpus import sources_of
from hlg.evaluation.facts import drawn_order, wilson_interval
from hlg.evaluation.judging.verdicts import judged_in_turn, material
from hlg.models.language.door import ModelDoor
from hlg.reports import Progress
from hlg.store import GraphStore

PROMPT = "judge-statement"


class DrawnStatement(NamedTuple):
    """A statement with its details, and the chunk that it was extracted from."""

    id: str
    source: str
    statement: str
    passage: str


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """Whether a statement is accurate; None where the judge did not say, with the reason."""

    drawn: DrawnStatement
    accurate: bool | None
    reason: str


class _Mark(BaseModel):
    reason: str
    accurate: bool


def draw_statements(store: GraphStore, sample: int, seed: int) -> list[DrawnStatement]:
    """At most ``sample`` statements of a graph, in the seed's order."""
    found = []
    for _, graph in sources_of(store):
        chunks = {chunk.id: chunk.text for chunk in graph.chunks}
        for each in graph.statements:
            text = f"{each.text} ({each.details})" if each.details else each.text
            chunk = chunks[each.chunk_ids[0]]
            found.append(DrawnStatement(each.id, graph.source.uri, text, chunk))
    return sorted(found, key=lambda each: drawn_order(seed, each.id))[:sample]


def judge_statements(
    door: ModelDoor, drawn: Sequence[DrawnStatement], on_progress: Callable[[Progress], None]
) -> list[StatementVerdict]:
    """The judge's word on each, in order.

    :raises BudgetReached: a further answer might cost too much; what was answered is kept.
    """

    def one(each: DrawnStatement) -> StatementVerdict:
        texts = material(passage=each.passage, statement=each.statement)
        try:
            mark = door.ask_json(PROMPT, _Mark, texts).value
        except ModelError as error:
            return StatementVerdict(each, None, str(error))
        return StatementVerdict(each, mark.accurate, mark.reason)

    return judged_in_turn(door, one, drawn, on_progress)


def accuracy(verdicts: Sequence[StatementVerdict]) -> str:
    """The share that is accurate, with Wilson's 95 % interval, in a line."""
    marks = [each.accurate for each in verdicts if each.accurate is not None]
    if not marks:
        return "no statement was judged"
    low, high = wilson_interval(sum(marks), len(marks))
    return (
        f"{sum(marks):,} of {len(marks):,} statements are accurate "
        f"({sum(marks) / len(marks):.3f}, 95 % interval {low:.3f} to {high:.3f})"
    )
