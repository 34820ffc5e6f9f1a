"""Which view a search has of its graph."""

from hlg.retrieval.base import Query, SearchSession
from hlg.retrieval.view.arrays import ArrayView
from hlg.retrieval.view.base import GraphView
from hlg.retrieval.view.stored import StoreView


def open_view(session: SearchSession, query: Query) -> GraphView:
    """The view for a question: over arrays, or over the store where those are too large."""
    snapshot = session.snapshot()
    return StoreView(session, query) if snapshot is None else ArrayView(session, snapshot, query)
