"""The retrievers by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hlg.errors import UsageError
from hlg.retrieval.base import Retriever, SearchSession
from hlg.retrieval.options import Options, check_options
from hlg.retrieval.pipeline import PipelineRetriever, Propose
from hlg.retrieval.retrievers import auto, drift, links, local
from hlg.retrieval.retrievers import beams as graph
from hlg.retrieval.retrievers import global_ as global_search
from hlg.retrieval.retrievers import plain as searches


@dataclass(frozen=True, slots=True)
class RetrieverType:
    """A retriever that can be opened by name: its options, its search, and what it is."""

    options: type[Options]
    propose: Propose[Any]
    summary: str


RETRIEVERS: dict[str, RetrieverType] = {
    "auto": RetrieverType(
        auto.AutoOptions, auto.auto, "everything proposes, the learned ranker ranks"
    ),
    "chunks": RetrieverType(
        searches.ChunkOptions, searches.dense_chunks, "chunks nearest to the question (B0)"
    ),
    "statements": RetrieverType(
        searches.StatementSearchOptions,
        searches.dense_statements,
        "statements nearest to the question (SRAG)",
    ),
    "topics": RetrieverType(
        searches.TopicOptions, searches.topics, "statements of the nearest topics (TRAG)"
    ),
    "keywords": RetrieverType(
        searches.KeywordOptions,
        searches.named_statements,
        "statements that name the question's entities",
    ),
    "statement-graph": RetrieverType(
        graph.BeamOptions,
        graph.statement_graph,
        "statements by keyword and vector, and a beam search from them (SGRAG)",
    ),
    "topic-graph": RetrieverType(
        graph.TopicGraphOptions,
        graph.topic_graph,
        "statements of topics and entities, and a beam search from them (TGRAG)",
    ),
    "local": RetrieverType(
        local.LocalOptions,
        local.local,
        "chunks around the question's entities (GraphRAG's local search)",
    ),
    "global": RetrieverType(
        global_search.GlobalOptions,
        global_search.global_search,
        "statements of the nearest communities (GraphRAG's global search)",
    ),
    "drift": RetrieverType(
        drift.DriftOptions,
        drift.drift,
        "the nearest communities, then local search from their entities",
    ),
    "chunks-rerank": RetrieverType(
        searches.RerankedChunkOptions,
        searches.dense_chunks,
        "50 nearest chunks, reranked (B1)",
    ),
    "entity-link": RetrieverType(
        links.EntityLinkOptions, links.entity_link, "nearest chunks and those linked to them (E1)"
    ),
    "ppr": RetrieverType(
        links.PageRankOptions, links.page_rank, "statements by personalised PageRank"
    ),
    "bm25": RetrieverType(
        searches.Bm25Options, searches.full_text, "full text of chunks or statements"
    ),
}
"""Every retriever, in the order in which lists show them."""


def open_retriever(
    name: str, session: SearchSession, options: Mapping[str, object] | Options | None = None
) -> Retriever:
    """A retriever over a graph.

    :param options: the retriever's own options, by name or as its own record.
    :raises UsageError: no such retriever or option, or a value that is not valid.
    """
    kind = RETRIEVERS.get(name)
    if kind is None:
        raise UsageError(f"no retriever {name!r}; there are {', '.join(RETRIEVERS)}")
    checked = check_options(name, kind.options, options)
    return PipelineRetriever(name, session, checked, kind.propose)
