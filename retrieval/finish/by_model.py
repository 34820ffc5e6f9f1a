"""Reranking by a language model: it sees the best candidates at once (thesis §3.4.1), or judges
one at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from annotated_types import Ge, Le
from pydantic import BaseModel

from hlg.errors import ModelError, UnusableAnswer
from hlg.retrieval.base import PATIENCE, Candidate, SearchSession

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

ORDER, RELEVANCE = "rerank", "relevance"
"""Names of prompts."""
LISTED = 20
"""Candidates that the model is shown at most; the thesis shows all that were retrieved (eq. 29)."""
MAX_CHARACTERS = 2_000
"""A longer passage is shown this far."""
HIGHEST = 100
JUDGED = 10
"""Candidates that are judged, a call each."""


class _Order(BaseModel):
    """Numbers of passages, the most helpful first."""

    order: list[int]


class _Relevance(BaseModel):
    """How much a passage helps."""

    relevance: Annotated[int, Ge(0), Le(HIGHEST)]


def rerank_listwise(
    session: SearchSession,
    question: str,
    candidates: Sequence[Candidate],
    texts: Mapping[str, str],
    most: int = LISTED,
) -> list[Candidate]:
    """The candidates, the first as the language model orders them; a score is 1 / rank.

    An answer that names none of what it was shown, or none at all, leaves them as they are, and
    the trace says so.

    :raises UsageError: there is no language model.
    """
    door = session.require_door("rerank=llm")
    head = list(candidates[:most])
    try:
        places = asked_order(door, question, [texts[each.id] for each in head])
    except ModelError as error:
        session.trace.warn(f"not reranked: {error}")
        return list(candidates)
    ordered = [
        replace(head[place], signals={**head[place].signals, "llm_rank": float(rank)})
        for rank, place in enumerate(places, start=1)
    ]
    return [
        replace(candidate, score=1 / rank)
        for rank, candidate in enumerate([*ordered, *candidates[most:]], start=1)
    ]


def asked_order(door: "ModelDoor", question: str, texts: Sequence[str]) -> list[int]:
    """Places in ``texts``, the best first; those that the model leaves out follow as they were.

    :raises ModelError: the model does not answer, or names none of them.
    """
    shown = (
        f"[{number}] {' '.join(text[:MAX_CHARACTERS].split())}"
        for number, text in enumerate(texts, start=1)
    )
    material = {"question": question, "passages": "\n\n".join(shown)}
    told = door.ask_json(ORDER, _Order, material, patience=PATIENCE, count=len(texts)).value.order
    order = [number - 1 for number in told if 1 <= number <= len(texts)]
    if not order:
        raise UnusableAnswer(
            f"the language model gives no order of {len(texts)} passages", model=door.model
        )
    return list(dict.fromkeys((*order, *range(len(texts)))))


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
        found = door.ask_json(RELEVANCE, _Relevance, material, patience=PATIENCE)
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
