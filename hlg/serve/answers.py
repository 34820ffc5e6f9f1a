"""What goes out: JSON, pages, and errors as either."""

import json
import math
import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import BaseModel
from starlette.responses import Response
from starlette.types import Scope

from hlg.documents import document_of
from hlg.errors import (
    BudgetReached,
    HlgError,
    InputError,
    ModelError,
    StoreError,
    StoreMissing,
    UsageError,
)
from hlg.pictures.picture import counted_labels
from hlg.records import Hit
from hlg.retrieval.explain import signal_groups
from hlg.serve import assets
from hlg.unicode import counted, one_line, printable, without_surrogates

API = "/api/v1"
_ROOM, _LEAST = 420, 60
"""Characters of a hit that a person is shown at first, and of what stands around its sentence."""
_SPACE = re.compile(r"\s+")
_STATUS: tuple[tuple[type[HlgError], int], ...] = (
    (UsageError, 400),
    (InputError, 422),
    (StoreMissing, 404),
    (BudgetReached, 429),
    (ModelError, 502),
    (StoreError, 503),
)


def document(record: object) -> Any:
    """A record or a model as what JSON has; no number is infinite or none."""
    made = record.model_dump(mode="python") if isinstance(record, BaseModel) else record
    return _finite(document_of(made))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, list) else value


class Json(Response):
    """A document; what is no UTF-8 in a text is written as JSON's escape."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode()


class Page(Response):
    """A page that is made of a template; every value in it is text."""

    media_type = "text/html"

    def __init__(self, template: str, told: Mapping[str, Any], status: int = 200) -> None:
        text = environment().get_template(template).render(**told)
        super().__init__(without_surrogates(text).encode(), status)


@cache
def environment() -> Environment:
    """The templates, with what they are written by."""
    made = Environment(
        loader=PackageLoader("hlg.serve"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["assets"] = assets.address()
    made.filters |= {
        "one_line": one_line,
        "printable": printable,
        "signals": signal_groups,
        "excerpt": _excerpt,
        "counted": counted,
        "counts": counted_labels,
        "url": lambda text: quote(without_surrogates(str(text)), safe=""),
    }
    return made


def _excerpt(hit: Hit) -> tuple[str, str, str]:
    """As much of a hit's text as there is room for, around the sentence that answers; without a
    heading that is the title, which stands above."""
    before, *rest = hit.marked_text
    heading, _, below = before.lstrip().partition("\n")
    if heading.strip("# ") == hit.passage.source.title:
        before = below
    before, sentence, after = (_SPACE.sub(" ", printable(part)) for part in (before, *rest))
    before = before.lstrip()
    if not sentence:
        return one_line(before, _ROOM), "", ""
    room = max(_ROOM - len(sentence), _LEAST)
    if len(before) > room // 2:
        before = "…" + before[len(before) - room // 2 :].partition(" ")[2]
    gap = " " if after.startswith(" ") else ""
    after = gap + one_line(after, max(room - len(before), _LEAST))
    return before, sentence, after


def failure(scope: Scope, error: Exception) -> Response:
    """An error as whoever asked can read it: JSON below the API, else a page."""
    if not isinstance(error, HlgError):
        message = f"a fault in hlg: {type(error).__name__}: {one_line(str(error), 300)}"
        return refusal(scope, 500, message, name="Fault", exit_code=70)
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
    if scope["path"].startswith(API):
        return Json(document(error), status)
    return _error_page(status, str(error))


def refusal(
    scope: Scope, status: int, message: str, *, name: str = "Refused", exit_code: int = 2
) -> Response:
    """What answers a request that nothing is done for."""
    if scope["path"].startswith(API):
        told = {"error": name, "message": message, "exit_code": exit_code, "retryable": False}
        return Json(told, status)
    return _error_page(status, message)


def _error_page(status: int, message: str) -> Page:
    """One line that says what was wrong."""
    title = "Not found" if status == 404 else "That did not work"
    return Page("error.html", {"title": title, "message": message, "here": ""}, status)


def login(message: str = "") -> Page:
    """Asks for the token."""
    return Page("login.html", {"title": "Who is there?", "message": message}, 401)
