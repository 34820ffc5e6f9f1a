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
list, any item may. Text is compared without regard to case. A condition has at most 100,000
characters, a glob 1,000, and at most 100 parts one inside another.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any, TypeAlias

from hlg.errors import UsageError
from hlg.records import ALSO_AT, OWN_METADATA, Source

if TYPE_CHECKING:
    from lark import Lark

Test: TypeAlias = Callable[[Source], bool]

_MOST_CHARACTERS = 100_000
_DEEPEST = 100
_LONGEST_GLOB = 1_000
_FIELDS_TOLD = 20
_OWN_FIELDS: Mapping[str, Callable[[Source], Any]] = {
    "uri": lambda source: [source.uri, *source.metadata.get(ALSO_AT, ())],
    "title": lambda source: source.title,
    "path": lambda source: [source.uri.partition("#")[0], *source.metadata.get(ALSO_AT, ())],
    "date": lambda source: source.ingested_at[:10],
    "ingested_at": lambda source: source.ingested_at,
}
"""What every source has, whatever its metadata."""

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
    "=": eq,
    "==": eq,
    "!=": ne,
    "<>": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """Says of a source whether it is searched.

    :param fields: the names of the fields that it asks for.
    """

    fields: frozenset[str]
    test: Test

    def __call__(self, source: Source) -> bool:
        return self.test(source)

    def among(self, sources: Sequence[Source]) -> list[Source]:
        """The sources that fulfil it.

        :raises UsageError: it asks for a field that no source has; the message says which
            there are.
        """
        for name in sorted(self.fields - _OWN_FIELDS.keys()):
            if sources and all(_field(source, name) is None for source in sources):
                known = sorted(_OWN_FIELDS.keys() | _names(s.metadata for s in sources))
                more = len(known) - _FIELDS_TOLD
                raise UsageError(
                    f"no source has a field {name!r}; there are "
                    + ", ".join(known[:_FIELDS_TOLD])
                    + (f" and {more} more" if more > 0 else ""),
                    option="where",
                    known=known,
                )
        return [source for source in sources if self.test(source)]


def parse_where(text: str) -> Condition:
    """The condition that a text states.

    :raises UsageError: it can't be read, is too long or too deep; the message says where.
    """
    from lark.exceptions import UnexpectedInput

    if len(text) > _MOST_CHARACTERS:
        raise _too_much(f"has {len(text):,} characters", f"{_MOST_CHARACTERS:,}")
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        place = f"at character {error.column}" if error.column > 0 else "at its end"
        raise UsageError(
            f"the condition {text!r} can't be read {place}; write it like 'year >= 2024 and "
            'type = "10-K"\', with =, !=, <, <=, >, >=, in, contains, like, and, or, not',
            option="where",
        ) from error
    fields: set[str] = set()
    return Condition(test=_test(tree, fields, 0), fields=frozenset(fields))


def _too_much(what: str, most: str) -> UsageError:
    return UsageError(f"the condition {what}, and may have {most} at most", option="where")


@cache
def _parser() -> "Lark":
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr")


def _test(tree: Any, fields: set[str], depth: int) -> Test:
    """A parsed condition as a function; the fields that it asks for are added to ``fields``."""
    if depth > _DEEPEST:
        raise _too_much("has too many parts one inside another", str(_DEEPEST))
    if tree.data in ("either", "both", "never"):
        parts = [_test(part, fields, depth + 1) for part in tree.children]
        if tree.data == "never":
            return lambda source: not parts[0](source)
        whole = any if tree.data == "either" else all
        return lambda source: whole(part(source) for part in parts)
    name = str(tree.children[0])
    fields.add(name)
    test = _TESTS[tree.data](tree.children[1:])
    return lambda source: any(map(test, _values(source, name)))


def _compare(operands: Sequence[Any]) -> Callable[[Any], bool]:
    compared, wanted = _COMPARISONS[str(operands[0])], _literal(operands[1])
    return lambda value: _both(compared, value, wanted)


def _one_of(operands: Sequence[Any]) -> Callable[[Any], bool]:
    wanted = [_literal(operand) for operand in operands]
    return lambda value: any(_both(eq, value, each) for each in wanted)


def _contains(operands: Sequence[Any]) -> Callable[[Any], bool]:
    wanted = _literal(operands[0]).casefold()
    return lambda value: wanted in _text(value)


def _like(operands: Sequence[Any]) -> Callable[[Any], bool]:
    pattern = _literal(operands[0]).casefold()
    if len(pattern) > _LONGEST_GLOB:
        raise _too_much(f"has a glob of {len(pattern):,} characters", f"{_LONGEST_GLOB:,}")
    return lambda value: fnmatchcase(_text(value), pattern)


_TESTS: Mapping[str, Callable[[Sequence[Any]], Callable[[Any], bool]]] = {
    "compare": _compare,
    "one_of": _one_of,
    "contains": _contains,
    "like": _like,
}


def _literal(value: Any) -> str:
    token = value.children[0]
    return re.sub(r"\\(.)", r"\1", token[1:-1]) if token.type == "STRING" else str(token)


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
    own = _OWN_FIELDS.get(name)
    return own(source) if found is None and own is not None else found


def _names(records: Iterable[Mapping[str, Any]]) -> set[str]:
    """The names of all fields, ``meta.author`` for one inside another."""
    found: set[str] = set()
    for record in records:
        for name, value in record.items():
            if isinstance(value, Mapping):
                found.update(f"{name}.{inner}" for inner in _names([value]))
            elif name not in OWN_METADATA:
                found.add(name)
    return found
