"""What a shell offers for an option's value; nothing is imported before it asks."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import typer

from hlg.errors import HlgError
from hlg.registry import options_of

Offered = list[tuple[str, str]]
"""Values, each with what it is."""

RETRIEVERS = "hlg.retrieval.registry:RETRIEVERS"


def names_in(place: str, *more: str) -> Callable[[str], Offered]:
    """Completes names of a registry.

    :param place: ``module:NAME`` of a mapping of rows that have a ``summary``, or of names.
    :param more: names that are no rows of it.
    """

    def offer(incomplete: str) -> Offered:
        rows = _at(place)
        named = rows if isinstance(rows, Mapping) else dict.fromkeys(rows)
        offered = [(name, getattr(row, "summary", "")) for name, row in named.items()]
        return _starting(offered + [(name, "") for name in more], incomplete)

    return offer


def one_of(**known: str) -> Callable[[str], Offered]:
    """Completes values that are given here, each with what it is."""
    return lambda incomplete: _starting(list(known.items()), incomplete)


def option_names(context: typer.Context, incomplete: str) -> Offered:
    """Completes the ``NAME=`` of the options of the retriever that is named before."""
    from hlg.settings import load_settings

    try:
        name = context.params.get("retriever") or load_settings().retriever
    except HlgError:
        return []
    row = _at(RETRIEVERS).get(name)
    if row is None:
        return []
    offered = [
        (f"{option.name}=", f"{option.summary} [{option.default}]")
        for option in options_of(row.options_type())
    ]
    return _starting(offered, incomplete)


def _starting(offered: Offered, incomplete: str) -> Offered:
    return [each for each in offered if each[0].startswith(incomplete)]


def _at(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
