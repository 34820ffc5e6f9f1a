"""How much of the evidence a reader sees within a budget of tokens.

Retrievers of statements and of chunks give passages of different length; at the same k
they are not comparable, at the same number of tokens they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hlg.evaluation.data.questions import Span


@dataclass(frozen=True, slots=True)
class RetrievedSpan:
    """A passage that was found: where it is, and how many tokens a reader pays for it."""

    span: Span
    tokens: int


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
