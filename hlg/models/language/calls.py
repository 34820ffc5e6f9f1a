"""Calls of a language model: tried again where that helps, within limits, counted and traced."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from hlg.errors import ModelError
from hlg.models.language.answers import Answer
from hlg.models.language.endpoint import Endpoint, Reply
from hlg.models.language.failures import CallFailure, backoff, call_failure
from hlg.models.language.limits import Gate, Limits
from hlg.models.language.meter import Meter
from hlg.models.language.prompts import Message
from hlg.models.language.question import Question
from hlg.models.language.recording import Recorded, note_call
from hlg.models.language.trace import CallTrace

__all__ = ["Calls", "text_of"]


class Calls:
    """What a model is asked, call by call; safe for any number of threads.

    :param meter: counts tokens and money, and holds a budget.
    :param gate: holds calls within limits.
    :param trace: is told of every call.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        meter: Meter,
        limits: Limits,
        gate: Gate,
        trace: CallTrace | None,
    ) -> None:
        self._endpoint = endpoint
        self._meter = meter
        self._limits = limits
        self._gate = gate
        self._trace = trace
        self.by_schema = endpoint.makes_schemas
        """Whether the endpoint is asked for answers of a schema."""

    def call(
        self, question: Question, messages: list[Message], tries: int, patience: float | None
    ) -> tuple[Reply, Answer[Any]]:
        """One answer with what it cost, after as many tries as it takes.

        :param tries: 1, or 2 for the answer after a wrong one, which may be longer.
        """
        prompt = question.prompt
        most = prompt.answer_tokens * tries

        def ask() -> Reply:
            schema = question.schema if self.by_schema else None
            return self._endpoint.ask(messages, most, prompt.temperature, schema)

        with self.paid(messages, most):
            started = time.perf_counter()
            reply = self._insist(ask, question, patience)
            return reply, self.count(question, messages, reply, time.perf_counter() - started)

    def _insist(
        self, ask: Callable[[], Reply], question: Question, patience: float | None
    ) -> Reply:
        """What ``ask`` gives, tried again where that may help and patience lasts."""
        began = self._gate.clock()
        patience = self._limits.wait_seconds if patience is None else patience
        tries = 0
        while True:
            tries += 1
            try:
                return ask()
            except Exception as error:
                # Every provider raises errors of its own.
                failure = call_failure(error)
                if self._gives_up_schemas(failure, question):
                    continue
                delay = self._delay(failure, tries)
                if delay is None or self._gate.clock() - began + delay > patience:
                    raise self._given_up(question, failure, tries) from error
            self._gate.wait(delay)

    def _delay(self, failure: CallFailure, tries: int) -> float | None:
        """Seconds until the next try; None where there is to be none."""
        if not failure.is_transient:
            return None
        if failure.retry_after is None:
            return backoff(tries)
        self._gate.pause(failure.retry_after)
        return failure.retry_after

    def _gives_up_schemas(self, failure: CallFailure, question: Question) -> bool:
        """Whether the endpoint may just not know answers by schema: it is asked without."""
        if question.schema is None or not self.by_schema or not failure.may_be_the_format:
            return False
        self.by_schema = False
        return True

    def _given_up(self, question: Question, failure: CallFailure, tries: int) -> ModelError:
        self._meter.add_failed()
        self.tell(question, error=failure.reason, tries=tries)
        times = f" ({tries} tries)" if tries > 1 else ""
        return ModelError(
            f"the language model does not answer{times}: {failure.reason}",
            model=self._endpoint.name,
        )

    def stream(
        self, question: Question, messages: list[Message], patience: float | None
    ) -> Iterator[Reply]:
        """The pieces of an answer; tried again up to the first of them, not after."""
        prompt = question.prompt
        pieces: Iterator[Reply] = iter(())

        def first() -> Reply:
            nonlocal pieces
            pieces = self._endpoint.stream(messages, prompt.answer_tokens, prompt.temperature)
            return next(pieces, Reply(""))

        yield self._insist(first, question, patience)
        try:
            yield from pieces
        except Exception as error:
            failure = call_failure(error)
            self._meter.add_failed()
            self.tell(question, error=failure.reason)
            raise ModelError(
                f"the language model's answer broke off: {failure.reason}",
                model=self._endpoint.name,
            ) from error

    @contextmanager
    def paid(self, messages: list[Message], answer_tokens: int) -> Iterator[None]:
        """A call within the limits and the budget."""
        tokens = self._meter.count_tokens(text_of(messages))
        with self._meter.reserving(tokens, answer_tokens), self._gate.passing(tokens):
            yield

    def count(
        self, question: Question, messages: list[Message], reply: Reply, seconds: float
    ) -> Answer[str]:
        tokens_in, tokens_out, money = self._meter.add(reply, text_of(messages), seconds)
        note_call(Recorded(question.prompt.name, tokens_in, tokens_out, seconds, False))
        answer = Answer(reply.text, reply.text, tokens_in, tokens_out, money, False, seconds)
        self.tell(question, answer, messages)
        return answer

    def tell(
        self,
        question: Question,
        answer: Answer[Any] | None = None,
        messages: Iterable[Message] = (),
        **more: object,
    ) -> None:
        if self._trace is None:
            return
        told: dict[str, object] = {
            "model": self._endpoint.name,
            "prompt": question.prompt.fingerprint,
        }
        if answer is not None:
            told |= {
                "cached": answer.cached,
                "tokens_in": answer.tokens_in,
                "tokens_out": answer.tokens_out,
                "money": answer.money,
                "seconds": round(answer.seconds, 3),
                "messages": [{"role": role, "content": text} for role, text in messages],
                "answer": answer.text,
            }
        self._trace.write(told | more)


def text_of(messages: Iterable[Message]) -> str:
    """Messages as one text, for counting."""
    return "\n".join(text for _, text in messages)
