"""The graph that is served: opened once, read unless it is to be written, and warm."""

from hlg.errors import HlgError
from hlg.graph import LexicalGraph
from hlg.settings import Settings


def opened_graph(settings: Settings, *, can_write: bool) -> LexicalGraph:
    """The graph that the settings name; where it can be written, it need not be there yet.

    :raises HlgError: as :meth:`hlg.LexicalGraph.open`; there is no graph to read.
    """
    graph = LexicalGraph.open(settings=settings, read_only=not can_write)
    try:
        if not can_write:
            graph.status()
    except BaseException:
        graph.close()
        raise
    return graph


def warm_up(graph: LexicalGraph) -> None:
    """Load models and arrays, so that the first who asks does not wait for them."""
    try:
        graph.ask("What is known?", extractive=True)
    except HlgError:
        return  # whoever asks first is told
