"""Stores to test on: a Ladybug file, and a graph of its own on a real Neo4j."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import partial
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from hlg.demo import TEXTS
from hlg.graph import LexicalGraph
from hlg.store import GraphStore
from support.agents import TOWN, build_town
from support.neo4j_fixture import (
    NEXT_VERSION,
    neo4j_reference,
    neo4j_server,
    neo4j_servers,
    server_of,
    versions,
)
from support.stores import StorePlace

__all__ = ["neo4j_reference", "neo4j_server", "neo4j_servers"]

# A process that a test starts imports what another has compiled: half of its seconds.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Workers share the cores: a second thread of one's arithmetic spins for a core of another's,
# and costs seven times what it saves. What a worker starts inherits this.
for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

# No test asks a model hub: its client would try for a minute where there is no network.
os.environ["HF_HUB_OFFLINE"] = "1"

# The same examples in every run; HYPOTHESIS_PROFILE=default looks for new ones.
settings.register_profile("same", settings.get_profile("ci"), max_examples=40)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# Servers live for minutes: what the JVM's second compiler costs is never won back.
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

SEEN_BY_VERSIONS = tuple(
    f"tests/store/test_{name}.py"
    for name in ("merges", "neo4j_store", "store_contract", "store_search", "subgraph")
)

_NEO4J = [pytest.param(f"neo4j-{x}", marks=pytest.mark.neo4j) for x in versions()]


class ByServer(LoadScopeScheduling):  # type: ignore[misc]
    """Gives a worker all tests of a version of Neo4j, or a file's, as a whole.

    So each version starts once, and what a file builds is built once.
    """

    def _split_scope(self, nodeid: str) -> str:
        return server_of(nodeid) or nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByServer:
    """Let workers (pytest-xdist) share the tests by what they need."""
    return ByServer(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Take the longest first, and the newer Neo4j for the store's own tests alone.

    What is above the store's seam does not see a version, nor what is refused before it is sent.
    """
    items[:] = [
        item
        for item in items
        if server_of(item.nodeid) != NEXT_VERSION or item.nodeid.startswith(SEEN_BY_VERSIONS)
    ]
    items.sort(
        key=lambda item: (not server_of(item.nodeid), item.get_closest_marker("slow") is None)
    )


def _made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A worker's own copy of a folder that the first of them to want it fills."""
    run = factory.getbasetemp()
    run = run.parent if "PYTEST_XDIST_WORKER" in os.environ else run
    with FileLock(run / f"{name}.lock"):
        if not (run / name).exists():
            make(run / f"{name}.made")
            (run / f"{name}.made").rename(run / name)
    return Path(shutil.copytree(run / name, factory.mktemp(name), dirs_exist_ok=True))


@pytest.fixture(scope="session")
def demo_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's graph with its communities, where hlg looks for it, for tests that only read."""

    def make(folder: Path) -> None:
        with chdir(TEXTS), LexicalGraph.open(folder / ".hlg" / "graph.lbug") as graph:
            graph.build(["."])
            graph.build_communities()

    return _made_once(tmp_path_factory, "demo", make) / ".hlg" / "graph.lbug"


@pytest.fixture(scope="session")
def town_file(demo_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's graph with one long document and one that gives orders."""
    build = partial(build_town, demo_file)
    return _made_once(tmp_path_factory, "town", build) / TOWN


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=["ladybug", *_NEO4J])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StorePlace]:
    """Each kind of store, with nothing in it."""
    yield from _places(request, tmp_path)


@pytest.fixture(params=["ladybug", *_NEO4J], scope="module")
def kept_place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StorePlace]:
    """Each kind of store once a module, for tests that write it once and then only read."""
    yield from _places(request, tmp_path_factory.mktemp("kept"))


def _places(request: pytest.FixtureRequest, folder: Path) -> Iterator[StorePlace]:
    if request.param == "ladybug":
        place = StorePlace(str(folder / "graph.lbug"))
    else:
        servers = request.getfixturevalue("neo4j_servers")
        server = servers[request.param.removeprefix("neo4j-")]
        place = StorePlace(server.uri, server.user, server.password)
    yield place
    for store in place.opened:
        store.close()


@pytest.fixture
def store(place: StorePlace) -> GraphStore:
    """An empty store of each kind, set up."""
    return place.open()
