"""``auto``: every cheap search and the walk propose, the learned ranker ranks."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.adaptive import FIRST_STATEMENTS, is_single_passage
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate, Context, Query, Step
from hlg.retrieval.candidates import score_all
from hlg.retrieval.fusion import reciprocal_rank_fusion
from hlg.retrieval.options import Count, StatementOptions
from hlg.retrieval.passages import Passages
from hlg.retrieval.question import Question
from hlg.retrieval.ranker import RankedChunk, rank_statements, ranker_for
from hlg.retrieval.snapshot import Snapshot
from hlg.retrieval.walk import ArrayWalk, Walk, open_walk


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoOptions(StatementOptions):
    """The learned path ranker.

    :param candidates: how many passages it gives.
    :param adaptive: a question that one passage answers is answered by plain search.
    """

    form: Literal["statements", "chunks"] = "chunks"
    candidates: Count = 100
    adaptive: bool = False


def auto(context: Context, query: Query, options: AutoOptions, top_k: int) -> list[Candidate]:
    """Passages, or their statements, as the learned ranker puts them.

    A graph that is too large for a snapshot is searched by vector and by words in its
    store; the explanation says so.

    :raises ModelError: the ranker can't be loaded.
    """
    wanted = max(options.candidates, top_k)
    snapshot = context.snapshot()
    if snapshot is None:
        context.trace.notes.append(
            "the graph is over snapshot_budget_mb: ranked by vector and words, without links"
        )
        return _fused(open_walk(context, query), options.form, wanted)
    if options.adaptive and answers_alone(context, snapshot, query):
        context.trace.notes.append("one passage answers the question: plain search, no walk")
        return _fused(ArrayWalk(context, snapshot, query), options.form, wanted)
    vector = query.vector
    with context.trace.stage("rank"):
        passages = passages_of(snapshot)
        question = Question.of(query.text, vector, passages)
        ranked = ranker_for(context.store.address).rank(passages, question, wanted)
        if options.form == "chunks":
            return [_chunk(snapshot, chunk) for chunk in ranked]
        return _statements(snapshot, passages, question, ranked, wanted)


def _statements(
    snapshot: Snapshot,
    passages: Passages,
    question: Question,
    ranked: list[RankedChunk],
    top_k: int,
) -> list[Candidate]:
    scores = score_all(passages, question)
    cosines = np.empty(len(snapshot.statement_ids), np.float32)
    cosines[passages.statement_order] = scores.statement_cosines
    found = []
    for statement in rank_statements(passages, ranked, scores, top_k):
        chunk = ranked[statement.chunk]
        signals = {
            **chunk.signals,
            "passage": chunk.score,
            "cosine": float(cosines[statement.row]),
        }
        id_ = str(snapshot.statement_ids[statement.row], "ascii")
        path = _statement_path(snapshot, passages, cosines, chunk, id_)
        found.append(Candidate(STATEMENT, id_, statement.score, signals, path))
    return found


def _statement_path(
    snapshot: Snapshot,
    passages: Passages,
    cosines: NDArray[np.float32],
    chunk: RankedChunk,
    id_: str,
) -> tuple[Step, ...]:
    """From the anchor's nearest statement, of those that mention the link where some do."""
    end = Step(STATEMENT, id_)
    if chunk.anchor < 0 or chunk.entity < 0:
        return (end,)
    rows = passages.statement_order[passages.statement_slots(chunk.anchor)]
    linking = rows[np.isin(rows, snapshot.mentioned.row(chunk.entity))]
    if not len(linking):
        return (end,)
    start = str(snapshot.statement_ids[linking[cosines[linking].argmax()]], "ascii")
    if start == id_:
        return (end,)
    return (
        Step(STATEMENT, start),
        replace(end, via_label="Entity", via=snapshot.entity_names[chunk.entity]),
    )


@lru_cache(maxsize=1)
def passages_of(snapshot: Snapshot) -> Passages:
    """The passages of the snapshot at hand, made once."""
    return Passages.of(snapshot)


def answers_alone(context: Context, snapshot: Snapshot, query: Query) -> bool:
    """Whether the evidence for a question lies in one passage."""
    walk = ArrayWalk(context, snapshot, query)
    chunks = walk.nearest(CHUNK, 2)
    ids = [statement.id for statement in walk.nearest(STATEMENT, FIRST_STATEMENTS)]
    rows = np.searchsorted(snapshot.statement_ids, np.array(ids, "S32"))
    holders = snapshot.chunk_ids[snapshot.statement_chunk[rows]]
    return is_single_passage(
        [(chunk.id, chunk.score) for chunk in chunks],
        [str(holder, "ascii") for holder in holders.tolist()],
    )


def _fused(walk: Walk, form: str, wanted: int) -> list[Candidate]:
    label = CHUNK if form == "chunks" else STATEMENT
    fused = reciprocal_rank_fusion(walk.nearest(label, wanted), walk.matching(label, wanted))
    return fused[:wanted]


def _chunk(snapshot: Snapshot, ranked: RankedChunk) -> Candidate:
    path = _path(snapshot, ranked)
    return Candidate(CHUNK, path[-1].id, ranked.score, ranked.signals, path)


def _path(snapshot: Snapshot, ranked: RankedChunk) -> tuple[Step, ...]:
    chunk = str(snapshot.chunk_ids[ranked.row], "ascii")
    if ranked.anchor < 0:
        return (Step(CHUNK, chunk),)
    anchor = str(snapshot.chunk_ids[ranked.anchor], "ascii")
    via = snapshot.entity_names[ranked.entity] if ranked.entity >= 0 else ""
    return (Step(CHUNK, anchor), Step(CHUNK, chunk, "Entity" if via else "", via))
