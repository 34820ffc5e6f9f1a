"""The judges by name; listing them imports none."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlg.registry import Registry, Row

if TYPE_CHECKING:
    from hlg.evaluation.judging.verdicts import Judge  # noqa: F401  (what a row opens)

RAG_CHECKER = (
    *("precision", "recall", "F1"),
    *("claim recall", "context precision"),
    *("context utilization", "faithfulness", "noise, relevant", "noise, irrelevant"),
    *("hallucination", "self-knowledge"),
)
"""Of the whole (three), of the retriever (two), of the generator (six)."""


@dataclass(frozen=True, slots=True)
class JudgeRow(Row["Judge"]):
    """A judge with the metrics that it gives and the prompts that it asks with."""

    metrics: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()


_VERDICTS = "hlg.evaluation.judging.verdicts"
JUDGES: Registry[JudgeRow] = Registry(
    "judge",
    {
        "correctness": JudgeRow(
            "whether all of the right answer is said (HLG §6.5); one call a question",
            _VERDICTS,
            "correctness",
            metrics=("correctness",),
            prompts=("judge-correctness",),
        ),
        "answer-recall": JudgeRow(
            "the share of the right answer's facts that is said (HLG §6.5); two calls",
            _VERDICTS,
            "answer_recall",
            metrics=("answer recall",),
            prompts=("claims", "judge-claims"),
        ),
        "rag-checker": JudgeRow(
            "RAGChecker's metrics of search and answer, claim by claim; four calls, and one a "
            "passage",
            _VERDICTS,
            "rag_checker",
            metrics=RAG_CHECKER,
            prompts=("claims", "judge-claims"),
        ),
    },
)
"""Every judge, in the order in which lists show them."""
