"""A graph, or a part of it, as text: JSON lines, GraphML, Cypher for Neo4j, or Mermaid.

Order is that of the schema, then of ids, and what differs between two builds of the same
documents (``ingested_at``, the store's own ``Graph`` node) is left out: the exports of
equal graphs are equal byte for byte, whatever stores they are in. All but Mermaid, which
has to choose what to draw, streams.
"""

from collections.abc import Callable, Iterator

from hlg.errors import UsageError
from hlg.export.rows import Exportable, SubgraphRows, SureRows
from hlg.registry import Registry, Row
from hlg.store.base import GraphStore
from hlg.subgraph import Subgraph

__all__ = ["FORMATS", "export_graph"]

FORMATS: Registry[Row[Callable[[Exportable, bool], Iterator[str]]]] = Registry(
    "export format",
    {
        "jsonl": Row("a line a node or relationship", "hlg.export.text", "jsonl"),
        "graphml": Row("for Gephi, yEd, NetworkX", "hlg.export.text", "graphml"),
        "cypher": Row("statements that make the graph in Neo4j", "hlg.export.cypher", "cypher"),
        "mermaid": Row("a flowchart of a part of it", "hlg.export.mermaid", "mermaid"),
    },
)
"""Every format by name."""


def export_graph(
    graph: GraphStore | Subgraph,
    format_: str,
    *,
    vectors: bool = False,
    min_confidence: float = 0.0,
) -> Iterator[bytes]:
    """The graph in one of :data:`FORMATS`, in UTF-8, piece by piece.

    :param vectors: with embeddings, which only a whole graph has, and Mermaid can't show.
    :param min_confidence: what is less sure is left out of a whole graph; a part has been made
        with such a limit (:class:`hlg.subgraph.SubgraphLimits`).
    :raises UsageError: there is no such format, or no vectors for it.
    """
    row = FORMATS.named(format_)
    if vectors and (isinstance(graph, Subgraph) or format_ == "mermaid"):
        raise UsageError(
            "vectors are exported with a whole graph only, and never as mermaid", option="vectors"
        )
    rows: Exportable = graph if not isinstance(graph, Subgraph) else SubgraphRows(graph)
    if not isinstance(graph, Subgraph) and min_confidence > 0:
        rows = SureRows(graph, min_confidence)
    for text in row.load()(rows, vectors):
        yield text.encode("utf-8", "backslashreplace")
