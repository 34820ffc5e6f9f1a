"""Tools that a model calls in its text, and the answer in it, as small models write them.

What is asked for is one JSON object. What comes is in a fence or between sentences, several
objects one after another, or has the names of another protocol.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hlg.models.language.conversing import ToolCall
from hlg.models.language.structured import json_values

_NAMES = ("name", "tool", "tool_name", "function")
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_ANSWERS = ("answer", "final_answer")


def calls_in(text: str) -> tuple[ToolCall, ...]:
    """The tools that a text calls; none where it is an answer."""
    found = [call for value in _values(text) for call in _calls_of(value)]
    return tuple(
        ToolCall(f"call{place}", name, arguments) for place, (name, arguments) in enumerate(found)
    )


def answer_in(text: str) -> str:
    """The answer in what a model said last: of ``{"answer": …}`` what it holds."""
    for value in _values(text):
        if isinstance(value, Mapping):
            for name in _ANSWERS:
                if isinstance(value.get(name), str):
                    return str(value[name]).strip()
    return text.strip()


def _values(text: str) -> Iterator[Any]:
    """The JSON in a text: its objects, or where it begins with a list the lists."""
    brace, bracket = text.find("{"), text.find("[")
    is_list = 0 <= bracket < brace and not text[bracket + 1 : brace].strip()
    return json_values(text, "[" if is_list else "{")


def _calls_of(value: Any) -> Iterator[tuple[str, str]]:
    """The calls in a piece of JSON, each a name and arguments as JSON."""
    if isinstance(value, list):
        for each in value:
            yield from _calls_of(each)
    if not isinstance(value, Mapping):
        return
    for several in ("calls", "tool_calls"):
        yield from _calls_of(value.get(several))
    name = next((value[each] for each in _NAMES if value.get(each)), None)
    if isinstance(name, Mapping):  # {"type": "function", "function": {"name": …}}
        yield from _calls_of(name)
    given = next((value[each] for each in _ARGUMENTS if each in value), None)
    if isinstance(name, str) and given is not None:
        yield name, given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
