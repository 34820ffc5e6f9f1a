"""Sources in which one shipyard comes under three ids, for resolution to find."""

from collections.abc import Sequence

from hlg.ids import entity_id
from hlg.records import SourceGraph
from support.graphs import Triple, source_graph
from support.worlds import embedded

Statements = Sequence[tuple[str, Sequence[Triple]]]


def source(name: str, entity_class: str, statements: Statements) -> SourceGraph:
    return embedded(source_graph(f"{name}.txt", statements, entity_class=entity_class))


def about(yard: str) -> Statements:
    """Statements about a shipyard, whatever it is called."""
    return [
        (f"{yard} built the ferry Petrel.", [(yard, "built", "Petrel")]),
        (f"{yard} launched the Petrel for Skerry Lines.", [(yard, "launched for", "Skerry Lines")]),
    ]


NEWS = source("news", "Organization", about("Marrow Yard"))
BLOG = source("blog", "Place", about("Marrow-Yard"))
ARCHIVE = source("archive", "Thing", about("Marrow Yard"))
OTHER = source("other", "Thing", [("Bees like heather.", [("Bees", "like", "heather")])])
NEWS_YARD, BLOG_YARD, ARCHIVE_YARD = (
    entity_id("Marrow Yard", "Organization"),
    entity_id("Marrow-Yard", "Place"),
    entity_id("Marrow Yard", "Thing"),
)
