"""The door itself: a prompt and its material in, a checked answer and its cost out."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from hlg.errors import AnswerAwaited, ModelError, UnusableAnswer, UsageError
from hlg.ids import content_id
from hlg.models.language.answers import Answer, AnswerStream, Reply, Usage
from hlg.models.language.batches import BatchDesk
from hlg.models.language.budget import Meter
from hlg.models.language.cache import AnswerCache, cache_path
from hlg.models.language.calls import Calls
from hlg.models.language.conversing import ChatTurn, ToolCall, ToolSpec, said
from hlg.models.language.endpoint import Endpoint, chat_messages
from hlg.models.language.fence import rule
from hlg.models.language.ledger import BatchLedger
from hlg.models.language.limits import Gate, Limits
from hlg.models.language.prices import Price, price_of
from hlg.models.language.prompts import Exchange, PromptBook, Question
from hlg.models.language.providers import open_language_model
from hlg.models.language.recording import Missing, note_call, note_missing, only_kept
from hlg.models.language.structured import Unusable, read_json, strict_schema
from hlg.models.language.threads import in_threads
from hlg.models.language.trace import CallTrace
from hlg.models.tokens import language_model_tokens
from hlg.settings import Settings
from hlg.unicode import without_surrogates

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

T = TypeVar("T")
Item = TypeVar("Item")
Model = TypeVar("Model", bound=BaseModel)

LONGEST_QUOTE = 4_000
"""Characters of a wrong answer that the model is shown again."""
_AGAIN = "That can't be used: {}. Answer once more, with nothing but what was asked for."


class ModelDoor:
    """Asks a language model; safe for any number of threads.

    ``model`` is its name, ``concurrency`` how many calls may be under way at once, and after
    ``wait_seconds`` no further try of a call is begun.

    :param cache: the file of answers that were paid for; None keeps none.
    :param price: None where it is not known.
    :param trace: is told of every call.
    :param gate: holds calls within limits; one that waits without passing time is for tests.
    """

    def __init__(
        self,
        model: "LLM",
        *,
        cache: Path | None = None,
        prompts: PromptBook | None = None,
        prices: Mapping[str, Price] | None = None,
        limits: Limits | None = None,
        trace: CallTrace | None = None,
        gate: Gate | None = None,
    ) -> None:
        self._endpoint = Endpoint(model)
        limits = limits or Limits()
        self.model = self._endpoint.name
        self.concurrency, self.wait_seconds = limits.concurrency, limits.wait_seconds
        self._cache = AnswerCache(cache, self.model)
        self._ledger = BatchLedger(self._cache) if self._cache.is_on else None
        self.prompts = prompts or PromptBook()
        address = self._endpoint.address
        price = price_of(self.model, prices or {}, address)
        self.meter = Meter(self.model, price, language_model_tokens)
        self._calls = Calls(
            self._endpoint,
            self.meter,
            limits,
            gate or Gate(limits),
            trace,
            self._endpoint.makes_schemas and not self._cache.remembers_refusal(address),
            partial(self._cache.remember_refusal, address),
        )
        self._refused_tools = False

    @property
    def usage(self) -> Usage:
        """What all calls of this door have cost so far."""
        return self.meter.usage

    def identity(self, *prompts: str) -> str:
        """The model and the versions of prompts, for the fingerprint of what they make."""
        told = (self.prompts.load(name).fingerprint for name in prompts)
        return f"{self.model}|{'|'.join(told)}"

    def ask(
        self,
        prompt: str,
        material: Mapping[str, str] | None = None,
        *,
        patience: float | None = None,
        boundary: str = "",
        history: Sequence[Exchange] = (),
        **parameters: object,
    ) -> Answer[str]:
        """What the model says to a prompt.

        :param material: untrusted text by its name in the prompt.
        :param boundary: one of :func:`hlg.models.language.fence.new_boundary`, for calls that
            begin with the same text: a provider that keeps the beginnings of prompts then
            knows it again. By default each call has its own.
        :param patience: seconds after which no further try is begun; by default what the
            limits say. A question that somebody waits for wants a short one.
        :param history: what the same prompt was filled with earlier in a conversation, and
            what was answered; the model is shown it.
        :param parameters: trusted values by their name in the prompt.
        :raises ModelError: it does not answer, or says nothing.
        :raises BudgetReached: its answer might cost too much.
        :raises UsageError: the prompt's file is wrong, or not made for this.
        """
        question = self._question(prompt, material or {}, parameters, None, history, boundary)
        return self._answer(question, _read_text, patience)

    def ask_json(
        self,
        prompt: str,
        schema: type[Model],
        material: Mapping[str, str] | None = None,
        *,
        patience: float | None = None,
        boundary: str = "",
        **parameters: object,
    ) -> Answer[Model]:
        """As :meth:`ask`, with an answer that is one JSON object of a schema.

        A wrong one is asked for once more, with what was wrong.

        :raises ModelError: as :meth:`ask`.
        :raises UnusableAnswer: both answers are not of the schema.
        """
        question = self._question(prompt, material or {}, parameters, schema, (), boundary)

        def read(reply: Reply) -> Model:
            return read_json(reply.text, schema, cut_off=reply.cut_off)

        return self._answer(question, read, patience)

    @property
    def calls_tools(self) -> bool:
        """Whether the model can be told of tools; no longer once it refused them."""
        return self._endpoint.calls_tools and not self._refused_tools

    def converse(
        self,
        prompt: str,
        turns: Sequence[ChatTurn],
        tools: Sequence[ToolSpec],
        *,
        boundary: str,
        patience: float | None = None,
        **parameters: object,
    ) -> Answer[tuple[ToolCall, ...]]:
        """What the model says next, and the tools that it calls; kept as :meth:`ask` keeps.

        :param prompt: one whose user's part has no material: only its system's part is said.
        :param boundary: that of the conversation's fences.
        :raises ModelError: as :meth:`ask`; where it refuses to be told of tools,
            :attr:`calls_tools` is false from now on.
        """
        question = self._question(prompt, {}, parameters, None)
        offered = (f"{each} {each.arguments.model_json_schema()}" for each in tools)
        key = content_id("said next", question.key, *map(repr, turns), *offered)
        question = replace(question, key=key)
        if (known := self._cache.get(question.key)) is not None:
            text, kept = json.loads(known.text)
            called = tuple(ToolCall(**each) for each in kept)
            return self._from_cache(question, replace(known, text=text), called, 0.0)
        system = ("system", f"{question.messages()[0][1]}\n\n{rule(boundary)}")
        told = [system, *((turn.role, said(turn, boundary)) for turn in turns)]
        chat = chat_messages(told, turns)
        most, warmth = question.prompt.answer_tokens, question.prompt.temperature

        def ask() -> Reply:
            try:
                return self._endpoint.converse(chat, tools, most, warmth)
            except Exception as error:
                self._refused_tools |= self._endpoint.failure(error).may_be_the_format
                raise

        reply, answer = self._calls.call(question, told, 1, patience, ask)
        if not reply.calls and not reply.text.strip():
            raise self._empty()
        said_next = json.dumps([reply.text, [asdict(each) for each in reply.calls]])
        self._keep(question, said_next, answer)
        return replace(answer, value=reply.calls)

    def stream(
        self,
        prompt: str,
        material: Mapping[str, str] | None = None,
        *,
        patience: float | None = None,
        boundary: str = "",
        history: Sequence[Exchange] = (),
        **parameters: object,
    ) -> AnswerStream:
        """As :meth:`ask`, in pieces as they come; one piece where the answer was kept.

        What it raises, it raises while it is read. An answer that broke off, or was not read
        to its end, is counted, but not kept.
        """
        question = self._question(prompt, material or {}, parameters, None, history, boundary)
        return AnswerStream(lambda stream: self._pieces(question, stream, patience))

    def map(self, function: Callable[[Item], T], items: Iterable[Item]) -> Iterator[T]:
        """``function`` of each item, in order, as many at once as calls are allowed."""
        return in_threads(function, items, self.concurrency)

    def ask_many(
        self,
        prompt: str,
        materials: Iterable[Mapping[str, str]],
        **parameters: Any,
    ) -> Iterator[Answer[str] | ModelError]:
        """:meth:`ask` for each material, in order; an error stands in its answer's place.

        :raises BudgetReached: a further answer might cost too much.
        """

        def one(material: Mapping[str, str]) -> Answer[str] | ModelError:
            try:
                return self.ask(prompt, material, **parameters)
            except ModelError as error:
                return error

        return self.map(one, materials)

    @property
    def keeps_answers(self) -> bool:
        """Whether what was answered once is not asked again."""
        return self._cache.is_on

    def kept_list(
        self, name: str, given: Sequence[str], make: Callable[[], list[str]]
    ) -> list[str]:
        """What ``make`` gives for what it is given, made once and kept beside the answers.

        :param name: what makes it, with its version.
        """
        return self._cache.made(name, given, make)

    def batches(self, share: float) -> BatchDesk:
        """What asks questions in batches, through the provider's own interface for that.

        :param share: what an answer in a batch costs, as a part of its price.
        :raises UsageError: the model has no such interface, or no answers are kept.
        """
        if self._ledger is None:
            raise UsageError("batches need a place for answers: llm_cache is off", option="batch")
        by_schema = self._calls.by_schema
        return BatchDesk(self._endpoint, self._ledger, self.meter, share, by_schema)

    def close(self) -> None:
        """Let go of the cache's file."""
        self._cache.close()

    def _question(
        self,
        name: str,
        material: Mapping[str, str],
        parameters: Mapping[str, object],
        schema: type[BaseModel] | None,
        history: Sequence[Exchange] = (),
        boundary: str = "",
    ) -> Question:
        prompt = self.prompts.load(name)
        material = _sendable(material)
        history = tuple((_sendable(earlier), answer) for earlier, answer in history)
        told = [self.model, self._endpoint.address, self._endpoint.identity, prompt.fingerprint]
        for given in (parameters, material):
            told += [str(len(given)), *(str(x) for item in sorted(given.items()) for x in item)]
        for earlier, answer in history:
            told += ["said", answer, *(x for item in sorted(earlier.items()) for x in item)]
        if schema is not None:
            told.append(str(strict_schema(schema)))
        key = content_id("answer", *told)
        return Question(prompt, material, parameters, schema, key, boundary, history)

    def _answer(
        self, question: Question, read: Callable[[Reply], T], patience: float | None
    ) -> Answer[T]:
        """Out of the cache, or asked for; by one thread where several want the same."""
        started = time.perf_counter()
        with self._cache.alone(question.key):
            known = self._cache.get(question.key)
            if known is not None:
                # One that a version of hlg kept which read it otherwise is asked for anew.
                with suppress(Unusable):
                    value = read(known)
                    return self._from_cache(question, known, value, time.perf_counter() - started)
            if only_kept():
                note_missing(Missing(question, was_answered=known is not None))
                raise ModelError("this was not asked before", model=self.model)
            if self._ledger is not None and self._ledger.is_awaited(question.key):
                raise AnswerAwaited(
                    "it waits for answers of a batch; run the same command again later",
                    model=self.model,
                )
            return self._asked(question, read, patience, started)

    def _asked(
        self,
        question: Question,
        read: Callable[[Reply], T],
        patience: float | None,
        started: float,
    ) -> Answer[T]:
        messages = question.messages()
        call = partial(self._calls.call, question, patience=patience)
        reply, answer = call(messages, 1)
        try:
            value = read(reply)
        except Unusable as error:
            said = [("assistant", reply.text[:LONGEST_QUOTE] or "…")]
            said.append(("user", _AGAIN.format(error)))
            reply, again = call([*messages, *said], 2)
            answer = again.behind(answer)
            try:
                value = read(reply)
            except Unusable as still:
                self.meter.add_failed()
                raise UnusableAnswer(
                    f"the language model's answer can't be used: {still}", model=self.model
                ) from still
        seconds = time.perf_counter() - started
        self._keep(question, reply.text, answer)
        return replace(answer, text=reply.text, value=value, seconds=seconds)

    def _pieces(
        self, question: Question, stream: AnswerStream, patience: float | None
    ) -> Iterator[str]:
        started = time.perf_counter()
        known = self._cache.get(question.key)
        if known is not None:
            stream.answer = self._from_cache(question, known, known.text, 0.0)
            yield known.text
            return
        messages = question.messages()
        said: list[Reply] = []
        with self._calls.paid(messages, question.prompt.answer_tokens):
            try:
                for piece in self._calls.stream(question, messages, patience):
                    said.append(piece)
                    if piece.text:
                        yield piece.text
            finally:
                text = "".join(piece.text for piece in said)
                told = next((p for p in reversed(said) if p.tokens_in is not None), Reply(""))
                reply = replace(told, text=text)
                if said:
                    seconds = time.perf_counter() - started
                    answer = self._calls.count(question, messages, reply, seconds)
        if not text.strip():
            raise self._empty()
        self._keep(question, text, answer)
        stream.answer = answer

    def _keep(self, question: Question, text: str, answer: Answer[Any]) -> None:
        kept = Reply(text, answer.tokens_in, answer.tokens_out)
        self._cache.put(question.key, question.prompt.fingerprint, kept)

    def _empty(self) -> UnusableAnswer:
        self.meter.add_failed()
        return UnusableAnswer("the language model's answer is empty", model=self.model)

    def _from_cache(self, question: Question, known: Reply, value: T, seconds: float) -> Answer[T]:
        tokens, name = (known.tokens_in or 0, known.tokens_out or 0), question.prompt.name
        answer = Answer(known.text, value, *tokens, 0.0, True, seconds, name)
        if not only_kept():  # else it is looked for, not used
            self.meter.add_cached()
            note_call(answer)
            self._calls.tell(question, answer)
        return answer


def open_door(settings: Settings, model: "LLM | None" = None) -> ModelDoor | None:
    """The door to a model that was given, or to the one that the settings name; None without.

    :raises ModelError: what speaks to the model is not installed; the cache can't be used.
    :raises UsageError: a setting of it is wrong, or a prompt of one's own.
    """
    model = model if model is not None else open_language_model(settings)
    if model is None:
        return None
    prompts = PromptBook(settings.prompts)
    prompts.check()
    return ModelDoor(
        model,
        cache=cache_path(settings.llm_cache),
        prompts=prompts,
        prices=settings.prices,
        limits=Limits(
            concurrency=settings.llm_concurrency,
            requests_per_minute=settings.llm_requests_per_minute,
            tokens_per_minute=settings.llm_tokens_per_minute,
            wait_seconds=settings.llm_wait_seconds,
        ),
        trace=CallTrace(Path(settings.llm_trace)) if settings.llm_trace else None,
    )


def _sendable(material: Mapping[str, str]) -> dict[str, str]:
    """Material as UTF-8 can hold it."""
    return {name: without_surrogates(text) for name, text in material.items()}


def _read_text(reply: Reply) -> str:
    if not reply.text.strip():
        raise Unusable("it is empty")
    return reply.text.strip()
