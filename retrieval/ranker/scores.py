"""What every cheap search says of every passage, for one question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.bm25 import best_rows
from hlg.retrieval.arrays.passages import LEAST_WEIGHT, Passages, highest
from hlg.retrieval.arrays.vectors import similarities
from hlg.retrieval.question.matched import MatchedQuestion
from hlg.retrieval.view.beam import BeamLimits, beam_search

CLAUSE_HEAD = 60
"""A clause's cosines are standardised by those of this many best passages."""
PER_CLAUSE_POOL = 300
"""Passages of each search in which the statement nearest to a clause is looked for."""

DAMPING = 0.5
"""How likely a walk goes on. Evidence is near: two or three steps from where it starts."""
STEPS = 4
SEED_STATEMENTS = 20
BEAM = BeamLimits(width=30, depth=3, max_degree=100, max_neighbours=50)
BEAM_SEEDS = 40
"""Statements that the beam starts from, of each kind."""
LOWEST = -10.0
"""Less than any standardised cosine."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What each search gives every passage for a question, shape (number of chunks,) each."""

    passages: Passages
    question: MatchedQuestion
    dense: NDArray[np.float32]
    """Cosine of passage and question."""
    statement: NDArray[np.float32]
    """Cosine of the passage's best statement and the question."""
    words: NDArray[np.float32]
    """BM25 of the passage, as a share of what the question's words weigh in all."""
    page_rank: NDArray[np.float32]
    """Personalised PageRank (:func:`passage_page_rank`)."""
    statement_cosines: NDArray[np.float32]
    """Cosine of every statement and the question, in the passages' statement order."""
    statement_words: NDArray[np.float32]
    """BM25 of the passage's best statement, as a share like ``words``."""
    clause: NDArray[np.float32]
    """Of the passage for the clause of the question that finds it best: the cosine, standardised
    by that clause's best passages."""
    clause_statement: NDArray[np.float32]
    """The same of the passage's best statement."""
    beam: NDArray[np.float32]
    """Score of the best path that ends in the passage (eq. 7), 0 without one."""
    beam_deep: NDArray[np.float32]
    """The same of paths that left their seed."""
    beam_depth: NDArray[np.float32]
    """Steps of the longest path that ends there."""
    by_clause: NDArray[np.float32]
    """``clause`` or ``clause_statement``, the greater, by clause; shape (clauses, passages)."""
    ordered: Mapping[str, NDArray[np.float32]]
    """The same scores in ascending order, by field."""

    def ranks(self, name: str, rows: NDArray[np.integer]) -> NDArray[np.int64]:
        """The ranks of passages in a search: how many score more; 0 for the best."""
        ordered, values = self.ordered[name], getattr(self, name)[rows]
        return np.asarray(len(ordered) - np.searchsorted(ordered, values, "right"), np.int64)


def score_all(passages: Passages, question: MatchedQuestion) -> Scores:
    """Run every search over all passages."""
    queries = np.concatenate([question.embedding[None], question.clauses])
    snapshot = passages.snapshot
    by_chunk = _rows(similarities(snapshot.chunk_embeddings, queries))
    by_row = similarities(snapshot.statement_embeddings, question.embedding)
    by_statement = by_row[passages.statement_order]
    statement = passages.best_of_chunks(by_statement)
    clause = standardized_rows(by_chunk[1:])
    clause_statement = statements_by_clause(passages, question, [*by_chunk, statement])
    beam, beam_deep, beam_depth = beam_of_chunks(passages, question, by_row)
    worth = max(float(snapshot.chunk_words.idf(question.terms).sum()), 1e-6)
    said = snapshot.statement_words.scores(question.terms)[passages.statement_order]
    by_passage = {
        "dense": by_chunk[0],
        "statement": statement,
        "words": snapshot.chunk_words.scores(question.terms) / np.float32(worth),
        "page_rank": passage_page_rank(passages, question, by_statement),
        "statement_words": passages.best_of_chunks(said) / np.float32(worth),
        "clause": clause.max(0, initial=LOWEST),
        "clause_statement": clause_statement.max(0, initial=LOWEST),
        "beam": beam,
    }
    return Scores(
        passages,
        question,
        **by_passage,
        beam_deep=beam_deep,
        beam_depth=beam_depth,
        by_clause=np.maximum(clause, clause_statement),
        statement_cosines=by_statement,
        ordered={name: np.sort(values) for name, values in by_passage.items()},
    )


