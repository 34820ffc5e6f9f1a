"""Multi-hop summarization (HLG paper, §5): a seed topic, its like in other documents, a question
over their chunks, a second model that refines it, and chunks that have to bear the answer out."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from pydantic import BaseModel

from hlg.errors import UsageError
from hlg.evaluation.corpus import sources_of
from hlg.evaluation.data.questions import DatasetDocument, Span
from hlg.evaluation.judging.verdicts import Case, answer_recall
from hlg.evaluation.synthesis.making import Draft, Made, Maker, make, question_of, unfit
from hlg.names import is_reference_section
from hlg.records import Topic

SEED = 7
NEAREST = 60
"""Topics near a seed that are looked at for other documents."""
KIND = "multi-hop"


@dataclass(frozen=True, slots=True)
class TopicOptions:
    """How documents are put together and questions kept.

    :param documents: documents whose chunks a question is made from (the paper: 3 to 5).
    :param least: documents that it has to draw on; the paper says two (§5.1) and three (§5.2).
    :param alike: cosine of two topics from which on they go together.
    :param each: questions that a chunk is offered for at most: a survey of the field is near to
        every topic of it.
    :param support: share of the answer's claims that its chunks have to bear out (§5.2,
        validation: "from the provided snippets").
    :param retriever: a search that has to bring as much, and favours itself so; empty for none.
    """

    documents: int = 4
    least: int = 3
    alike: float = 0.65
    each: int = 3
    support: float = 0.8
    retriever: str = ""

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


def multi_hop(maker: Maker, options: TopicOptions) -> Made:
    """Questions that need several documents, with answers of several sentences."""
    documents: list[DatasetDocument] = []
    topics: dict[str, Topic] = {}
    for document, graph in sources_of(maker.graph.store):
        documents.append(document)
        told = (x for x in graph.topics if x.chunk_ids and not is_reference_section(x.name))
        topics |= {topic.id: topic for topic in told}

    def draft(item: tuple[Topic, list[str]]) -> list[Draft]:
        return [_draft(maker, options, *item)]

    stages = {"documents": len(documents), "topics": len(topics)}
    return make(maker, KIND, documents, _offered(maker, options, topics), draft, stages)


def _offered(
    maker: Maker, options: TopicOptions, topics: Mapping[str, Topic]
) -> Iterator[tuple[Topic, list[str]]]:
    """Each seed with the first chunks of it and of the topics like it, of a document each."""
    store, used = maker.graph.store, Counter[str]()
    ids = sorted(topics)
    for at in np.random.default_rng(SEED).permutation(len(ids)):
        seed = topics[ids[at]]
        if used[seed.chunk_ids[0]] >= options.each:
            continue
        (vector,) = store.embeddings("Topic", [seed.id])
        found = store.vector_search("Topic", vector, NEAREST)
        near = (topics.get(each.id) for each in found if each.score >= options.alike)
        chosen: dict[str, str] = {}
        for topic in (seed, *filter(None, near)):
            if len(chosen) < options.documents and used[topic.chunk_ids[0]] < options.each:
                chosen.setdefault(topic.source_id, topic.chunk_ids[0])
        if len(chosen) >= options.least:
            used.update(chosen.values())
            yield seed, list(chosen.values())


def _draft(maker: Maker, options: TopicOptions, seed: Topic, chunk_ids: list[str]) -> Draft:
    chunks = maker.graph.store.passages("Chunk", chunk_ids)
    passages = "\n\n".join(
        f"[{number}] {chunk.source.title}\n{chunk.text}"
        for number, chunk in enumerate(chunks, start=1)
    )
    texts = {"topic": seed.name, "passages": passages}
    asked = maker.door.ask_json("make-multi-hop", _Asked, texts, least=options.least).value
    if not asked.question.strip():
        return "no question takes so many documents"
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
    if _support(maker, refined, [chunk.text for chunk in used]) < options.support:
        return "its passages do not bear the answer out"
    if options.retriever:
        hits = maker.graph.retrieve(refined.question, retriever=options.retriever)
        if _support(maker, refined, [hit.passage.text for hit in hits]) < options.support:
            return "the search does not bear the answer out"
    spans = [Span(chunk.source.uri, chunk.start, chunk.end) for chunk in used]
    return question_of(refined.question.strip(), refined.answer.strip(), KIND, spans)


def _support(maker: Maker, refined: _Refined, texts: list[str]) -> float:
    """The share of the answer's claims that texts bear out."""
    case = Case(refined.question, (refined.answer,), "\n\n".join(texts))
    return answer_recall(maker.judge, case).values["answer recall"]
