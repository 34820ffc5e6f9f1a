"""Plain searches: dense chunks and statements, topics, keywords, BM25."""

from dataclasses import dataclass
from typing import Literal

from hlg.models.base import Reranker
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate
from hlg.retrieval.options import Count, Options, StatementOptions
from hlg.retrieval.view.base import GraphView


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

    :param form: what is given: chunks, or the statements themselves.
    :param over: what is searched, chunks or statements; ``form=statements`` searches
        statements in any case, ``over=statements`` alone gives the chunks of the best.
    :param candidates: how many are looked at.
    """

    form: Literal["statements", "chunks"] = "chunks"
    over: Literal["chunks", "statements"] = "chunks"
    candidates: Count = 100


def dense_chunks(view: GraphView, options: ChunkOptions, top_k: int) -> list[Candidate]:
    """The chunks nearest to the question (B0, §6.3.1)."""
    return view.nearest(CHUNK, max(options.candidates, top_k))


def reranked_chunks(view: GraphView, options: RerankedChunkOptions, top_k: int) -> list[Candidate]:
    """The ``candidates`` chunks nearest to the question, however many hits are wanted (B1)."""
    return view.nearest(CHUNK, options.candidates)


def dense_statements(
    view: GraphView, options: StatementSearchOptions, top_k: int
) -> list[Candidate]:
    """The statements nearest to the question (SRAG, §6.3.2)."""
    return view.nearest(STATEMENT, max(options.candidates, top_k))


def full_text(view: GraphView, options: Bm25Options, top_k: int) -> list[Candidate]:
    """What shares the question's words, by BM25."""
    label = CHUNK if options.over == options.form == "chunks" else STATEMENT
    return view.matching(label, max(options.candidates, top_k))


def topics(view: GraphView, options: TopicOptions, top_k: int) -> list[Candidate]:
    """The statements of the topics nearest to the question (TRAG, §6.3.2), by cosine."""
    return view.of_topics(options.topics, max(options.candidates, top_k))


def named_statements(view: GraphView, options: KeywordOptions, top_k: int) -> list[Candidate]:
    """Statements by how many of the question's keywords they name (eq. 2-3), ties by cosine."""
    return view.named(max(options.candidates, top_k))
