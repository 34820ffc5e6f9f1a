"""``hlg copy``: the graph into another store."""

from typing import Annotated

import typer

from hlg.cli.console import print_json, print_line, progress_reporter, say
from hlg.cli.ending import EXIT_INTERRUPTED
from hlg.cli.options import GraphOption, JsonOption, StoreOption

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def copy(
    to: Annotated[str, typer.Option("--to", metavar="PATH|URI", help="The store to copy into.")],
    to_graph: Annotated[
        str | None,
        typer.Option(
            "--to-graph", metavar="NAME", help="Name of the copy [default: that of the graph]."
        ),
    ] = None,
    store: StoreOption = None,
    graph: GraphOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copy the graph into another store; nothing is computed again.

    Vectors go with it. Sources that are there already are skipped, so a copy that was
    stopped goes on when it is run again. User and password come from the settings.

    \b
    Examples:
      hlg copy --to neo4j://localhost:7687
      hlg copy --store neo4j://localhost:7687 --to backup.lbug
      hlg copy --graph papers --to backup.lbug --to-graph papers_2026
    """
    from hlg.graph import LexicalGraph
    from hlg.settings import load_settings
    from hlg.store.transfer import copy_graph

    settings = load_settings(store=store, graph=graph)
    name = settings.graph if to_graph is None else to_graph
    with (
        progress_reporter() as report_progress,
        LexicalGraph.open(settings=settings, read_only=True) as origin,
        LexicalGraph.open(settings=load_settings(store=to, graph=name)) as target,
    ):
        try:
            report = copy_graph(origin.store, target.store, on_progress=report_progress)
            target.prepare()
        except KeyboardInterrupt as error:
            say("hlg: stopped; what was copied stays, run the same command again for the rest")
            raise typer.Exit(EXIT_INTERRUPTED) from error
        address = target.store.address
    if as_json:
        print_json({"copied": report.copied, "skipped": report.skipped, "to": address})
    else:
        print_line(f"{report.copied} sources copied to {address}, {report.skipped} were there")
        print_line(f"next: hlg status --store {to}" + (f" --graph {name}" if name else ""))
