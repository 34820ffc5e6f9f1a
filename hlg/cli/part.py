"""``hlg export`` and ``hlg view``: the graph, or a part of it, as text and as a picture."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.command import opened
from hlg.cli.completion import names_in
from hlg.cli.console import one_line, print_line, say, write_stdout
from hlg.cli.options import RetrieverOptions, ShownSearchSettings, retriever_options

if TYPE_CHECKING:
    from hlg.store.base import GraphStore
    from hlg.subgraph import Subgraph

STDOUT = Path("-")


def export(
    settings: ShownSearchSettings,
    format_: Annotated[str, typer.Option(autocompletion=names_in("hlg.export:FORMATS"))] = "jsonl",
    out: Path = STDOUT,
    vectors: bool = False,
    query: str | None = None,
    entity: str | None = None,
    community: str | None = None,
    source: str | None = None,
) -> None:
    """Write the graph, or a part of it, as text in an order that makes equal graphs equal files.

    When each document was read, and the store's own revision, are left out, so that
    two exports compare byte for byte. Cypher, run on an empty Neo4j, makes the graph
    again, for looking at it in Neo4j Browser; it holds vectors as lists of numbers. To go
    on working with a graph in another store, use hlg copy. Mermaid draws a part of a
    graph, or the most mentioned entities of all of it, and says how much it left out. In
    GraphML a character that XML forbids is written \\uXXXX. A whole graph has all facts and
    entities, each with its confidence, unless min_confidence is set; a part of it, and
    Mermaid, those that are shown elsewhere.

    \b
    Examples:
      hlg export --out graph.jsonl
      hlg export --format graphml --out graph.graphml
      hlg export --format cypher | less
      hlg export --format mermaid --query "Who built the lighthouse?"
      hlg export --format graphml --entity "Lotte Wiek" --out lotte.graphml
      cmp <(hlg export) <(hlg export --store neo4j://localhost:7687)

    :param NAME format_ --format -f: jsonl, graphml, cypher or mermaid.
    :param FILE out --out -o: Write FILE; - is standard output.
    :param vectors: With embeddings: base64 of little-endian float32.
    :param TEXT query: Only the evidence for a question.
    """
    from hlg.asking.part import Part
    from hlg.export import export_graph
    from hlg.whole_file import write_whole

    part = Part(query, entity, community, source)
    is_whole = part == Part()
    if not is_whole:
        part.check()
    with opened(settings) as graph:
        exported: GraphStore | Subgraph = graph.store
        if not is_whole:
            exported = part.of(graph).subgraph
            if exported.left_out:
                counts = ", ".join(f"{n} {label}" for label, n in exported.left_out.items())
                say(f"note: too large to be exported whole; left out: {counts}")
        is_set = "min_confidence" in settings.model_fields_set or format_ == "mermaid"
        least = settings.min_confidence if is_set else 0.0
        pieces = export_graph(exported, format_, vectors=vectors, min_confidence=least)
        if out == STDOUT:
            for piece in pieces:
                write_stdout(piece)
        else:
            size = write_whole(out, pieces)
            say(f"wrote {one_line(str(out))} ({size / 1e6:.1f} MB)")


def view(
    settings: ShownSearchSettings,
    query: str | None = None,
    out: Path = Path("evidence.html"),
    entity: str | None = None,
    community: str | None = None,
    source: str | None = None,
    statements: Annotated[int | None, typer.Option(min=0)] = None,
    options: RetrieverOptions = None,
) -> None:
    """Draw the evidence for a question, or what lies around one node.

    An .html file is a page to explore, whole in itself: it needs no server and no network.
    Press a box for its text and its place in the source; hide tiers in the legend; search.
    For .svg and .png Matplotlib is needed, the extra "report".

    \b
    Examples:
      hlg view "Who taught the inventor of the tide organ?"
      hlg view "Who taught the inventor of the tide organ?" -k 4 --out evidence.svg
      hlg view --entity "Lotte Wiek" --out lotte.html
      hlg view --source petrel.md --out petrel.png
      hlg view --community 1f0c… --out community.html

    :param FILE out: The picture: .html, .svg or .png.
    :param N statements: Statements shown, at most [default: 24; of a community none].
    """
    from hlg.asking.part import Part
    from hlg.asking.search import SearchOptions
    from hlg.pictures import check_name, what_is_shown, write_picture

    part = Part(query, entity, community, source)
    check_name(out)
    part.check()
    with opened(settings) as graph:
        how = SearchOptions(options=retriever_options(options))
        found = part.of(graph, part.drawn(statements), how)
    picture = write_picture(found.subgraph, out, found.title, found.ranks)
    print_line(f"wrote {one_line(str(out))}: {what_is_shown(picture)}")
    if out.suffix == ".html":
        print_line("next: open it in a web browser")
