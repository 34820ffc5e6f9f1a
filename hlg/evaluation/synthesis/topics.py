"""Multi-hop summarization (HLG paper, §5): a seed topic, its like in other documents, a question
over their chunks, a second model that refines it, and a search that has to bear the answer out."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from pydantic import BaseModel

from hlg.errors import UsageError
from hlg.evaluation.corpus import sources_of
from hlg.evaluation.data.questions import DatasetDocument, Span
from hlg.evaluation.judging.verdicts import Case, answer_recall
from hlg.evaluation.synthesis.making import Draft, Made, Maker, make, question_of, unfit
from hlg.records import Passage, Topic

SEED = 7
NEAREST = 60
"""Topics near a seed that are looked at for other documents."""
KIND = "multi-hop"


@dataclass(frozen=True, slots=True)
class TopicOptions:
    """How documents are put together and questions kept.

    :param documents: documents whose chunks a question is made from (the paper: 3 to 5).
    :param least: documents that it has to draw on; the paper says two (§5.1) and three (§5.2).
    :param support: share of the answer's claims that the search has to bring (§5.2, validation).
    :param retriever: which search simulates the path of reasoning.
    """

    documents: int = 4
    least: int = 3
    support: float = 0.8
    retriever: str = "topic-graph"

    def __post_init__(self) -> None:
        if not 2 <= self.least <= self.documents:
            raise UsageError(
                f"least={self.least} documents of documents={self.documents}: give 2 at least "
                "and no more than there are"
            )


class _Asked(BaseModel):
    question: str
    answer: str
    passages: list[int] = []


class _Refined(BaseModel):
    reason: str = ""
    keep: bool
    question: str = ""
    answer: str = ""
    passages: list[int] = []


@dataclass(frozen=True, slots=True)
class _Topics:
    documents: list[DatasetDocument] = field(default_factory=list)
    by_id: dict[str, Topic] = field(default_factory=dict)


def multi_hop(maker: Maker, options: TopicOptions) -> Made:
    """Questions that need several documents, with answers of several sentences."""
    known = _Topics()
    for document, graph in sources_of(maker.graph.store):
        known.documents.append(document)
        known.by_id.update({topic.id: topic for topic in graph.topics if topic.chunk_ids})

    def draft(seed: Topic) -> list[Draft]:
        return [_draft(maker, options, known, seed)]

    stages = {"documents": len(known.documents), "topics": len(known.by_id)}
    return make(maker, KIND, known.documents, _seeds(known), draft, stages)


def _seeds(known: _Topics) -> Iterator[Topic]:
    ids = sorted(known.by_id)
    for at in np.random.default_rng(SEED).permutation(len(ids)):
        yield known.by_id[ids[at]]


def _draft(maker: Maker, options: TopicOptions, known: _Topics, seed: Topic) -> Draft:
    chunks = _chunks(maker, options, known, seed)
    if len(chunks) < options.least:
        return "too few documents share the topic"
    passages = "\n\n".join(
        f"[{number}] {chunk.source.title}\n{chunk.text}"
        for number, chunk in enumerate(chunks, start=1)
    )
    texts = {"topic": seed.name, "passages": passages}
    asked = maker.door.ask_json("make-multi-hop", _Asked, texts, least=options.least).value
    texts |= {"question": asked.question, "answer": asked.answer}
    refined = maker.judge.ask_json("refine-multi-hop", _Refined, texts, least=options.least).value
    numbers = [each for each in refined.passages if 1 <= each <= len(chunks)]
    used = [chunks[number - 1] for number in dict.fromkeys(numbers)]
    if not refined.keep or not refined.question.strip() or not refined.answer.strip():
        return "the second model refused it"
    if len({chunk.source.id for chunk in used}) < options.least:
        return "it draws on too few documents"
    if why := unfit(refined.question, refined.answer):
        return why
    if _support(maker, options, refined) < options.support:
        return "the search does not bear the answer out"
    spans = [Span(chunk.source.uri, chunk.start, chunk.end) for chunk in used]
    return question_of(refined.question.strip(), refined.answer.strip(), KIND, spans)


def _chunks(maker: Maker, options: TopicOptions, known: _Topics, seed: Topic) -> list[Passage]:
    """The first chunk of the seed and of the topics nearest to it, of a document each."""
    store = maker.graph.store
    (vector,) = store.embeddings("Topic", [seed.id])
    near = [known.by_id.get(each.id) for each in store.vector_search("Topic", vector, NEAREST)]
    chosen: dict[str, str] = {seed.source_id: seed.chunk_ids[0]}
    for topic in near:
        if topic is not None and len(chosen) < options.documents:
            chosen.setdefault(topic.source_id, topic.chunk_ids[0])
    return store.passages("Chunk", list(chosen.values()))


def _support(maker: Maker, options: TopicOptions, refined: _Refined) -> float:
    """The share of the answer's claims that what is found for the question bears out."""
    hits = maker.graph.retrieve(refined.question, retriever=options.retriever)
    found = "\n\n".join(hit.passage.text for hit in hits)
    case = Case(refined.question, (refined.answer,), found)
    return answer_recall(maker.judge, case).values["answer recall"]
