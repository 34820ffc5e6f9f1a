"""Win, loss or tie of two systems, question by question (HLG paper, §7.3.2, table 5).

A model leans to the answer that stands first, or last. So each pair is asked about in both
orders, a drawn one first, and only a verdict that both orders give counts; else it is a tie.
"""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from hlg.evaluation.judging.verdicts import Case, material
from hlg.ids import content_id
from hlg.models.language.door import ModelDoor

PROMPT = "judge-preference"
UNANSWERED = "(no answer)"

Outcome = Literal["win", "loss", "tie"]


class _Better(BaseModel):
    reason: str
    better: Literal["first", "second", "neither"]


@dataclass(frozen=True, slots=True)
class Preference:
    """How an answer did against another; ``is_steady`` is whether both orders gave the same."""

    outcome: Outcome
    is_steady: bool = True


def preference(door: ModelDoor, case: Case, other: str) -> Preference:
    """The case's answer against another system's; two that say the same are a tie unasked.

    :raises ModelError: the judge does not answer.
    """
    if " ".join(case.answer.split()) == " ".join(other.split()):
        return Preference("tie")
    # As good as a coin, and the same again when the evaluation is run again.
    other_first = int(content_id("order", case.question, case.answer, other), 16) % 2 == 1
    orders = (other_first, not other_first)
    one, two = (_asked(door, case, other, other_first=order) for order in orders)
    return Preference(one) if one == two else Preference("tie", is_steady=False)


def _asked(door: ModelDoor, case: Case, other: str, *, other_first: bool) -> Outcome:
    answers = [case.answer or UNANSWERED, other or UNANSWERED]
    first, second = reversed(answers) if other_first else answers
    right = "\n".join(case.right)
    texts = material(question=case.question, right=right, first=first, second=second)
    better = door.ask_json(PROMPT, _Better, texts).value.better
    if better == "neither":
        return "tie"
    return "win" if (better == "second") == other_first else "loss"
