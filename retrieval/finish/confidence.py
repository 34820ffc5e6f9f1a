"""How sure a search can be of its hits: looked up in the snapshot, or read from their texts."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.bm25 import LexicalIndex
from hlg.records import Hit
from hlg.retrieval.arrays.passages import highest
from hlg.retrieval.arrays.snapshot import Snapshot, as_ids, rows_of
from hlg.retrieval.arrays.vectors import decode_rows
from hlg.retrieval.question.words import AskedWords
from hlg.retrieval.ranker.confidence import Confidence, SeenHits
from hlg.retrieval.view.arrays import ArrayView
from hlg.retrieval.view.base import GraphView

SIGNIFICANT = 4
"""Digits of a chance that are kept."""
COMPARED = 64
"""Statements of a graph that are compared with the others, to know how near is near there."""
AMONG = 10_000
"""So many others at most: more would take longer than a search."""


def with_confidence(
    view: GraphView, hits: Sequence[Hit], *, are_of_view: bool = False
) -> list[Hit]:
    """The hits, each with its confidence; that in the whole result goes to the trace.

    :param are_of_view: whether the view's own question found them, so that the cosines among
        their signals are with its vector.
    :raises ModelError: the model of confidence can't be loaded.
    """
    if not hits:
        return []
    trace = view.session.trace
    with trace.stage("confidence"):
        rows = chunk_rows(view.snapshot, hits) if isinstance(view, ArrayView) else None
        if isinstance(view, ArrayView) and rows is not None:
            asked = AskedWords.of(view.query.text, view.snapshot.chunk_words)
            seen = seen_in_arrays(view, asked, rows)
        else:
            asked, seen = seen_in_texts(view, hits, are_of_view=are_of_view)
        whole, each = Confidence.load().of(asked, seen)
    trace.confidence = whole
    return [
        replace(hit, confidence=round(chance, SIGNIFICANT))
        for hit, chance in zip(hits, each, strict=True)
    ]


def chunk_rows(snapshot: Snapshot, hits: Sequence[Hit]) -> NDArray[np.int64] | None:
    """The rows of the chunks that the hits are, stand in, or were found by; None where one of
    them is not in the snapshot."""
    rows = rows_of(as_ids(hit.passage.chunk_id for hit in hits), snapshot.chunk_ids)
    if (rows < 0).any():
        ends = as_ids(hit.path[-1].id if hit.path else hit.passage.id for hit in hits)
        statements = rows_of(ends, snapshot.statement_ids)
        chunks = rows_of(ends, snapshot.chunk_ids)
        known = statements >= 0
        chunks[known] = snapshot.statement_chunk[statements[known]]
        rows = np.where(rows < 0, chunks, rows)
    return rows.astype(np.int64) if (rows >= 0).all() else None


def seen_in_arrays(view: ArrayView, asked: AskedWords, rows: NDArray[np.int64]) -> SeenHits:
    """What the arrays of a graph say of the hits in some chunks."""
    snapshot, vector, every = view.snapshot, view.query.vector, view.chunk_cosines
    chunks, places = np.unique(rows, return_inverse=True)
    held = np.flatnonzero(np.isin(snapshot.statement_chunk, chunks))
    held = held[np.argsort(snapshot.statement_chunk[held], kind="stable")]
    bounds = np.searchsorted(snapshot.statement_chunk[held], np.append(chunks, chunks[-1] + 1))
    cosines = decode_rows(snapshot.statement_embeddings, held) @ vector
    said = snapshot.statement_words.weights(asked.terms, held) > 0
    most = np.zeros((len(chunks), len(asked.terms)), bool)
    for i, (start, end) in enumerate(itertools.pairwise(bounds)):
        if end > start:
            most[i] = said[start + int((said[start:end] @ asked.weights).argmax())]
    return SeenHits(
        every[rows],
        highest(cosines, bounds)[places],
        snapshot.chunk_words.weights(asked.terms, rows) > 0,
        most[places],
        (float(every.mean()), float(every.std()), len(every)),
        statements_alike(snapshot),
    )


@lru_cache(maxsize=1)
def statements_alike(snapshot: Snapshot) -> tuple[float, float, int]:
    """How near statements are to the nearest of another passage: mean and deviation of the
    cosine, and of how many statements.

    A statement stands for a question that the other passages don't answer: what is only as
    near to a question as that is no answer yet. Evenly spread samples, the same every time.
    """
    count = len(snapshot.statement_ids)
    rows, others = (
        np.linspace(0, count - 1, min(most, count)).astype(np.int64) for most in (COMPARED, AMONG)
    )
    vectors = snapshot.statement_embeddings
    cosines = decode_rows(vectors, rows) @ decode_rows(vectors, others).T
    owners = snapshot.statement_chunk
    cosines[owners[rows][:, None] == owners[others][None]] = -np.inf
    nearest = cosines.max(1, initial=-np.inf)
    nearest = nearest[np.isfinite(nearest)]
    if not len(nearest):
        return 0.0, 0.0, 0
    return float(nearest.mean()), float(nearest.std()), len(nearest)


def seen_in_texts(
    view: GraphView, hits: Sequence[Hit], *, are_of_view: bool
) -> tuple[AskedWords, SeenHits]:
    """What the hits' own texts say, where a graph is too large for arrays: all words weigh the
    same, and the usual background stands for the graph's. What the search has compared with the
    question is not embedded again."""
    texts = [f"{hit.passage.source.title}\n{hit.passage.text}" for hit in hits]
    words = LexicalIndex.build(texts)
    found = AskedWords.of(view.query.text, words)
    asked = replace(found, weights=np.ones(len(found.terms)))
    known = [_known_cosine(hit) if are_of_view else np.nan for hit in hits]
    cosines = np.array(known, np.float32)
    unknown = np.flatnonzero(np.isnan(cosines))
    if len(unknown):
        vectors = view.session.embedder.embed([hits[i].passage.text for i in unknown.tolist()])
        cosines[unknown] = vectors @ view.query.vector
    held = words.weights(asked.terms, np.arange(len(hits))) > 0
    return asked, SeenHits(cosines, cosines, held, held, (0.0, 0.0, 0))


def _known_cosine(hit: Hit) -> float:
    """The cosine of the passage and the question where the search has worked it out: that of the
    statement that led to a chunk is not the chunk's."""
    is_found = not hit.path or hit.path[-1].id == hit.passage.id
    return hit.signals.get("cosine", np.nan) if is_found else np.nan
