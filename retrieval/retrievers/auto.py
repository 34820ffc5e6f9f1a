"""``auto``: every cheap search and the walk propose, the learned ranker ranks."""

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.arrays.passages import Passages, passages_of
from hlg.retrieval.arrays.vectors import decode_rows
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate, Step
from hlg.retrieval.fusion import reciprocal_rank_fusion
from hlg.retrieval.options import Count, StatementOptions
from hlg.retrieval.question.adaptive import is_single_passage
from hlg.retrieval.question.matched import MatchedQuestion
from hlg.retrieval.ranker.anchor_links import anchor_links
from hlg.retrieval.ranker.candidates import propose
from hlg.retrieval.ranker.composition import LINK_IDF
from hlg.retrieval.ranker.path_ranker import (
    RankedChunk,
    RankedStatement,
    rank_statements,
    ranker_for,
)
from hlg.retrieval.ranker.scores import score_all
from hlg.retrieval.ranker.signals import all_signals
from hlg.retrieval.view.arrays import ArrayView
from hlg.retrieval.view.base import GraphView

CARRIES = 0.5
"""What links must add to a passage's standardised score; 1 is a step between the best."""

_TIME_WORD = re.compile(
    r"\d+(?:st|nd|rd|th)?|jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|"
    r"nov\w*|dec\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|yesterday|tomorrow|years?|"
    r"months?|weeks?|days?|early|late|last|next|the|of",
    re.IGNORECASE,
)


def names_something(name: str) -> bool:
    """Whether an entity's name can explain a path: a date, a number or a word without a capital
    can't.

    >>> [names_something(name) for name in ("Odile Varnier", "May 2024", "awesome", "F-16")]
    [True, False, False, True]
    """
    words = re.findall(r"\w+", name)
    timeless = [word for word in words if not _TIME_WORD.fullmatch(word)]
    return bool(timeless) and any(character.isupper() for character in name)


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoOptions(StatementOptions):
    """The learned path ranker.

    :param candidates: how many passages it gives.
    :param adaptive: a question that one passage answers is answered by plain search.
    """

    form: Literal["statements", "chunks"] = "chunks"
    candidates: Count = 100
    adaptive: bool = True


def auto(view: GraphView, options: AutoOptions, top_k: int) -> list[Candidate]:
    """Passages, or their statements, as the learned ranker puts them; by vector and by words alone
    where a graph is too large for arrays, and the explanation says so.

    :raises ModelError: the ranker can't be loaded.
    """
    session, query, wanted = view.session, view.query, max(options.candidates, top_k)
    if not isinstance(view, ArrayView):
        session.trace.notes.append(
            "the graph is over max_snapshot_mb: ranked by vector and words, without links"
        )
        return _fused(view, options, wanted)
    snapshot = view.snapshot
    if not len(snapshot.chunk_ids):
        return []
    if options.adaptive and is_single_passage(view.chunk_cosines, snapshot.chunk_words, query.text):
        session.trace.notes.append("one passage answers the question: plain search, no walk")
        return _fused(view, options, wanted)
    vectors = query.vectors
    with session.trace.stage("rank"):
        passages = passages_of(snapshot)
        question = MatchedQuestion.of(query.text, vectors, passages)
        scores = score_all(passages, question)
        rows = propose(scores)
        links = anchor_links(scores, rows)
        signals = all_signals(scores, rows, links)
        ranked = ranker_for(session.store.address).rank(rows, signals, links, wanted)
        paths = _Paths(passages, vectors[0], ranked)
        if options.form == "chunks":
            return [paths.of_chunk(place) for place in range(len(ranked))]
        return [paths.of_statement(each) for each in rank_statements(scores, ranked, wanted)]


class _Paths:
    """Ranked passages and statements as candidates, each with the link that led to it.

    A passage is reached from a passage that ranks before it, through the entity that joins
    them; the path starts at that passage's statement which mentions the entity and is
    nearest to the question. It is shown where the link carries the passage: without its links
    it would stand lower by ``CARRIES``.
    """

    def __init__(
        self, passages: Passages, vector: NDArray[np.float32], ranked: list[RankedChunk]
    ) -> None:
        self._passages = passages
        self._snapshot = passages.snapshot
        self._vector = vector
        self._ranked = ranked
        self._place = {chunk.row: place for place, chunk in enumerate(ranked)}

    def of_chunk(self, place: int) -> Candidate:
        chunk = self._ranked[place]
        id_ = str(self._snapshot.chunk_ids[chunk.row], "ascii")
        return Candidate(CHUNK, id_, chunk.score, chunk.signals, self._path(place, CHUNK, id_))

    def of_statement(self, statement: RankedStatement) -> Candidate:
        chunk = self._ranked[statement.chunk]
        id_ = str(self._snapshot.statement_ids[statement.row], "ascii")
        signals = {**chunk.signals, "passage": chunk.score}
        path = self._path(statement.chunk, STATEMENT, id_)
        return Candidate(STATEMENT, id_, statement.score, signals, path)

    def _path(self, place: int, label: str, id_: str) -> tuple[Step, ...]:
        chunk = self._ranked[place]
        start = ""
        if (
            chunk.entity >= 0
            and chunk.carried >= CARRIES
            and self._place.get(chunk.anchor, place) < place
            and self._passages.entity_idf[chunk.entity] > LINK_IDF
            and names_something(self._snapshot.entity_names[chunk.entity])
        ):
            start = self._link(chunk)
        if not start or start == id_:
            return (Step(label, id_),)
        via = self._snapshot.entity_names[chunk.entity]
        return (Step(STATEMENT, start), Step(label, id_, "Entity", via))

    def _link(self, chunk: RankedChunk) -> str:
        """The anchor's statement that mentions the link and is nearest to the question."""
        snapshot, passages = self._snapshot, self._passages
        rows = passages.statement_order[passages.statement_slots(chunk.anchor)]
        held = snapshot.entity_statements.row(chunk.entity)
        rows = rows[np.searchsorted(held, rows, "right") > np.searchsorted(held, rows)]
        if not len(rows):
            return ""
        cosines = decode_rows(snapshot.statement_embeddings, rows) @ self._vector
        return str(snapshot.statement_ids[rows[cosines.argmax()]], "ascii")


def _fused(view: GraphView, options: AutoOptions, wanted: int) -> list[Candidate]:
    label = CHUNK if options.form == "chunks" else STATEMENT
    fused = reciprocal_rank_fusion(view.nearest(label, wanted), view.matching(label, wanted))
    return fused[:wanted]
