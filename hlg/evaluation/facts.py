"""What a graph says, drawn and checked: facts and entities by a person's marks, statements by a
judge (HLG paper, appendix A, table 6).

A file of marks is JSONL, a drawn record a line; ``mark`` is right, wrong or unsure, or
empty. Records are drawn in an order that the seed and their ids decide, so that the same
graph gives the same sample on every machine. Shares come with Wilson's interval (Wilson
1927), which holds for small samples and shares near 1.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel

from hlg.errors import ModelError
from hlg.evaluation.corpus import sources_of
from hlg.evaluation.data.records import json_lines, write_json_lines
from hlg.evaluation.judging.verdicts import judged_in_turn, material
from hlg.facts import factuality_of, predicate_in_words
from hlg.models.language.door import ModelDoor
from hlg.records import SourceGraph
from hlg.reports import OnProgress
from hlg.store import GraphStore

KINDS = ("fact", "entity")
Mark = Literal["right", "wrong", "unsure"]
MARKS: dict[str, Mark] = {"r": "right", "w": "wrong", "u": "unsure"}
"""What a record can be marked, by the key that stands for it."""
_NORMAL_95 = 1.959964
PROMPT = "judge-statement"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A fact or an entity to mark. ``text`` is how it reads, ``sentence`` what it rests on."""

    kind: Literal["fact", "entity"]
    id: str
    text: str
    sentence: str
    details: str
    source: str
    mark: Mark | Literal[""] = ""


def wilson_interval(right: int, marked: int) -> tuple[float, float]:
    """Wilson's 95 % score interval of a share (Wilson 1927); of nothing, all from 0 to 1."""
    if marked == 0:
        return 0.0, 1.0
    share, z = right / marked, _NORMAL_95
    centre = share + z * z / (2 * marked)
    spread = z * math.sqrt(share * (1 - share) / marked + z * z / (4 * marked * marked))
    scale = 1 + z * z / marked
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def _told(right: int, marked: int, form: str) -> str:
    low, high = wilson_interval(right, marked)
    return f"{right / marked:{form}}, 95 % interval {low:{form}} to {high:{form}}"


def draw(store: GraphStore, sample: int, seed: int) -> list[Drawn]:
    """At most ``sample`` facts and as many entities of a graph, in the seed's order."""
    found: dict[tuple[str, str], Drawn] = {}
    for _, graph in sources_of(store):
        for each in _records(graph):
            found.setdefault((each.kind, each.id), each)
    ordered = sorted(found.values(), key=lambda each: drawn_order(seed, each.id))
    of_kinds = ([each for each in ordered if each.kind == kind] for kind in KINDS)
    return [each for of_kind in of_kinds for each in of_kind[:sample]]


def drawn_order(seed: int, id_: str) -> bytes:
    """What a seed sorts the record of an id by."""
    return blake2b(f"{seed}:{id_}".encode(), digest_size=16).digest()


def _records(graph: SourceGraph) -> Iterator[Drawn]:
    names = {entity.id: entity for entity in graph.entities}
    statements = {statement.id: statement for statement in graph.statements}
    for fact in graph.facts:
        statement = statements[fact.statement_ids[0]]
        object_ = names[fact.object_id].name if fact.object_id else fact.object_value
        said = predicate_in_words({"predicate": fact.predicate, **factuality_of(fact)})
        text = f"{names[fact.subject_id].name} | {said} | {object_}"
        yield Drawn("fact", fact.id, text, statement.text, statement.details, graph.source.uri)
    for statement in graph.statements:
        for id_ in statement.entity_ids:
            if entity := names.pop(id_, None):
                text = f"{entity.name} : {entity.entity_class}"
                yield Drawn(
                    "entity", id_, text, statement.text, statement.details, graph.source.uri
                )


def read_marks(path: Path) -> list[Drawn]:
    """The records of a file of marks; empty where there is no file.

    :raises InputError: a line is no record; says which.
    """
    return list(json_lines(path, Drawn)) if path.exists() else []


def write_marks(path: Path, drawn: Iterable[Drawn]) -> None:
    """Write records as JSONL, one a line."""
    write_json_lines(path, map(asdict, drawn))


def shares(drawn: Iterable[Drawn]) -> list[str]:
    """For facts and for entities a line that tells the share of the marked that is right; the
    unsure count as not right."""
    drawn, lines = list(drawn), []
    for kind in KINDS:
        marks = Counter(each.mark for each in drawn if each.kind == kind and each.mark)
        right, marked = marks["right"], marks.total()
        told = f"{marks['wrong']} wrong, {marks['unsure']} unsure"
        share = (
            f"{right} of {marked} right ({_told(right, marked, '.2f')}; {told})" if marked else ""
        )
        lines.append(f"{kind}: {share or 'none marked'}")
    return lines


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
    door: ModelDoor, drawn: Sequence[DrawnStatement], on_progress: OnProgress
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
    told = _told(sum(marks), len(marks), ".3f")
    return f"{sum(marks):,} of {len(marks):,} statements are accurate ({told})"
