"""Plain searches through the store: dense chunks and statements, topics, keywords, BM25."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hlg.lexical import STOP_WORDS
from hlg.names import normalize_name
from hlg.records import Scored
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate, Context, Query
from hlg.retrieval.keywords import name_spans, names_in
from hlg.retrieval.options import Count, Options, StatementOptions

MAX_QUERY_WORDS = 256
"""Words of a question that a full-text search is given; more don't change the ranking."""
MAX_NAMED_STATEMENTS = 5_000
"""Statements of the question's entities whose vectors are compared with it."""
SIMILAR_NAMES = 10
"""Entities that full text finds for the keywords which name none exactly."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkOptions(Options):
    """Dense chunks.

    :param candidates: how many chunks are looked at.
    """

    candidates: Count = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementSearchOptions(StatementOptions):
    """Dense or named statements.

    :param candidates: how many statements are looked at.
    """

    candidates: Count = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicOptions(StatementOptions):
    """Topics and their statements.

    :param topics: how many topics are discovered.
    """

    topics: Count = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Bm25Options(StatementOptions):
    """Full text.

    :param over: what is searched, chunks or statements.
    :param candidates: how many are looked at.
    """

    over: Literal["chunks", "statements"] = "chunks"
    candidates: Count = 100


def dense_chunks(context: Context, question: Query, options: ChunkOptions) -> list[Candidate]:
    """The chunks nearest to the question (B0, §6.3.1)."""
    return _nearest(context, CHUNK, question, options.candidates)


def dense_statements(
    context: Context, question: Query, options: StatementSearchOptions
) -> list[Candidate]:
    """The statements nearest to the question (SRAG, §6.3.2)."""
    return _nearest(context, STATEMENT, question, options.candidates)


def full_text(context: Context, question: Query, options: Bm25Options) -> list[Candidate]:
    """What shares the question's words, by BM25."""
    label = CHUNK if options.over == "chunks" else STATEMENT
    words = query_words(question.text)
    with context.trace.stage("search"):
        found = context.store.text_search(label, words, options.candidates) if words else []
    return _candidates(label, found, "bm25")


def topics(context: Context, question: Query, options: TopicOptions) -> list[Candidate]:
    """The statements of the topics nearest to the question (TRAG, §6.3.2), by cosine."""
    vector = question.vector
    with context.trace.stage("search"):
        found = context.store.vector_search("Topic", vector, options.topics)
    if not found:
        return []
    with context.trace.stage("statements"):
        pairs = context.store.statements_of_topics([topic.id for topic in found])
        statements = [statement for _, statement in pairs]
        cosines = context.store.embeddings(STATEMENT, statements) @ vector
    relevance = {topic.id: topic.score for topic in found}
    candidates = [
        Candidate(
            STATEMENT,
            statement,
            float(cosine),
            {"cosine": float(cosine), "topic_cosine": relevance[topic]},
        )
        for (topic, statement), cosine in zip(pairs, cosines, strict=True)
    ]
    return best_first(candidates)


def named_statements(
    context: Context, question: Query, options: StatementSearchOptions
) -> list[Candidate]:
    """Statements by how many of the question's keywords they name (eq. 2-3), ties by cosine."""
    store, trace = context.store, context.trace
    keyword_of = question_entities(context, question)
    with trace.stage("search"):
        pairs = store.statements_of_entities(list(keyword_of))
    named: dict[str, set[str]] = {}
    for entity, statement in pairs:
        named.setdefault(statement, set()).update(keyword_of[entity])
    if not named:
        return []
    statements = sorted(named, key=lambda statement: (-len(named[statement]), statement))
    statements = statements[:MAX_NAMED_STATEMENTS]
    vector = question.vector
    with trace.stage("statements"):
        cosines = store.embeddings(STATEMENT, statements) @ vector
    counts = np.array([len(named[statement]) for statement in statements])
    order = np.lexsort((-cosines, -counts))[: options.candidates]
    return [named_candidate(statements[i], int(counts[i]), float(cosines[i])) for i in order]


def question_entities(context: Context, question: Query) -> dict[str, set[str]]:
    """Ids of the entities that the question names, each with the keywords that name it.

    A keyword names the entities that have it as name or alias. Those that name none are
    asked of the full text of entities' names together, and count as one keyword.
    """
    spans = name_spans(question.text)
    keywords = question.keywords
    keys = dict.fromkeys([*(span.key for span in spans), *keywords])
    with context.trace.stage("entities"):
        entities = context.store.entities_named(list(keys))
    by_key: dict[str, set[str]] = {}
    for entity in entities:
        for name in (entity.name, *entity.aliases):
            by_key.setdefault(normalize_name(name), set()).add(entity.id)
    keyword_of: dict[str, set[str]] = {}
    named = dict.fromkeys([*names_in(spans, by_key), *(key for key in keywords if key in by_key)])
    for key in named:
        for id_ in by_key[key]:
            keyword_of.setdefault(id_, set()).add(key)
    others = " ".join(key for key in keywords if not any(key in n or n in key for n in named))
    if others:
        with context.trace.stage("entities"):
            found = context.store.text_search("Entity", query_words(others), SIMILAR_NAMES)
        for similar in found:
            keyword_of.setdefault(similar.id, set()).add(others)
    return keyword_of


def named_candidate(id_: str, keywords: int, cosine: float) -> Candidate:
    """A statement that names keywords; any keyword outweighs every cosine."""
    signals = {"keywords": float(keywords), "cosine": cosine}
    return Candidate(STATEMENT, id_, keywords + (1 + cosine) / 2, signals)


def query_words(text: str) -> str:
    """The first distinct words of a text, stop words aside, for a full-text search."""
    words = (word for word in _WORD.findall(text) if word.lower() not in STOP_WORDS)
    return " ".join(list(dict.fromkeys(words))[:MAX_QUERY_WORDS])


def best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each node once, with its best score, best first, ties by id."""
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        known = best.get(candidate.id)
        if known is None or candidate.score > known.score:
            best[candidate.id] = candidate
    return sorted(best.values(), key=lambda candidate: (-candidate.score, candidate.id))


def _nearest(context: Context, label: str, question: Query, top_k: int) -> list[Candidate]:
    vector = question.vector
    with context.trace.stage("search"):
        found = context.store.vector_search(label, vector, top_k)
    return _candidates(label, found, "cosine")


def _candidates(label: str, found: Iterable[Scored], signal: str) -> list[Candidate]:
    return [Candidate(label, node.id, node.score, {signal: node.score}) for node in found]
