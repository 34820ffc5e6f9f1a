"""Arguments and options that several commands share."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hlg.cli.command import SettingFlags
from hlg.cli.completion import AT_RETRIEVERS, names_in, option_names
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.settings import Settings

Retriever = Annotated[str | None, typer.Option(autocompletion=names_in(AT_RETRIEVERS))]
Chunker = Annotated[
    str | None, typer.Option(autocompletion=names_in("hlg.ingest.chunk.chunkers:CHUNKERS"))
]
Extractor = Annotated[
    str | None, typer.Option(autocompletion=names_in("hlg.ingest.extract.extractors:EXTRACTORS"))
]
GRAPH = {"store": str | None, "graph": str | None}
_BUILD = {"extractor": Extractor, "chunker": Chunker}
SEARCH = {"retriever": Retriever, "top_k": int | None}
_SHOWN = {"min_confidence": float | None}
AnySettings = Annotated["Settings", SettingFlags({})]
AnyFlags = Annotated[dict[str, Any], SettingFlags({}, as_given=True)]
GraphSettings = Annotated["Settings", SettingFlags(GRAPH)]
GraphFlags = Annotated[dict[str, Any], SettingFlags(GRAPH, as_given=True)]
BuildSettings = Annotated["Settings", SettingFlags(GRAPH | _BUILD)]
BuildFlags = Annotated[dict[str, Any], SettingFlags(GRAPH | _BUILD, as_given=True)]
SearchSettings = Annotated["Settings", SettingFlags(GRAPH | SEARCH)]
ShownSettings = Annotated["Settings", SettingFlags(GRAPH | _SHOWN)]
ShownSearchSettings = Annotated["Settings", SettingFlags(GRAPH | SEARCH | _SHOWN)]

RetrieverOptions = Annotated[list[str] | None, typer.Option(autocompletion=option_names)]
Count = Annotated[int | None, typer.Option(min=1)]
Tokens = Annotated[int, typer.Option(min=100)]
Budget = Annotated[float | None, typer.Option(min=0)]
EVIDENCE_TOKENS = 3000
"""Tokens of evidence for a model, where no number is given."""


def question_of(text: str, command: str) -> str:
    """The question that a command was given, or that stands on stdin.

    :raises UsageError: it is empty; shows the command with one.
    """
    question = (sys.stdin.read() if text == "-" else text).strip()
    if not question:
        raise UsageError(
            f'the question is empty; ask one: hlg {command} "Who built the lighthouse?"',
            option="query",
        )
    return question


def named_values(given: Sequence[str] | None, name: str, example: str) -> dict[str, object]:
    """What was given as ``NAME=VALUE``, by name.

    :param name: the option's, for the message; ``example`` is one of its values.
    :raises UsageError: one is not written so.
    """
    found: dict[str, object] = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise UsageError(f"--{name} {text!r} is not NAME=VALUE, such as {example}", option=name)
        found[key.strip().replace("-", "_")] = value
    return found


def retriever_options(given: Sequence[str] | None, **flags: object) -> dict[str, object]:
    """A retriever's options from ``NAME=VALUE`` and from the flags that were given."""
    options = {name: value for name, value in flags.items() if value is not None}
    return options | named_values(given, "option", "depth=2")
