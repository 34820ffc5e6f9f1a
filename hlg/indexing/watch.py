"""A folder and its graph, kept together."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from hlg.errors import HlgError
from hlg.reports import BuildReport

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph

SECONDS_BETWEEN_TRIES = 5.0


def keep_together(
    paths: Sequence[str],
    open_graph: Callable[[], "AbstractContextManager[LexicalGraph]"],
    tell: Callable[[BuildReport], None],
    say: Callable[[str], None],
    stop: Event | None = None,
) -> None:
    """Build ``paths``, then what changes under them, until ``stop`` is set or Ctrl-C.

    The graph is open only while it is built, so that others can ask it and write to it. A
    round that fails for a while (a server that restarts) is tried again with what has
    changed since.

    :param tell: is told of each round that did something.
    :param say: gets a line about what is watched, and about each round that failed.
    :raises UsageError: a path can't be watched.
    :raises HlgError: the first build fails, or a later one for good.
    """
    from hlg.ingest.load.watch import changes_of, touched

    rounds = touched(paths, stop or Event())
    next(rounds, None)
    with open_graph() as graph:
        tell(graph.build(paths, prune=True))
        sources = {source.uri for source in graph.sources()}
    say(f"watching {', '.join(paths)}; Ctrl-C ends it")
    pending: set[Path] = set()
    again = 0.0
    for changed in rounds:
        pending |= changed
        if not pending or time.monotonic() < again:
            continue
        changes = changes_of(paths, pending, sources)
        if changes:
            try:
                with open_graph() as graph:
                    # What is gone can only be told by looking at all that is there.
                    report = graph.build(paths if changes.gone else changes.read, prune=True)
                    sources = {source.uri for source in graph.sources()}
            except HlgError as error:
                if not error.retryable:
                    raise
                say(f"{error}; tried again in {SECONDS_BETWEEN_TRIES:.0f} s")
                again = time.monotonic() + SECONDS_BETWEEN_TRIES
                continue
            tell(report)
        pending.clear()
