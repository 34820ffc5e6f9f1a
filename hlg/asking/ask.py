"""One question, one answer: by the language model where there is one, else by extraction."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from hlg.answers import Answer
from hlg.asking.extraction import answer_by_extraction
from hlg.asking.found import FoundEvidence
from hlg.reports import DOUBTFUL

if TYPE_CHECKING:
    from hlg.asking.talk import Talk
    from hlg.opened import OpenGraph


def answer_from(
    graph: "OpenGraph",
    question: str,
    found: FoundEvidence,
    *,
    tokens: int,
    extractive: bool,
    on_text: Callable[[str], None] | None,
    talk: "Talk | None" = None,
) -> Answer:
    """The answer that evidence gives; a model is not asked where nothing seems to answer.

    :param talk: the conversation that the question belongs to.
    """
    started = time.perf_counter()
    answer = answer_by_extraction(question, found, graph.store)
    is_doubtful = not answer.lead and answer.confidence < DOUBTFUL
    door = None if extractive or is_doubtful else graph.door
    if door is not None:
        from hlg.asking.model import answer_by_model

        answer = answer_by_model(graph, door, answer, found, tokens, on_text, talk)
    spent = dict(found.result.timings_ms)
    searched = spent.pop("total", 0.0)
    spent["answer"] = round((time.perf_counter() - started) * 1000, 2)
    return replace(
        answer,
        notes=(*found.result.notes, *answer.notes),
        timings_ms=spent | {"total": round(searched + spent["answer"], 2)},
    )
