"""The answer that needs no language model: statements as they stand, and the span that answers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hlg.answers import Answer, AnswerSentence, Citation
from hlg.asking.found import FoundEvidence
from hlg.asking.tables import tables_of
from hlg.ingest.text.tables import pipe_cells
from hlg.names import normalize_name
from hlg.records import Passage
from hlg.retrieval.answers.answerable import LEAST
from hlg.retrieval.answers.cells.answer import CellAnswer, answer_from_cells, is_worked_out
from hlg.retrieval.answers.cells.table import Cell
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.extractive import Extracted, extract
from hlg.retrieval.answers.parts import ROW
from hlg.retrieval.answers.read_evidence import read_evidence
from hlg.retrieval.answers.relevance import MOST
from hlg.retrieval.base import STATEMENT
from hlg.store.base import GraphStore

MOST_CELLS = 12
"""Cells of a table that a lead cites."""


def answer_by_extraction(question: str, found: FoundEvidence, store: GraphStore) -> Answer:
    """The statements that answer, the best first, each cited, with what leads: what the cells
    of a table give (:mod:`hlg.retrieval.answers.cells`), else a span of a statement
    (:mod:`hlg.retrieval.answers.extractive`)."""
    statements = found.statements
    evidence = read_evidence(question, statements, found.cosines, found.result.confidence)
    extracted = extract(evidence)
    cells = None
    if extracted.places and (tables := tables_of(found.result.hits, statements)):
        cells = answer_from_cells(question, evidence.asked, tables)
        extracted = _led_by_cells(question, extracted, cells, statements)
    is_answered = bool(extracted.lead) or extracted.chance >= LEAST
    shown = {place: evidence.shown[place] for place in extracted.places}
    spans = {(each.source.id, each.start): each for each in shown.values()}
    order = {span: number for number, span in enumerate(spans, start=1)}
    numbers = {place: order[each.source.id, each.start] for place, each in shown.items()}
    lead = extracted.lead if is_answered else ""
    cited = {number: shown[place] for place, number in numbers.items()}
    rests_on = sorted({numbers[place] for place in extracted.rests_on if lead})
    if cells is not None:
        own = dict(enumerate(_passages(cells, statements), start=len(order) + 1))
        cited, rests_on = cited | own, list(own)
    return Answer(
        question=question,
        lead=lead,
        lead_over=cells.over if cells is not None else "",
        lead_citations=tuple(rests_on),
        sentences=tuple(
            AnswerSentence(_shown(statements[place], shown[place]), (number,))
            for number, place in {number: place for place, number in numbers.items()}.items()
        ),
        citations=citations(store, cited),
        hits=found.result.hits,
        confidence=extracted.chance,
        is_answered=is_answered,
        unsaid=() if is_answered else evidence.held.unsaid,
    )


def _led_by_cells(
    question: str,
    extracted: Extracted,
    cells: CellAnswer | None,
    statements: Sequence[EvidenceStatement],
) -> Extracted:
    """What leads where there are tables: cells, and no span for what has to be worked out."""
    if cells is None:
        return replace(extracted, lead="", rests_on=()) if is_worked_out(question) else extracted
    rows = [
        place
        for place, each in enumerate(statements)
        if any(_holds(each.passage, cells, cell) for cell in cells.cells)
    ]
    # The row that the answer names first.
    rows = sorted(rows, key=lambda place: cells.text not in statements[place].passage.text)[:MOST]
    chosen = list(dict.fromkeys((*rows, *extracted.places)))[:MOST]
    return replace(extracted, lead=cells.text, rests_on=tuple(rows), places=tuple(chosen))


def _passages(cells: CellAnswer, statements: Sequence[EvidenceStatement]) -> list[Passage]:
    """The cells that a lead rests on, each as a passage of its own."""
    found = []
    for cell in dict.fromkeys(cells.cells[:MOST_CELLS]):
        holding = (x.passage for x in statements if _holds(x.passage, cells, cell))
        passage = next(holding, cells.passage)
        found.append(replace(passage, text=cell.text, start=cell.start, end=cell.end))
    return found


def _holds(passage: Passage, cells: CellAnswer, cell: Cell) -> bool:
    """Whether one of the cells that answer stands in a passage."""
    is_of_source = passage.source.id == cells.passage.source.id
    return is_of_source and passage.start <= cell.start and cell.end <= passage.end


def _shown(statement: EvidenceStatement, passage: Passage) -> str:
    """A part as it is read: under what stands over it, line by line, a row as its cells."""
    part = statement.part
    if part is None:
        return told(statement)
    above = part.heading.rpartition(" > ")[2] or passage.source.title
    text = "\n".join(" ".join(line.split()) for line in passage.text.splitlines() if line.strip())
    if part.cells:
        text = passage.details
    elif part.kind == ROW:
        cells = [cell for cell in pipe_cells(text) if cell]
        text = (": " if len(cells) == 2 else "; ").join(cells)
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
