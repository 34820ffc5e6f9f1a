"""What one search was worth: its hits set against what is known of the question's evidence.

Retrievers of statements and of chunks give passages of different length; at the same k
they are not comparable, at the same number of tokens that a reader sees they are.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hlg.errors import InputError
from hlg.evaluation.data.questions import Dataset, Question, Span
from hlg.evaluation.metrics.positions import positions
from hlg.evaluation.metrics.ranking import multihop_rag_metrics
from hlg.evaluation.metrics.thesis import chunk_metrics, gold_span_metrics
from hlg.records import Hit

RANKED_DOCUMENTS = 100
"""How long a question's ranking is, at most."""
TOKEN_BUDGETS = (500, 1000, 2000, 3000, 4000)
"""What a reader is given of the hits, at most."""
SEGMENT_WORDS = 1000
"""The thesis's segments are this long (§4.1); of a longer document its gold spans are taken."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question answered by one retriever.

    ``documents`` are ids of the corpus, best first, each once. ``values`` are the metrics
    that need the hits' texts; those of the ranking follow from ``documents``. ``score`` is the
    first hit's, ``confidence`` that in all of them, ``money`` what a language model cost, in US
    dollars, where it answered now and its price is known.
    """

    question_id: str
    documents: tuple[str, ...]
    latency_ms: float
    store_calls: int
    values: Mapping[str, float]
    score: float = 0.0
    confidence: float = 0.0
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    money: float = 0.0


@dataclass(frozen=True, slots=True)
class RetrievedSpan:
    """A passage that was found: where it is, and how many tokens a reader pays for it."""

    span: Span
    tokens: int


class Assessor:
    """Judges hits of a graph that was built from a data set's corpus.

    :param count_tokens: of the embedder, so that all retrievers pay the same for a text.
    """

    def __init__(
        self,
        dataset: Dataset,
        count_tokens: Callable[[str], int],
        budgets: Sequence[int] = TOKEN_BUDGETS,
    ) -> None:
        self._texts = {document.id: document.text for document in dataset.documents}
        self._count_tokens = count_tokens
        self._budgets = budgets
        self._tokens: dict[str, int] = {}

    def document_id(self, uri: str) -> str:
        """The corpus's id of a source: its uri, where the data set was made of the graph; else
        the ID of ``FILE#ID``, as JSONL records have it.

        :raises InputError: the source is no document of this data set.
        """
        name, is_part = uri, True
        while is_part:
            if name in self._texts:
                return name
            name, is_part = name.partition("#")[2], "#" in name
        raise InputError(
            f"the graph holds {uri}, which is no document of this data set; "
            "evaluate on a graph of its own: give another --store"
        )

    def outcome(
        self, question: Question, hits: Sequence[Hit], latency_ms: float, store_calls: int
    ) -> Outcome:
        """The ranking of documents by their best hit, and every metric of the hits' texts."""
        found = [self.document_id(hit.passage.source.uri) for hit in hits]
        documents = tuple(dict.fromkeys(found))[:RANKED_DOCUMENTS]
        values: dict[str, float] = {}
        texts = [hit.passage.text for hit in hits]
        spans = [span for span in question.spans if self.text(span)]
        retrieved = self._retrieved(found, hits)
        if question.gold:
            values |= document_recall(question.gold, retrieved, self._budgets)
            values |= positions(question.gold, found, [each.tokens for each in retrieved])
        if spans:
            values |= evidence_recall(spans, retrieved, self._budgets)
            values |= multihop_rag_metrics([self.text(span) for span in spans], texts)
        if segments := self._segments(question, spans):
            values |= chunk_metrics(segments, texts)
        if answers := self.extractive_answers(question):
            values |= gold_span_metrics(answers, texts, [hit.score for hit in hits])
        return Outcome(question.id, documents, latency_ms, store_calls, values)

    def _retrieved(self, found: Iterable[str], hits: Sequence[Hit]) -> list[RetrievedSpan]:
        retrieved = []
        for document_id, hit in zip(found, hits, strict=True):
            passage = hit.passage
            if passage.id not in self._tokens:
                self._tokens[passage.id] = self._count_tokens(passage.text)
            span = Span(document_id, passage.start, passage.end)
            retrieved.append(RetrievedSpan(span, self._tokens[passage.id]))
        return retrieved

    def _segments(self, question: Question, spans: Sequence[Span]) -> list[str]:
        segments = []
        for gold in question.gold:
            text = self._texts.get(gold, "")
            if len(text.split()) <= SEGMENT_WORDS:
                segments.append(text)
            else:
                segments += [self.text(span) for span in spans if span.document_id == gold]
        return [segment for segment in segments if segment.strip()]

    def extractive_answers(self, question: Question) -> list[str]:
        """The answers that gold documents hold, case aside: "yes" can't be retrieved."""
        texts = [self._texts.get(gold, "").casefold() for gold in question.gold]
        return [
            answer
            for answer in question.answers
            if any(answer.casefold() in text for text in texts)
        ]

    def text(self, span: Span) -> str:
        """What a span marks; empty where it is of no document."""
        return self._texts.get(span.document_id, "")[span.start : span.end]


def evidence_recall(
    gold: Sequence[Span], retrieved: Sequence[RetrievedSpan], budgets: Sequence[int]
) -> dict[str, float]:
    """``span_recall@B``: share of the gold spans' characters in the first B tokens retrieved.

    Passages are read best first, each span once. Where one does not fit any more, as much
    of its beginning is read as the rest of the budget pays for, its tokens taken as evenly
    spread over its characters; nothing after it is read. A character counts once, however
    many spans, gold or retrieved, hold it. Text that a passage repeats costs its tokens
    again, as it does in a prompt.

    :param gold: at least one span that is not empty.
    """
    wanted = {(each.document_id, at) for each in gold for at in range(each.start, each.end)}
    return {
        f"span_recall@{budget}": len(_shared(gold, _read(retrieved, budget))) / len(wanted)
        for budget in budgets
    }


def document_recall(
    gold: Sequence[str], retrieved: Sequence[RetrievedSpan], budgets: Sequence[int]
) -> dict[str, float]:
    """``gold_recall@B``: share of the gold documents of which the first B tokens hold something.

    Read as :func:`evidence_recall` reads; for data sets that know no spans.

    :param gold: ids of documents, at least one.
    """
    read = {budget: {span.document_id for span in _read(retrieved, budget)} for budget in budgets}
    return {
        f"gold_recall@{budget}": len(read[budget] & set(gold)) / len(set(gold))
        for budget in budgets
    }


def _read(retrieved: Sequence[RetrievedSpan], budget: int) -> list[Span]:
    """The spans that fit into a budget of tokens, the last one cut to what is left."""
    spans: dict[Span, None] = {}
    for passage in retrieved:
        if passage.span in spans:
            continue
        if passage.tokens > budget:
            share = budget / passage.tokens
            length = int((passage.span.end - passage.span.start) * share)
            start = passage.span.start
            if length:
                spans[Span(passage.span.document_id, start, start + length)] = None
            break
        spans[passage.span] = None
        budget -= passage.tokens
    return list(spans)


def _shared(gold: Sequence[Span], read: Sequence[Span]) -> set[tuple[str, int]]:
    """The characters of gold spans that were read."""
    return {
        (each.document_id, at)
        for each in gold
        for other in read
        if other.document_id == each.document_id
        for at in range(max(each.start, other.start), min(each.end, other.end))
    }
