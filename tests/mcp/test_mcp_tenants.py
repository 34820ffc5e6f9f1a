"""Two graphs on one Neo4j: an agent of one never has a word of the other."""

from pathlib import Path
from typing import Any

import pytest

from hlg import LexicalGraph
from hlg.settings import Settings
from support.graphs import source_graph
from support.mcp_client import Asking, connected, server_of
from support.neo4j_fixture import Neo4jServer
from support.stores import EMBEDDED, GRAPHS, StorePlace, wipe

TEXT = (
    "# The Petrel\n\nThe Petrel was built at Oake Yard. Henrike Oake started Oake Yard in 1888.\n"
)


@pytest.mark.neo4j
def test_a_graph_of_another_on_the_same_server_is_not_there(
    neo4j_reference: Neo4jServer, tmp_path: Path
) -> None:
    server = neo4j_reference
    place = StorePlace(server.uri, server.user, server.password)
    told = "Barnaby Quillfeather built the Petrel at Oake Yard."
    theirs = source_graph("theirs.md", [(told, [("Barnaby Quillfeather", "built", "the Petrel")])])
    place.open(GRAPHS[0]).write([theirs])
    access = {"neo4j_user": server.user, "neo4j_password": server.password, "graph": EMBEDDED}
    (tmp_path / "petrel.md").write_text(TEXT)
    with LexicalGraph.open(settings=Settings(store=server.uri, **access)) as graph:
        graph.store.set_up(graph.embedder.name, graph.embedder.dimensions)
        wipe(graph.store)
        graph.build(tmp_path / "petrel.md")
    with connected(server_of(server.uri, **access)) as client:
        assert "It holds 1 document, " in (client.client.instructions or "")
        given: tuple[tuple[str, dict[str, Any]], ...] = (
            ("search", {"query": "Who built the Petrel?", "detail": "full"}),
            ("facts", {"entity": "the Petrel"}),
            ("path", {"start": "the Petrel", "end": "Henrike Oake"}),
            ("sources", {}),
        )
        for tool, arguments in given:
            text = client.text(tool, **arguments)
            assert "petrel.md" in text
            assert "Quillfeather" not in text
        refused(client, theirs.source.id)
    for store in place.opened:
        store.close()


def refused(client: Asking, source: str) -> None:
    """What is the other's is not found, under any of its names."""
    for name in ("theirs.md", source, f"{source[:12]}:0-9"):
        for tool, more in (("fetch", {}), ("open", {}), ("find", {"patterns": ["built"]})):
            assert "no source" in client.refusal(tool, id=name, **more)
    assert "no entity" in client.refusal("facts", entity="Barnaby Quillfeather")
