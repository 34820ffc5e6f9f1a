"""``hlg export``: the graph as text."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.completion import names_in
from hlg.cli.console import one_line, say, write_stdout
from hlg.cli.options import (
    GraphOption,
    RetrieverOption,
    StoreOption,
    TopKOption,
)

if TYPE_CHECKING:
    from hlg.store.base import GraphStore
    from hlg.subgraph import Subgraph

STDOUT = Path("-")

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def export(
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            autocompletion=names_in("hlg.export:FORMATS"),
            help="jsonl, graphml, cypher or mermaid.",
        ),
    ] = "jsonl",
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help="Write FILE; - is standard output."),
    ] = STDOUT,
    vectors: Annotated[
        bool, typer.Option("--vectors", help="With embeddings: base64 of little-endian float32.")
    ] = False,
    query: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Only the evidence for a question.", show_default=False),
    ] = None,
    entity: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only what is said about an entity.", show_default=False),
    ] = None,
    community: Annotated[
        str | None, typer.Option(metavar="ID", help="Only a community.", show_default=False)
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(metavar="ID|URI", help="Only a document's graph.", show_default=False),
    ] = None,
    retriever: RetrieverOption = None,
    top_k: TopKOption = None,
    store: StoreOption = None,
    graph: GraphOption = None,
) -> None:
    """Write the graph, or a part of it, as text in an order that makes equal graphs equal files.

    When each document was read, and the store's own revision, are left out, so that
    two exports compare byte for byte. Cypher, run on an empty Neo4j, makes the graph
    again, for looking at it in Neo4j Browser; it holds vectors as lists of numbers. To go
    on working with a graph in another store, use hlg copy. Mermaid draws a part of a
    graph, or the most mentioned entities of all of it, and says how much it left out. In
    GraphML a character that XML forbids is written \\uXXXX.

    \b
    Examples:
      hlg export --out graph.jsonl
      hlg export --format graphml --out graph.graphml
      hlg export --format cypher | less
      hlg export --format mermaid --query "Who built the lighthouse?"
      hlg export --format graphml --entity "Lotte Wiek" --out lotte.graphml
      cmp <(hlg export) <(hlg export --store neo4j://localhost:7687)
    """
    from hlg.cli.view import check_part, part_of_graph
    from hlg.export import export_graph, write_export
    from hlg.graph import LexicalGraph
    from hlg.settings import load_settings
    from hlg.subgraph import LIMITS

    is_part = any(part is not None for part in (query, entity, community, source))
    if is_part:
        check_part(query, entity, community, source)
    settings = load_settings(store=store, graph=graph, retriever=retriever, top_k=top_k)
    with LexicalGraph.open(settings=settings, read_only=True) as opened:
        exported: GraphStore | Subgraph = opened.store
        if is_part:
            _, exported, _ = part_of_graph(
                opened,
                LIMITS,
                query=query,
                entity=entity,
                community=community,
                source=source,
                options={},
            )
            if exported.left_out:
                counts = ", ".join(f"{n} {label}" for label, n in exported.left_out.items())
                say(f"note: too large to be exported whole; left out: {counts}")
        if out == STDOUT:
            for piece in export_graph(exported, format_, vectors=vectors):
                write_stdout(piece)
        else:
            size = write_export(exported, format_, out, vectors=vectors)
            say(f"wrote {one_line(str(out))} ({size / 1e6:.1f} MB)")
