"""One search: a session over the graph, a retriever, and what finding the evidence cost."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from hlg.arguments import one, whole
from hlg.errors import StoreMissing, UsageError
from hlg.records import Scored
from hlg.reports import SearchResult
from hlg.retrieval.base import Candidate, Query, Trace
from hlg.retrieval.pipeline import rank_by_path
from hlg.retrieval.registry import open_retriever

if TYPE_CHECKING:
    from hlg.opened import OpenGraph
    from hlg.retrieval.base import Retriever
    from hlg.retrieval.options import Options


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How evidence is searched for, as :meth:`hlg.LexicalGraph.search` takes it."""

    retriever: "str | Retriever | Options | None" = None
    top_k: int | None = None
    options: "Mapping[str, object] | Options | None" = None
    where: str = ""


def search(graph: "OpenGraph", question: str, how: SearchOptions) -> SearchResult:
    """See :meth:`hlg.LexicalGraph.search`."""
    one(question, str, "question")
    top_k = graph.settings.top_k if how.top_k is None else whole(how.top_k, "top_k")
    started = time.perf_counter()
    store, settings = graph.store, graph.settings
    calls = store.calls
    trace = Trace()
    retriever = open_retriever(
        how.retriever or settings.retriever, graph.search_session(trace, how.where), how.options
    )
    found = retriever.retrieve(question, top_k)
    if not found and not store.counts()["Source"]:
        raise StoreMissing(
            f"the graph in {store.address} has no document yet: it is being built, or "
            "hlg build PATH adds some",
            address=store.address,
        )
    total = (time.perf_counter() - started) * 1000
    return SearchResult(
        query=question,
        retriever=retriever.name,
        hits=tuple(found),
        store_calls=store.calls - calls,
        timings_ms={stage: round(spent, 2) for stage, spent in trace.timings_ms.items()}
        | {"total": round(total, 2)},
        explanation=trace.explanation(),
        answer=trace.answer,
        confidence=round(trace.confidence, 4),
        notes=tuple(trace.warnings),
    )


def rank(
    graph: "OpenGraph", question: str, ids: Sequence[str], kind: Literal["Statement", "Chunk"]
) -> list[Scored]:
    """See :meth:`hlg.LexicalGraph.rank`."""
    one(question, str, "question")
    if kind not in ("Statement", "Chunk"):
        raise UsageError(f"kind has to be Statement or Chunk, not {kind!r}", option="kind")
    session = graph.search_session()
    found = [Candidate(kind, id_, float(-place)) for place, id_ in enumerate(ids)]
    return rank_by_path(session, Query(question, session), found)


def statements_seen(graph: "OpenGraph", where: str, ids: Sequence[str]) -> list[str]:
    """Of statements those that stand in a source which fulfils a condition, in their order."""
    if not where or not ids:
        return list(ids)
    snapshot = graph.search_session(where=where).snapshots()
    if snapshot is None:
        return []
    is_seen = np.isin(np.array(ids, "S32"), snapshot.statement_ids)
    return [id_ for id_, seen in zip(ids, is_seen, strict=True) if seen]
