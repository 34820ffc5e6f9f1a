"""What can be chosen by name: one pattern for chunkers, extractors, retrievers, stores, formats.

::

    FRUIT: Registry[Row[Callable[[], Fruit]]] = Registry("fruit", {
        "plum": Row("sweet and blue", "orchard.stone_fruit", "Plum", options="PlumOptions"),
    })
    FRUIT.named("plum").load()()      imports orchard.stone_fruit
    FRUIT.named("plumm")              UsageError: no fruit 'plumm'; did you mean 'plum'? …
    FRUIT.open("plum:ripe=yes")       the opener, and PlumOptions(ripe=True)
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

from hlg.arguments import one
from hlg.errors import UsageError

T = TypeVar("T")
OptionsT = TypeVar("OptionsT")
RowT = TypeVar("RowT", bound="Row[Any]")

_PARAMETER = re.compile(r"^:param (\w+): (.*(?:\n +.*)*)", re.MULTILINE)
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """A thing that can be chosen: what it is, in half a line, and where it is defined.

    ``opens`` and ``options`` are names in ``module``; ``options`` that of a dataclass, or
    empty. ``argument`` says what has to follow its name, such as FILE in ``replay:FILE``.
    """

    summary: str
    module: str
    opens: str
    options: str = ""
    argument: str = ""

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
        row = self._rows.get(one(name, str, self.kind))
        if row is not None:
            return row
        near = get_close_matches(name, self._rows, n=1)
        guess = f"did you mean {near[0]!r}? " if near else ""
        raise UsageError(
            f"no {self.kind} {name!r}; {guess}there are {', '.join(self.written())}",
            option=self.kind,
            known=self._rows,
        )

    def open(self, text: str) -> tuple[Any, Any]:
        """What a text stands for, and what follows its name: ``NAME``, ``NAME:ARGUMENT``, or
        ``NAME:OPTION=VALUE,…``.

        :returns: what the row loads; its argument, or its options as their record, or None.
        :raises UsageError: no such name or option, or a value that is not valid.
        """
        name, _, rest = text.partition(":")
        row = self.named(name)
        if row.argument:
            if not rest:
                raise UsageError(
                    f"{self.kind} {name!r} is written {name}:{row.argument}", option=self.kind
                )
            return row.load(), rest
        what, kind = f"{self.kind} {name!r}", row.options_type()
        options = checked_options(what, kind, _values(rest))
        return row.load(), options

    def written(self) -> list[str]:
        """The names with what has to follow them; imports nothing."""
        return [f"{name}:{x.argument}" if x.argument else name for name, x in self._rows.items()]

    def summaries(self) -> dict[str, str]:
        """What each is, in half a line; imports nothing."""
        return {name: row.summary for name, row in self._rows.items()}


def checked_options(
    what: str, kind: type[OptionsT] | None, given: Mapping[str, object]
) -> OptionsT | None:
    """Options by name as a record of their kind, strings converted; None where it has none.

    :param what: what has them, for messages.
    :raises UsageError: an option is unknown, or its value is not valid.
    """
    known = sorted(field.name for field in fields(cast(Any, kind))) if kind else []
    for name in given:
        if name not in known:
            has = ", ".join(known) or "none"
            raise UsageError(
                f"{what} has no option {name!r}; it has {has}", option=name, known=known
            )
    if kind is None:
        return None
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_python(dict(given))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        option = ".".join(str(part) for part in fault["loc"])
        reason = fault["msg"].replace("Input should be", "it should be")
        raise UsageError(
            f"{what}: {option}={fault['input']!r} is not valid: {reason}", option=option
        ) from error


def _values(text: str) -> dict[str, object]:
    """``a=1,b=2`` by name; what has no ``=`` has no value."""
    parts = (part.partition("=") for part in text.split(",") if part.strip())
    return {name.strip(): value.strip() for name, _, value in parts}


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
