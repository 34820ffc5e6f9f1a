"""Stores of a test: where they are, all that they hold, and nothing."""

import json
from dataclasses import dataclass, field

import pytest

from hlg.schema import EDGES, NODES
from hlg.settings import Settings
from hlg.store import GraphStore, open_store
from support.graphs import DIMENSIONS, EMBEDDER

GRAPHS = ("contract", "contract_b")
"""Two named graphs, emptied before each test that opens them."""
WRITTEN = "written"
"""One that ``hlg serve`` builds."""
KEPT = "kept"
"""One that a module writes once and then reads."""
EMBEDDED = "embedded"
"""One with vectors of the default embedder. Few names: a server plans anew for each."""


ON_FILE, KEPT_ON_FILE = (
    pytest.mark.parametrize(fixture, ["ladybug"], indirect=True)
    for fixture in ("place", "kept_place")
)
"""For tests of what is the same above every store: they take the embedded one alone."""


@dataclass
class StorePlace:
    """Where stores of a test are; :meth:`open` opens an empty one that is set up."""

    address: str
    user: str = "neo4j"
    password: str = ""
    opened: list[GraphStore] = field(default_factory=list)

    @property
    def is_server(self) -> bool:
        """Whether it is a server, and not a file."""
        return "://" in self.address

    def open(self, graph: str = GRAPHS[0]) -> GraphStore:
        """Open a graph and empty it."""
        store = self.connect(graph)
        store.set_up(EMBEDDER, DIMENSIONS)
        wipe(store)
        return store

    def connect(self, graph: str = GRAPHS[0]) -> GraphStore:
        """Open a graph as it is."""
        store = open_store(self.address, graph, user=self.user, password=self.password)
        self.opened.append(store)
        return store


def settings_of(place: StorePlace, file: str, graph: str) -> Settings:
    """What opens a graph of a name on a server, or a file."""
    if not place.is_server:
        return Settings(store=file)
    return Settings(
        store=place.address, graph=graph, neo4j_user=place.user, neo4j_password=place.password
    )


def wipe(store: GraphStore) -> None:
    """Delete every source, and with them everything, if there is a graph."""
    if store.info() is not None:
        store.delete([source.id for source in store.sources()])


def state(store: GraphStore) -> str:
    """All that a store holds, as text."""
    nodes = {
        label: [row for batch in store.nodes(label, with_embeddings=True) for row in batch]
        for label in NODES
        if label != "Graph"
    }
    edges = {
        f"{edge.type} {ends}": [row for batch in store.edges(edge.type, ends) for row in batch]
        for edge in EDGES.values()
        for ends in edge.ends
    }
    return json.dumps([nodes, edges], default=lambda vector: vector.tolist(), sort_keys=True)
