"""Arguments and options that several commands share."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hlg.cli.command import SettingFlags, flag, option
from hlg.cli.completion import AT_RETRIEVERS, names_in, option_names
from hlg.errors import UsageError
from hlg.ingest.chunk.chunkers import CHUNKERS
from hlg.ingest.extract.extractors import EXTRACTORS
from hlg.retrieval.registry import RETRIEVERS

if TYPE_CHECKING:
    from hlg.settings import Settings

QuestionArgument = Annotated[
    str, typer.Argument(metavar="TEXT", help="The question; - reads it from stdin.")
]
ShownQuestionArgument = Annotated[
    str | None, typer.Argument(metavar="[QUERY]", help="A question; its evidence is shown.")
]
StoreOption = Annotated[
    str | None,
    option(
        "PATH|URI",
        "Where the graph is: a file, or neo4j://host:7687 [default: .hlg/graph.lbug].",
        "--store",
    ),
]
GraphOption = Annotated[
    str | None, option("NAME", "A named graph, kept apart from the others in its store.", "--graph")
]
RetrieverOption = Annotated[
    str | None,
    option(
        "NAME",
        f"How to search: {', '.join(RETRIEVERS.written())} [default: auto].",
        "--retriever",
        autocompletion=names_in(AT_RETRIEVERS),
    ),
]
TopKOption = Annotated[int | None, option("N", "Hits, at most [default: 10].", "--top-k", "-k")]
ChunkerOption = Annotated[
    str | None,
    option(
        "NAME",
        f"{', '.join(CHUNKERS.written())}; options as in semantic:percentile=80,window=1, "
        "hierarchical:parent_tokens=2000 [default: fixed].",
        "--chunker",
        autocompletion=names_in("hlg.ingest.chunk.chunkers:CHUNKERS"),
    ),
]
ExtractorOption = Annotated[
    str | None,
    option(
        "NAME",
        f"What extracts facts: {', '.join(EXTRACTORS.written())} [default: local].",
        "--extractor",
        autocompletion=names_in("hlg.ingest.extract.extractors:EXTRACTORS"),
    ),
]

MinConfidenceOption = Annotated[
    float | None,
    option(
        "P",
        "Leave out facts, entities and relations that are less sure; 0 shows all [default: 0.5].",
        "--min-confidence",
    ),
]

_GRAPH = {"store": StoreOption, "graph": GraphOption}
_BUILD = {"extractor": ExtractorOption, "chunker": ChunkerOption}
_SEARCH = {"retriever": RetrieverOption, "top_k": TopKOption}
_SHOWN = {"min_confidence": MinConfidenceOption}
AnySettings = Annotated["Settings", SettingFlags({})]
AnyFlags = Annotated[dict[str, Any], SettingFlags({}, as_given=True)]
GraphSettings = Annotated["Settings", SettingFlags(_GRAPH)]
GraphFlags = Annotated[dict[str, Any], SettingFlags(_GRAPH, as_given=True)]
BuildSettings = Annotated["Settings", SettingFlags(_GRAPH | _BUILD)]
BuildFlags = Annotated[dict[str, Any], SettingFlags(_GRAPH | _BUILD, as_given=True)]
SearchSettings = Annotated["Settings", SettingFlags(_GRAPH | _SEARCH)]
ShownSettings = Annotated["Settings", SettingFlags(_GRAPH | _SHOWN)]
ShownSearchSettings = Annotated["Settings", SettingFlags(_GRAPH | _SEARCH | _SHOWN)]

RetrieverOptions = Annotated[
    list[str] | None,
    option(
        "NAME=VALUE",
        "An option of the retriever, such as depth=2; may be given again.",
        "--option",
        "-o",
        autocompletion=option_names,
    ),
]
WhereOption = Annotated[
    str,
    option(
        "CONDITION",
        "Search only sources that fulfil it, such as 'year >= 2024 and type = \"10-K\"'.",
        "--where",
        show_default=False,
    ),
]
EntityOption = Annotated[
    str | None, option("NAME", "Only what is said about an entity, by name or alias.")
]
CommunityOption = Annotated[str | None, option("ID", "Only a community's entities.")]
SourceOption = Annotated[str | None, option("ID|URI", "Only a document's graph.")]
ExtractiveOption = Annotated[
    bool, flag("--extractive", "Ask no language model, even where there is one.")
]
TokensOption = Annotated[int, option("N", "Tokens of evidence for the model, at most.", min=100)]
EVIDENCE_TOKENS = 3000
"""The default of that, and of a context."""
RelationsOption = Annotated[
    bool,
    flag("--relations", "Append to each document titled as an entity what that entity relates to."),
]
BudgetOption = Annotated[
    float | None,
    option(
        "DOLLARS",
        "What the language model may cost; no call is begun that might pass it.",
        "--budget",
        min=0,
    ),
]


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
