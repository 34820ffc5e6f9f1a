"""Questions out of a graph's facts and paths, with one of their ends asked for: no model needed."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from hlg.errors import UsageError
from hlg.evaluation.corpus import sources_of
from hlg.evaluation.data.questions import Dataset, DatasetDocument, Question, Span
from hlg.evaluation.synthesis.making import Made, Maker, gives_away, is_name, question_of
from hlg.graph import LexicalGraph
from hlg.ids import content_id, source_id
from hlg.records import DENIED, Entity, Fact, Passage, SourceGraph, SourceRef
from hlg.reports import Progress
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.reading.reader import UNREAD, passage_reader
from hlg.retrieval.base import STATEMENT
from hlg.schema import SURE

MOST = 600
"""Questions at most."""
SEED = 7
NAME = "made from the graph"
PERSON = "person"
MOST_BRIDGED = 6
"""Facts about an entity that a path leads over: over a hub it may lead to anything."""
NEAR = 1.0
"""Log-odds by which the reader may prefer other words than the answer."""
COPULAS = ("is", "are", "was", "were", "became", "remains")
_PASSIVE = re.compile(r"(?!town\b)\w+(?:ed|en|wn|ilt|ept|ade|eld|ound|ought|aught)\b")
ENDS = (*".!?…", "。")


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact between two names, and where it is stated: in a sentence, or in a row, a field or
    what is left of a sentence."""

    fact: Fact
    subject: Entity
    object_: Entity
    span: Span
    in_sentence: bool = True


def facts_of(graph: LexicalGraph) -> tuple[list[DatasetDocument], list[StatedFact]]:
    """A graph's documents, and its facts between two names that are stated in their words."""
    documents: list[DatasetDocument] = []
    stated: list[StatedFact] = []
    for document, each in sources_of(graph.store):
        documents.append(document)
        stated += _stated(each, document)
    return documents, stated


def made_dataset(graph: LexicalGraph, least: int, most: int = MOST, *, hops: int = 1) -> Dataset:
    """A data set whose documents are the graph's sources and whose questions are its facts.

    Of each fact whose two sides have names one is asked for, if the other side has no other
    answer; the statement that says it is the evidence, that side's name the answer. What is of a
    kind is not asked for: "What is city in Arkansas?" Rows and fields are asked about where
    sentences give too few. The same graph gives the same questions.

    :param hops: with 2 the questions are paths: "Ada Thorne works for something that was
        founded by who?", of which each fact's statement is evidence.
    :raises UsageError: it has fewer than ``least`` such facts.
    """
    documents, stated = facts_of(graph)
    questions = _asked_once([each for each in stated if each.in_sentence], hops)
    if len(questions) < least:
        questions = _asked_once(stated, hops)
    if len(questions) < least:
        raise UsageError(
            f"only {len(questions)} questions can be made out of the graph, {least} are needed: "
            "give a data set with labelled questions, or build more documents"
        )
    order = np.random.default_rng(SEED).permutation(len(questions))[:most]
    return Dataset(NAME, tuple(documents), tuple(questions[i] for i in sorted(order.tolist())))


def _asked_once(stated: Sequence[StatedFact], hops: int) -> list[Question]:
    """The questions of facts, once of a fact that several sources state."""
    asked: dict[str, Question] = {}
    for each in asked_paths(stated) if hops > 1 else asked_facts(stated):
        asked.setdefault(each.id, each)
    return list(asked.values())


def single_facts(maker: Maker, _: None, hops: int = 1) -> Made:
    """The recipe of one fact a question."""
    made = made_dataset(maker.graph, 1, maker.most, hops=hops)
    return Made(made, {"kept": len(made.questions)})


paths = partial(single_facts, hops=2)
"""The recipe of two facts a question."""


def read_facts(maker: Maker, *, hops: int, files: int) -> Made:
    """SF1H, SF2H and MF2H without a model: those questions about facts which the network that
    reads passages answers so from their evidence, in an order drawn from the whole graph."""
    documents, stated = facts_of(maker.graph)
    found = [each for each in _asked_once(stated, hops) if len(each.gold) == files]
    by_id = {each.id: each for each in documents}
    kept: list[Question] = []
    stages = Counter(facts=len(stated))
    for place in np.random.default_rng(SEED).permutation(len(found)).tolist():
        if len(kept) == maker.most:
            break
        stages["made"] += 1
        if is_read(found[place], by_id):
            kept.append(found[place])
        else:
            stages["dropped: the reader does not find the answer"] += 1
        maker.on_progress(Progress("make", len(kept), maker.most))
    return Made(Dataset(NAME, tuple(documents), tuple(kept)), {**stages, "kept": len(kept)})


