"""Cosines with a question and evidence: how well a passage continues what an anchor says.

A composed query is the question plus ``0.7 v``, v a statement of the anchor.
"""

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.arrays.passages import Passages, highest
from hlg.retrieval.ranker.scores import Scores

COMPOSITION = 0.7
"""Weight of the anchor's evidence beside the question in a composed query ``q + 0.7 v``."""
LINK_IDF = 0.3
"""An entity that is more common than this joins no two statements."""

Matrix = NDArray[np.float32]
Rows = NDArray[np.int32]
"""Of chunks, or of entities."""


def composed_queries(scores: Scores, anchors: Rows) -> Matrix:
    """The unit vectors of ``q + 0.7 v``, v the best statement of each anchor; shape (a, d)."""
    passages = scores.passages
    queries = np.repeat(scores.question.embedding[None], len(anchors), 0)
    for i, anchor in enumerate(anchors):
        slots = passages.statement_slots(int(anchor))
        if slots.stop > slots.start:
            best = slots.start + int(scores.statement_cosines[slots].argmax())
            queries[i] += COMPOSITION * passages.statement_vectors(np.array([best]))[0]
    queries /= np.maximum(np.linalg.norm(queries, axis=1, keepdims=True), 1e-9)
    return queries


def composed_cosines(scores: Scores, candidates: Rows, anchors: Rows) -> tuple[Matrix, Matrix]:
    """Cosines with ``q + 0.7 v``, v an anchor's best statement: best statement, and chunk."""
    passages, queries = scores.passages, composed_queries(scores, anchors)
    whole = passages.chunk_vectors(candidates) @ queries.T
    places, bounds = passages.places_of(candidates)
    return highest(passages.statement_vectors(places) @ queries.T, bounds), whole


def linked_cosines(scores: Scores, candidates: Rows, anchors: Rows) -> Matrix:
    """By candidate and anchor the best cosine with ``q + 0.7 v``, v a statement that links."""
    passages, question = scores.passages, scores.question
    places, bounds = passages.places_of(anchors)
    owner, held = passages.snapshot.statement_entities.gather(passages.statement_order[places])
    new = ~np.isin(held, question.entities)
    new &= passages.entity_idf[held] > LINK_IDF
    owner, held = owner[new], held[new]
    columns = np.unique(held)
    if not len(columns):
        return np.zeros((len(candidates), len(anchors)), np.float32)
    statement_has = np.zeros((len(places), len(columns)), np.float32)
    statement_has[owner, np.searchsorted(columns, held)] = 1
    candidate_has = holding(passages, candidates, columns)
    statements = passages.statement_vectors(places)
    queries = question.embedding[None] + COMPOSITION * statements
    queries /= np.maximum(np.linalg.norm(queries, axis=1, keepdims=True), 1e-9)
    cosines = passages.chunk_vectors(candidates) @ queries.T
    cosines *= candidate_has @ statement_has.T > 0
    return np.asarray(np.maximum(highest(np.ascontiguousarray(cosines.T), bounds).T, 0), np.float32)


def clause_cosines(scores: Scores, candidates: Rows, anchors: Rows) -> Matrix:
    """By candidate and anchor the best cosine with ``c + 0.7 v``, over the question's clauses."""
    passages, question = scores.passages, scores.question
    d = len(question.embedding)
    evidence = np.zeros((len(anchors), d), np.float32)
    for i, anchor in enumerate(anchors.tolist()):
        slots = passages.statement_slots(anchor)
        statements = passages.statement_vectors(np.arange(slots.start, slots.stop))
        if len(statements):
            near = statements @ question.clauses.T
            evidence[i] = statements[near.max(1).argmax()]
    queries = question.clauses[None] + COMPOSITION * evidence[:, None]
    queries /= np.maximum(np.linalg.norm(queries, axis=2, keepdims=True), 1e-9)
    whole = passages.chunk_vectors(candidates)
    cosines = whole @ queries.reshape(-1, d).T
    shape = (len(candidates), len(anchors), len(question.clauses))
    return np.asarray(cosines.reshape(shape).max(2), np.float32)


def holding(passages: Passages, candidates: Rows, columns: Rows) -> Matrix:
    """1 where a candidate mentions an entity or is titled by it, for ascending entities."""
    has = np.zeros((len(candidates), len(columns)), np.float32)
    if not len(columns):
        return has
    owner, held = passages.chunk_entities.gather(candidates)
    titles = passages.title_entity[passages.snapshot.chunk_source[candidates]]
    owner = np.concatenate([owner, np.arange(len(candidates))])
    held = np.concatenate([held, titles])
    place = np.minimum(np.searchsorted(columns, held), len(columns) - 1)
    known = columns[place] == held
    has[owner[known], place[known]] = 1
    return has
