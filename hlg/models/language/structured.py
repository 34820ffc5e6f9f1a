"""Answers that are to be one JSON object of a schema: what is asked, and how it is read.

Models put a code fence around their JSON, or a sentence before it; both are taken off. What is
cut off in the middle or not of the schema is no answer: the model is told what is wrong, once.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)

MOST_OPENINGS = 50
"""Braces at which an object is looked for, or brackets at which an array is."""


class Unusable(Exception):
    """An answer that can't be used; its message tells the model what is wrong."""


def read_json(text: str, schema: type[Model], *, cut_off: bool = False) -> Model:
    """The first JSON object in a text that is of the schema.

    Where a schema is one list, and the text has no braces, an array of its items does as well:
    the longest that fits, as those in what a model says before its answer are short.

    :param cut_off: the answer ended because it got too long.
    :raises Unusable: there is none. The message holds nothing of the text.
    """
    reason = "it holds no JSON object"
    if "{" in text and (cut_off or "}" not in text):
        reason = "it breaks off before its JSON object ends; answer more briefly"
    for found in json_values(text, "{"):
        try:
            return schema.model_validate(found)
        except ValidationError as error:
            reason = f"its JSON is not of the schema: {first_fault(error, 'the object')}"
    if "{" not in text and len(schema.model_fields) == 1:
        (field,) = schema.model_fields
        for found in sorted(json_values(text, "["), key=len, reverse=True):
            with suppress(ValidationError):
                return schema.model_validate({field: found})
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


def json_values(text: str, opening: str) -> Iterator[Any]:
    """What begins with a brace or a bracket and is JSON; nothing that lies in one before it."""
    decoder = json.JSONDecoder(strict=False)
    end = 0
    for place in [each.start() for each in re.finditer(re.escape(opening), text)][:MOST_OPENINGS]:
        if place >= end:
            with suppress(ValueError, RecursionError):
                found, end = decoder.raw_decode(text, place)
                yield found


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


def first_fault(error: ValidationError, whole: str) -> str:
    """What was wrong first, and where, without what was given.

    :param whole: what all of it is called.
    """
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"])) or whole
    return f"{where}: {first['msg']}"
