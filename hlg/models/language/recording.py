"""What the calls of one piece of work cost, apart from all others that run beside it.

Both hold for the thread that they are entered in, so work that hands its calls to other threads
is recorded there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

__all__ = ["Recorded", "kept_only", "note_call", "only_kept", "recorded"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One call: the name of its prompt, and what it cost."""

    prompt: str
    tokens_in: int
    tokens_out: int
    seconds: float
    cached: bool


_calls: ContextVar[list[Recorded] | None] = ContextVar("calls", default=None)
_kept_only: ContextVar[bool] = ContextVar("kept_only", default=False)


@contextmanager
def recorded() -> Iterator[list[Recorded]]:
    """The calls that this thread makes in the block, as they are made."""
    calls: list[Recorded] = []
    token = _calls.set(calls)
    try:
        yield calls
    finally:
        _calls.reset(token)


@contextmanager
def kept_only() -> Iterator[None]:
    """Nothing is paid for in the block: what is not kept is a ModelError."""
    token = _kept_only.set(True)
    try:
        yield
    finally:
        _kept_only.reset(token)


def only_kept() -> bool:
    """Whether nothing may be paid for now."""
    return _kept_only.get()


def note_call(call: Recorded) -> None:
    """Tell whoever records this thread's calls of one."""
    calls = _calls.get()
    if calls is not None:
        calls.append(call)
