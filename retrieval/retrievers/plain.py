"""Plain searches: dense chunks and statements, topics, keywords, BM25."""

from dataclasses import dataclass
from typing import Literal

from hlg.models.base import Reranker
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate, Query, SearchSession
from hlg.retrieval.options import Count, Options, StatementOptions
from hlg.retrieval.view.view import open_view


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkOptions(Options):
    """Dense chunks.

    :param candidates: how many chunks are looked at.
    """

    candidates: Count = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankedChunkOptions(ChunkOptions):
    """Dense chunks, fewer and looked at more closely (B1, §6.3.1)."""

    rerank: str | Reranker = "path"
    candidates: Count = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordOptions(StatementOptions):
    """Statements by keywords.

    :param candidates: how many statements are looked at.
    """

    candidates: Count = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementSearchOptions(StatementOptions):
    """Dense statements.

    :param candidates: how many statements are looked at.
    """

    rerank: str | Reranker = "path"
    candidates: Count = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicOptions(StatementOptions):
    """Topics and their statements.

    :param topics: how many topics are discovered.
    :param candidates: how many of their statements are looked at.
    """

    rerank: str | Reranker = "path"
    topics: Count = 50
    candidates: Count = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Bm25Options(StatementOptions):
    """Full text.

    :param over: what is searched, chunks or statements.
    :param candidates: how many are looked at.
    """

    over: Literal["chunks", "statements"] = "chunks"
    candidates: Count = 100


def dense_chunks(
    session: SearchSession, query: Query, options: ChunkOptions, top_k: int
) -> list[Candidate]:
    """The chunks nearest to the question (B0, §6.3.1)."""
    return open_view(session, query).nearest(CHUNK, max(options.candidates, top_k))


def dense_statements(
    session: SearchSession, query: Query, options: StatementSearchOptions, top_k: int
) -> list[Candidate]:
    """The statements nearest to the question (SRAG, §6.3.2)."""
    return open_view(session, query).nearest(STATEMENT, max(options.candidates, top_k))


def full_text(
    session: SearchSession, query: Query, options: Bm25Options, top_k: int
) -> list[Candidate]:
    """What shares the question's words, by BM25."""
    label = CHUNK if options.over == "chunks" else STATEMENT
    return open_view(session, query).matching(label, max(options.candidates, top_k))


def topics(
    session: SearchSession, query: Query, options: TopicOptions, top_k: int
) -> list[Candidate]:
    """The statements of the topics nearest to the question (TRAG, §6.3.2), by cosine."""
    return open_view(session, query).of_topics(options.topics, max(options.candidates, top_k))


def named_statements(
    session: SearchSession, query: Query, options: KeywordOptions, top_k: int
) -> list[Candidate]:
    """Statements by how many of the question's keywords they name (eq. 2-3), ties by cosine."""
    return open_view(session, query).named(max(options.candidates, top_k))
