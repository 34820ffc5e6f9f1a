"""Questions out of a graph itself: a fact with one of its sides asked for, no model needed."""

import re
from collections.abc import Iterator

import numpy as np

from hlg.errors import UsageError
from hlg.evaluation.data.questions import Dataset, DatasetDocument, Question, Span
from hlg.graph import LexicalGraph
from hlg.records import DENIED, Fact, SourceGraph
from hlg.schema import SURE

MOST = 600
"""Questions at most."""
BATCH = 64
SEED = 7
NAME = "made from the graph"
PERSON = "person"


def made_dataset(graph: LexicalGraph, least: int, most: int = MOST) -> Dataset:
    """A data set whose documents are the graph's sources and whose questions are its facts.

    Of each fact whose two sides have names one is asked for; the statement that says it is the
    evidence, the other side's name the answer. The same graph gives the same questions.

    :raises UsageError: it has fewer than ``least`` such facts.
    """
    documents: list[DatasetDocument] = []
    questions: list[Question] = []
    ids = [source.id for source in graph.sources()]
    for first in range(0, len(ids), BATCH):
        for each in graph.store.read(ids[first : first + BATCH]):
            documents.append(DatasetDocument(each.source.uri, each.source.title, _text(each)))
            questions += _questions(each, documents[-1])
    if len(questions) < least:
        raise UsageError(
            f"only {len(questions)} questions can be made out of the graph, {least} are needed: "
            "give a data set with labelled questions, or build more documents"
        )
    order = np.random.default_rng(SEED).permutation(len(questions))[:most]
    return Dataset(NAME, tuple(documents), tuple(questions[i] for i in sorted(order.tolist())))


def _text(graph: SourceGraph) -> str:
    """A source's text as far as its chunks hold it, each at its place."""
    end = max((chunk.end for chunk in graph.chunks), default=0)
    letters = [" "] * end
    for chunk in graph.chunks:
        letters[chunk.start : chunk.end] = chunk.text.ljust(chunk.end - chunk.start)
    return "".join(letters)


def _questions(graph: SourceGraph, document: DatasetDocument) -> Iterator[Question]:
    names = {entity.id: entity for entity in graph.entities}
    statements = {statement.id: statement for statement in graph.statements}
    for number, fact in enumerate(graph.facts):
        subject, object_ = names.get(fact.subject_id), names.get(fact.object_id or "")
        statement = statements.get(fact.statement_ids[0])
        if subject is None or object_ is None or statement is None or not statement.is_aligned:
            continue
        if fact.polarity == DENIED or fact.confidence < SURE:
            continue
        asks_object = number % 2 == 0
        wanted = object_ if asks_object else subject
        word = "Who" if wanted.entity_class.casefold() == PERSON else "What"
        yield Question(
            fact.id,
            _asked(fact, subject.name, object_.name, word, asks_object=asks_object),
            "object" if asks_object else "subject",
            (document.id,),
            (1,),
            (Span(document.id, statement.start, statement.end),),
            answers=(wanted.name,),
        )


def _asked(fact: Fact, subject: str, object_: str, word: str, *, asks_object: bool) -> str:
    """The fact as a question: its predicate with one of the sides."""
    predicate = re.sub(r"[_\s]+", " ", fact.predicate).strip()
    if asks_object:
        return f"{subject} {predicate} {word.lower()}?"
    return f"{word} {predicate} {object_}?"
