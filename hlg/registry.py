"""What can be chosen by name: one pattern for chunkers, extractors, retrievers, stores, formats.

::

    FRUIT: Registry[Row[Callable[[], Fruit]]] = Registry("fruit", {
        "plum": Row("sweet and blue", "orchard.stone_fruit", "Plum", options="PlumOptions"),
    })
    FRUIT.named("plum").load()()      imports orchard.stone_fruit
    FRUIT.named("plumm")              UsageError: no fruit 'plumm'; did you mean 'plum'? …
    FRUIT.summaries()                 for --help, hlg doctor and completion

A row says where its thing is and imports it when it is asked for, so that names and
summaries cost nothing to list.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from difflib import get_close_matches
from importlib import import_module
from inspect import cleandoc
from typing import Any, Generic, TypeVar, cast

from hlg.errors import UsageError

__all__ = ["Option", "Registry", "Row", "options_of"]

T = TypeVar("T")
RowT = TypeVar("RowT", bound="Row[Any]")

_PARAMETER = re.compile(r"^:param (\w+): (.*(?:\n +.*)*)", re.MULTILINE)
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """A thing that can be chosen: what it is, in half a line, and where it is defined.

    ``opens`` and ``options`` are names in ``module``; ``options`` that of a dataclass, or
    empty.
    """

    summary: str
    module: str
    opens: str
    options: str = ""

    def load(self) -> T:
        """What the row stands for; imports its module."""
        return cast(T, getattr(import_module(self.module), self.opens))

    def options_type(self) -> type[Any] | None:
        """The dataclass of its options, or None where it takes none; imports its module."""
        if not self.options:
            return None
        return cast(type[Any], getattr(import_module(self.module), self.options))


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a row: its default as text, and what it does."""

    name: str
    default: str
    summary: str


class Registry(Mapping[str, RowT]):
    """Rows by name, in the order in which lists show them.

    :param kind: what they are, in a word, for messages.
    """

    def __init__(self, kind: str, rows: Mapping[str, RowT]) -> None:
        self.kind = kind
        self._rows = dict(rows)

    def __getitem__(self, name: str) -> RowT:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def named(self, name: str) -> RowT:
        """The row of that name.

        :raises UsageError: there is none; the message names the nearest, and all.
        """
        row = self._rows.get(name)
        if row is not None:
            return row
        near = get_close_matches(name, self._rows, n=1)
        guess = f"did you mean {near[0]!r}? " if near else ""
        raise UsageError(
            f"no {self.kind} {name!r}; {guess}there are {', '.join(self._rows)}",
            option=self.kind,
            known=self._rows,
        )

    def summaries(self) -> dict[str, str]:
        """What each is, in half a line; imports nothing."""
        return {name: row.summary for name, row in self._rows.items()}


def options_of(kind: type[Any] | None) -> list[Option]:
    """The options that a dataclass holds, as its docstring and its bases' explain them."""
    if kind is None:
        return []
    told: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        for name, text in _PARAMETER.findall(cleandoc(base.__doc__ or "")):
            told[name] = _SPACE.sub(" ", text).rstrip(".")
    return [Option(each.name, _default(each), told.get(each.name, "")) for each in fields(kind)]


def _default(field: Field[Any]) -> str:
    if field.default is MISSING:
        return ""
    value = field.default
    return str(value).lower() if isinstance(value, bool) else str(value)
