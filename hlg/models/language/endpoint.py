"""One call of LlamaIndex's ``LLM``, whatever provider is behind it, without retries.

Providers differ in how an answer by schema is asked for: OpenAI's protocol and Ollama's take
the schema itself, others take it as a tool that must be called, and some take none.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from hlg.models.language.answers import Reply
from hlg.models.language.conversing import ChatTurn, ToolCall, ToolSpec
from hlg.models.language.failures import CallFailure, call_failure
from hlg.models.language.prompts import Message
from hlg.models.language.structured import response_format, strict_schema

if TYPE_CHECKING:
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.llms import LLM
    from openai import OpenAI

_OPENAI_MODULES = ("llama_index.llms.openai.base", "llama_index.llms.openai_like.base")
_TOOL = "answer"
_IDENTITY = ("temperature", "top_p", "seed", "additional_kwargs", "reasoning_effort")
"""Fields of a model that decide what it answers."""
_ADDRESSES = ("api_base", "base_url", "endpoint_url", "azure_endpoint")
_TOKENS = (
    ("prompt_tokens", "completion_tokens"),
    ("input_tokens", "output_tokens"),
    ("inputTokens", "outputTokens"),
    ("prompt_token_count", "candidates_token_count"),
)
_CUT_OFF = frozenset(("length", "max_tokens", "MAX_TOKENS"))


class Endpoint:
    """A language model as the door calls it.

    ``name`` is the model's; ``address`` where it answers, or its provider's name; ``identity``
    says what else decides its answers; ``makes_schemas``, whether it can be told the schema of one.
    """

    def __init__(self, model: "LLM") -> None:
        self._model = model
        self._home = type(model).__module__
        # Some packages ask their server for the metadata; a name needs no server.
        self.name = str(getattr(model, "model", "") or model.metadata.model_name)
        addresses = (getattr(model, name, None) for name in _ADDRESSES)
        self.address = next((str(each) for each in addresses if each), model.class_name())
        settings = {name: getattr(model, name, None) for name in _IDENTITY}
        self.identity = json.dumps(settings, sort_keys=True, default=str)
        self._takes_options = self._home.startswith("llama_index.llms.openai")
        self._is_ollama = self._home.startswith("llama_index.llms.ollama")
        takes_schemas = self._takes_options or self._is_ollama
        self._by_tool = not takes_schemas and bool(model.metadata.is_function_calling_model)
        self.makes_schemas = takes_schemas or self._by_tool

    @property
    def calls_tools(self) -> bool:
        """Whether it may know tools: OpenAI's protocol has them, though not every server does."""
        return self._takes_options or bool(self._model.metadata.is_function_calling_model)

    def converse(
        self,
        messages: "Sequence[ChatMessage]",
        tools: Sequence[ToolSpec],
        answer_tokens: int,
        temperature: float | None,
    ) -> Reply:
        """What it says next in a conversation, or the tools that it calls. Errors are the
        provider's own."""
        model: Any = self._model
        options = self._options(answer_tokens, temperature)
        if self._takes_options:
            told = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": tool.arguments.model_json_schema(),
                    },
                }
                for tool in tools
            ]
            response = model.chat(messages, tools=told, **options)
        else:
            made = [_function_tool(each.name, each.description, each.arguments) for each in tools]
            response = model.chat_with_tools(made, chat_history=list(messages), **options)
        return replace(_reply(response), calls=_calls(response))

    def ask(
        self,
        messages: Sequence[Message],
        answer_tokens: int,
        temperature: float | None,
        schema: type[BaseModel] | None,
    ) -> Reply:
        """One answer. Errors are the provider's own."""
        chat, options = _chat(messages), self._options(answer_tokens, temperature)
        if schema is None:
            return _reply(self._model.chat(chat, **options))
        if self._takes_options:
            options["response_format"] = response_format(schema)
        elif self._is_ollama:
            options["format"] = strict_schema(schema)
        elif self._by_tool:
            return self._call_tool(chat, schema, options)
        return _reply(self._model.chat(chat, **options))

    def stream(
        self, messages: Sequence[Message], answer_tokens: int, temperature: float | None
    ) -> Iterator[Reply]:
        """An answer in pieces. Errors are the provider's own."""
        options = self._options(answer_tokens, temperature)
        if self._takes_options:
            options["stream_options"] = {"include_usage": True}
        for response in self._model.stream_chat(_chat(messages), **options):
            yield _reply(response, response.delta or "")

    def body(
        self,
        messages: Sequence[Message],
        answer_tokens: int,
        temperature: float | None,
        schema: type[BaseModel] | None,
    ) -> dict[str, Any]:
        """What :meth:`ask` would send in OpenAI's protocol, for a batch."""
        model: Any = self._model
        told = {"temperature": model.temperature} | self._options(answer_tokens, temperature)
        if schema is not None:
            told["response_format"] = response_format(schema)
        chat = [{"role": role, "content": text} for role, text in messages]
        return {"model": self.name, "messages": chat} | told | (model.additional_kwargs or {})

    def openai_client(self) -> "OpenAI | None":
        """A client of OpenAI's protocol for the same address and key; None for a model that is
        asked otherwise."""
        if self._home not in _OPENAI_MODULES:
            return None
        from openai import OpenAI

        from hlg.models.language.transport import FILE_SECONDS, BoundedClient

        model: Any = self._model
        return OpenAI(
            api_key=model.api_key,
            base_url=model.api_base,
            timeout=max(model.timeout, FILE_SECONDS),
            http_client=BoundedClient(model.api_key, model.timeout),
        )

    def failure(self, error: Exception) -> CallFailure:
        """What an error of its package says, without its key."""
        return call_failure(error, str(getattr(self._model, "api_key", None) or ""))

    def _options(self, answer_tokens: int, temperature: float | None) -> dict[str, Any]:
        if not (self._takes_options or self._home.startswith("llama_index.llms.anthropic")):
            return {}
        options: dict[str, Any] = {"max_tokens": answer_tokens}
        if temperature is not None:
            options["temperature"] = temperature
        return options

    def _call_tool(
        self, chat: "list[ChatMessage]", schema: type[BaseModel], options: dict[str, Any]
    ) -> Reply:
        tool = _function_tool(_TOOL, "Gives the answer.", schema)
        model: Any = self._model
        response = model.chat_with_tools([tool], chat_history=chat, tool_required=True, **options)
        calls = model.get_tool_calls_from_response(response, error_on_no_tool_call=False)
        return _reply(response, json.dumps(calls[0].tool_kwargs) if calls else None)


