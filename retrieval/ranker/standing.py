"""How a passage stands among the candidates, and how far each search can be trusted here.

BM25 serves one corpus well and another badly: where many passages have the same words of a
question it tells them apart by their length, and where a question shares few words with its
answer by chance. These signals say how it is with the question at hand: nothing in them
depends on how high scores are in a corpus.
"""

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.bm25 import best_rows
from hlg.retrieval.arrays.found_again import vector_worth
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.question.words import AskedWords
from hlg.retrieval.ranker.scores import Scores

SEARCHES = ("dense", "statement", "words", "statement_words", "clause")
HEAD = 60
"""A score is set against the deviation of so many best."""
FIRST = 10
"""Passages at the head of two searches that are compared."""
LEAD = 5
"""The best is compared with the passage at this rank."""
RANK_OFFSET = 11

Columns = dict[str, NDArray[np.float32]]


def standing_signals(scores: Scores, rows: NDArray[np.int32]) -> Columns:
    """All signals of this kind, columns of shape (len(rows),)."""
    passages = scores.passages
    asked = AskedWords.of(scores.question.text, passages.snapshot.chunk_words)
    held = passages.snapshot.chunk_words.weights(asked.terms, rows) > 0
    columns = {
        **distance_signals(scores, rows),
        **trust_signals(scores),
        **coverage_signals(asked, held, best_stated(passages, asked, rows), scores, rows),
    }
    return {
        name: np.broadcast_to(np.asarray(column, np.float32), rows.shape)
        for name, column in columns.items()
    }


def distance_signals(scores: Scores, rows: NDArray[np.int32]) -> dict[str, NDArray[np.floating]]:
    """How far each passage is behind the best of each search, and how far that is ahead."""
    ranks = scores.ranks("dense", rows), scores.ranks("words", rows)
    columns: dict[str, NDArray[np.floating]] = {
        "fused_ranks": sum((1 / (RANK_OFFSET + rank) for rank in ranks), np.zeros(len(rows))),
    }
    for name in SEARCHES:
        ordered, values = scores.ordered[name], getattr(scores, name)[rows]
        best = float(ordered[-1])
        columns[f"{name}_share"] = values / max(best, 1e-6)
        columns[f"{name}_behind"] = (best - values) / max(float(ordered[-HEAD:].std()), 1e-6)
        columns[f"asked_{name}_lead"] = best - ordered[-min(LEAD, len(ordered))]
    return columns


def trust_signals(scores: Scores) -> dict[str, NDArray[np.floating]]:
    """The same for every passage: whether words and vectors find the same, and how much of the
    question words can find at all."""
    near, worded = best_rows(scores.dense, FIRST)[0], best_rows(scores.words, FIRST)[0]
    first = max(min(FIRST, len(scores.dense)), 1)
    snapshot = scores.passages.snapshot
    titles = {snapshot.source_titles[i] for i in snapshot.chunk_source[near]}

    def rank(search: str, of: NDArray[np.int32]) -> float:
        return float(np.log1p(scores.ranks(search, of[:1])[0])) if len(of) else 0.0

    return {
        "asked_words_best": scores.ordered["words"][-1:],
        "asked_statement_words_best": scores.ordered["statement_words"][-1:],
        "asked_overlap": np.array(len(np.intersect1d(near, worded)) / first),
        "asked_rank_by_words": np.array(rank("words", near)),
        "asked_rank_by_vector": np.array(rank("dense", worded)),
        "asked_length": np.array(float(len(scores.question.text.split()))),
        "asked_titles": np.array(len(titles) / first),
        "asked_vector": np.array(vector_worth(snapshot.found_again)),
    }


def best_stated(
    passages: Passages, asked: AskedWords, rows: NDArray[np.int32]
) -> NDArray[np.float64]:
    """By passage the most that one of its statements has of the question's words, by weight."""
    places, bounds = passages.places_of(rows)
    statements = passages.statement_order[places]
    held = passages.snapshot.statement_words.weights(asked.terms, statements) > 0
    shares = asked.share(held)
    stated = np.zeros(len(rows))
    filled = np.flatnonzero(np.diff(bounds))
    if len(filled):
        stated[filled] = np.maximum.reduceat(shares, bounds[filled])
    return stated


def coverage_signals(
    asked: AskedWords,
    held: NDArray[np.bool_],
    stated: NDArray[np.float64],
    scores: Scores,
    rows: NDArray[np.int32],
) -> dict[str, NDArray[np.floating]]:
    """What each passage covers of the question beside the others, and where it stands by vector
    among those that cover as much.

    :param held: which of the question's terms each passage has, shape (n, terms).
    """
    covered, names = asked.share(held), asked.share_of_names(held)
    most = covered.max(initial=0)
    dense, statement, words = scores.dense[rows], scores.statement[rows], scores.words[rows]
    as_much = covered[None] >= covered[:, None] - 1e-6
    nearer, stated_nearer = dense[None] > dense[:, None], statement[None] > statement[:, None]
    ahead = nearer & (words[None] > words[:, None])
    first = covered[dense.argmax()] if len(rows) else 0.0
    return {
        "covered": covered,
        "covered_behind": most - covered,
        "covered_as_much": np.log1p(as_much.sum(1)),
        "nearer_as_much": np.log1p((as_much & nearer).sum(1)),
        "stated_as_much": np.log1p((as_much & stated_nearer).sum(1)),
        "stated": stated,
        "stated_behind": stated.max(initial=0) - stated,
        "ahead": np.log1p(ahead.sum(1)),
        "ahead_in_all": np.log1p((ahead & stated_nearer).sum(1)),
        "names_covered": names,
        "names_behind": names.max(initial=0) - names,
        "asked_covered": np.array(most),
        "asked_covered_by": np.array(np.log1p((covered >= most - 1e-6).sum())),
        "asked_unknown": np.array(asked.unknown),
        "asked_first_covers": np.array(first),
    }
