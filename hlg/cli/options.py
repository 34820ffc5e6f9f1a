"""Arguments and options that several commands share."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from hlg.cli.completion import AT_RETRIEVERS, names_in, option_names
from hlg.errors import UsageError
from hlg.retrieval.registry import RETRIEVERS

QuestionArgument = Annotated[
    str, typer.Argument(metavar="TEXT", help="The question; - reads it from stdin.")
]
ShownQuestionArgument = Annotated[
    str | None, typer.Argument(metavar="[QUERY]", help="A question; its evidence is shown.")
]
BuildPathsArgument = Annotated[
    list[str], typer.Argument(metavar="PATH...", help="What hlg build takes.")
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PATH|URI",
        help="Where the graph is: a file, or neo4j://host:7687 [default: .hlg/graph.lbug].",
        show_default=False,
    ),
]
GraphOption = Annotated[
    str | None,
    typer.Option(
        "--graph",
        metavar="NAME",
        help="A named graph, kept apart from the others in its store.",
        show_default=False,
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON document on stdout and nothing else there.")
]
PropositionizerOption = Annotated[
    str | None,
    typer.Option(
        "--propositionizer",
        metavar="MODEL",
        help="Model, such as chentong00/propositionizer-wiki-flan-t5-large, that finds the "
        "propositions of --extractor llm here (hlg[torch]).",
        show_default=False,
    ),
]
RetrieverOption = Annotated[
    str | None,
    typer.Option(
        "--retriever",
        metavar="NAME",
        autocompletion=names_in(AT_RETRIEVERS),
        help=f"How to search: {', '.join(RETRIEVERS.written())} [default: auto].",
        show_default=False,
    ),
]
TopKOption = Annotated[
    int | None, typer.Option("--top-k", "-k", metavar="N", help="Hits, at most [default: 10].")
]
RetrieverOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        autocompletion=option_names,
        help="An option of the retriever, such as depth=2; may be given again.",
        show_default=False,
    ),
]
WhereOption = Annotated[
    str,
    typer.Option(
        "--where",
        metavar="CONDITION",
        help="Search only sources that fulfil it, such as 'year >= 2024 and type = \"10-K\"'.",
        show_default=False,
    ),
]
ExtractiveOption = Annotated[
    bool, typer.Option("--extractive", help="Ask no language model, even where there is one.")
]
TokensOption = Annotated[
    int, typer.Option(metavar="N", min=100, help="Tokens of evidence for the model, at most.")
]
EVIDENCE_TOKENS = 3000
"""The default of that, and of a context."""
RelationsOption = Annotated[
    bool,
    typer.Option(
        "--relations",
        help="Append to each document titled as an entity what that entity relates to.",
    ),
]
BudgetOption = Annotated[
    float | None,
    typer.Option(
        "--budget",
        metavar="DOLLARS",
        min=0,
        help="What the language model may cost; no call is begun that might pass it.",
        show_default=False,
    ),
]
TraceOption = Annotated[
    str | None,
    typer.Option(
        "--trace",
        metavar="FILE",
        help="Append a JSON line for each call of the language model.",
        show_default=False,
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


def retriever_options(given: Sequence[str], **flags: object) -> dict[str, object]:
    """A retriever's options from ``NAME=VALUE`` and from the flags that were given."""
    options = {name: value for name, value in flags.items() if value is not None}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(
                f"--option {text!r} is not NAME=VALUE, such as depth=2", option="option"
            )
        options[name.replace("-", "_")] = value
    return options


def check_propositionizer(given: str | None, extractor: str) -> None:
    """A propositionizer is for the extractor that begins with propositions.

    :raises UsageError: one is given for another.
    """
    if given and extractor != "llm":
        raise UsageError(
            f"--propositionizer is the first stage of --extractor llm, not of {extractor}",
            option="propositionizer",
        )
