"""Answers that are to be one JSON object of a schema: what is asked, and how it is read.

Models put a code fence around their JSON, or a sentence before it; both are taken off. What is
cut off in the middle or not of the schema is no answer: the model is told what is wrong, once.
"""

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

__all__ = ["Unusable", "read_json", "response_format", "strict_schema"]

Model = TypeVar("Model", bound=BaseModel)

_OPENING = re.compile(r"\{")
MOST_OPENINGS = 50
"""Braces at which an object is looked for."""


class Unusable(Exception):
    """An answer that can't be used; its message tells the model what is wrong."""


def read_json(text: str, schema: type[Model], *, cut_off: bool = False) -> Model:
    """The first JSON object in a text that is of the schema.

    :param cut_off: the answer ended because it got too long.
    :raises Unusable: there is none. The message holds nothing of the text.
    """
    reason = "it holds no JSON object"
    if "{" in text and (cut_off or "}" not in text):
        reason = "it breaks off before its JSON object ends; answer more briefly"
    decoder = json.JSONDecoder(strict=False)
    end = 0
    for opening in list(_OPENING.finditer(text))[:MOST_OPENINGS]:
        if opening.start() < end:
            continue
        try:
            found, end = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            continue
        try:
            return schema.model_validate(found)
        except ValidationError as error:
            reason = _told(error)
    raise Unusable(reason)


def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model, closed: nothing more than it names, and all of that.

    Endpoints that make answers by schema want it so.
    """
    closed: dict[str, Any] = _closed(schema.model_json_schema())
    return closed


def response_format(schema: type[BaseModel]) -> dict[str, Any]:
    """A schema as OpenAI's protocol takes it."""
    told = {"name": schema.__name__, "schema": strict_schema(schema), "strict": True}
    return {"type": "json_schema", "json_schema": told}


def _closed(node: Any) -> Any:
    if isinstance(node, list):
        return [_closed(each) for each in node]
    if not isinstance(node, dict):
        return node
    closed = {key: _closed(value) for key, value in node.items() if key not in ("title", "default")}
    if isinstance(node.get("properties"), dict):
        closed["properties"] = {key: _closed(each) for key, each in node["properties"].items()}
        closed |= {"additionalProperties": False, "required": list(node["properties"])}
    return closed


def _told(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"])) or "the object"
    return f"its JSON is not of the schema: {where}: {first['msg']}"
