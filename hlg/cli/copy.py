"""``hlg copy``: the graph into another store."""

from hlg.cli.command import Shown, opened
from hlg.cli.console import print_line, progress_reporter
from hlg.cli.ending import RUN_AGAIN, stopping
from hlg.cli.options import GraphSettings


def copy(to: str, settings: GraphSettings, to_graph: str | None = None) -> Shown:
    """Copy the graph into another store; nothing is computed again.

    Vectors go with it. Sources that are there already are skipped, so a copy that was
    stopped goes on when it is run again. User and password come from the settings.

    \b
    Examples:
      hlg copy --to neo4j://localhost:7687
      hlg copy --store neo4j://localhost:7687 --to backup.lbug
      hlg copy --graph papers --to backup.lbug --to-graph papers_2026

    :param PATH|URI to: The store to copy into.
    :param NAME to_graph: Name of the copy [default: that of the graph].
    """
    from hlg.settings import load_settings
    from hlg.store.transfer import copy_graph

    name = settings.graph if to_graph is None else to_graph
    with (
        progress_reporter() as show,
        opened(settings) as origin,
        opened(load_settings(store=to, graph=name), read_only=False) as target,
        stopping(lambda: f"what was copied stays, {RUN_AGAIN}"),
    ):
        report = copy_graph(origin.store, target.store, on_progress=show)
        target.prepare()
        address = target.store.address
    yield {"copied": report.copied, "skipped": report.skipped, "to": address}
    print_line(f"{report.copied} sources copied to {address}, {report.skipped} were there")
    print_line(f"next: hlg status --store {to}" + (f" --graph {name}" if name else ""))
