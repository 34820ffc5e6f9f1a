"""Links from anchors to candidates: what joins two passages, and what their evidence adds up to.

An anchor is a passage that already stands well. A candidate is linked to it by entities
that both mention, by its title being mentioned in the anchor, or the other way round.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.arrays.passages import Passages, highest
from hlg.retrieval.question.matched import MatchedQuestion
from hlg.retrieval.ranker.candidates import Scores

COMPOSITION = 0.7
"""Weight of the anchor's evidence beside the question in a composed query ``q + 0.7 v``."""

LINK_IDF = 0.3
"""An entity that is more common than this joins no two statements."""
WHOLE = 0.999
"""A share above this is all of a title, rounding aside."""

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class AnchorLinks:
    """By candidate and anchor, shape (n, a) each; 0 where there is no link or both are one."""

    anchors: NDArray[np.int32]
    standing: NDArray[np.float32]
    """Of the anchors, 1 for the best."""
    shared: Matrix
    """IDF of the rarest entity that both mention."""
    shared_sum: Matrix
    """IDF of all entities that both mention and the question doesn't, added up."""
    bridge: Matrix
    """Like ``shared``, for entities that the question doesn't name, each by the cosine of the
    question and the anchor's best statement with it."""
    best_statement: Matrix
    """IDF of the rarest shared entity of the anchor's best statement."""
    title: Matrix
    """How surely the anchor mentions the candidate's title: the least a term of it weighs."""
    title_statement: Matrix
    """Cosine of the question and the anchor's best statement that mentions that title."""
    title_back: Matrix
    """1 where the candidate mentions the anchor's title."""
    composed: Matrix
    """Cosine of the candidate's best statement and the question plus the anchor's statement."""
    composed_chunk: Matrix
    """The same for the candidate as a whole."""
    composed_link: Matrix
    """Cosine of the candidate and the question plus the anchor's best fitting statement of
    those that mention, beside what the question names, something that the candidate has."""
    composed_clause: Matrix
    """Cosine of a linked candidate and a clause of the question plus the anchor's statement that
    is nearest to any clause; the clause that fits best."""
    pair_coverage: Matrix
    """Share of the question's words that candidate and anchor cover together."""
    anchor_coverage: NDArray[np.float32]
    """Share of the question's words that each anchor covers."""
    via: NDArray[np.int32]
    """The entity of ``bridge``, else the title's, else -1."""


def links(
    passages: Passages,
    question: MatchedQuestion,
    scores: Scores,
    candidates: NDArray[np.int32],
    anchors: NDArray[np.int32],
    standing: NDArray[np.float32],
) -> AnchorLinks:
    """Every link between anchors and candidates."""
    apart = (candidates[:, None] != anchors[None]).astype(np.float32)
    columns, candidate_has, anchor_has, statement_cosine, best_has = _entities(
        passages, scores, candidates, anchors
    )
    idf = passages.entity_idf[columns]
    asked = np.isin(columns, question.entities)
    own = passages.title_entity[passages.snapshot.chunk_source[anchors]]
    new = np.where(asked, 0, idf).astype(np.float32)
    weight = new[None] * np.maximum(statement_cosine, 0.05) * anchor_has
    shared = _widest(candidate_has, anchor_has * idf)
    bridge, place = _widest_with_place(candidate_has, weight)
    title, title_statement, titled_entity = _titles(
        passages, candidates, columns, anchor_has, statement_cosine, idf
    )
    lexical = _title_words(passages, candidates, anchors)
    back = (
        np.stack([_column(candidate_has, columns, entity) for entity in own], 1)
        if len(own)
        else np.zeros_like(apart)
    )
    composed, composed_chunk = _composed(passages, question, scores, candidates, anchors)
    pair, covered = _pair_coverage(passages, question, candidates, anchors)
    via = np.where(bridge > 0, columns[place] if len(columns) else -1, titled_entity[:, None])
    return AnchorLinks(
        anchors,
        standing,
        shared * apart,
        (candidate_has @ (anchor_has * new).T) * apart,
        bridge * apart,
        _widest(candidate_has, best_has * idf) * apart,
        np.maximum(title, lexical) * apart,
        title_statement * apart,
        back * apart,
        composed * apart,
        composed_chunk * apart,
        _composed_links(passages, question, scores, candidates, anchors) * apart,
        _composed_clauses(passages, question, candidates, anchors)
        * (np.maximum(title, np.maximum(lexical, shared)) > LINK_IDF)
        * apart,
        pair * apart,
        covered,
        via.astype(np.int32),
    )


