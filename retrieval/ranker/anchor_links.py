"""Links from anchors to candidates: what joins two passages, and what their evidence adds up to.

An anchor is a passage that already stands well. A candidate is linked to it by entities
that both mention, by its title being mentioned in the anchor, or the other way round.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.ranker.candidates import first_anchors
from hlg.retrieval.ranker.composition import (
    LINK_IDF,
    Matrix,
    Rows,
    clause_cosines,
    composed_cosines,
    holding,
    linked_cosines,
)
from hlg.retrieval.ranker.scores import Scores

LEAST_COSINE = 0.05
"""What an anchor's statement counts at least, however far it is from the question."""
WHOLE = 0.999
"""A share above this is all of a title, rounding aside."""


@dataclass(frozen=True, slots=True)
class AnchorLinks:
    """By candidate and anchor, shape (n, a) each; 0 where there is no link or both are one."""

    anchors: Rows
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


def anchor_links(scores: Scores, candidates: Rows) -> AnchorLinks:
    """Every link between candidates and those of them that stand best before any ranking.

    :param candidates: rows of chunks, ascending.
    """
    return links_between(scores, candidates, *first_anchors(scores, candidates))


def links_between(
    scores: Scores, candidates: Rows, anchors: Rows, standing: NDArray[np.float32]
) -> AnchorLinks:
    """Every link between anchors and candidates."""
    passages = scores.passages
    is_other = (candidates[:, None] != anchors[None]).astype(np.float32)
    held = _entities(scores, candidates, anchors)
    columns, candidate_has, anchor_has = held.columns, held.candidate_has, held.anchor_has
    idf = passages.entity_idf[columns]
    asked = np.isin(columns, scores.question.entities)
    own = passages.title_entity[passages.snapshot.chunk_source[anchors]]
    new = np.where(asked, 0, idf).astype(np.float32)
    weight = new[None] * np.maximum(held.statement_cosine, LEAST_COSINE) * anchor_has
    shared, _ = _widest(candidate_has, anchor_has * idf)
    bridge, place = _widest(candidate_has, weight)
    title, title_statement, titled_entity = _titles(passages, candidates, held, idf)
    title_words = _title_words(passages, candidates, anchors)
    back = (
        np.stack([_column(candidate_has, columns, entity) for entity in own], 1)
        if len(own)
        else np.zeros_like(is_other)
    )
    composed, composed_chunk = composed_cosines(scores, candidates, anchors)
    composed_clause = clause_cosines(scores, candidates, anchors)
    composed_link = linked_cosines(scores, candidates, anchors)
    joined = np.maximum(title, np.maximum(title_words, shared)) > LINK_IDF
    pair, covered = _pair_coverage(scores, candidates, anchors)
    via = np.where(bridge > 0, columns[place] if len(columns) else -1, titled_entity[:, None])
    return AnchorLinks(
        anchors=anchors,
        standing=standing,
        shared=shared * is_other,
        shared_sum=(candidate_has @ (anchor_has * new).T) * is_other,
        bridge=bridge * is_other,
        best_statement=_widest(candidate_has, held.best_has * idf)[0] * is_other,
        title=np.maximum(title, title_words) * is_other,
        title_statement=title_statement * is_other,
        title_back=back * is_other,
        composed=composed * is_other,
        composed_chunk=composed_chunk * is_other,
        composed_link=composed_link * is_other,
        composed_clause=composed_clause * joined * is_other,
        pair_coverage=pair * is_other,
        anchor_coverage=covered,
        via=via.astype(np.int32),
    )


@dataclass(frozen=True, slots=True)
class _AnchorEntities:
    """The anchors' entities, ascending, and over them who has which."""

    columns: Rows
    candidate_has: Matrix
    anchor_has: Matrix
    statement_cosine: Matrix
    """Cosine of the question and the anchor's best statement with each entity."""
    best_has: Matrix
    """1 where the anchor's best statement mentions the entity."""


def _entities(scores: Scores, candidates: Rows, anchors: Rows) -> _AnchorEntities:
    passages = scores.passages
    owner, held = passages.chunk_entities.gather(anchors)
    columns = np.unique(held)
    anchor_has = np.zeros((len(anchors), len(columns)), np.float32)
    anchor_has[owner, np.searchsorted(columns, held)] = 1
    candidate_has = holding(passages, candidates, columns)
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
    return _AnchorEntities(columns, candidate_has, anchor_has, cosine, best_has)


def _widest(candidate_has: Matrix, weight: Matrix) -> tuple[Matrix, NDArray[np.int64]]:
    """By candidate and anchor the greatest weight of an entity of the candidate, and its place."""
    widest = np.zeros((len(candidate_has), len(weight)), np.float32)
    place = np.zeros(widest.shape, np.int64)
    for i, row in enumerate(weight):
        used = np.flatnonzero(row)
        if len(used):
            held = candidate_has[:, used] * row[used]
            place[:, i] = used[held.argmax(1)]
            widest[:, i] = held.max(1)
    return widest, place


def _column(has: Matrix, columns: Rows, entity: int) -> Matrix:
    place = int(np.searchsorted(columns, entity))
    if entity < 0 or place == len(columns) or columns[place] != entity:
        return np.zeros(len(has), np.float32)
    return has[:, place]


def _titles(
    passages: Passages, candidates: Rows, held: _AnchorEntities, idf: NDArray[np.float32]
) -> tuple[Matrix, Matrix, Rows]:
    """Links by title entity: its IDF, the cosine of the statement with it, and the entity."""
    entity = passages.title_entity[passages.snapshot.chunk_source[candidates]]
    columns = held.columns
    if not len(columns):
        nothing = np.zeros((len(candidates), len(held.anchor_has)), np.float32)
        return nothing, nothing, entity
    place = np.minimum(np.searchsorted(columns, entity), len(columns) - 1)
    known = (columns[place] == entity).astype(np.float32)[:, None]
    by_idf = known * (held.anchor_has * idf).T[place]
    return by_idf, known * held.statement_cosine.T[place], entity


def _title_words(passages: Passages, candidates: Rows, anchors: Rows) -> Matrix:
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


def _pair_coverage(scores: Scores, candidates: Rows, anchors: Rows) -> tuple[Matrix, Matrix]:
    words, terms = scores.passages.snapshot.chunk_words, scores.question.terms
    idf = words.idf(terms)
    total = max(float(idf.sum()), 1e-6)
    mine, theirs = words.weights(terms, candidates) > 0, words.weights(terms, anchors) > 0
    either = mine[:, None] | theirs[None]
    return (
        np.asarray((either @ idf) / total, np.float32),
        np.asarray((theirs @ idf) / total, np.float32),
    )
