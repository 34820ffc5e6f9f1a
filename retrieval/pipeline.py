"""From candidates to hits: rerank, diversify, map back to chunks, cite. One for all retrievers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

import numpy as np

from hlg.errors import UsageError
from hlg.models.rerankers import open_reranker
from hlg.records import Hit, Passage, PathStep, Scored
from hlg.retrieval.arrays.one_thread import products_in_one_thread
from hlg.retrieval.arrays.snapshot import as_ids
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate, Query, SearchSession, Step, Trace
from hlg.retrieval.finish.confidence import with_confidence
from hlg.retrieval.finish.enhance import enhanced
from hlg.retrieval.finish.map_back import chunks_of_statements, parents_of_chunks
from hlg.retrieval.finish.rerank import rerank, rerank_by_path
from hlg.retrieval.finish.steps import Steps, first_seen, order_before, steps_of
from hlg.retrieval.options import Options, StatementOptions
from hlg.retrieval.texts import text_with_details
from hlg.retrieval.view.arrays import ArrayView
from hlg.retrieval.view.base import GraphView
from hlg.retrieval.view.open import open_view

OptionsT = TypeVar("OptionsT", bound=Options)

MORE = 4
"""How many times as many candidates are looked at where their parents are too few."""

Propose = Callable[[GraphView, OptionsT, int], list[Candidate]]
"""A search: candidates for ``top_k`` hits, best first, all of one label, each once."""


@dataclass(frozen=True, slots=True)
class PipelineRetriever(Generic[OptionsT]):
    """A search with the steps that follow it."""

    name: str
    session: SearchSession
    options: OptionsT
    propose: Propose[OptionsT]

    def retrieve(self, query: str, top_k: int) -> list[Hit]:
        """See :meth:`hlg.retrieval.base.Retriever.retrieve`.

        :raises UsageError: also where the graph is too large for a search over arrays.
        """
        if top_k < 1:
            raise UsageError(f"top_k={top_k} is not valid: it should be at least 1", option="top_k")
        with products_in_one_thread():
            if not self.options.decompose:
                return self._retrieve(query, top_k)
            from hlg.retrieval.question.decompose import search_in_steps

            hits = search_in_steps(self.session, self._retrieve, query, top_k)
            return with_confidence(open_view(self.session, Query(query, self.session)), hits)

    def _retrieve(self, query: str, top_k: int) -> list[Hit]:
        """The hits for one question as it is."""
        asked = Query(query, self.session)
        view = plain = open_view(self.session, asked)
        if self.options.hyde:
            from hlg.retrieval.question.hyde import hypothetical_passage

            passage = hypothetical_passage(self.session, asked.text)
            view = open_view(self.session, Query(query, self.session, passage))
        breadth = top_k
        while True:
            candidates = self.propose(view, self.options, breadth)
            hits = self._finish(view, plain, candidates, top_k, breadth)
            are_all = len(candidates) < breadth or not any(map(_is_parent, hits))
            if len(hits) >= top_k or are_all:
                # Confidence is calibrated on questions as they are asked.
                return with_confidence(plain, hits, are_of_view=view is plain)
            breadth *= MORE

    def _finish(
        self,
        view: GraphView,
        plain: GraphView,
        candidates: Sequence[Candidate],
        top_k: int,
        breadth: int,
    ) -> list[Hit]:
        """The hits; not reranked where the search is as sure of them as it has to be.

        :param plain: the view of the question as it was asked.
        """
        options = self.options
        if options.rerank_below < 1 and options.rerank != "none":
            unranked = replace(options, rerank=order_before(options))
            hits = finish(view, candidates, unranked, top_k, breadth)
            if hits and (confidence := self._confidence(view, plain, hits)) >= options.rerank_below:
                view.session.trace.notes.append(f"not reranked: {options.sure_by} {confidence:.2f}")
                return hits
        return finish(view, candidates, options, top_k, breadth)

    def _confidence(self, view: GraphView, plain: GraphView, hits: Sequence[Hit]) -> float:
        if self.options.sure_by == "score":
            return hits[0].score
        with_confidence(plain, hits, are_of_view=view is plain)
        return view.session.trace.confidence


def rank_by_path(
    session: SearchSession, query: Query, candidates: Sequence[Candidate]
) -> list[Scored]:
    """Candidates, wherever they come from, as the learned ranker puts them; a chunk with parts
    as its best part.

    :raises ModelError: the ranker can't be loaded.
    """
    view = open_view(session, query)
    parents = _parents_of_parts(view, candidates)
    parts = [each for each in candidates if each.id not in set(parents.values())]
    parts += [Candidate(CHUNK, id_, 0.0) for id_ in parents]
    scores: dict[str, float] = {}
    for part in _by_path(view, parts):
        scores.setdefault(parents.get(part.id, part.id), part.score)
    return [Scored(id_, score) for id_, score in scores.items()]


def finish(
    view: GraphView, candidates: Sequence[Candidate], options: Options, top_k: int, breadth: int
) -> list[Hit]:
    """At most ``top_k`` hits for candidates that are ordered best first.

    :param breadth: how many of them are looked at, at least.
    """
    if not candidates:
        return []
    trace, label = view.session.trace, candidates[0].label
    as_chunks = (
        isinstance(options, StatementOptions) and options.form == "chunks" and label == STATEMENT
    )
    steps = steps_of(options)
    reads_texts = steps.reads_texts or options.diversity or as_chunks
    pooled = reads_texts or steps.by_path
    chosen = list(candidates[: max(options.pool, breadth) if pooled else breadth])
    if steps.by_path:
        chosen = first_seen(chosen, steps.seen, partial(_by_path, view))
    if not reads_texts:
        chosen = chosen[:breadth]
    passages, chunks = _passages(view.session, chosen, with_chunks=as_chunks)
    chosen = [candidate for candidate in chosen if candidate.id in passages]
    texts = {id_: text_with_details(passage) for id_, passage in passages.items()}
    chosen = _by_models(view, chosen, steps, texts)
    if options.diversity:
        # The same chunk under two titles is the same chunk.
        compared = texts if label == STATEMENT else {p.id: p.text for p in passages.values()}
        chosen = _diversify(chosen, compared, options.diversity_threshold, trace)
    if label == CHUNK:
        chosen = parents_of_chunks(chosen, passages)[:top_k]
        passages |= _parents(view.session, chosen, passages)
    if not as_chunks:
        return _hits(chosen[:top_k], passages, enhance=options.enhance)
    assert isinstance(options, StatementOptions)
    found = chunks_of_statements(chosen, passages, chunks)
    if options.diversity:
        compared = {candidate.id: chunks[candidate.id].text for candidate in found}
        found = _diversify(found, compared, options.diversity_threshold, trace)
    return _hits(found[: min(top_k, options.max_chunks)], passages | chunks, enhance=False)


def _by_models(
    view: GraphView, candidates: list[Candidate], steps: Steps, texts: Mapping[str, str]
) -> list[Candidate]:
    """Reranked by the steps that read texts."""
    session, question = view.session, view.query.text
    if steps.model is not None:
        model = open_reranker(steps.model)
        with session.trace.stage("rerank"):
            candidates = first_seen(
                candidates,
                steps.seen,
                lambda seen: rerank(model, question, seen, texts, steps.share),
            )
    if steps.ask is not None:
        with session.trace.stage("rerank"):
            candidates = steps.ask(session, question, candidates, texts)
    return candidates


def _by_path(view: GraphView, candidates: Sequence[Candidate]) -> list[Candidate]:
    if not isinstance(view, ArrayView):
        note = "the graph is over max_snapshot_mb: ranked by own score, not by the path ranker"
        if note not in view.session.trace.notes:
            view.session.trace.notes.append(note)
        return list(candidates)
    with view.session.trace.stage("rerank"):
        return rerank_by_path(view, candidates)


def _passages(
    session: SearchSession, candidates: Sequence[Candidate], *, with_chunks: bool
) -> tuple[dict[str, Passage], dict[str, Passage]]:
    """Texts of the candidates and of what is on their paths, and of the chunks of statements
    where they are wanted, by id; in one call, and one more where chunks have statements on
    their paths."""
    label = candidates[0].label
    ids = dict.fromkeys(candidate.id for candidate in candidates)
    elsewhere: dict[str, None] = {}
    for step in (step for candidate in candidates for step in candidate.path):
        if step.label == label:
            ids[step.id] = None
        elif step.label == STATEMENT:
            elsewhere[step.id] = None
    store = session.store
    chunks: list[Passage] = []
    with session.trace.stage("passages"):
        if with_chunks:
            found, chunks = store.statements_in_chunks(list(ids))
        else:
            found = store.passages(label, list(ids))
        if elsewhere:
            found += store.passages(STATEMENT, list(elsewhere))
    return {each.id: each for each in found}, {each.id: each for each in chunks}


def _parents(
    session: SearchSession, chunks: Sequence[Candidate], known: Mapping[str, Passage]
) -> dict[str, Passage]:
    """Texts of the chunks that are not known yet, by id; no call where all are."""
    missing = [chunk.id for chunk in chunks if chunk.id not in known]
    if not missing:
        return {}
    with session.trace.stage("passages"):
        return {each.id: each for each in session.store.passages(CHUNK, missing)}


def _parents_of_parts(view: GraphView, candidates: Sequence[Candidate]) -> dict[str, str]:
    """The chunks that are part of candidates, each with the one that it is part of."""
    if not isinstance(view, ArrayView):
        return {}
    parents = view.snapshot.chunk_parents
    rows = np.flatnonzero(np.isin(parents, as_ids(each.id for each in candidates)))
    pairs = zip(view.snapshot.chunk_ids[rows].tolist(), parents[rows].tolist(), strict=True)
    return {id_.decode(): parent.decode() for id_, parent in pairs}


def _is_parent(hit: Hit) -> bool:
    """Whether a hit was found by a chunk that is part of it."""
    end = hit.path[-1] if hit.path else None
    return end is not None and end.kind == CHUNK and end.id != hit.passage.id


def _diversify(
    candidates: Sequence[Candidate], texts: Mapping[str, str], threshold: float, trace: Trace
) -> list[Candidate]:
    from hlg.retrieval.finish.diversity import repeated

    with trace.stage("diversity"):
        repeats = repeated([texts[candidate.id] for candidate in candidates], threshold)
    trace.dropped |= {candidates[i].id: candidates[j].id for i, j in repeats.items()}
    return [candidate for i, candidate in enumerate(candidates) if i not in repeats]


def _hits(
    candidates: Sequence[Candidate], passages: Mapping[str, Passage], *, enhance: bool
) -> list[Hit]:
    return [
        Hit(
            rank=rank,
            score=candidate.score,
            passage=enhanced(passages[candidate.id]) if enhance else passages[candidate.id],
            signals=candidate.signals,
            path=tuple(_path_step(step, passages.get(step.id)) for step in candidate.path),
        )
        for rank, candidate in enumerate(candidates, start=1)
    ]


def _path_step(step: Step, passage: Passage | None) -> PathStep:
    return PathStep(
        kind=step.label,
        id=step.id,
        text=passage.text if passage else step.name,
        via_kind=step.via_label,
        via=step.via,
    )