def is_read(question: Question, documents: Mapping[str, DatasetDocument]) -> bool:
    """Whether the network reads a question's answer in its evidence: rather than nothing, and no
    other words by much."""
    evidence = []
    for rank, span in enumerate(question.spans, start=1):
        document = documents[span.document_id]
        source = SourceRef(source_id(document.id), document.id, document.title)
        text, id_ = document.text[span.start : span.end], f"{document.id}:{span.start}"
        passage = Passage(STATEMENT, id_, text, "", span.start, span.end, "", "", source)
        evidence.append(EvidenceStatement(passage, rank))
    places, (answer, *_) = range(len(evidence)), question.answers
    reading = passage_reader().read(question.text, evidence, np.ones(len(evidence)), places)
    found = [(place, evidence[place].passage.text.find(answer)) for place in places]
    its = [reading.score(place, at, at + len(answer)) for place, at in found if at >= 0]
    best = max((each.score for each in reading.offers()), default=0.0)
    return max(its, default=UNREAD) > max(0.0, best - NEAR)


def _stated(graph: SourceGraph, document: DatasetDocument) -> Iterator[StatedFact]:
    names = {entity.id: entity for entity in graph.entities}
    statements = {statement.id: statement for statement in graph.statements}
    for fact in graph.facts:
        subject, object_ = names.get(fact.subject_id), names.get(fact.object_id or "")
        statement = statements.get(fact.statement_ids[0])
        if subject is None or object_ is None or statement is None or not statement.is_aligned:
            continue
        if not (is_name(subject) and is_name(object_)):
            continue
        if fact.polarity != DENIED and fact.confidence >= SURE:
            span = Span(document.id, statement.start, statement.end)
            text = statement.text.rstrip("\"'”’)]")
            in_sentence = text[-1:] in ENDS and not {"\t", "|"} & set(text)
            yield StatedFact(fact, subject, object_, span, in_sentence)


def asked_facts(stated: Sequence[StatedFact]) -> list[Question]:
    """The questions that single facts give: every second one asks for the subject."""
    questions, answers = [], _answers(stated)
    for number, each in enumerate(stated):
        predicate = _words(each.fact)
        asks_object = number % 2 == 0 or _says_the_kind(predicate)
        if asks_object:
            known, wanted, kind = each.subject, each.object_, "object"
            text = f"{known.name} {predicate} {_asks_for(wanted)}?"
        else:
            known, wanted, kind = each.object_, each.subject, "subject"
            text = f"{_asks_for(wanted).capitalize()} {predicate} {known.name}?"
        is_one = len(answers[known.id, predicate, asks_object]) == 1
        if is_one and not gives_away(text, wanted.name):
            questions.append(question_of(text, wanted.name, kind, [each.span], each.fact.id))
    return questions


def asked_paths(stated: Sequence[StatedFact]) -> list[Question]:
    """Two facts, the object of one the subject of the other, that no one statement states."""
    by_subject: dict[str, list[StatedFact]] = defaultdict(list)
    for each in stated:
        by_subject[each.subject.id].append(each)
    questions, answers = [], _answers(stated)
    for first in stated:
        onward = by_subject[first.object_.id] if _words(first.fact) not in COPULAS else []
        for second in onward if len(onward) <= MOST_BRIDGED else ():
            wanted, predicate = second.object_, _words(second.fact)
            if wanted.id == first.subject.id or second.span == first.span:
                continue
            if len(answers[second.subject.id, predicate, True]) > 1:
                continue
            bridge = "someone who" if _asks_for(first.object_) == "who" else "something that"
            begun = f"{first.subject.name} {_words(first.fact)} {bridge}"
            text = f"{begun} {predicate} {_asks_for(wanted)}?"
            if not gives_away(text, wanted.name):
                id_ = content_id(first.fact.id, second.fact.id)
                spans = [first.span, second.span]
                questions.append(question_of(text, wanted.name, "path", spans, id_))
    return questions


def _answers(stated: Sequence[StatedFact]) -> dict[tuple[str, str, bool], set[str]]:
    """By the side that is known, the predicate, and whether the object is asked for: whatever the
    graph has for an answer."""
    answers: dict[tuple[str, str, bool], set[str]] = defaultdict(set)
    for each in stated:
        predicate = _words(each.fact)
        answers[each.subject.id, predicate, True].add(each.object_.id)
        answers[each.object_.id, predicate, False].add(each.subject.id)
    return answers


def _says_the_kind(predicate: str) -> bool:
    """Whether a predicate says what something is ("is city in"), and not what befell it."""
    first, _, rest = predicate.partition(" ")
    return first in COPULAS and not _PASSIVE.match(rest)


def _asks_for(wanted: Entity) -> str:
    return "who" if wanted.entity_class.casefold() == PERSON else "what"


def _words(fact: Fact) -> str:
    return re.sub(r"[_\s]+", " ", fact.predicate).strip()
