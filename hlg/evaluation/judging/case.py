"""What a judge is given and what it gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hlg.models.language.door import ModelDoor

__all__ = ["Case", "Judge", "Verdict"]


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
