"""Language models by name: ``PROVIDER:MODEL`` of LlamaIndex's packages, or a bare ``MODEL``.

A bare name is a model at ``llm_url`` that speaks the OpenAI protocol, as hosted services and
local servers (llama.cpp, vLLM, Ollama, LM Studio) do. A provider is the end of the name of a
package ``llama-index-llms-…``.
"""

import re
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hlg.errors import ModelError, UsageError
from hlg.extras import how_to_install, how_to_install_package
from hlg.models.language.failures import LONGEST_REASON, NO_KEY, hide_key
from hlg.settings import Settings
from hlg.words import word_set

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

    from hlg.models.language.door import ModelDoor

OPENAI_LIKE = "openai-like"
CONTEXT_TOKENS = 8192
"""What a model at ``llm_url`` is taken to read at once; hlg's own prompts are shorter."""
MAX_ANSWER_TOKENS = 4096
"""Of providers that are told once and not with every call."""

_KNOWN = word_set("""
anthropic azure-openai bedrock-converse cerebras cohere deepinfra deepseek fireworks google-genai
groq huggingface-api litellm mistralai nvidia ollama openai openai-like openrouter together vertex
""")
"""Providers that are told apart from a model's own name, as in ``llama3:8b``, even where they
are not installed; any other is one where it is."""
_PROVIDER = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_ADDRESSES = ("api_base", "base_url", "endpoint_url")
_TIMEOUTS = ("timeout", "request_timeout")


def split_name(name: str) -> tuple[str, str]:
    """Provider and model of the setting ``llm``."""
    provider, colon, model = name.partition(":")
    if colon and model and (provider in _KNOWN or _is_installed(provider)):
        return provider, model
    return OPENAI_LIKE, name


def required(door: "ModelDoor | None") -> "ModelDoor":
    """The door to a language model, for what can't be done without.

    :raises UsageError: there is none; says what to set.
    """
    if door is None:
        raise UsageError(
            "this needs a language model: set llm (and llm_url) in hlg.toml, or HLG_LLM "
            "(and HLG_LLM_URL)",
            option="llm",
        )
    return door


def open_language_model(settings: Settings) -> "LLM | None":
    """The model that the settings name; None where they name none.

    :raises ModelError: the package that speaks to it is not installed, or refuses the settings.
    :raises UsageError: there is a model but no address.
    """
    if not settings.llm:
        return None
    provider, model = split_name(settings.llm)
    if provider == OPENAI_LIKE:
        return _openai_like(settings, model)
    return _of_package(settings, provider, model)


def _openai_like(settings: Settings, model: str) -> "LLM":
    if not settings.llm_url:
        raise UsageError(
            f"llm is {settings.llm!r} but llm_url is empty: say where it answers", option="llm_url"
        )
    try:
        from llama_index.llms.openai_like import OpenAILike

        from hlg.models.language.transport import BoundedClient
    except ImportError as error:
        raise ModelError(
            f"language model {settings.llm!r} is set, but what speaks to it is missing: "
            f"{how_to_install('llm')}",
            model=settings.llm,
        ) from error
    key = _key(settings)
    opened: LLM = OpenAILike(
        model=model,
        api_base=settings.llm_url,
        # A local server wants none, but the client insists on one.
        api_key=key or NO_KEY,
        is_chat_model=True,
        context_window=CONTEXT_TOKENS,
        temperature=0.0,
        timeout=settings.llm_seconds,
        max_retries=0,  # the door tries again
        http_client=BoundedClient(key, settings.llm_seconds),
    )
    return opened


def _key(settings: Settings) -> str:
    """The key, without the line's end that comes along where it is read from a file."""
    return settings.llm_api_key.get_secret_value().strip()


def _of_package(settings: Settings, provider: str, model: str) -> "LLM":
    try:
        module = import_module(f"llama_index.llms.{provider.replace('-', '_')}")
    except ImportError as error:
        package = f"llama-index-llms-{provider}"
        raise ModelError(
            f"language model {settings.llm!r} needs {package}: {how_to_install_package(package)}",
            model=settings.llm,
        ) from error
    kind = _model_class(module, provider)
    try:
        opened: LLM = kind(model=model, **_arguments(settings, kind))
    except Exception as error:
        # Each has errors of its own for a missing key or a model that it does not know.
        said = hide_key(" ".join(str(error).split()), _key(settings))[:LONGEST_REASON]
        reason = said or type(error).__name__
        raise ModelError(
            f"language model {settings.llm!r} can't be opened: {reason}", model=settings.llm
        ) from error
    return opened


def _model_class(module: ModuleType, provider: str) -> Any:
    """The language model that a provider's package exports, under its own name if it has more."""
    from llama_index.core.llms import LLM

    exported = (getattr(module, name, None) for name in getattr(module, "__all__", ()))
    found = [each for each in exported if isinstance(each, type) and issubclass(each, LLM)]
    if not found:
        raise ModelError(f"package llama-index-llms-{provider} has no language model")
    wanted = provider.replace("-", "")
    return min(found, key=lambda kind: kind.__name__.lower() != wanted)


def _arguments(settings: Settings, kind: Any) -> dict[str, object]:
    """Of what the settings say, what this class takes."""
    taken = signature(kind.__init__).parameters
    given: dict[str, object] = {
        "temperature": 0.0,
        "max_tokens": MAX_ANSWER_TOKENS,
        "max_retries": _fewest_retries(kind),  # the door tries again
        **dict.fromkeys(_TIMEOUTS, settings.llm_seconds),
    }
    if key := _key(settings):
        given["api_key"] = key
    if "http_client" in taken:
        from hlg.models.language.transport import BoundedClient

        given["http_client"] = BoundedClient(key, settings.llm_seconds)
    if settings.llm_url != Settings.model_fields["llm_url"].default:
        given |= dict.fromkeys(_ADDRESSES, settings.llm_url)
    return {name: value for name, value in given.items() if name in taken}


def _fewest_retries(kind: Any) -> int:
    """None, where the class lets itself be told so."""
    field = getattr(kind, "model_fields", {}).get("max_retries")
    bounds = getattr(field, "metadata", ())
    return max([0, *(int(bound.gt) + 1 for bound in bounds if hasattr(bound, "gt"))])


def _is_installed(provider: str) -> bool:
    if not _PROVIDER.fullmatch(provider) or find_spec("llama_index") is None:
        return False
    try:
        return find_spec(f"llama_index.llms.{provider.replace('-', '_')}") is not None
    except ModuleNotFoundError:
        return False
