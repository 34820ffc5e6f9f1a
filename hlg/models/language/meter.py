"""What a door's calls cost: added up by call, and held within the budget, if there is one."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from hlg.errors import UsageError
from hlg.models.language.answers import Usage
from hlg.models.language.budget import current_budget
from hlg.models.language.endpoint import Reply
from hlg.models.language.prices import Price

MARGIN = 1.2
"""What hlg counts a prompt's tokens at for a budget, as other models cut texts otherwise."""


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
        with self._lock:
            usage = self._usage
            self._usage = replace(
                usage,
                calls=usage.calls + 1,
                tokens_in=usage.tokens_in + tokens_in,
                tokens_out=usage.tokens_out + tokens_out,
                money=usage.money + (money or 0.0),
                unpriced=usage.unpriced + (money is None),
                counted=usage.counted + counted,
                seconds=usage.seconds + seconds,
            )
        return tokens_in, tokens_out, money

    def add_batched(self, reply: Reply, share: float) -> None:
        """Count an answer that came in a batch, for that share of the price."""
        tokens_in = reply.tokens_in or 0
        tokens_out = self.count_tokens(reply.text) if reply.tokens_out is None else reply.tokens_out
        money = share * self.price.of(tokens_in, tokens_out) if self.price else 0.0
        with self._lock:
            usage = self._usage
            self._usage = replace(
                usage,
                calls=usage.calls + 1,
                tokens_in=usage.tokens_in + tokens_in,
                tokens_out=usage.tokens_out + tokens_out,
                money=usage.money + money,
                unpriced=usage.unpriced + (self.price is None),
                counted=usage.counted + (reply.tokens_in is None),
            )

    def add_cached(self) -> None:
        """Count an answer from the cache."""
        with self._lock:
            self._usage = replace(self._usage, cached=self._usage.cached + 1)

    def add_failed(self) -> None:
        """Count a question that was given up."""
        with self._lock:
            self._usage = replace(self._usage, failed=self._usage.failed + 1)
