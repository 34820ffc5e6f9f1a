"""Calls of a language model: tried again where that helps, within limits, counted and traced."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from hlg.errors import ModelError
from hlg.models.language.answers import Answer, Reply
from hlg.models.language.budget import Meter
from hlg.models.language.endpoint import Endpoint
from hlg.models.language.failures import CallFailure, EndpointFault, backoff
from hlg.models.language.limits import Closed, Gate, Limits
from hlg.models.language.prompts import Message, Question
from hlg.models.language.recording import note_call
from hlg.models.language.trace import CallTrace

LONGEST_TOKEN = 32
"""Characters a token of an answer, more than any tokenizer's mean over a text."""


@dataclass(slots=True)
class Calls:
    """What a model is asked, call by call; safe for any number of threads.

    :param meter: counts tokens and money, and holds a budget.
    :param gate: holds calls within limits.
    :param trace: is told of every call.
    :param by_schema: the endpoint is asked for answers of a schema.
    :param on_refused_schemas: called once, when an endpoint that refused to answer by schema
        has answered without.
    """

    endpoint: Endpoint
    meter: Meter
    limits: Limits
    gate: Gate
    trace: CallTrace | None
    by_schema: bool
    on_refused_schemas: Callable[[], None]

    def call(
        self,
        question: Question,
        messages: list[Message],
        tries: int,
        patience: float | None,
        converse: Callable[[], Reply] | None = None,
    ) -> tuple[Reply, Answer[Any]]:
        """One answer with what it cost, after as many tries as it takes.

        :param tries: 1, or 2 for the answer after a wrong one, which may be longer.
        :param converse: asks in another way than by the messages, which then are what it says.
        """
        prompt = question.prompt
        most = prompt.answer_tokens * tries

        def ask(schema: type[BaseModel] | None) -> Reply:
            if converse is not None:
                reply = converse()
            else:
                reply = self.endpoint.ask(messages, most, prompt.temperature, schema)
            if len(reply.text) > most * LONGEST_TOKEN:
                raise EndpointFault(_too_long(most))
            return reply

        with self.paid(messages, most):
            started = time.perf_counter()
            reply = self._insist(ask, question, messages, patience)
            return reply, self.count(question, messages, reply, time.perf_counter() - started)

    def _insist(
        self,
        ask: Callable[[type[BaseModel] | None], Reply],
        question: Question,
        messages: list[Message],
        patience: float | None,
    ) -> Reply:
        """What ``ask`` gives, tried again where that may help and patience lasts; tries that fail
        after a while, such as at a timeout, wear it out as much as waiting does.

        An endpoint that may just not know answers by schema is asked without.
        """
        patience = self.limits.wait_seconds if patience is None else patience
        tokens = self.meter.count_tokens(text_of(messages))
        schema = question.schema if self.by_schema else None
        waited, tries, is_refused = 0.0, 0, False
        while True:
            tries += 1
            begun = time.monotonic()
            try:
                self.gate.enter(tokens, patience)
                begun = time.monotonic()
                reply = ask(schema)
            except Closed as error:
                failure = CallFailure(str(error), None, is_transient=False, retry_after=None)
                raise self._given_up(question, failure, tries - 1) from error
            except Exception as error:
                # Every provider raises errors of its own.
                failure = self.endpoint.failure(error)
                if schema is not None and failure.may_be_the_format:
                    schema, is_refused = None, True
                    continue
                waited += time.monotonic() - begun
                delay = self._delay(failure, tries)
                if delay is None or waited + delay > patience:
                    raise self._given_up(question, failure, tries) from error
            else:
                if is_refused and self.by_schema:
                    self.by_schema = False
                    self.on_refused_schemas()
                return reply
            self.gate.wait(delay)
            waited += delay

    def _delay(self, failure: CallFailure, tries: int) -> float | None:
        """Seconds until the next try; None where there is to be none."""
        if not failure.is_transient:
            return None
        if failure.retry_after is None:
            return backoff(tries)
        self.gate.close(failure.retry_after)
        return failure.retry_after

    def _given_up(self, question: Question, failure: CallFailure, tries: int) -> ModelError:
        self.meter.add_failed()
        self.tell(question, error=failure.reason, tries=tries)
        times = f" ({tries} tries)" if tries > 1 else ""
        return ModelError(
            f"the language model does not answer{times}: {failure.reason}",
            model=self.endpoint.name,
        )

    def stream(
        self, question: Question, messages: list[Message], patience: float | None
    ) -> Iterator[Reply]:
        """The pieces of an answer; tried again up to the first of them, not after."""
        prompt = question.prompt
        pieces: Iterator[Reply] = iter(())

        def first(schema: object) -> Reply:
            nonlocal pieces
            pieces = self.endpoint.stream(messages, prompt.answer_tokens, prompt.temperature)
            return next(pieces, Reply(""))

        yield self._insist(first, question, messages, patience)
        room = prompt.answer_tokens * LONGEST_TOKEN
        try:
            for piece in pieces:
                room -= len(piece.text)
                if room < 0:
                    raise EndpointFault(_too_long(prompt.answer_tokens))
                yield piece
        except Exception as error:
            failure = self.endpoint.failure(error)
            self.meter.add_failed()
            self.tell(question, error=failure.reason)
            raise ModelError(
                f"the language model's answer broke off: {failure.reason}",
                model=self.endpoint.name,
            ) from error

    @contextmanager
    def paid(self, messages: list[Message], answer_tokens: int) -> Iterator[None]:
        """A call within the limits and the budget."""
        tokens = self.meter.count_tokens(text_of(messages))
        with self.meter.reserving(tokens, answer_tokens), self.gate.places:
            yield

    def count(
        self, question: Question, messages: list[Message], reply: Reply, seconds: float
    ) -> Answer[str]:
        tokens_in, tokens_out, money = self.meter.add(reply, text_of(messages), seconds)
        name = question.prompt.name
        answer = Answer(reply.text, reply.text, tokens_in, tokens_out, money, False, seconds, name)
        note_call(answer)
        self.tell(question, answer, messages)
        return answer

    def tell(
        self,
        question: Question,
        answer: Answer[Any] | None = None,
        messages: Iterable[Message] = (),
        **more: object,
    ) -> None:
        if self.trace is None:
            return
        told: dict[str, object] = {
            "model": self.endpoint.name,
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
        self.trace.write(told | more)


def _too_long(tokens: int) -> str:
    return f"its answer is longer than the {tokens:,} tokens that were asked for"


def text_of(messages: Iterable[Message]) -> str:
    """Messages as one text, for counting."""
    return "\n".join(text for _, text in messages)
