"""The answer that needs no language model: statements as they stand, and the span that answers."""

from hlg.answers import Answer, AnswerSentence, Citation
from hlg.asking.found import FoundEvidence
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.extractive import extract
from hlg.retrieval.answers.reader import load_reader

__all__ = ["answer_by_extraction", "citation", "told"]


def answer_by_extraction(question: str, found: FoundEvidence) -> Answer:
    """The statements that answer, in reading order, each cited; see
    :mod:`hlg.retrieval.answers.extractive`."""
    statements = found.statements
    extracted = extract(question, statements, found.cosines, load_reader().scores)
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
        citations=tuple(citation(number, statements[place]) for place, number in numbers.items()),
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


def citation(number: int, statement: EvidenceStatement) -> Citation:
    """What a number stands for."""
    passage = statement.passage
    return Citation(
        number, passage.source, passage.start, passage.end, passage.text, passage.details
    )
