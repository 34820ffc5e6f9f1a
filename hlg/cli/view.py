"""``hlg view``: the evidence for a question, or what lies around a node, as a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.console import one_line, print_line
from hlg.cli.options import (
    GraphOption,
    RetrieverOption,
    RetrieverOptions,
    ShownQuestionArgument,
    StoreOption,
    TopKOption,
    retriever_options,
)
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph
    from hlg.subgraph import Subgraph, SubgraphLimits

app = typer.Typer(rich_markup_mode=None, add_completion=False)
_STATEMENTS = 24
_FACTS_A_STATEMENT = 5
_ENTITIES_A_STATEMENT = 5
"""A picture of N statements has room for so many more."""
_MEMBERS = 60
"""Entities of a community, which are drawn as a network."""


@app.command()
def view(
    query: ShownQuestionArgument = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="The picture: .html, .svg or .png.")
    ] = Path("evidence.html"),
    entity: Annotated[
        str | None,
        typer.Option(
            "--entity",
            metavar="NAME",
            help="Show what is said about an entity, by name or alias.",
            show_default=False,
        ),
    ] = None,
    community: Annotated[
        str | None,
        typer.Option(
            "--community", metavar="ID", help="Show a community's entities.", show_default=False
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source", metavar="ID|URI", help="Show a document's graph.", show_default=False
        ),
    ] = None,
    statements: Annotated[
        int | None,
        typer.Option(
            "--statements",
            min=0,
            metavar="N",
            help="Statements shown, at most [default: 24; of a community none].",
            show_default=False,
        ),
    ] = None,
    store: StoreOption = None,
    graph: GraphOption = None,
    retriever: RetrieverOption = None,
    top_k: TopKOption = None,
    option: RetrieverOptions = None,
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
    """
    from hlg.graph import LexicalGraph
    from hlg.settings import load_settings
    from hlg.subgraph import SubgraphLimits
    from hlg.view import check_name, what_is_shown, write_picture

    check_name(out)
    check_part(query, entity, community, source)
    if statements is None:
        statements = 0 if community is not None else _STATEMENTS
    limits = SubgraphLimits(
        statements,
        _FACTS_A_STATEMENT * statements,
        _ENTITIES_A_STATEMENT * statements or _MEMBERS,
    )
    settings = load_settings(store=store, graph=graph, retriever=retriever, top_k=top_k)
    with LexicalGraph.open(settings=settings, read_only=True) as opened:
        title, found, ranks = part_of_graph(
            opened,
            limits,
            query=query,
            entity=entity,
            community=community,
            source=source,
            options=retriever_options(option or ()),
        )
    picture = write_picture(found, out, title, ranks)
    print_line(f"wrote {one_line(str(out))}: {what_is_shown(picture)}")
    if out.suffix == ".html":
        print_line("next: open it in a web browser")


def check_part(*wanted: str | None) -> None:
    """See that one part of the graph is asked for.

    :raises UsageError: none is, or several are.
    """
    if sum(each is not None for each in wanted) != 1:
        raise UsageError(
            "say what to show: a question, or one of --entity, --community and --source",
            option="query",
        )


def part_of_graph(
    opened: "LexicalGraph",
    limits: "SubgraphLimits",
    *,
    query: str | None = None,
    entity: str | None = None,
    community: str | None = None,
    source: str | None = None,
    options: dict[str, object],
) -> "tuple[str, Subgraph, dict[str, int]]":
    """The one part of the graph that is asked for: its title, what it is, and hits' ranks.

    :raises UsageError: there is no such part.
    """
    if query is not None:
        found, ranks = evidence_of(opened, query, options, limits)
        return query, found, ranks
    if entity is not None:
        return entity, _around_entity(opened, entity, limits), {}
    if community is not None:
        found = _around(opened, "Community", [community], limits)
        return str(found.nodes_of("Community")[0].properties["title"]), found, {}
    assert source is not None
    found = _around_source(opened, source, limits)
    return str(found.nodes_of("Source")[0].properties["title"] or source), found, {}


def evidence_of(
    opened: "LexicalGraph",
    question: str,
    options: dict[str, object],
    limits: "SubgraphLimits",
) -> "tuple[Subgraph, dict[str, int]]":
    """What a search for a question found, and the rank of each hit by its id.

    Where the retriever can give statements, it is asked for those and not for chunks.

    :raises UsageError: nothing was found, or as :meth:`hlg.graph.LexicalGraph.search`.
    """
    from hlg.retrieval.registry import RETRIEVERS

    name = opened.settings.retriever
    if name in RETRIEVERS and hasattr(RETRIEVERS[name].options_type(), "form"):
        options = {"form": "statements"} | options
    result = opened.search(question, options=options)
    if not result.hits:
        raise UsageError(
            f"nothing found by {result.retriever}; hlg status shows what there is", option="query"
        )
    return opened.evidence(result.hits, limits), {hit.passage.id: hit.rank for hit in result.hits}


def _around_entity(opened: "LexicalGraph", name: str, limits: "SubgraphLimits") -> "Subgraph":
    from hlg.names import normalize_name

    named = opened.store.entities_named([normalize_name(name)])
    if not named:
        raise UsageError(
            f"no entity is named {name!r}; look for it with: hlg query --retriever keywords",
            option="entity",
        )
    return _around(opened, "Entity", [entity.id for entity in named], limits)


def _around_source(opened: "LexicalGraph", source: str, limits: "SubgraphLimits") -> "Subgraph":
    from hlg.ids import source_id

    return _around(opened, "Source", [source, source_id(source)], limits)


def _around(
    opened: "LexicalGraph", label: str, ids: Sequence[str], limits: "SubgraphLimits"
) -> "Subgraph":
    found = opened.store.around(label, ids, limits)
    if not found.nodes:
        lists = {"Source": "hlg sources lists them", "Community": "hlg communities list shows them"}
        raise UsageError(
            f"there is no {label.lower()} {ids[0]!r}; {lists.get(label, '')}", option=label.lower()
        )
    return found
