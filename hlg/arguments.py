"""What a program hands over: one thing or several, and no text taken apart by its letters.

A ``str`` is a sequence of ``str`` to Python and to type checkers, so that ``build("notes")``
would read the files n, o, t, e, s. Where several things are taken, :func:`several` takes one
as well; where a method takes nothing but several, :func:`takes_several` refuses one.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from operator import index
from os import PathLike, fspath
from pathlib import Path
from typing import Any, SupportsIndex, TypeAlias, TypeVar

from hlg.errors import UsageError

Paths: TypeAlias = str | Path | Iterable[str | Path]
"""A path, or several."""

T = TypeVar("T")
Definition = TypeVar("Definition", bound=Callable[..., Any])


def one(given: object, kind: type[T] | tuple[type[T], ...], name: str) -> T:
    """What was given, where it is of its kind.

    :param name: that of the parameter, for the message.
    :raises TypeError: it is of another.
    """
    if not isinstance(given, kind):
        raise TypeError(f"{name} has to be {_a(kind)}, not {_shown(given)}")
    return given


def whole(given: object, name: str) -> int:
    """A whole number, numpy's among them.

    :raises TypeError: it is none.
    """
    return index(given) if isinstance(given, SupportsIndex) else one(given, int, name)


def several(given: object, kind: type[T] | tuple[type[T], ...], name: str) -> tuple[T, ...]:
    """One thing or several, as several.

    :raises TypeError: there is something of another kind among them.
    """
    if isinstance(given, kind):
        return (given,)
    wrong = given
    if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping):
        found = tuple(given)
        others = [each for each in found if not isinstance(each, kind)]
        if not others:
            return found
        wrong = others[0]
    raise TypeError(f"{name} has to be {_a(kind)} or several, not {_shown(wrong)}")


def paths_of(given: Paths, name: str = "paths") -> tuple[str, ...]:
    """One path or several, as several.

    :raises TypeError: there is something among them that is no path.
    :raises UsageError: one of them is empty, which the file system takes for this folder, or
        holds a NUL.
    """
    kinds: tuple[type[str | PathLike[str]], ...] = (str, PathLike)
    found = tuple(fspath(each) for each in several(given, kinds, name))
    if "" in found:
        raise UsageError("a path is empty; for all of this folder give .", option=name)
    if broken := [each for each in found if "\0" in each]:
        raise UsageError(f"no path has a NUL, as {broken[0]!r} has", option=name)
    return found


def takes_several(definition: Definition) -> Definition:
    """A function, or a class with its public methods, whose parameters that are sequences of
    texts refuse a single text with a TypeError."""
    if isinstance(definition, type):
        for name, member in vars(definition).items():
            if inspect.isfunction(member) and not name.startswith("_"):
                setattr(definition, name, takes_several(member))
        return definition
    names = list(inspect.signature(definition).parameters)
    places = [
        (place, name)
        for place, name in enumerate(names)
        if _is_of_texts(definition.__annotations__.get(name))
    ]
    if not places:
        return definition

    @wraps(definition)
    def checked(*args: Any, **kwargs: Any) -> Any:
        for place, name in places:
            value = args[place] if place < len(args) else kwargs.get(name)
            if isinstance(value, str | PathLike):
                raise TypeError(f"{name} has to be several, as [{value!r}], not {value!r} alone")
        return definition(*args, **kwargs)

    return checked  # type: ignore[return-value]


def _is_of_texts(annotation: object) -> bool:
    return any(
        annotation == wanted or annotation == wanted | None
        for container in (Sequence, Iterable)
        for wanted in (container[str], container[str | Path])
    )


def _a(kind: type | tuple[type, ...]) -> str:
    names = [each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,))]
    return f"{'an' if names[0][0].lower() in 'aeiou' else 'a'} {' or '.join(names)}"


def _shown(value: object) -> str:
    return repr(value) if isinstance(value, str | int | None) else _a(type(value))
