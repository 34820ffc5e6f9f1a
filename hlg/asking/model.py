"""The answer that a language model words, out of numbered statements, checked sentence by
sentence."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from hlg.answers import Answer
from hlg.asking.extraction import citations, told
from hlg.asking.found import FoundEvidence
from hlg.errors import BudgetReached, ModelError
from hlg.models.language.answers import Usage
from hlg.models.language.door import ModelDoor
from hlg.records import Passage
from hlg.retrieval.answers.check import checked
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.statements import in_reading_order
from hlg.retrieval.context.packing import pack
from hlg.retrieval.context.serialization import Triple
from hlg.store.base import GraphStore
from hlg.tokens import TokenCounter

__all__ = ["PATIENCE", "UNANSWERED", "answer_by_model", "numbered"]

PROMPT = "answer"
UNANSWERED = "UNANSWERED"
"""What a model says where the statements do not answer."""
PATIENCE = 20.0
"""Seconds after which a person has the answer by extraction sooner than a further try."""

OnText = Callable[[str], None]


def answer_by_model(
    door: ModelDoor,
    extracted: Answer,
    found: FoundEvidence,
    store: GraphStore,
    counter: TokenCounter,
    budget: int,
    on_text: OnText | None = None,
    *,
    patience: float = PATIENCE,
) -> Answer:
    """The model's answer; that by extraction, with a note, where it fails or is not borne out.

    :param extracted: the answer by extraction: its statements go to the model first.
    :param on_text: is given the answer in pieces as they come.
    :param patience: seconds after which no further try is begun.
    :raises BudgetReached: the answer might cost too much.
    """
    before = door.usage
    sources = _within(extracted, found, counter, budget)
    material = {"question": extracted.question, "statements": numbered(sources)}
    try:
        text = _said(door, material, on_text, patience)
    except BudgetReached:
        raise
    except ModelError as error:
        return _instead(extracted, f"{error}; by extraction instead", door, before)
    if text.strip(" .\n").upper() == UNANSWERED:
        answer = replace(extracted, lead="", lead_citations=(), is_answered=False, by=door.model)
        return replace(answer, usage=door.usage - before)
    known = {number: _whole(each) for number, each in enumerate(sources, start=1)}
    sentences = checked(extracted.question, text, known)
    if all(sentence.problem for sentence in sentences):
        reason = sentences[0].problem if sentences else "it is empty"
        note = f"no sentence of the language model's answer holds ({reason}); by extraction instead"
        return _instead(extracted, note, door, before)
    used = sorted({number for sentence in sentences for number in sentence.citations})
    return replace(
        extracted,
        lead="",
        lead_citations=(),
        sentences=sentences,
        citations=citations(store, {number: sources[number - 1] for number in used}),
        by=door.model,
        usage=door.usage - before,
    )


def numbered(statements: Sequence[EvidenceStatement]) -> str:
    """A line a statement: its number, the title of its source, and what it says."""
    return "\n".join(
        f"[{number}] {_title(each.passage)}{told(each)}"
        for number, each in enumerate(statements, start=1)
    )


def _said(
    door: ModelDoor, material: dict[str, str], on_text: OnText | None, patience: float
) -> str:
    if on_text is None:
        return door.ask(PROMPT, material, patience=patience).text
    pieces = []
    for piece in door.stream(PROMPT, material, patience=patience):
        on_text(piece)
        pieces.append(piece)
    return "".join(pieces)


def _instead(extracted: Answer, note: str, door: ModelDoor, before: Usage) -> Answer:
    return replace(extracted, notes=(*extracted.notes, note), usage=door.usage - before)


def _within(
    extracted: Answer, found: FoundEvidence, counter: TokenCounter, budget: int
) -> list[EvidenceStatement]:
    """The statements that fit, in reading order: those of the answer by extraction before the
    others, by rank and likeness to the question."""
    first = {citation.passage.id for citation in extracted.citations}
    order = sorted(
        range(len(found.statements)),
        key=lambda place: (
            found.statements[place].passage.id not in first,
            found.statements[place].rank,
            -float(found.cosines[place]),
        ),
    )
    by_id = {each.passage.id: each for each in found.statements}

    def render(passages: Sequence[Passage], triples: Sequence[Triple]) -> str:
        return numbered([replace(by_id[each.id], passage=each) for each in passages])

    ordered = [found.statements[place].passage for place in order]
    packed = pack(ordered, (), render, counter.count, budget)
    kept = [by_id[each.id] for each in packed.passages] if packed else []
    return [kept[place] for place in in_reading_order(range(len(kept)), kept)]


def _whole(statement: EvidenceStatement) -> str:
    passage = statement.passage
    return f"{passage.source.title} {passage.details} {passage.text}"


def _title(passage: Passage) -> str:
    title = " ".join(passage.source.title.split())
    return f"{title}: " if title else ""
