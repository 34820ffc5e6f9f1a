"""What language models cost, call by call, and a bound on it for all that is done within it.

The bound holds for every door, and in the threads that :func:`.threads.in_threads` begins. What is
asked for through a provider's batches was paid when it was sent, and is not counted again.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar

from hlg.errors import BudgetReached, UsageError
from hlg.models.language.answers import Reply, Usage, money_text
from hlg.models.language.prices import Price

MARGIN = 1.2
"""What hlg counts a prompt's tokens at for a budget, as other models cut texts otherwise."""
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


class Meter:
    """Adds calls up, in any number of threads.

    :param count_tokens: how many tokens a text has, for endpoints that do not say.
    """

    def __init__(self, model: str, price: Price | None, count_tokens: Callable[[str], int]) -> None:
        self.price = price
        self.count_tokens = count_tokens
        self._lock = threading.Lock()
        self._usage = Usage(model=model)

    @property
    def usage(self) -> Usage:
        """All calls so far."""
        with self._lock:
            return self._usage

    def check_price(self) -> None:
        """See that a budget can be kept.

        :raises UsageError: the model's price is not known.
        """
        if self.price is None:
            model = self._usage.model
            raise UsageError(
                f"no price is known for {model}, so no budget can be kept; add to hlg.toml "
                f'[prices."{model}"] input = …, output = … (US dollars a million tokens)',
                option="budget",
            )

    @contextmanager
    def reserving(self, tokens_in: int, answer_tokens: int) -> Iterator[None]:
        """Hold the most that a call may cost back from the budget while it is under way.

        :raises BudgetReached: it might pass the budget.
        :raises UsageError: there is a budget, but the model's price is not known.
        """
        budget = current_budget()
        if budget is not None:
            self.check_price()
        with budget.reserving(self.most(tokens_in, answer_tokens)) if budget else nullcontext():
            yield

    def most(self, tokens_in: int, answer_tokens: int) -> float:
        """The most that a call may cost; 0 where no price is known."""
        return self.price.of(round(tokens_in * MARGIN), answer_tokens) if self.price else 0.0

    def add(self, reply: Reply, asked: str, seconds: float) -> tuple[int, int, float | None]:
        """Count a call; its tokens in and out, and its money.

        :param asked: the text that was sent.
        """
        counted = reply.tokens_in is None or reply.tokens_out is None
        tokens_in = self.count_tokens(asked) if reply.tokens_in is None else reply.tokens_in
        tokens_out = self.count_tokens(reply.text) if counted else (reply.tokens_out or 0)
        money = None if self.price is None else self.price.of(tokens_in, tokens_out)
        if money and (budget := current_budget()):
            budget.spend(money)
        self._add(
            calls=1,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            money=money or 0.0,
            unpriced=money is None,
            counted=counted,
            seconds=seconds,
        )
        return tokens_in, tokens_out, money

    def add_batched(self, reply: Reply, share: float) -> None:
        """Count an answer that came in a batch, for that share of the price."""
        tokens_in = reply.tokens_in or 0
        tokens_out = self.count_tokens(reply.text) if reply.tokens_out is None else reply.tokens_out
        self._add(
            calls=1,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            money=share * self.price.of(tokens_in, tokens_out) if self.price else 0.0,
            unpriced=self.price is None,
            counted=reply.tokens_in is None,
        )

    def add_cached(self) -> None:
        """Count an answer from the cache."""
        self._add(cached=1)

    def add_failed(self) -> None:
        """Count a question that was given up."""
        self._add(failed=1)

    def _add(self, **counts: float) -> None:
        with self._lock:
            self._usage = self._usage.plus(**counts)
