"""The passages worth ranking for a question, out of what every search finds.

The best of each search, and what is linked to the first few passages by a title or by rare
entities.
"""

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.bm25 import best_rows
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.ranker.scores import Scores

PER_SEARCH = 60
"""Passages taken from each search by vector, best statement and words."""
PER_CLAUSE = 40
"""Passages taken from each search by clause."""
PER_PAGE_RANK = 40
"""Passages taken from personalised PageRank, and sources that the question names."""
PER_LINKS = 60
"""Neighbours taken of the first passages through the entities that they share."""
ANCHORS = 10
"""The first passages, from which links are followed."""
MAX_HOLDERS = 60
"""An entity in more passages than this is no link."""
RANK_OFFSET = 10


def fused(scores: Scores, rows: NDArray[np.integer]) -> NDArray[np.float32]:
    """Reciprocal ranks of the text searches added up, 1 for a passage that leads them all."""
    total = np.zeros(len(rows), np.float32)
    for name in ("dense", "statement", "words"):
        total += (1 + RANK_OFFSET) / (1 + RANK_OFFSET + scores.ranks(name, rows))
    return np.asarray(total / 3, np.float32)


def propose(scores: Scores) -> NDArray[np.int32]:
    """The passages worth ranking: rows of chunks, ascending."""
    passages = scores.passages
    found = [
        best_rows(scores.dense, PER_SEARCH)[0],
        best_rows(scores.statement, PER_SEARCH)[0],
        best_rows(scores.words, PER_SEARCH)[0],
        best_rows(scores.clause, PER_CLAUSE)[0],
        best_rows(scores.clause_statement, PER_CLAUSE)[0],
        best_rows(scores.page_rank, PER_PAGE_RANK)[0],
        passages.first_chunks(scores.question.sources[:PER_PAGE_RANK]),
    ]
    rows = np.unique(np.concatenate(found))
    first = first_anchors(scores, rows)[0]
    return np.unique(np.concatenate([rows, linked(passages, first)]))


def first_anchors(
    scores: Scores, rows: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The passages that links start from before anything is ranked, with their standing.

    The fused searches order them; a passage whose title the question names goes first.
    """
    standing, question, snapshot = fused(scores, rows), scores.question, scores.passages.snapshot
    words = np.zeros(len(snapshot.source_ids), np.float32)
    words[question.sources] = np.minimum(question.source_words, 3)
    standing += words[snapshot.chunk_source[rows]] / np.float32(6)
    order = np.argsort(-standing, kind="stable")[:ANCHORS]
    return rows[order], standing[order]


def linked(passages: Passages, anchors: NDArray[np.int32]) -> NDArray[np.int32]:
    """Passages joined to the anchors: by rare entities, and by a title that an anchor mentions."""
    _, mentioned = passages.chunk_entities.gather(anchors)
    mentioned = np.unique(mentioned)
    rare = mentioned[passages.entity_chunks.degrees()[mentioned] <= MAX_HOLDERS]
    owner, holders = passages.entity_chunks.gather(rare)
    strength = np.bincount(
        holders, passages.entity_idf[rare][owner], len(passages.chunk_entities.indptr)
    )
    strength[anchors] = 0
    neighbours = best_rows(strength.astype(np.float32), PER_LINKS)[0]
    titled = np.flatnonzero(np.isin(passages.title_entity, mentioned))
    return np.union1d(neighbours, passages.first_chunks(titled[:PER_LINKS]))