def statements_by_clause(
    passages: Passages, question: MatchedQuestion, searches: Sequence[NDArray[np.float32]]
) -> NDArray[np.float32]:
    """By clause and passage the cosine of the best statement, standardised.

    Looked at in the passages that some search finds best, ``LOWEST`` elsewhere: four more
    vectors over all statements would cost as much as all the rest.
    """
    found = np.full((len(question.clauses), len(passages.snapshot.chunk_ids)), LOWEST, np.float32)
    chunks = np.unique(np.concatenate([best_rows(each, PER_CLAUSE_POOL)[0] for each in searches]))
    places, bounds = passages.places_of(chunks)
    cosines = highest(passages.statement_vectors(places) @ question.clauses.T, bounds)
    found[:, chunks] = standardized_rows(_rows(cosines))
    return found


def standardized_rows(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cosines by the mean and deviation of each clause's best passages.

    Clauses differ in how near everything is to them.

    :param cosines: of every clause with every passage, shape (clauses, passages).
    """
    passages = cosines.shape[1]
    if not passages:
        return cosines
    head = np.partition(cosines, max(0, passages - CLAUSE_HEAD))[:, -CLAUSE_HEAD:]
    spread = np.maximum(head.std(axis=1, keepdims=True), 1e-6)
    return np.asarray((cosines - head.mean(axis=1, keepdims=True)) / spread, np.float32)


def beam_of_chunks(
    passages: Passages, question: MatchedQuestion, cosines: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """What a beam search (eq. 5-8) reaches, by passage: the best path's score, the best of those
    that left their seed, and the steps of the longest.

    It starts at the nearest statements and at the nearest of those that mention an entity of
    the question.

    :param cosines: of every statement and the question.
    """
    snapshot = passages.snapshot
    chunks = len(snapshot.chunk_ids)
    score, deep, depth = (np.zeros(chunks, np.float32) for _ in range(3))
    asked = question.entities[
        snapshot.entity_statements.degrees()[question.entities] <= BEAM.max_degree
    ]
    named = np.unique(snapshot.entity_statements.gather(asked)[1])
    named = named[best_rows(cosines[named], BEAM_SEEDS)[0]]
    nearest = best_rows(cosines, BEAM_SEEDS)[0]
    found = beam_search(
        cosines,
        snapshot.statement_embeddings,
        snapshot.statement_entities,
        snapshot.entity_statements,
        np.union1d(named, nearest),
        BEAM,
    )
    owners = snapshot.statement_chunk[found.ends]
    np.maximum.at(score, owners, found.scores.astype(np.float32))
    left = found.depths > 0
    np.maximum.at(deep, owners[left], found.scores[left].astype(np.float32))
    np.maximum.at(depth, owners, found.depths.astype(np.float32))
    return score, deep, depth


def _rows(cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.ascontiguousarray(cosines.T)


def passage_page_rank(
    passages: Passages, question: MatchedQuestion, cosines: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Personalised PageRank over passages and entities, by passage.

    The walk starts at the question's entities, by IDF, and at the passages of the nearest
    statements, by cosine; it leaves a passage for its rarer entities first.
    """
    chunks = len(passages.statement_bounds) - 1
    entities, idf = passages.chunk_entities, passages.entity_idf
    if not chunks:
        return np.zeros(0, np.float32)
    start_chunks = np.zeros(chunks)
    rows, near = best_rows(cosines, SEED_STATEMENTS)
    owners = passages.snapshot.statement_chunk[passages.statement_order[rows]]
    np.add.at(start_chunks, owners, near)
    start_entities = np.zeros(len(idf))
    start_entities[question.entities] = idf[question.entities] + LEAST_WEIGHT
    for start in (start_chunks, start_entities):
        start /= max(start.sum(), 1e-12)
    holder, target, share = passages.entity_owner, entities.indices, passages.entity_share
    back = 1 / np.maximum(passages.entity_chunks.degrees(), 1)
    rank, mass = start_chunks.copy(), start_entities.copy()
    for _ in range(STEPS):
        arrived = np.bincount(target, rank[holder] * share, len(idf))
        left = np.bincount(holder, (mass * back)[target], chunks)
        rank = (1 - DAMPING) * start_chunks + DAMPING * left
        mass = (1 - DAMPING) * start_entities + DAMPING * arrived
    return rank.astype(np.float32)
