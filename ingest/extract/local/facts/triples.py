"""A subject, a predicate and an object, by the tokens of a sentence."""

from dataclasses import dataclass

__all__ = ["Triple"]


@dataclass(frozen=True, slots=True)
class Triple:
    """``subject`` and ``object`` are tokens; ``phrase`` spans the object's tokens."""

    subject: int
    predicate: str
    object: int
    phrase: tuple[int, int]
