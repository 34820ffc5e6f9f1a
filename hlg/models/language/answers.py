"""What a language model answered, and what all its answers have cost so far."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from hlg.unicode import counted, without_surrogates

if TYPE_CHECKING:
    from hlg.models.language.conversing import ToolCall

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: of a stream, a piece of it; of the cache, what was kept. Tokens are None
    where nobody told them."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cut_off: bool = False
    calls: "tuple[ToolCall, ...]" = ()

    @classmethod
    def of(cls, text: object, tokens_in: object, tokens_out: object, cut_off: bool = False) -> Self:
        """What an endpoint sent; counts that are none are as untold.

        :raises TypeError: the text is none.
        """
        if not isinstance(text, str):
            raise TypeError(f"the text of an answer is no {type(text).__name__}")
        return cls(without_surrogates(text), _count(tokens_in), _count(tokens_out), cut_off)


def _count(told: object) -> int | None:
    return told if isinstance(told, int) and told >= 0 else None


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """One answer: its text, the value that was read from it, and the name of its prompt.

    ``tokens_in`` and ``tokens_out`` are those of the call that made it, or makes it again out
    of the cache; ``money`` is what it cost now, in US dollars: 0 from the cache, None where the
    model's price is not known.
    """

    text: str
    value: T
    tokens_in: int
    tokens_out: int
    money: float | None
    cached: bool
    seconds: float
    prompt: str = ""

    def behind(self, earlier: "Answer[Any]") -> Self:
        """This one with what an earlier one, that could not be used, has cost as well."""
        known = self.money is not None and earlier.money is not None
        return replace(
            self,
            tokens_in=earlier.tokens_in + self.tokens_in,
            tokens_out=earlier.tokens_out + self.tokens_out,
            money=(earlier.money or 0.0) + (self.money or 0.0) if known else None,
        )


class AnswerStream(Iterator[str]):
    """An answer as it is written; ``answer`` is there once the stream has ended."""

    def __init__(self, pieces: Callable[["AnswerStream"], Iterator[str]]) -> None:
        self.answer: Answer[str] | None = None
        self._pieces = pieces(self)

    def __next__(self) -> str:
        return next(self._pieces)


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls of a door added up. What came from the cache is counted apart, and costs nothing.

    ``tokens_in`` and ``tokens_out`` are those that were sent and received, retries for a wrong
    answer among them; ``money`` is in US dollars, and leaves out ``unpriced`` calls, whose
    price is not known. ``counted`` calls are those whose tokens hlg counted, as the endpoint
    did not say.
    """

    model: str = ""
    calls: int = 0
    cached: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    money: float = 0.0
    unpriced: int = 0
    counted: int = 0
    seconds: float = 0.0

    def summary(self) -> str:
        """In one line, for a person."""
        parts = [counted("call", self.calls)]
        if self.cached:
            parts.append(f"{counted('answer', self.cached)} from the cache")
        if self.failed:
            parts.append(f"{self.failed:,} in vain")
        about = "about " if self.counted else ""
        parts.append(f"{about}{counted('token', self.tokens_in)} in, {self.tokens_out:,} out")
        if self.calls and self.unpriced == self.calls:
            parts.append(f"no price is known for {self.model}")
        else:
            parts.append(money_text(self.money))
        return ", ".join(parts)

    def plus(self, **counts: float) -> "Usage":
        """With more of some counts."""
        return replace(self, **{name: getattr(self, name) + more for name, more in counts.items()})

    def __add__(self, other: "Usage") -> "Usage":
        """Both together."""
        return self - (Usage() - other)

    def __sub__(self, earlier: "Usage") -> "Usage":
        """What was added since."""
        _, *counts = (field.name for field in fields(self))
        return replace(self, **{x: getattr(self, x) - getattr(earlier, x) for x in counts})


def money_text(money: float | None) -> str:
    """US dollars, with as many digits as a small sum needs; None where no price is known."""
    if money is None:
        return "no price is known"
    return f"${money:,.2f}" if money >= 1 or not money else f"${money:.4f}"
