"""Reranking by a language model that sees the best candidates at once (thesis §3.4.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import BaseModel

from hlg.errors import ModelError, UnusableAnswer
from hlg.retrieval.base import PATIENCE, Candidate, SearchSession

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

PROMPT = "rerank"
LISTED = 20
"""Candidates that the model is shown at most; the thesis shows all that were retrieved (eq. 29)."""
MAX_CHARACTERS = 2_000
"""A longer passage is shown this far."""


class _Order(BaseModel):
    """Numbers of passages, the most helpful first."""

    order: list[int]


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
    ordered = [head[place] for place in places]
    ordered = [
        replace(candidate, signals={**candidate.signals, "llm_rank": float(rank)})
        for rank, candidate in enumerate(ordered, start=1)
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
    told = door.ask_json(PROMPT, _Order, material, patience=PATIENCE, count=len(texts)).value.order
    order = [number - 1 for number in told if 1 <= number <= len(texts)]
    if not order:
        raise UnusableAnswer(
            f"the language model gives no order of {len(texts)} passages", model=door.model
        )
    return list(dict.fromkeys((*order, *range(len(texts)))))
