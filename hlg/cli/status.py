"""``hlg status``: what the graph holds."""

from hlg.cli.command import Shown, opened
from hlg.cli.console import print_line
from hlg.cli.options import GraphSettings
from hlg.reports import Status
from hlg.schema import EDGES, NODES


def status(settings: GraphSettings) -> Shown:
    """Say what the graph holds, where it is, and what its vectors are made with.

    \b
    Examples:
      hlg status
      hlg status --store neo4j://localhost:7687 --graph papers
      hlg status --json | jq .counts.Statement
    """
    with opened(settings) as graph:
        found = graph.status()
    yield found
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
