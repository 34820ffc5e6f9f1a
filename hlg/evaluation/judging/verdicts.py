"""Judges of answers: what string metrics can't see, a language model is asked.

Correctness and answer recall are the HLG paper's (§6.5), the checking of claims is RAGChecker's
(Ru et al. 2024, §3.2). Win, loss or tie of two systems is the HLG paper's (§7.3.2, table 5): a
model leans to the answer that stands first, or last, so each pair is asked about in both orders,
a drawn one first, and only a verdict that both orders give counts; else it is a tie.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from hlg.errors import ModelError
from hlg.evaluation.metrics.claims import ClaimChecks, rag_checker_metrics
from hlg.ids import content_id
from hlg.models.language.door import ModelDoor
from hlg.reports import OnProgress, Progress

CORRECTNESS = "judge-correctness"
CLAIMS = "claims"
CHECK = "judge-claims"
PREFERENCE = "judge-preference"
UNANSWERED = "(no answer)"
Item = TypeVar("Item")
Judgement = TypeVar("Judgement")
MOST_CLAIMS = 30
"""Of one text."""
MAX_CHARACTERS = 12_000
"""A longer text is read this far."""


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to judge; empty where the question was left unanswered.

    ``right`` are the gold answers, any of which is right; ``passages`` what was found for the
    question, best first.
    """

    question: str
    right: tuple[str, ...]
    answer: str
    passages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Metrics by name, without those that are not defined here; ``relevant`` is which of the
    passages help, where a judge looked."""

    values: Mapping[str, float]
    relevant: tuple[bool, ...] = ()


Judge = Callable[[ModelDoor, Case], Verdict]
Outcome = Literal["win", "loss", "tie"]


@dataclass(frozen=True, slots=True)
class Preference:
    """How an answer did against another; ``is_steady`` is whether both orders gave the same."""

    outcome: Outcome
    is_steady: bool = True


class _Mark(BaseModel):
    """The reason comes first: a model that has written it marks better."""

    reason: str
    correct: bool


class _Claims(BaseModel):
    claims: list[str]


class _Follow(BaseModel):
    follow: list[int]


class _Better(BaseModel):
    reason: str
    better: Literal["first", "second", "neither"]


def correctness(door: ModelDoor, case: Case) -> Verdict:
    """Whether an answer says all that the right one says, 1 or 0; a question that was left
    unanswered is not correct, and nobody is asked.

    :raises ModelError: the judge does not answer.
    """
    if not case.answer:
        return Verdict({"correctness": 0.0})
    texts = material(question=case.question, right="\n".join(case.right), answer=case.answer)
    marked = door.ask_json(CORRECTNESS, _Mark, texts).value
    return Verdict({"correctness": float(marked.correct)})


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


def preference(door: ModelDoor, case: Case, other: str) -> Preference:
    """The case's answer against another system's; two that say the same are a tie unasked.

    :raises ModelError: the judge does not answer.
    """
    if " ".join(case.answer.split()) == " ".join(other.split()):
        return Preference("tie")
    # As good as a coin, and the same again when the evaluation is run again.
    other_first = int(content_id("order", case.question, case.answer, other), 16) % 2 == 1
    orders = (other_first, not other_first)
    one, two = (_compared(door, case, other, other_first=order) for order in orders)
    return Preference(one) if one == two else Preference("tie", is_steady=False)


def _compared(door: ModelDoor, case: Case, other: str, *, other_first: bool) -> Outcome:
    answers = [case.answer or UNANSWERED, other or UNANSWERED]
    first, second = reversed(answers) if other_first else answers
    right = "\n".join(case.right)
    texts = material(question=case.question, right=right, first=first, second=second)
    better = door.ask_json(PREFERENCE, _Better, texts).value.better
    if better == "neither":
        return "tie"
    return "win" if (better == "second") == other_first else "loss"


def _right(case: Case) -> str:
    """All that is right, to check claims against; the claims themselves are of the first."""
    first, *others = case.right
    return "\n".join([first, *(f"(also right: {other})" for other in others)])


def _claims(door: ModelDoor, question: str, text: str, *, may_be_none: bool = False) -> list[str]:
    texts = material(question=question, text=text)
    found = door.ask_json(CLAIMS, _Claims, texts, most=MOST_CLAIMS).value.claims
    claims = [" ".join(claim.split()) for claim in found if claim.strip()][:MOST_CLAIMS]
    if not claims and not may_be_none:
        raise ModelError("the judge finds no claim in the right answer", model=door.model)
    return claims


def _following(door: ModelDoor, case: Case, claims: Sequence[str], text: str) -> NDArray[np.bool_]:
    """Which claims follow from a text, shape (claims,); none does from an empty one."""
    follows = np.zeros(len(claims), bool)
    if not claims or not text.strip():
        return follows
    numbered = "\n".join(f"[{number}] {claim}" for number, claim in enumerate(claims, start=1))
    texts = material(question=case.question, claims=numbered, text=text)
    numbers = door.ask_json(CHECK, _Follow, texts, count=len(claims)).value.follow
    if not all(1 <= number <= len(claims) for number in numbers):
        raise ModelError("the judge names a claim that there isn't", model=door.model)
    follows[np.array(numbers, int) - 1] = True
    return follows


def judged_in_turn(
    door: ModelDoor,
    judge: Callable[[Item], Judgement],
    items: Sequence[Item],
    on_progress: OnProgress,
) -> list[Judgement]:
    """What is said of each, in order, as many at once as the model allows."""
    found = []
    for done, each in enumerate(door.map(judge, items), start=1):
        found.append(each)
        on_progress(Progress("judge", done, len(items)))
    return found


def material(**texts: str) -> dict[str, str]:
    """Texts as a judge reads them."""
    return {name: text[:MAX_CHARACTERS] for name, text in texts.items()}
