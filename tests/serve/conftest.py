"""The demo's graph, built once, in a file and on a real Neo4j, and what serves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hlg.graph import LexicalGraph
from hlg.serve.app import application
from hlg.serve.service import opened
from hlg.serving.listening import running
from hlg.settings import Settings
from hlg.store.transfer import copy_graph
from support.stores import EMBEDDED, StorePlace, settings_of, wipe

HERE = "http://127.0.0.1"


@pytest.fixture(scope="session")
def town(demo_file: Path) -> Path:
    return demo_file


@pytest.fixture(scope="module")
def served(kept_place: StorePlace, town: Path) -> Settings:
    """What opens the town on each kind of store."""
    settings = settings_of(kept_place, str(town), EMBEDDED)
    if kept_place.is_server:
        with LexicalGraph.open(town, read_only=True) as graph:
            copied = kept_place.connect(EMBEDDED)
            wipe(copied)
            copy_graph(graph.store, copied)
    return settings


@pytest.fixture(scope="module")
def client(served: Settings) -> Iterator[TestClient]:
    """Asks the application, in this process."""
    with TestClient(application(lambda: opened(served, None)), base_url=HERE) as client:
        yield client


@pytest.fixture(scope="module")
def address(served: Settings) -> Iterator[str]:
    """Where the application is served on a port of this machine."""
    with running(application(lambda: opened(served, None)), "127.0.0.1", 0) as address:
        yield address
