"""Questions out of a graph's facts and paths, with one of their ends asked for: no model needed."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hlg.errors import UsageError
from hlg.evaluation.data.questions import Dataset, DatasetDocument, Question, Span
from hlg.evaluation.synthesis.corpus import sources_of
from hlg.evaluation.synthesis.making import Made, Maker
from hlg.graph import LexicalGraph
from hlg.ids import content_id
from hlg.records import DENIED, Entity, Fact, SourceGraph
from hlg.schema import SURE

MOST = 600
"""Questions at most."""
SEED = 7
NAME = "made from the graph"
PERSON = "person"
MOST_BRIDGED = 6
"""Facts about an entity that a path leads over: over a hub it may lead to anything."""


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact between two names, and where it is stated."""

    fact: Fact
    subject: Entity
    object_: Entity
    span: Span


def facts_of(graph: LexicalGraph) -> tuple[list[DatasetDocument], list[StatedFact]]:
    """A graph's documents, and its facts between two names that are stated in their words."""
    documents: list[DatasetDocument] = []
    stated: list[StatedFact] = []
    for document, each in sources_of(graph):
        documents.append(document)
        stated += _stated(each, document)
    return documents, stated


def made_dataset(graph: LexicalGraph, least: int, most: int = MOST, *, hops: int = 1) -> Dataset:
    """A data set whose documents are the graph's sources and whose questions are its facts.

    Of each fact whose two sides have names one is asked for; the statement that says it is the
    evidence, the other side's name the answer. The same graph gives the same questions.

    :param hops: with 2 the questions are paths: "Ada Thorne works for something that was
        founded by who?", of which each fact's statement is evidence.
    :raises UsageError: it has fewer than ``least`` such facts.
    """
    documents, stated = facts_of(graph)
    questions = list(_paths(stated)) if hops > 1 else _single(stated)
    if len(questions) < least:
        raise UsageError(
            f"only {len(questions)} questions can be made out of the graph, {least} are needed: "
            "give a data set with labelled questions, or build more documents"
        )
    order = np.random.default_rng(SEED).permutation(len(questions))[:most]
    return Dataset(NAME, tuple(documents), tuple(questions[i] for i in sorted(order.tolist())))


def single_facts(maker: Maker, _: None) -> Made:
    """The recipe of one fact a question."""
    made = made_dataset(maker.graph, 1, maker.most)
    return Made(made, {"kept": len(made.questions)})


def paths(maker: Maker, _: None) -> Made:
    """The recipe of two facts a question."""
    made = made_dataset(maker.graph, 1, maker.most, hops=2)
    return Made(made, {"kept": len(made.questions)})


def _stated(graph: SourceGraph, document: DatasetDocument) -> Iterator[StatedFact]:
    names = {entity.id: entity for entity in graph.entities}
    statements = {statement.id: statement for statement in graph.statements}
    for fact in graph.facts:
        subject, object_ = names.get(fact.subject_id), names.get(fact.object_id or "")
        statement = statements.get(fact.statement_ids[0])
        if subject is None or object_ is None or statement is None or not statement.is_aligned:
            continue
        if fact.polarity != DENIED and fact.confidence >= SURE:
            span = Span(document.id, statement.start, statement.end)
            yield StatedFact(fact, subject, object_, span)


def _single(stated: Sequence[StatedFact]) -> list[Question]:
    questions = []
    for number, each in enumerate(stated):
        asks_object = number % 2 == 0
        wanted = each.object_ if asks_object else each.subject
        predicate = _words(each.fact)
        text = (
            f"{each.subject.name} {predicate} {_asks_for(wanted)}?"
            if asks_object
            else f"{_asks_for(wanted).capitalize()} {predicate} {each.object_.name}?"
        )
        kind = "object" if asks_object else "subject"
        questions.append(_question(each.fact.id, text, kind, [each.span], wanted))
    return questions


def _paths(stated: Sequence[StatedFact]) -> Iterator[Question]:
    """Two facts, the object of one the subject of the other, that no one statement states."""
    by_subject: dict[str, list[StatedFact]] = defaultdict(list)
    for each in stated:
        by_subject[each.subject.id].append(each)
    for first in stated:
        onward = by_subject[first.object_.id]
        for second in onward if len(onward) <= MOST_BRIDGED else ():
            if second.object_.id == first.subject.id or second.span == first.span:
                continue
            is_person = first.object_.entity_class.casefold() == PERSON
            bridge = "someone who" if is_person else "something that"
            wanted = second.object_
            text = (
                f"{first.subject.name} {_words(first.fact)} {bridge} {_words(second.fact)} "
                f"{_asks_for(wanted)}?"
            )
            id_ = content_id(first.fact.id, second.fact.id)
            yield _question(id_, text, "path", [first.span, second.span], wanted)


def _question(id_: str, text: str, kind: str, spans: Sequence[Span], wanted: Entity) -> Question:
    gold = tuple(dict.fromkeys(span.document_id for span in spans))
    return Question(id_, text, kind, gold, (1,) * len(gold), tuple(spans), answers=(wanted.name,))


def _asks_for(wanted: Entity) -> str:
    return "who" if wanted.entity_class.casefold() == PERSON else "what"


def _words(fact: Fact) -> str:
    return re.sub(r"[_\s]+", " ", fact.predicate).strip()
