"""What a shell offers for an option's value; nothing is imported before it asks."""

from collections.abc import Callable
from importlib import import_module
from textwrap import shorten
from typing import Any

import typer

from hlg.errors import HlgError
from hlg.registry import options_of

Offered = list[tuple[str, str]]
"""Values, each with what it is."""

WIDTH = 60
"""Characters of what a value is; shells get a line for each, and longer ones are broken."""
AT_RETRIEVERS = "hlg.retrieval.registry:RETRIEVERS"


def names_in(place: str) -> Callable[[str], Offered]:
    """Completes names of a registry, and after ``NAME:`` the options that it has.

    :param place: ``module:NAME`` of a :class:`hlg.registry.Registry`.
    """

    def offer(incomplete: str) -> Offered:
        rows = _at(place)
        name, colon, _ = incomplete.partition(":")
        if colon and name in rows:
            offered = _offered_options(rows[name], f"{name}:")
        else:
            offered = [
                (f"{name}:" if row.argument else name, row.summary) for name, row in rows.items()
            ]
        return _starting(offered, incomplete)

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
    row = _at(AT_RETRIEVERS).get(name)
    return _starting(_offered_options(row), incomplete) if row is not None else []


def setting_names(incomplete: str) -> Offered:
    """Completes the ``NAME=`` of a setting."""
    from hlg.settings import Settings

    fields = Settings.model_fields.items()
    return _starting([(f"{name}=", each.description or "") for name, each in fields], incomplete)


def _offered_options(row: Any, before: str = "") -> Offered:
    options = options_of(row.options_type())
    return [(f"{before}{each.name}=", f"[{each.default}] {each.summary}") for each in options]


def _starting(offered: Offered, incomplete: str) -> Offered:
    return [
        (name, shorten(told, WIDTH, placeholder=" …"))
        for name, told in offered
        if name.startswith(incomplete)
    ]


def _at(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
