"""From candidates to hits: rerank, diversify, map back to chunks, cite. One for all retrievers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from hlg.errors import UsageError
from hlg.models.rerankers import open_reranker
from hlg.records import Hit, Passage, PathStep
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate, Query, SearchSession, Step, Trace
from hlg.retrieval.finish.enhance import enhanced
from hlg.retrieval.finish.rerank import rerank, rerank_by_path
from hlg.retrieval.options import Options, StatementOptions

OptionsT = TypeVar("OptionsT", bound=Options)

Propose = Callable[[SearchSession, Query, OptionsT, int], list[Candidate]]
"""A search: candidates for ``top_k`` hits, best first, all of one label, each once."""


@dataclass(frozen=True, slots=True)
class PipelineRetriever(Generic[OptionsT]):
    """A search with the steps that follow it."""

    name: str
    session: SearchSession
    options: OptionsT
    propose: Propose[OptionsT]

    def retrieve(self, query: str, top_k: int) -> list[Hit]:
        """See :meth:`hlg.retrieval.base.Retriever.retrieve`."""
        if top_k < 1:
            raise UsageError(f"top_k={top_k} is not valid: it should be at least 1")
        asked = Query(query, self.session)
        candidates = self.propose(self.session, asked, self.options, top_k)
        return finish(self.session, asked, candidates, self.options, top_k)


def finish(
    session: SearchSession,
    query: Query,
    candidates: Sequence[Candidate],
    options: Options,
    top_k: int,
) -> list[Hit]:
    """The hits for candidates that are ordered best first."""
    if not candidates:
        return []
    trace, label = session.trace, candidates[0].label
    as_chunks = (
        isinstance(options, StatementOptions) and options.form == "chunks" and label == STATEMENT
    )
    by_model = options.rerank not in ("none", "path")
    reads_texts = by_model or options.diversity or as_chunks
    pooled = reads_texts or options.rerank == "path"
    chosen = list(candidates[: max(options.pool, top_k) if pooled else top_k])
    if options.rerank == "path":
        with trace.stage("rerank"):
            chosen = rerank_by_path(session, query, chosen)
    if not reads_texts:
        chosen = chosen[:top_k]
    passages, chunks = _passages(session, chosen, with_chunks=as_chunks)
    chosen = [candidate for candidate in chosen if candidate.id in passages]
    texts = {id_: text_with_details(passage) for id_, passage in passages.items()}
    if by_model:
        with trace.stage("rerank"):
            chosen = rerank(open_reranker(options.rerank), query.text, chosen, texts)
    if options.diversity:
        # The same chunk under two titles is the same chunk.
        compared = texts if label == STATEMENT else {p.id: p.text for p in passages.values()}
        chosen = _diversify(chosen, compared, options.diversity_threshold, trace)
    if as_chunks:
        assert isinstance(options, StatementOptions)
        return _chunk_hits(chosen, passages, chunks, options, top_k, trace)
    return _hits(chosen[:top_k], passages, passages, enhance=options.enhance)


def with_details(text: str, details: str) -> str:
    """A statement's text with what it leaves out."""
    return f"{text} ({details})" if details else text


def text_with_details(passage: Passage) -> str:
    """A statement with what its text leaves out; a chunk below the context that it is in."""
    if passage.kind == CHUNK and passage.details:
        return f"{passage.details}\n{passage.text}"
    return with_details(passage.text, passage.details)


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


def _diversify(
    candidates: Sequence[Candidate], texts: Mapping[str, str], threshold: float, trace: Trace
) -> list[Candidate]:
    from hlg.retrieval.finish.diversity import repeated

    with trace.stage("diversity"):
        repeats = repeated([texts[candidate.id] for candidate in candidates], threshold)
    trace.dropped |= {candidates[i].id: candidates[j].id for i, j in repeats.items()}
    return [candidate for i, candidate in enumerate(candidates) if i not in repeats]


def _chunk_hits(
    statements: Sequence[Candidate],
    passages: Mapping[str, Passage],
    chunks: Mapping[str, Passage],
    options: StatementOptions,
    top_k: int,
    trace: Trace,
) -> list[Hit]:
    """Chunks of the best statements, each with its best statement's score (HLG §6.4)."""
    best: dict[str, Candidate] = {}
    for statement in statements:
        chunk_id = passages[statement.id].chunk_id
        if chunk_id in chunks and chunk_id not in best:
            path = statement.path or (Step(STATEMENT, statement.id),)
            best[chunk_id] = replace(statement, label=CHUNK, id=chunk_id, path=path)
    texts = {id_: chunks[id_].text for id_ in best}
    kept = _diversify(list(best.values()), texts, options.diversity_threshold, trace)
    return _hits(kept[: min(top_k, options.max_chunks)], chunks, passages, enhance=False)


def _hits(
    candidates: Sequence[Candidate],
    texts: Mapping[str, Passage],
    on_paths: Mapping[str, Passage],
    *,
    enhance: bool,
) -> list[Hit]:
    return [
        Hit(
            rank=rank,
            score=candidate.score,
            passage=enhanced(texts[candidate.id]) if enhance else texts[candidate.id],
            signals=candidate.signals,
            path=tuple(_path_step(step, texts, on_paths) for step in candidate.path),
        )
        for rank, candidate in enumerate(candidates, start=1)
    ]


def _path_step(
    step: Step, texts: Mapping[str, Passage], on_paths: Mapping[str, Passage]
) -> PathStep:
    passage = texts.get(step.id) or on_paths.get(step.id)
    return PathStep(
        kind=step.label,
        id=step.id,
        text=passage.text if passage else step.name,
        via_kind=step.via_label,
        via=step.via,
    )
