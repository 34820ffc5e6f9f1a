"""``hlg status``: what the graph holds."""

import typer

from hlg.cli.console import print_json, print_line
from hlg.cli.options import GraphOption, JsonOption, StoreOption
from hlg.reports import Status
from hlg.schema import EDGES, NODES

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def status(
    store: StoreOption = None, graph: GraphOption = None, as_json: JsonOption = False
) -> None:
    """Say what the graph holds, where it is, and what its vectors are made with.

    \b
    Examples:
      hlg status
      hlg status --store neo4j://localhost:7687 --graph papers
      hlg status --json | jq .counts.Statement
    """
    from hlg.graph import LexicalGraph
    from hlg.settings import load_settings

    settings = load_settings(store=store, graph=graph)
    with LexicalGraph.open(settings=settings, read_only=True) as opened:
        found = opened.status()
    if as_json:
        print_json(found)
    else:
        _print_status(found)


def _print_status(found: Status) -> None:
    print_line(f"store     {found.store}" + (f" (graph {found.graph})" if found.graph else ""))
    print_line(f"revision  {found.revision}")
    print_line(f"embedder  {found.embedder}, {found.dimensions} dimensions")
    for title, names in (("nodes", NODES), ("edges", EDGES)):
        print_line(title)
        for name in names:
            if name in found.counts:
                print_line(f"  {name:<14}{found.counts[name]:>12,}")
    if not found.counts.get("Source"):
        print_line("the graph is empty; next: hlg build PATH")
    else:
        print_line('next: hlg query "…", or hlg sources')
