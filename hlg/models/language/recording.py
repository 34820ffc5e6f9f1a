"""What the calls of one piece of work cost, apart from all others that run beside it.

Both hold for the thread that they are entered in, and for those that :mod:`.threads` begins for
it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlg.models.language.answers import Answer

if TYPE_CHECKING:
    from hlg.models.language.prompts import Question


@dataclass(frozen=True, slots=True)
class Missing:
    """A question without an answer that can be used; ``was_answered`` by one that can't."""

    question: "Question"
    was_answered: bool


_calls: ContextVar[list[Answer[Any]] | None] = ContextVar("calls", default=None)
_missing: ContextVar[list[Missing] | None] = ContextVar("missing", default=None)


@contextmanager
def recorded() -> Iterator[list[Answer[Any]]]:
    """The calls that this thread makes in the block, as they are made."""
    calls: list[Answer[Any]] = []
    token = _calls.set(calls)
    try:
        yield calls
    finally:
        _calls.reset(token)


@contextmanager
def kept_only() -> Iterator[list[Missing]]:
    """Nothing is paid for in the block: what is not kept is a ModelError, and is told here."""
    missing: list[Missing] = []
    token = _missing.set(missing)
    try:
        yield missing
    finally:
        _missing.reset(token)


def only_kept() -> bool:
    """Whether nothing may be paid for now."""
    return _missing.get() is not None


def note_missing(question: Missing) -> None:
    """Tell whoever wants only what is kept of a question that is not."""
    missing = _missing.get()
    if missing is not None:
        missing.append(question)


def note_call(call: Answer[Any]) -> None:
    """Tell whoever records this thread's calls of one."""
    calls = _calls.get()
    if calls is not None:
        calls.append(call)
