"""The answer that needs no language model: statements as they stand, and the span that answers."""

from collections.abc import Mapping

from hlg.answers import Answer, AnswerSentence, Citation
from hlg.asking.found import FoundEvidence
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.extractive import extract
from hlg.retrieval.answers.reader import reader_for
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
    numbers = {place: number for number, place in enumerate(extracted.places, start=1)}
    lead = extracted.lead if is_answered else ""
    return Answer(
        question=question,
        lead=lead,
        lead_citations=tuple(sorted(numbers[place] for place in extracted.rests_on if lead)),
        sentences=tuple(
            AnswerSentence(told(statements[place]), (number,)) for place, number in numbers.items()
        ),
        citations=citations(store, {n: statements[place] for place, n in numbers.items()}),
        hits=found.result.hits,
        confidence=found.result.confidence,
        is_answered=is_answered,
    )


def told(statement: EvidenceStatement) -> str:
    """A statement so that it can be read alone: who "she" is stands before it."""
    passage = statement.passage
    text = " ".join(passage.text.split())
    is_plain = passage.details in ("", passage.source.title) or passage.details in text
    return text if is_plain else f"({passage.details}) {text}"


def citations(
    store: GraphStore, statements: Mapping[int, EvidenceStatement]
) -> tuple[Citation, ...]:
    """What numbers stand for, ascending, each with the page that it is on, where there are any."""
    ids = [each.passage.id for each in statements.values() if each.passage.kind == STATEMENT]
    read = {passage.id: passage for passage in store.passages(STATEMENT, ids)} if ids else {}
    return tuple(
        Citation(number, read.get(statements[number].passage.id, statements[number].passage))
        for number in sorted(statements)
    )
