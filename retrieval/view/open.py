"""Which view a search has of its graph."""

from hlg.errors import UsageError
from hlg.retrieval.base import Query, SearchSession
from hlg.retrieval.view.arrays import ArrayView
from hlg.retrieval.view.base import GraphView
from hlg.retrieval.view.stored import StoreView


def open_view(session: SearchSession, query: Query) -> GraphView:
    """The view for a question: over arrays, or over the store where those are too large."""
    snapshot = session.snapshot()
    return StoreView(session, query) if snapshot is None else ArrayView(session, snapshot, query)


def retriever_in_arrays(view: GraphView, name: str) -> ArrayView:
    """The view of a retriever that searches arrays only.

    :raises UsageError: there are none.
    """
    return in_arrays(view, f"retriever {name!r}", "use statement-graph", "retriever")


def in_arrays(
    view: GraphView, what: str, instead: str = "leave it out", option: str = "modalities"
) -> ArrayView:
    """The view, where it is over arrays.

    :param what: needs them; ``instead`` is what can be done without.
    :raises UsageError: it is not.
    """
    if isinstance(view, ArrayView):
        return view
    raise UsageError(
        f"{what} needs the graph in memory, and it is larger than max_snapshot_mb; raise that "
        f"setting, or {instead}",
        option=option,
    )
