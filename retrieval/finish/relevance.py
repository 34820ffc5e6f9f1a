"""Reranking by a language model that judges one candidate at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from annotated_types import Ge, Le
from pydantic import BaseModel

from hlg.errors import ModelError
from hlg.retrieval.base import PATIENCE, Candidate, SearchSession
from hlg.retrieval.finish.listwise import MAX_CHARACTERS

PROMPT = "relevance"
HIGHEST = 100
JUDGED = 10
"""Candidates that are judged, a call each."""


class _Relevance(BaseModel):
    """How much a passage helps."""

    relevance: Annotated[int, Ge(0), Le(HIGHEST)]


def rerank_by_relevance(
    session: SearchSession, question: str, candidates: Sequence[Candidate], texts: Mapping[str, str]
) -> list[Candidate]:
    """The candidates, the first ten by the relevance that the language model gives each, ties
    as they were; a score is the relevance from 0 to 1, and below 0 what was not judged.

    Where the model fails for one of them, all stay as they are, and the trace says so.

    :raises UsageError: there is no language model.
    """
    door = session.require_door("rerank=llm-relevance")

    def judge(candidate: Candidate) -> float:
        text = " ".join(texts[candidate.id][:MAX_CHARACTERS].split())
        material = {"question": question, "passage": text}
        found = door.ask_json(PROMPT, _Relevance, material, patience=PATIENCE)
        return found.value.relevance / HIGHEST

    head = candidates[:JUDGED]
    try:
        judged = list(door.map(judge, head))
    except ModelError as error:
        session.trace.warn(f"not reranked: {error}")
        return list(candidates)
    ranked = [
        replace(each, score=score, signals={**each.signals, "llm_relevance": score})
        for each, score in zip(head, judged, strict=True)
    ]
    ranked.sort(key=lambda each: -each.score)
    return ranked + [
        replace(each, score=-float(place))
        for place, each in enumerate(candidates[JUDGED:], start=1)
    ]
