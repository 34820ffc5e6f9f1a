"""``hlg browse``: the graph in Neo4j Browser, styled, with a guide and the evidence."""

import time
import webbrowser
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.command import opened
from hlg.cli.console import one_line, print_line, say
from hlg.cli.options import RetrieverOptions, SearchSettings, retriever_options
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.browser.link import BrowserPlace
    from hlg.graph import LexicalGraph


def browse(
    settings: SearchSettings,
    query: str | None = None,
    print_: bool = False,
    port: Annotated[int | None, typer.Option(min=1, max=65_535)] = None,
    options: RetrieverOptions = None,
) -> None:
    """Open the graph in Neo4j Browser, with a colour a tier and a guide beside it.

    For a question, the editor holds the Cypher that shows the evidence: the statements
    that were found with their entities, facts, topics, chunks and sources. Press its
    arrow, or Ctrl+Enter. Style and guide are served on this machine until Ctrl-C; a server
    that hlg neo4j start runs loads them by itself, for others the commands are printed.

    \b
    Examples:
      hlg browse --store neo4j://localhost:7687
      hlg browse "Who taught the inventor of the tide organ?" -k 4
      hlg browse "Who taught the inventor of the tide organ?" --print

    :param print_ --print: Only print the link; serve and open nothing.
    :param PORT port: Port of style and guide [default: the one that the server's Browser asks].
    """
    from hlg.browser.link import browser_link, evidence_statement, place_of
    from hlg.store.neo4j.store import Neo4jStore

    statement = ""
    with opened(settings) as graph:
        if not isinstance(graph.store, Neo4jStore):
            raise UsageError(
                f"the graph in {graph.store.address} is in no Neo4j: hlg view draws it, "
                "hlg copy --to neo4j://localhost:7687 brings it into one",
                option="store",
            )
        place = place_of(graph.store.address, settings.neo4j_user, graph.store.browser_settings())
        if query is not None:
            ids = _statements(graph, query, retriever_options(options))
            statement = evidence_statement(ids, settings.graph, settings.min_confidence)
    link = browser_link(place, statement)
    if print_:
        print_line(link)
    else:
        _show(link, place, port or place.port, settings.graph)


def _statements(graph: "LexicalGraph", question: str, options: dict[str, object]) -> list[str]:
    from hlg.asking.part import evidence_of
    from hlg.asking.search import SearchOptions

    found = evidence_of(graph, question, how=SearchOptions(options=options)).subgraph
    if left_out := found.left_out.get("Statement"):
        say(f"{left_out} statements more are left out; --top-k bounds what is found")
    return [node.id for node in found.nodes_of("Statement")]


def _show(link: str, place: "BrowserPlace", port: int, graph: str) -> None:
    """Serve style and guide, open the link, and wait for Ctrl-C."""
    from hlg.browser.serve import address_of, served

    with served(port, graph):
        print_line(link)
        if not place.styled or port != place.port:
            say("run these in the Browser, one after the other:")
            say(f"  :style {address_of(port, 'style.grass')}")
            say(f"  :guide {address_of(port, 'guide.md')}")
        say(f"favourites to import: {address_of(port, 'favourites.zip')}")
        if not webbrowser.open(link):
            say("no web browser can be opened here: open the link yourself")
        say(f"serving style and guide on port {port}; Ctrl-C ends it")
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            say(f"{one_line(place.browser)} stays; style and guide are served no more")
