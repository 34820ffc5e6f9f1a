"""Options that several commands share."""

from typing import Annotated

import typer

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
