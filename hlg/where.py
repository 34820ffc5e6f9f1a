"""Conditions on sources: what ``--where 'year >= 2024 and type = "10-K"'`` means.

::

    name = value   !=  <  <=  >  >=    compare; numbers as numbers, all else as text
    name in (value, value, …)          is one of them
    name contains value                holds it: as a part of a text, or an item of a list
    name like "reports/*.pdf"          matches a glob
    not, and, or, ( )                  as usual, in this order of strength

A name is a field of the source's metadata (``meta.author`` for one inside another) or
``uri``, ``title``, ``path`` (the uri without ``#record``), ``date`` (the metadata's, else
when it was read) or ``ingested_at``. Text in quotes, numbers and dates (``2024-05-01``)
are values. A source without the field fulfils no comparison of it; of a field that is a
list, any item may. Text is compared without regard to case.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from hlg.errors import UsageError
from hlg.records import ALSO_AT, Source

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["Condition", "parse_where"]

Condition: TypeAlias = Callable[[Source], bool]
"""Says of a source whether it is searched."""

_GRAMMAR = r"""
?start: either
?either: both ("or"i both)*
?both: negated ("and"i negated)*
?negated: "not"i negated -> never
        | "(" either ")"
        | comparison
comparison: NAME COMPARE value        -> compare
          | NAME "in"i "(" value ("," value)* ")" -> one_of
          | NAME "contains"i value    -> contains
          | NAME "like"i value        -> like
value: STRING | DATE | NUMBER
COMPARE: "==" | "=" | "!=" | "<>" | "<=" | "<" | ">=" | ">"
NAME: /(?!(?:and|or|not|in|contains|like)\b)[^\W\d][\w.\-]*/i
STRING: /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/
DATE.2: /\d{4}-\d{2}(?:-\d{2})?/
NUMBER: /[+-]?\d+(?:\.\d+)?/
%import common.WS
%ignore WS
"""
_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def parse_where(text: str) -> Condition:
    """The condition that a text states.

    :raises UsageError: it can't be read; the message says where.
    """
    from lark.exceptions import UnexpectedInput

    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        place = f"at character {error.column}" if error.column > 0 else "at its end"
        raise UsageError(
            f"--where {text!r} can't be read {place}; write it like 'year >= 2024 and "
            'type = "10-K"\', with =, !=, <, <=, >, >=, in, contains, like, and, or, not',
            option="where",
        ) from error
    return _condition(tree)


@cache
def _parser() -> "Lark":
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr")


def _condition(tree: Any) -> Condition:
    """A parsed condition as a function."""
    if tree.data in ("either", "both"):
        parts = [_condition(part) for part in tree.children]
        whole = any if tree.data == "either" else all
        return lambda source: whole(part(source) for part in parts)
    if tree.data == "never":
        inner = _condition(tree.children[0])
        return lambda source: not inner(source)
    name = str(tree.children[0])
    test = _TESTS[tree.data](tree.children[1:])
    return lambda source: any(map(test, _values(source, name)))


def _compare(operands: Sequence[Any]) -> Callable[[Any], bool]:
    compared, wanted = _COMPARISONS[str(operands[0])], _literal(operands[1])
    return lambda value: _both(compared, value, wanted)


def _one_of(operands: Sequence[Any]) -> Callable[[Any], bool]:
    wanted = [_literal(operand) for operand in operands]
    return lambda value: any(_both(_COMPARISONS["="], value, each) for each in wanted)


def _contains(operands: Sequence[Any]) -> Callable[[Any], bool]:
    wanted = _literal(operands[0]).casefold()
    return lambda value: wanted in _text(value)


def _like(operands: Sequence[Any]) -> Callable[[Any], bool]:
    pattern = _literal(operands[0]).casefold()
    return lambda value: fnmatchcase(_text(value), pattern)


_TESTS: Mapping[str, Callable[[Sequence[Any]], Callable[[Any], bool]]] = {
    "compare": _compare,
    "one_of": _one_of,
    "contains": _contains,
    "like": _like,
}


def _literal(value: Any) -> str:
    token = value.children[0]
    text = str(token)
    if token.type == "STRING":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _both(compared: Callable[[Any, Any], bool], value: Any, wanted: str) -> bool:
    """Compare as numbers where both are, else as text."""
    left, right = _number(value), _number(wanted)
    if left is not None and right is not None:
        return compared(left, right)
    return compared(_text(value), wanted.casefold())


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _text(value: Any) -> str:
    return str(value).casefold()


def _values(source: Source, name: str) -> Sequence[Any]:
    """What a source has under a name: nothing, one value, or the items of a list."""
    found = _field(source, name)
    if found is None:
        return ()
    return found if isinstance(found, list | tuple) else (found,)


def _field(source: Source, name: str) -> Any:
    found: Any = source.metadata
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    if found is not None:
        return found
    return {
        "uri": [source.uri, *source.metadata.get(ALSO_AT, ())],
        "title": source.title,
        "path": [source.uri.partition("#")[0], *source.metadata.get(ALSO_AT, ())],
        "date": source.ingested_at[:10],
        "ingested_at": source.ingested_at,
    }.get(name)
