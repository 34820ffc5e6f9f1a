"""Real Neo4j servers for the tests: the one that the environment names, else our own."""

import os
import random
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import neo4j
import psutil
import pytest

from hlg.errors import StoreError
from hlg.neo4j_server import server
from hlg.neo4j_server.jars import DEFAULT_VERSION, find_java
from hlg.store.neo4j.store import Neo4jStore

NEXT_VERSION = "2026.09.0"
GIVEN = "given"
OWNER = "owner"
"""File beside a home with the number of the process that tests with it."""


@dataclass(frozen=True)
class Neo4jServer:
    """A server that tests may do anything to."""

    uri: str
    user: str
    password: str
    version: str
    home: Path | None = None
    """Where it runs from; None for a server that is not ours to stop."""

    def own_home(self) -> Path:
        """Where it runs from; the test fails where the server is not ours to stop."""
        assert self.home is not None, "only a server that the tests start: unset its address"
        return self.home

    def store(self, graph: str = "") -> Neo4jStore:
        """A new connection to a graph."""
        return Neo4jStore(self.uri, graph, user=self.user, password=self.password)

    def driver(self) -> neo4j.Driver:
        """The bare driver, to look behind hlg's back."""
        return neo4j.GraphDatabase.driver(
            self.uri, auth=(self.user, self.password), notifications_min_severity="OFF"
        )

    def empty(self) -> None:
        """Delete all nodes of all graphs."""
        with self.driver() as driver:
            driver.execute_query("MATCH (n) DETACH DELETE n")


def versions() -> list[str]:
    """The versions that tests run on: both where a Java for the newer one is here."""
    if os.environ.get("HLG_TEST_NEO4J_URI"):
        return [GIVEN]
    try:
        find_java(NEXT_VERSION)
    except StoreError:
        return [DEFAULT_VERSION]
    return [DEFAULT_VERSION, NEXT_VERSION]


def server_of(nodeid: str) -> str:
    """The version of Neo4j that a test names among its parameters; empty where it names none."""
    parameters = nodeid.partition("[")[2]
    found = (x for x in versions() if f"{x}]" in parameters or f"{x}-" in parameters)
    return next(found, "")


def free_port() -> int:
    """A port of this machine that nothing listens on, nor on the next one; below those that the
    system gives to connections, which would take it in between."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as one, socket.socket() as next_one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            next_one.bind(("127.0.0.1", port + 1))
            return port


class Neo4jServers:
    """Starts a server when a test first asks for its version."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[str, Neo4jServer] = {}

    def __getitem__(self, version: str) -> Neo4jServer:
        if version not in self._running:
            self._running[version] = _given() if version == GIVEN else self._start(version)
        return self._running[version]

    def stop(self) -> None:
        for running in self._running.values():
            if running.home:
                server.stop(running.home, deadline=2)

    def _start(self, version: str) -> Neo4jServer:
        home = self._folder / version / "home"
        home.parent.mkdir()
        (home.parent / OWNER).write_text(str(os.getpid()))
        info = server.start(home, bolt_port=free_port(), http_port=free_port(), version=version)
        return Neo4jServer(info.bolt, info.user, info.password(), version, home)


def stop_left_over(run: Path) -> None:
    """Stop servers of test runs before this one that were killed before they could.

    A run's servers are in its folder, or in those of its workers (pytest-xdist).
    """
    for folder in run.parent.glob("pytest-*"):
        for pattern in (f"neo4j*/*/{OWNER}", f"popen-*/neo4j*/*/{OWNER}") if folder != run else ():
            for owner in folder.glob(pattern):
                if not psutil.pid_exists(int(owner.read_text())):
                    with suppress(StoreError):  # another run is stopping it
                        server.stop(owner.parent / "home", deadline=2)


def _given() -> Neo4jServer:
    return Neo4jServer(
        os.environ["HLG_TEST_NEO4J_URI"],
        os.environ.get("HLG_TEST_NEO4J_USER", "neo4j"),
        os.environ.get("HLG_TEST_NEO4J_PASSWORD", ""),
        GIVEN,
    )


@pytest.fixture(scope="session")
def neo4j_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jServers]:
    """Running Neo4j servers by version, each worker's own; without one, the test fails."""
    worker = tmp_path_factory.getbasetemp()
    stop_left_over(worker.parent if "PYTEST_XDIST_WORKER" in os.environ else worker)
    servers = Neo4jServers(tmp_path_factory.mktemp("neo4j homes"))
    yield servers
    servers.stop()


@pytest.fixture(params=[pytest.param(version, marks=pytest.mark.neo4j) for version in versions()])
def neo4j_server(request: pytest.FixtureRequest, neo4j_servers: Neo4jServers) -> Neo4jServer:
    """A running Neo4j of each version."""
    return neo4j_servers[request.param]


@pytest.fixture(scope="session", params=versions()[:1])
def neo4j_reference(request: pytest.FixtureRequest, neo4j_servers: Neo4jServers) -> Neo4jServer:
    """A running Neo4j of the version that most of its users have."""
    return neo4j_servers[request.param]
