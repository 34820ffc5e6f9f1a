"""The answer that a language model words, out of numbered statements, checked sentence by
sentence."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from hlg.answers import Answer
from hlg.asking.extraction import citations
from hlg.asking.found import FoundEvidence
from hlg.asking.talk import Talk
from hlg.errors import ModelError
from hlg.models.language.answers import Usage
from hlg.models.language.door import ModelDoor
from hlg.models.tokens import token_counter
from hlg.retrieval.answers.check import checked
from hlg.retrieval.answers.evidence import EvidenceStatement

if TYPE_CHECKING:
    from hlg.opened import OpenGraph

PROMPT = "answer"
UNANSWERED = "UNANSWERED"
"""What a model says where the statements do not answer."""
NOTHING_NEW = "(none that was not given before)"
PATIENCE = 20.0
"""Seconds after which a person has the answer by extraction sooner than a further try."""

OnText = Callable[[str], None]


def answer_by_model(
    graph: "OpenGraph",
    door: ModelDoor,
    extracted: Answer,
    found: FoundEvidence,
    tokens: int,
    on_text: OnText | None = None,
    talk: Talk | None = None,
) -> Answer:
    """The model's answer; that by extraction, with a note, where it fails or is not borne out.

    :param extracted: the answer by extraction: its statements go to the model first.
    :param on_text: is given the answer in pieces as they come.
    :param talk: the conversation that the question belongs to: the model is shown what was
        said in it, and is given only statements that it has not.
    :raises BudgetReached: the answer might cost too much.
    """
    before, counter = door.usage, token_counter(graph.graph_embedder)
    talk = talk or Talk()
    statements = talk.give(_strongest_first(extracted, found), tokens, counter)
    material = {"question": extracted.question, "statements": statements or NOTHING_NEW}
    try:
        text = _said(door, material, talk, on_text, patience_of(graph))
    except BaseException as error:
        # Also where Ctrl-C stops it: what the model has not answered from, it has not read.
        talk.take_back()
        if isinstance(error, ModelError):
            return _instead(extracted, f"{error}; by extraction instead", door, before)
        raise
    if text.strip(" .\n").upper() == UNANSWERED:
        talk.note(material, text, counter.count(f"{statements}{text}"))
        answer = replace(extracted, lead="", lead_citations=(), is_answered=False, by=door.model)
        return replace(answer, usage=door.usage - before)
    known = {number: _whole(each) for number, each in talk.statements.items()}
    sentences = checked(extracted.question, text, known)
    if all(sentence.problem for sentence in sentences):
        talk.take_back()
        reason = sentences[0].problem if sentences else "it is empty"
        note = f"no sentence of the language model's answer holds ({reason}); by extraction instead"
        return _instead(extracted, note, door, before)
    talk.note(material, text, counter.count(f"{statements}{text}"))
    used = sorted({number for sentence in sentences for number in sentence.citations})
    return replace(
        extracted,
        lead="",
        lead_citations=(),
        sentences=sentences,
        citations=citations(
            graph.store, {number: talk.statements[number].passage for number in used}
        ),
        is_answered=True,
        unsaid=(),
        by=door.model,
        usage=door.usage - before,
    )


def patience_of(graph: "OpenGraph") -> float:
    """Seconds after which no further try is begun for somebody who waits."""
    return min(PATIENCE, graph.settings.llm_wait_seconds)


def _said(
    door: ModelDoor,
    material: dict[str, str],
    talk: Talk,
    on_text: OnText | None,
    patience: float,
) -> str:
    if on_text is None:
        answer = door.ask(
            PROMPT, material, patience=patience, boundary=talk.boundary, history=talk.history
        )
        return answer.text
    pieces = []
    for piece in door.stream(
        PROMPT, material, patience=patience, boundary=talk.boundary, history=talk.history
    ):
        on_text(piece)
        pieces.append(piece)
    return "".join(pieces)


def _instead(extracted: Answer, note: str, door: ModelDoor, before: Usage) -> Answer:
    return replace(extracted, notes=(*extracted.notes, note), usage=door.usage - before)


def _strongest_first(extracted: Answer, found: FoundEvidence) -> list[EvidenceStatement]:
    """The statements of the answer by extraction before the others, by rank and likeness to
    the question."""
    first = {citation.passage.id for citation in extracted.citations}
    order = sorted(
        range(len(found.statements)),
        key=lambda place: (
            found.statements[place].passage.id not in first,
            found.statements[place].rank,
            -float(found.cosines[place]),
        ),
    )
    return [found.statements[place] for place in order]


def _whole(statement: EvidenceStatement) -> str:
    passage = statement.passage
    return f"{passage.source.title} {passage.details} {passage.text}"
