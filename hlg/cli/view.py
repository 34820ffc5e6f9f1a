"""``hlg view``: the evidence for a question, or what lies around a node, as a picture."""

from pathlib import Path
from typing import Annotated

from hlg.cli.command import opened, option
from hlg.cli.console import one_line, print_line
from hlg.cli.options import (
    CommunityOption,
    EntityOption,
    RetrieverOptions,
    ShownQuestionArgument,
    ShownSearchSettings,
    SourceOption,
    retriever_options,
)

_STATEMENTS = 24
_FACTS_A_STATEMENT = 5
_ENTITIES_A_STATEMENT = 5
"""A picture of N statements has room for so many more."""
_MEMBERS = 60
"""Entities of a community, which are drawn as a network."""


def view(
    settings: ShownSearchSettings,
    query: ShownQuestionArgument = None,
    out: Annotated[Path, option("FILE", "The picture: .html, .svg or .png.")] = Path(
        "evidence.html"
    ),
    entity: EntityOption = None,
    community: CommunityOption = None,
    source: SourceOption = None,
    statements: Annotated[
        int | None,
        option("N", "Statements shown, at most [default: 24; of a community none].", min=0),
    ] = None,
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
    """
    from hlg.asking.part import Part
    from hlg.pictures import check_name, what_is_shown, write_picture
    from hlg.subgraph import SubgraphLimits

    part = Part(query, entity, community, source)
    check_name(out)
    part.check()
    if statements is None:
        statements = 0 if community is not None else _STATEMENTS
    limits = SubgraphLimits(
        statements, _FACTS_A_STATEMENT * statements, _ENTITIES_A_STATEMENT * statements or _MEMBERS
    )
    with opened(settings) as graph:
        found = part.of(graph, limits, retriever_options(options))
    picture = write_picture(found.subgraph, out, found.title, found.ranks)
    print_line(f"wrote {one_line(str(out))}: {what_is_shown(picture)}")
    if out.suffix == ".html":
        print_line("next: open it in a web browser")
