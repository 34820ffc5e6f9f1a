"""``hlg export``: the graph as text."""

from pathlib import Path
from typing import Annotated

import typer

from hlg.cli.console import one_line, say, write_stdout
from hlg.cli.options import GraphOption, StoreOption

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def export(
    format_: Annotated[
        str, typer.Option("--format", "-f", metavar="NAME", help="jsonl, graphml or cypher.")
    ] = "jsonl",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write FILE instead of stdout."),
    ] = None,
    vectors: Annotated[
        bool, typer.Option("--vectors", help="With embeddings: base64 of little-endian float32.")
    ] = False,
    store: StoreOption = None,
    graph: GraphOption = None,
) -> None:
    """Write the graph as text, in an order that makes equal graphs equal files.

    When each document was read, and the store's own revision, are left out, so that
    two exports compare byte for byte. Cypher is for looking at the graph in Neo4j
    Browser, and holds vectors as lists of numbers; to go on working with it in another
    store, use hlg copy. In GraphML a character that XML forbids is written \\uXXXX.

    \b
    Examples:
      hlg export --out graph.jsonl
      hlg export --format graphml --out graph.graphml
      hlg export --format cypher | less
      cmp <(hlg export) <(hlg export --store neo4j://localhost:7687)
    """
    from hlg.export import export_graph, write_export
    from hlg.index import LexicalGraph
    from hlg.settings import load_settings

    settings = load_settings(store=store, graph=graph)
    with LexicalGraph.open(settings=settings, read_only=True) as opened:
        if out is None:
            for piece in export_graph(opened.store, format_, vectors=vectors):
                write_stdout(piece)
        else:
            size = write_export(opened.store, format_, out, vectors=vectors)
            say(f"wrote {one_line(str(out))} ({size / 1e6:.1f} MB)")
