"""The API's documentation, as OpenAPI 3.1, out of the table of what can be asked."""

import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, TypeAdapter

from hlg import __version__
from hlg.serve.answers import API
from hlg.serve.api import EVENTS, Endpoint
from hlg.serve.models import ErrorDocument, Upload

_REFERENCE = "#/components/schemas/{model}"
_PATH_TYPE = re.compile(r":\w+(?=\})")


def openapi_document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """What each endpoint takes and gives."""
    schemas: dict[str, Any] = {}
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        told = paths.setdefault(_PATH_TYPE.sub("", API + each.path), {})
        told[each.method.lower()] = _operation(each, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "hlg",
            "version": __version__,
            "description": "A Hierarchical Lexical Graph of documents: evidence and cited answers.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(endpoint: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": _schema(endpoint.gives, "serialization", schemas)}}
    if endpoint.events:
        content[EVENTS] = {
            "schema": {
                "type": "string",
                "description": "Events text {piece}, then answer or error, each with JSON as data.",
            }
        }
    fault = {"application/json": {"schema": _schema(ErrorDocument, "serialization", schemas)}}
    status = "202" if endpoint.takes is Upload else "200"
    told: dict[str, Any] = {
        "summary": endpoint.summary,
        "responses": {
            status: {"description": "Done.", "content": content},
            "default": {"description": "What was wrong, in one line.", "content": fault},
        },
    }
    if endpoint.method == "POST":
        given = _schema(endpoint.takes, "validation", schemas)
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": given}}}
        return told
    told["parameters"] = _parameters(endpoint)
    if endpoint.takes is Upload:
        body = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        told["requestBody"] = {"required": True, "content": body}
    return told


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    made = endpoint.takes.model_json_schema()
    required = made.get("required", ())
    return [
        {
            "name": name,
            "in": "path" if f"{{{name}" in endpoint.path else "query",
            "required": name in required,
            "description": schema.pop("description", ""),
            "schema": schema,
        }
        for name, schema in made.get("properties", {}).items()
    ]


def _schema(kind: type[BaseModel] | Any, mode: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """A type's schema; what it refers to goes to the others."""
    made = TypeAdapter(kind).json_schema(mode=mode, ref_template=_REFERENCE)
    schemas |= made.pop("$defs", {})
    if "title" in made and made.get("type") == "object":
        schemas[made["title"]] = made
        return {"$ref": _REFERENCE.format(model=made["title"])}
    return made
