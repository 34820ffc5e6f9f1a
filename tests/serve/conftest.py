"""The demo's graph, built once, and what serves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hlg.demo import TEXTS
from hlg.graph import LexicalGraph
from hlg.serve.app import application
from hlg.serve.service import opened
from hlg.serving.listening import running
from hlg.settings import Settings

HERE = "http://127.0.0.1"


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's graph in a file, with its communities."""
    path = tmp_path_factory.mktemp("town") / "graph.lbug"
    with pytest.MonkeyPatch.context() as patch, LexicalGraph.open(path) as graph:
        patch.chdir(TEXTS)
        graph.build(["."])
        graph.build_communities()
    return path


@pytest.fixture(scope="module")
def client(town: Path) -> Iterator[TestClient]:
    """Asks the application, in this process."""
    settings = Settings(store=str(town))
    with TestClient(application(lambda: opened(settings, None)), base_url=HERE) as client:
        yield client


@pytest.fixture(scope="module")
def address(town: Path) -> Iterator[str]:
    """Where the application is served on a port of this machine."""
    settings = Settings(store=str(town))
    with running(application(lambda: opened(settings, None)), "127.0.0.1", 0) as address:
        yield address
