"""A dozen short texts about one invented town, and questions that need two of them."""

from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

from hlg.reports import BuildReport, OnProgress, SearchResult

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph

__all__ = ["QUESTIONS", "TEXTS", "run_demo"]

HITS = 4

TEXTS = Path(__file__).resolve().with_name("texts")
"""Folder of the texts, in Markdown."""

QUESTIONS = (
    "Who founded the yard that built the Petrel?",
    "Who taught the inventor of the tide organ?",
    "In which port was the maker of the tide organ?",
)
"""The answer to each is in a text that the question doesn't name."""


def run_demo(
    graph: "LexicalGraph", on_progress: OnProgress
) -> tuple[BuildReport, list[SearchResult]]:
    """Build a graph of the texts, and ask it the questions."""
    with chdir(TEXTS):  # so that citations are as short as the files' names
        report = graph.build(["."], on_progress=on_progress)
    how = {"form": "statements"}
    return report, [graph.search(question, top_k=HITS, options=how) for question in QUESTIONS]
