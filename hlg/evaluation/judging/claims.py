"""Judges that take answers apart into claims and look which texts bear them out (RAGChecker,
Ru et al. 2024, §3.2)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from hlg.errors import ModelError
from hlg.evaluation.judging.case import Case, Verdict
from hlg.evaluation.metrics.claims import ClaimChecks, rag_checker_metrics
from hlg.models.language.door import ModelDoor
from hlg.unicode import without_surrogates

__all__ = ["answer_recall", "rag_checker"]

CLAIMS = "claims"
CHECK = "judge-claims"
MOST_CLAIMS = 30
"""Of one text."""
MAX_CHARACTERS = 12_000
"""A longer text is read this far."""


class _Claims(BaseModel):
    claims: list[str]


class _Follow(BaseModel):
    follow: list[int]


def answer_recall(door: ModelDoor, case: Case) -> Verdict:
    """The share of the right answer's claims that the answer bears out (HLG paper, §6.5).

    :raises ModelError: the judge does not answer.
    """
    right = _claims(door, case.question, case.right[0])
    return Verdict({"answer recall": float(_following(door, case, right, case.answer).mean())})


def rag_checker(door: ModelDoor, case: Case) -> Verdict:
    """Every metric of RAGChecker, and which passages bear out a right claim.

    :raises ModelError: the judge does not answer.
    """
    right = _claims(door, case.question, case.right[0])
    said = _claims(door, case.question, case.answer, may_be_none=True) if case.answer else []
    passages = [_following(door, case, [*right, *said], text) for text in case.passages]
    both = np.array(passages, bool).reshape(len(passages), len(right) + len(said)).T
    checks = ClaimChecks(
        right_in_answer=_following(door, case, right, case.answer),
        said_in_right=_following(door, case, said, _right(case)),
        right_in_passages=both[: len(right)],
        said_in_passages=both[len(right) :],
    )
    return Verdict(rag_checker_metrics(checks), tuple(checks.relevant.tolist()))


def _right(case: Case) -> str:
    """All that is right, to check claims against; the claims themselves are of the first."""
    first, *others = case.right
    return "\n".join([first, *(f"(also right: {other})" for other in others)])


def _claims(door: ModelDoor, question: str, text: str, *, may_be_none: bool = False) -> list[str]:
    material = _material(question=question, text=text)
    found = door.ask_json(CLAIMS, _Claims, material, most=MOST_CLAIMS).value.claims
    claims = [" ".join(claim.split()) for claim in found if claim.strip()][:MOST_CLAIMS]
    if not claims and not may_be_none:
        raise ModelError("the judge finds no claim in the right answer", model=door.model)
    return claims


def _following(door: ModelDoor, case: Case, claims: Sequence[str], text: str) -> NDArray[np.bool_]:
    """Which claims follow from a text, shape (claims,); none does from an empty one."""
    follows = np.zeros(len(claims), bool)
    if not claims or not text.strip():
        return follows
    listed = "\n".join(f"[{number}] {claim}" for number, claim in enumerate(claims, start=1))
    material = _material(question=case.question, claims=listed, text=text)
    numbers = door.ask_json(CHECK, _Follow, material, count=len(claims)).value.follow
    if not all(1 <= number <= len(claims) for number in numbers):
        raise ModelError("the judge names a claim that there isn't", model=door.model)
    follows[np.array(numbers, int) - 1] = True
    return follows


def _material(**texts: str) -> dict[str, str]:
    return {name: without_surrogates(text[:MAX_CHARACTERS]) for name, text in texts.items()}
