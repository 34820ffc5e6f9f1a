"""A bound on what language models may cost, for all that is done within it.

It holds for every door, and in the threads that :func:`.threads.in_threads` begins. What is
asked for through a provider's batches was paid when it was sent, and is not counted again.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar

from hlg.errors import BudgetReached
from hlg.models.language.answers import money_text

_NOTHING = 1e-12
_current: ContextVar["Budget | None"] = ContextVar("budget", default=None)


class Budget:
    """So many US dollars, in any number of threads.

    :param outer: another that holds beside it.
    """

    def __init__(self, dollars: float, outer: "Budget | None" = None) -> None:
        self._dollars = dollars
        self._outer = outer
        self._spent = 0.0
        self._reserved = 0.0
        self._lock = threading.Condition()

    @contextmanager
    def reserving(self, most: float) -> Iterator[None]:
        """Hold the most that a call may cost back while it is under way.

        :raises BudgetReached: it might pass the budget.
        """
        with self._outer.reserving(most) if self._outer else nullcontext():
            with self._lock:
                # Calls under way cost less than they might: the last ones are waited for.
                while self._reserved and self._passes(self._reserved + most):
                    self._lock.wait()
                if self._passes(most):
                    raise BudgetReached(
                        f"the next call might pass the budget: {money_text(self._spent)} are "
                        "spent; all that was paid for is kept, and a higher budget goes on"
                    )
                self._reserved += most
            try:
                yield
            finally:
                with self._lock:
                    self._reserved -= most
                    if self._reserved < _NOTHING:
                        self._reserved = 0.0
                    self._lock.notify_all()

    def spend(self, money: float) -> None:
        """Count what a call cost, before its reservation ends."""
        if self._outer is not None:
            self._outer.spend(money)
        with self._lock:
            self._spent += money

    def would_pass(self, more: float) -> bool:
        """Whether so much more would pass the budget."""
        with self._lock:
            return self._passes(more) or bool(self._outer and self._outer.would_pass(more))

    def _passes(self, more: float) -> bool:
        return self._spent + more > self._dollars


@contextmanager
def spending(dollars: float | None) -> Iterator[None]:
    """Let what is done in the block cost no more than this, in US dollars; None is any sum."""
    if dollars is None:
        yield
        return
    token = _current.set(Budget(dollars, current_budget()))
    try:
        yield
    finally:
        _current.reset(token)


def current_budget() -> Budget | None:
    """The budget that holds here."""
    return _current.get()
