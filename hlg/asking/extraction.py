"""The answer that needs no language model: statements as they stand, and the span that answers."""

from collections.abc import Mapping
from dataclasses import replace

from hlg.answers import Answer, AnswerSentence, Citation
from hlg.asking.found import FoundEvidence
from hlg.names import normalize_name
from hlg.records import Passage
from hlg.retrieval.answers.asked import asked_for
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.extractive import extract
from hlg.retrieval.answers.reader import reader_for
from hlg.retrieval.answers.statements import is_how_to, shown_part
from hlg.retrieval.base import STATEMENT
from hlg.store.base import GraphStore


def answer_by_extraction(question: str, found: FoundEvidence, store: GraphStore) -> Answer:
    """The statements that answer, in reading order, each cited; see
    :mod:`hlg.retrieval.answers.extractive`."""
    statements = found.statements
    extracted = extract(
        question,
        statements,
        found.cosines,
        reader_for(store.address).scores,
        found.result.confidence,
    )
    is_answered = bool(extracted.places) and not found.is_doubtful
    whole = is_how_to(question, asked_for(question))
    shown = {place: shown_part(statements[place], whole=whole) for place in extracted.places}
    spans = {(each.source.id, each.start): each for each in shown.values()}
    order = {span: number for number, span in enumerate(spans, start=1)}
    numbers = {place: order[each.source.id, each.start] for place, each in shown.items()}
    lead = extracted.lead if is_answered else ""
    return Answer(
        question=question,
        lead=lead,
        lead_citations=tuple(sorted({numbers[place] for place in extracted.rests_on if lead})),
        sentences=tuple(
            AnswerSentence(_shown(statements[place], shown[place]), (number,))
            for number, place in {number: place for place, number in numbers.items()}.items()
        ),
        citations=citations(store, {n: shown[place] for place, n in numbers.items()}),
        hits=found.result.hits,
        confidence=found.result.confidence,
        is_answered=is_answered,
    )


def _shown(statement: EvidenceStatement, passage: Passage) -> str:
    """A part as it is read: under what stands over it, line by line, a row as its cells."""
    part = statement.part
    if part is None:
        return told(statement)
    above = part.heading.rpartition(" > ")[2] or passage.source.title
    text = "\n".join(" ".join(line.split()) for line in passage.text.splitlines() if line.strip())
    if part.cells:
        text = passage.details
    is_told = normalize_name(above) in normalize_name(text)
    return text if is_told else f"({above}) {text}"


def told(statement: EvidenceStatement) -> str:
    """A statement so that it can be read alone: who "she" is stands before it."""
    passage = statement.passage
    text = " ".join(passage.text.split())
    is_plain = passage.details in ("", passage.source.title) or passage.details in text
    return text if is_plain else f"({passage.details}) {text}"


def citations(store: GraphStore, passages: Mapping[int, Passage]) -> tuple[Citation, ...]:
    """What numbers stand for, ascending, each with the page that it is on, where there are any."""
    ids = [each.id for each in passages.values() if each.kind == STATEMENT]
    pages = {each.id: each.page for each in store.passages(STATEMENT, ids)} if ids else {}
    return tuple(
        Citation(number, replace(passages[number], page=pages.get(passages[number].id)))
        for number in sorted(passages)
    )
