"""Correctness: whether an answer says all that the right one says (HLG paper, §6.5)."""

from pydantic import BaseModel

from hlg.evaluation.judging.case import Case, Verdict
from hlg.models.language.door import ModelDoor
from hlg.unicode import without_surrogates

__all__ = ["correctness"]

PROMPT = "judge-correctness"


class _Mark(BaseModel):
    """The reason comes first: a model that has written it marks better."""

    reason: str
    correct: bool


def correctness(door: ModelDoor, case: Case) -> Verdict:
    """1 or 0; a question that was left unanswered is not correct, and nobody is asked.

    :raises ModelError: the judge does not answer.
    """
    if not case.answer:
        return Verdict({"correctness": 0.0})
    material = {"question": case.question, "right": "\n".join(case.right), "answer": case.answer}
    material = {name: without_surrogates(text) for name, text in material.items()}
    return Verdict({"correctness": float(door.ask_json(PROMPT, _Mark, material).value.correct)})
