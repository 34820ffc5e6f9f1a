"""One question, one answer: by the language model where there is one, else by extraction."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from hlg.answers import Answer
from hlg.asking.extraction import answer_by_extraction
from hlg.asking.found import SearchOptions, find_evidence

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph

__all__ = ["ask"]


def ask(graph: "LexicalGraph", question: str, how: SearchOptions) -> Answer:
    """See :meth:`hlg.LexicalGraph.ask`."""
    started = time.perf_counter()
    found = find_evidence(graph, question, how)
    searched = time.perf_counter()
    answer = answer_by_extraction(question, found)
    now = time.perf_counter()
    timings = {
        **{name: spent for name, spent in found.result.timings_ms.items() if name != "total"},
        "answer": round((now - searched) * 1000, 2),
        "total": round((now - started) * 1000, 2),
    }
    return replace(answer, timings_ms=timings)