def composed_queries(
    passages: Passages, question: MatchedQuestion, scores: Scores, anchors: NDArray[np.int32]
) -> Matrix:
    """The unit vectors of ``q + 0.7 v``, v the best statement of each anchor; shape (a, d)."""
    queries = np.repeat(question.embedding[None], len(anchors), 0)
    for i, anchor in enumerate(anchors):
        slots = passages.statement_slots(int(anchor))
        if slots.stop > slots.start:
            best = slots.start + int(scores.statement_cosines[slots].argmax())
            queries[i] += COMPOSITION * passages.statement_vectors(np.array([best]))[0]
    queries /= np.maximum(np.linalg.norm(queries, axis=1, keepdims=True), 1e-9)
    return queries


def _entities(
    passages: Passages,
    scores: Scores,
    candidates: NDArray[np.int32],
    anchors: NDArray[np.int32],
) -> tuple[NDArray[np.int32], Matrix, Matrix, Matrix, Matrix]:
    """The anchors' entities, ascending, and over them: which candidates have them, which
    anchors, the cosine of the anchor's best statement with each, and which its best has."""
    owner, held = passages.chunk_entities.gather(anchors)
    columns = np.unique(held)
    anchor_has = np.zeros((len(anchors), len(columns)), np.float32)
    anchor_has[owner, np.searchsorted(columns, held)] = 1
    candidate_has = _has(passages, candidates, columns)
    cosine = np.zeros_like(anchor_has)
    best_has = np.zeros_like(anchor_has)
    for i, anchor in enumerate(anchors):
        slots = passages.statement_slots(int(anchor))
        if slots.stop == slots.start:
            continue
        near = scores.statement_cosines[slots]
        owner, held = passages.snapshot.statement_entities.gather(passages.statement_order[slots])
        place = np.searchsorted(columns, held)
        np.maximum.at(cosine[i], place, near[owner])
        best_has[i, place[owner == int(near.argmax())]] = 1
    return columns, candidate_has, anchor_has, cosine, best_has


def _widest(candidate_has: Matrix, weight: Matrix) -> Matrix:
    """By candidate and anchor the greatest weight of an entity that the candidate has."""
    return _widest_with_place(candidate_has, weight)[0]


def _widest_with_place(candidate_has: Matrix, weight: Matrix) -> tuple[Matrix, NDArray[np.int64]]:
    widest = np.zeros((len(candidate_has), len(weight)), np.float32)
    place = np.zeros(widest.shape, np.int64)
    for i, row in enumerate(weight):
        used = np.flatnonzero(row)
        if len(used):
            held = candidate_has[:, used] * row[used]
            place[:, i] = used[held.argmax(1)]
            widest[:, i] = held.max(1)
    return widest, place


def _column(has: Matrix, columns: NDArray[np.int32], entity: int) -> Matrix:
    place = int(np.searchsorted(columns, entity))
    if entity < 0 or place == len(columns) or columns[place] != entity:
        return np.zeros(len(has), np.float32)
    return has[:, place]


