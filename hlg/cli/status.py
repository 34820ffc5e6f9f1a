"""``hlg status``: what the graph holds."""

from hlg.cli.command import opened
from hlg.cli.console import print_json, print_line
from hlg.cli.options import GraphSettings, JsonOption
from hlg.reports import Status
from hlg.schema import EDGES, NODES


def status(settings: GraphSettings, as_json: JsonOption = False) -> None:
    """Say what the graph holds, where it is, and what its vectors are made with.

    \b
    Examples:
      hlg status
      hlg status --store neo4j://localhost:7687 --graph papers
      hlg status --json | jq .counts.Statement
    """
    with opened(settings) as graph:
        found = graph.status()
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
