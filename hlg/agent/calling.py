"""Tools as a language model calls them: schemas made from signatures, arguments checked."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, create_model

from hlg.agent.results import ToolResult
from hlg.errors import UsageError
from hlg.models.language.structured import first_fault

TOOLS = ("search", "find", "open", "summarize", "facts", "neighbours", "path", "community")
"""The methods of :class:`hlg.agent.tools.GraphTools` that an agent calls."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A method that an agent may call, with what it takes."""

    name: str
    description: str
    arguments: type[BaseModel]
    function: Callable[..., ToolResult]

    def schema(self) -> dict[str, Any]:
        """What it takes, as JSON schema, without titles."""
        schema = self.arguments.model_json_schema()
        for each in (schema, *schema["properties"].values()):
            each.pop("title", None)
        return schema

    def call(self, given: Mapping[str, Any] | str) -> ToolResult:
        """Its result.

        :param given: arguments by name, or JSON of them; one thing where a list is asked for
            does as well.
        :raises UsageError: they are not what it takes, or it can't do that; says why.
        """
        try:
            told = json.loads(given or "{}") if isinstance(given, str) else given
            checked = self.arguments.model_validate(told)
        except ValidationError as error:
            raise UsageError(
                f"{self.name}: {first_fault(error, 'its arguments')}", option=self.name
            ) from error
        except ValueError as error:
            raise UsageError(f"{self.name}: its arguments are no JSON object") from error
        return self.function(
            **{name: getattr(checked, name) for name in type(checked).model_fields}
        )


def tools_of(owner: object, names: Sequence[str] = TOOLS) -> dict[str, Tool]:
    """The methods of these names as tools."""
    return {name: _tool(name, getattr(owner, name)) for name in names}


def _tool(name: str, method: Callable[..., ToolResult]) -> Tool:
    hints = get_type_hints(method, include_extras=True)
    fields: dict[str, Any] = {}
    for parameter in inspect.signature(method).parameters.values():
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[parameter.name] = (_lenient(hints[parameter.name]), default)
    arguments = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
    return Tool(name, inspect.getdoc(method) or "", arguments, method)


def _lenient(hint: Any) -> Any:
    """A list's type that takes one thing, or JSON of a list, as small models give it."""
    is_list = list[str] in (hint, getattr(hint, "__origin__", None))
    return Annotated[hint, BeforeValidator(_as_list)] if is_list else hint


def _as_list(given: object) -> object:
    if not isinstance(given, str):
        return given
    try:
        found = json.loads(given)
    except ValueError:
        return [given]
    return found if isinstance(found, list) else [given]