def _titles(
    passages: Passages,
    candidates: NDArray[np.int32],
    columns: NDArray[np.int32],
    anchor_has: Matrix,
    statement_cosine: Matrix,
    idf: NDArray[np.float32],
) -> tuple[Matrix, Matrix, NDArray[np.int32]]:
    """Links by title entity: its IDF, the cosine of the statement with it, and the entity."""
    entity = passages.title_entity[passages.snapshot.chunk_source[candidates]]
    if not len(columns):
        nothing = np.zeros((len(candidates), len(anchor_has)), np.float32)
        return nothing, nothing, entity
    place = np.minimum(np.searchsorted(columns, entity), len(columns) - 1)
    known = (columns[place] == entity).astype(np.float32)[:, None]
    return (
        known * (anchor_has * idf).T[place],
        known * statement_cosine.T[place],
        entity,
    )


def _title_words(
    passages: Passages, candidates: NDArray[np.int32], anchors: NDArray[np.int32]
) -> Matrix:
    """1 where an anchor has all words of a candidate's title, else their share below one half."""
    words = passages.snapshot.chunk_words
    sources = passages.snapshot.chunk_source[candidates]
    distinct, inverse = np.unique(sources, return_inverse=True)
    titles = [passages.terms_of_title(source)[0] for source in distinct.tolist()]
    terms = list(dict.fromkeys(term for title in titles for term in title))
    column = {term: i for i, term in enumerate(terms)}
    in_title = np.zeros((len(distinct), len(terms)), np.float32)
    for i, title in enumerate(titles):
        in_title[i, [column[term] for term in title]] = 1 / max(len(title), 1)
    share = in_title @ (words.weights(terms, anchors) > 0).T
    found = np.where(share > WHOLE, 1, share / 2).astype(np.float32)
    return found[inverse]


def _composed(
    passages: Passages,
    question: MatchedQuestion,
    scores: Scores,
    candidates: NDArray[np.int32],
    anchors: NDArray[np.int32],
) -> tuple[Matrix, Matrix]:
    """Cosines with ``q + 0.7 v``, v an anchor's best statement: best statement, and chunk."""
    queries = composed_queries(passages, question, scores, anchors)
    whole = passages.chunk_vectors(candidates) @ queries.T
    places, bounds = passages.places_of(candidates)
    return highest(passages.statement_vectors(places) @ queries.T, bounds), whole


def _composed_links(
    passages: Passages,
    question: MatchedQuestion,
    scores: Scores,
    candidates: NDArray[np.int32],
    anchors: NDArray[np.int32],
) -> Matrix:
    """By candidate and anchor the best cosine with ``q + 0.7 v``, v a statement that links."""
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
    candidate_has = _has(passages, candidates, columns)
    statements = passages.statement_vectors(places)
    queries = question.embedding[None] + COMPOSITION * statements
    queries /= np.maximum(np.linalg.norm(queries, axis=1, keepdims=True), 1e-9)
    cosines = passages.chunk_vectors(candidates) @ queries.T
    cosines *= candidate_has @ statement_has.T > 0
    return np.asarray(np.maximum(highest(np.ascontiguousarray(cosines.T), bounds).T, 0), np.float32)


def _composed_clauses(
    passages: Passages,
    question: MatchedQuestion,
    candidates: NDArray[np.int32],
    anchors: NDArray[np.int32],
) -> Matrix:
    """By candidate and anchor the best cosine with ``c + 0.7 v``, over the question's clauses."""
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


def _has(passages: Passages, candidates: NDArray[np.int32], columns: NDArray[np.int32]) -> Matrix:
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


def _pair_coverage(
    passages: Passages,
    question: MatchedQuestion,
    candidates: NDArray[np.int32],
    anchors: NDArray[np.int32],
) -> tuple[Matrix, Matrix]:
    idf = passages.snapshot.chunk_words.idf(question.terms)
    total = max(float(idf.sum()), 1e-6)
    words = passages.snapshot.chunk_words
    mine = words.weights(question.terms, candidates) > 0
    theirs = words.weights(question.terms, anchors) > 0
    either = mine[:, None] | theirs[None]
    return (
        np.asarray((either @ idf) / total, np.float32),
        np.asarray((theirs @ idf) / total, np.float32),
    )
