"""The retrievers by name.

What a retriever is can be listed without importing it; :func:`open_retriever` does.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hlg.errors import UsageError
from hlg.registry import Registry, Row

if TYPE_CHECKING:
    from hlg.retrieval.base import Retriever, SearchSession
    from hlg.retrieval.options import Options
    from hlg.retrieval.pipeline import Propose

_PLAIN = "hlg.retrieval.retrievers.plain"

RETRIEVERS: "Registry[Row[Propose[Any]]]" = Registry(
    "retriever",
    {
        "auto": Row(
            "everything proposes, the learned ranker ranks",
            "hlg.retrieval.retrievers.auto",
            "auto",
            "AutoOptions",
        ),
        "hybrid": Row(
            "dense and BM25 with a weight, or any retrievers, fused",
            "hlg.retrieval.retrievers.hybrid",
            "hybrid",
            "HybridOptions",
        ),
        "tri-modal": Row(
            "dense, BM25 and entities, fused with fixed weights",
            "hlg.retrieval.retrievers.hybrid",
            "hybrid",
            "TriModalOptions",
        ),
        "chunks": Row(
            "chunks nearest to the question (B0)", _PLAIN, "dense_chunks", "ChunkOptions"
        ),
        "statements": Row(
            "statements nearest to the question (SRAG)",
            _PLAIN,
            "dense_statements",
            "StatementSearchOptions",
        ),
        "topics": Row("statements of the nearest topics (TRAG)", _PLAIN, "topics", "TopicOptions"),
        "keywords": Row(
            "statements that name the question's entities",
            _PLAIN,
            "named_statements",
            "KeywordOptions",
        ),
        "statement-graph": Row(
            "statements by keyword and vector, and a beam search from them (SGRAG)",
            "hlg.retrieval.retrievers.statement_graph",
            "statement_graph",
            "BeamOptions",
        ),
        "topic-graph": Row(
            "statements of topics and entities, and a beam search from them (TGRAG)",
            "hlg.retrieval.retrievers.topic_graph",
            "topic_graph",
            "TopicGraphOptions",
        ),
        "local": Row(
            "chunks around the question's entities (GraphRAG's local search)",
            "hlg.retrieval.retrievers.local",
            "local",
            "LocalOptions",
        ),
        "global": Row(
            "statements of the nearest communities (GraphRAG's global search)",
            "hlg.retrieval.retrievers.global_",
            "global_search",
            "GlobalOptions",
        ),
        "drift": Row(
            "the nearest communities, then local search from their entities",
            "hlg.retrieval.retrievers.drift",
            "drift",
            "DriftOptions",
        ),
        "chunks-rerank": Row(
            "50 nearest chunks, reranked (B1)", _PLAIN, "reranked_chunks", "RerankedChunkOptions"
        ),
        "entity-link": Row(
            "nearest chunks and those linked to them (E1)",
            "hlg.retrieval.retrievers.entity_links",
            "entity_link",
            "EntityLinkOptions",
        ),
        "ppr": Row(
            "statements by personalised PageRank",
            "hlg.retrieval.retrievers.page_rank",
            "page_rank",
            "PageRankOptions",
        ),
        "bm25": Row("full text of chunks or statements", _PLAIN, "full_text", "Bm25Options"),
    },
)
"""Every retriever, in the order in which lists show them."""


def open_retriever(
    retriever: "str | Retriever | Options",
    session: "SearchSession",
    options: "Mapping[str, object] | Options | None" = None,
) -> "Retriever":
    """A retriever over a graph.

    :param retriever: a name of :data:`RETRIEVERS`, the options of one as their record, or an
        object with ``name`` and ``retrieve(query, top_k)``, which comes back as it is.
    :param options: the retriever's own options, by name or as its own record.
    :raises UsageError: no such retriever or option, or a value that is not valid; an object
        that is no retriever, or one that is given options here.
    :raises TypeError: options alone that are not those of one retriever.
    """
    from hlg.retrieval.options import Options, check_options
    from hlg.retrieval.pipeline import PipelineRetriever

    if isinstance(retriever, Options):
        if options is not None:
            raise UsageError(
                f"{type(retriever).__name__} are options already: leave options out",
                option="options",
            )
        options, retriever = retriever, _retriever_of(type(retriever))
    if not isinstance(retriever, str):
        return _own(retriever, options)
    row = RETRIEVERS.named(retriever)
    kind = row.options_type() or Options
    checked = check_options(retriever, kind, options)
    return PipelineRetriever(retriever, session, checked, row.load())


def _retriever_of(kind: "type[Options]") -> str:
    """The name of the one retriever that takes options of a kind."""
    names = [
        name
        for name, row in RETRIEVERS.items()
        if (row.module, row.options) == (kind.__module__, kind.__name__)
    ]
    if len(names) == 1:
        return names[0]
    raise TypeError(
        f"{kind.__name__} are not the options of one retriever alone: name one of "
        f"{', '.join(names or RETRIEVERS)}, and give it its options"
    )


def _own(retriever: "Retriever", options: object) -> "Retriever":
    kind = type(retriever).__name__
    if not callable(getattr(retriever, "retrieve", None)) or not hasattr(retriever, "name"):
        raise UsageError(
            f"{kind} is no retriever: it needs a name and retrieve(query, top_k)",
            option="retriever",
            known=RETRIEVERS,
        )
    if options:
        raise UsageError(
            f"{kind} is a retriever already: give it its options yourself", option="options"
        )
    return retriever