def chat_messages(told: Sequence[Message], turns: Sequence[ChatTurn]) -> "list[ChatMessage]":
    """A conversation as LlamaIndex takes it.

    :param told: the system's part, then what is said in each turn.
    """
    from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock

    system, *rest = told
    chat = _chat([system])
    for (role, text), turn in zip(rest, turns, strict=True):
        blocks: list[Any] = [TextBlock(text=text)] if text else []
        blocks += [
            ToolCallBlock(tool_call_id=each.id, tool_name=each.name, tool_kwargs=each.arguments)
            for each in turn.calls
        ]
        more = {"tool_call_id": turn.call_id} if turn.call_id else {}
        chat.append(ChatMessage(role=role, blocks=blocks, additional_kwargs=more))
    return chat


def _function_tool(name: str, description: str, arguments: type[BaseModel]) -> Any:
    from llama_index.core.tools import FunctionTool

    def given(**arguments: object) -> dict[str, object]:
        return arguments

    return FunctionTool.from_defaults(
        fn=given, name=name, description=description, fn_schema=arguments
    )


def _calls(response: Any) -> tuple[ToolCall, ...]:
    """The tools that a response calls, with their arguments as JSON."""
    found = []
    for place, block in enumerate(response.message.blocks):
        if block.block_type == "tool_call":
            given = block.tool_kwargs
            text = given if isinstance(given, str) else json.dumps(given)
            found.append(ToolCall(block.tool_call_id or f"call{place}", block.tool_name, text))
    return tuple(found)


def _chat(messages: Sequence[Message]) -> "list[ChatMessage]":
    from llama_index.core.base.llms.types import ChatMessage

    return [ChatMessage(role=role, content=text) for role, text in messages]


def _reply(response: Any, text: str | None = None) -> Reply:
    raw = response.raw
    tokens_in, tokens_out = _tokens(response.additional_kwargs, _of(raw, "usage"), raw)
    said = (response.message.content or "") if text is None else text
    return Reply.of(said, tokens_in, tokens_out, _is_cut_off(raw))


def _tokens(*places: Any) -> tuple[int | None, int | None]:
    """Tokens in and out, wherever a provider tells them."""
    for place in places:
        for name_in, name_out in _TOKENS:
            tokens_in, tokens_out = _of(place, name_in), _of(place, name_out)
            if isinstance(tokens_in, int) and isinstance(tokens_out, int):
                return tokens_in, tokens_out
    return None, None


def _is_cut_off(raw: Any) -> bool:
    choices = _of(raw, "choices") or [None]
    told = [_of(choices[0], "finish_reason"), _of(raw, "stop_reason"), _of(raw, "done_reason")]
    return any(isinstance(each, str) and each in _CUT_OFF for each in told)


def _of(place: Any, name: str) -> Any:
    return place.get(name) if isinstance(place, Mapping) else getattr(place, name, None)
