"""What a loop asks to be done, what comes of it, and within which limits.

A loop is a generator: it yields a :class:`Think` or an :class:`Act`, is sent the
:class:`Thought` or the :class:`Seen` that came of it, and returns a :class:`Final`. It touches
nothing itself, so that it can be run on a model, or again on what was recorded.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from hlg.agent.results import Shown
from hlg.errors import UsageError
from hlg.models.language.conversing import ChatTurn, ToolCall

Kind = Literal["step", "summary", "answer", "plan", "batch answer", "given"]
Count: TypeAlias = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class AgentLimits:
    """How far a loop goes.

    :raises UsageError: one of them is out of its range.
    :param iterations: calls of the model before its answer is asked for (AgenticRAG: 15).
    :param calls: tools that are run of those that the model calls at once.
    :param window: tokens that the model reads at once, instructions and all; at ``full``, a part
        of it, what was read is summarised (AgenticRAG: 128K and 90 %), with 0 never. A tool gives
        at most a third of it.
    :param tokens: of all calls of the model together, in and out; ``seconds`` likewise. Where
        one is reached, the model is asked for its answer, and that is its last call.
    :param rounds: of batch retrieval. The paper's agents needed 2.8 on the average.
    :param queries: that one round asks.
    :param new_documents: where it isn't 0, a round brings so many that no earlier one brought
        (the paper's non-redundant form has 20).
    """

    iterations: int = 15
    calls: int = 8
    window: int = 128_000
    full: float = 0.9
    tokens: int = 600_000
    seconds: float = 300.0
    rounds: int = 3
    queries: int = 5
    new_documents: int = 0

    def __post_init__(self) -> None:
        for each in fields(self):
            may_be_none = each.name in ("new_documents", "seconds", "full")
            value = getattr(self, each.name)
            if value < 0 or not (value or may_be_none) or (each.name == "full" and value > 1):
                raise UsageError(f"an agent's {each.name} can't be {value}", option="agent")


@dataclass(frozen=True, slots=True)
class Entry:
    """A turn of the conversation as the loop keeps it: a result in its pieces, so that those of
    some references can be dropped."""

    turn: ChatTurn
    shown: Shown | None
    tokens: int


@dataclass(frozen=True, slots=True)
class Think:
    """The model is to say what comes next, what to keep, or the answer; ``given`` is one that
    was made without the loop."""

    kind: Kind
    question: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Thought:
    """What it said. ``spent`` are all its tokens so far, ``seconds`` all that passed."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    spent: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Act:
    """A tool is to be called; of a search, without the references that are known, if given."""

    call: ToolCall
    known: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What the tool gave; ``error`` says why it could not."""

    shown: Shown
    error: str = ""


@dataclass(frozen=True, slots=True)
class Final:
    """How a loop ended: what the model said last, and the conversation up to there.

    ``order`` are references as the model put them, the best first, of an answer that cites by the
    numbers of what it was shown; None of one that cites by reference. ``notes`` say what went
    otherwise than it should.
    """

    text: str
    entries: tuple[Entry, ...] = ()
    order: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()


Loop: TypeAlias = Generator[Think | Act, Thought | Seen, Final]


def entry(turn: ChatTurn, count: Count, shown: Shown | None = None) -> Entry:
    """A turn with its tokens counted."""
    said = turn.text + "".join(call.name + call.arguments for call in turn.calls)
    return Entry(turn, shown, count(said) + 8)
