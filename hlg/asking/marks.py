"""The sentence of each passage that answers: what a reader's eye is led to."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from hlg.asking.found import FoundEvidence, evidence_of
from hlg.records import Hit
from hlg.reports import SearchResult
from hlg.retrieval.answers.evidence import words_about
from hlg.retrieval.answers.sentence import sentence_scores
from hlg.retrieval.answers.statements import says_something
from hlg.retrieval.answers.words import keys
from hlg.retrieval.base import STATEMENT

if TYPE_CHECKING:
    from hlg.opened import OpenGraph


def marked(graph: "OpenGraph", result: SearchResult) -> SearchResult:
    """A search's result with its :func:`marked_hits`, and what finding them cost; hits that are
    statements are read no further."""
    if all(hit.passage.kind == STATEMENT for hit in result.hits):
        return result
    started, calls = time.perf_counter(), graph.store.calls
    hits = marked_hits(evidence_of(graph, result))
    spent = round((time.perf_counter() - started) * 1000, 2)
    return replace(
        result,
        hits=hits,
        store_calls=result.store_calls + graph.store.calls - calls,
        timings_ms=dict(result.timings_ms)
        | {"mark": spent, "total": round(result.timings_ms["total"] + spent, 2)},
    )


def marked_hits(found: FoundEvidence) -> tuple[Hit, ...]:
    """A search's hits, whose chunks each know their sentence that answers best.

    It is the statement of the chunk that scores best by :func:`sentence_scores`; of a long
    chunk without any, the part that was read. A chunk without any that says something stays
    unmarked; a hit that is a statement is the sentence itself.
    """
    scores = sentence_scores(
        found.result.query, found.statements, found.cosines, said_before(found)
    ).tolist()
    whole = {hit.passage for hit in found.result.hits if hit.passage.kind != STATEMENT}
    best: dict[str, tuple[float, tuple[int, int]]] = {}
    for statement, score in zip(found.statements, scores, strict=True):
        passage = statement.passage
        if passage not in whole and says_something(statement):
            held = best.get(passage.chunk_id)
            if held is None or score > held[0]:
                best[passage.chunk_id] = score, (passage.start, passage.end)
    return tuple(_with_sentence(hit, best) for hit in found.result.hits)


def said_before(found: FoundEvidence) -> dict[str, frozenset[str]]:
    """By chunk that a path led to, the keys of the words of the path's earlier statements."""
    held = words_about(found.statements)
    told = {each.passage.id: words for each, words in zip(found.statements, held, strict=True)}
    return {
        hit.passage.id: frozenset().union(
            *(
                told.get(step.id, frozenset(keys(step.text)))
                for step in hit.path[:-1]
                if step.kind == STATEMENT
            )
        )
        for hit in found.result.hits
        if len(hit.path) > 1
    }


def _with_sentence(hit: Hit, best: dict[str, tuple[float, tuple[int, int]]]) -> Hit:
    passage = hit.passage
    if passage.id not in best:
        return hit
    start, end = best[passage.id][1]
    is_inside = passage.start <= start < end <= passage.end
    return replace(hit, sentence=(start, end)) if is_inside else hit
