"""A build that is killed anywhere and run again ends with the graph of one that was not."""

import random
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support.command_line import hlg, ran
from support.neo4j_fixture import Neo4jServer, versions
from support.relay import relayed
from support.stores import EMBEDDED, wipe
from support.texts import write_corpus

NEO4J = versions()[0]
DOCUMENTS = 12
NEVER = -1
# Small transactions, so that a kill falls between, before and into many of them: the process
# ends so many seconds after it began one of a number, and begins no other, however fast it is.
# One that is not to be killed says when it begins the second, and waits a little.
SMALL_WRITES = """
import itertools, os, signal, sys, threading, time
import hlg.ingest.build as build
from hlg.cli.main import run
from hlg.store.base import GraphStore

number, seconds = int(sys.argv.pop(1)), float(sys.argv.pop(1))
build.STATEMENTS_A_WRITE = 10
begun, write = itertools.count(), GraphStore.write

def watched(store, graphs):
    at = next(begun)
    if at == number:
        threading.Timer(seconds, os.killpg, (os.getpid(), signal.SIGKILL)).start()
    elif number < 0 and at == 1:
        print("writing", file=sys.stderr, flush=True)
        time.sleep(1)
    write(store, graphs)
    if at == number:
        time.sleep(60)

GraphStore.write = watched
run()
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus") / "corpus.jsonl", DOCUMENTS)


@pytest.fixture(autouse=True)
def one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLG_WORKERS", "1")
    monkeypatch.setattr("hlg.ingest.build.STATEMENTS_A_WRITE", 10)


class Place:
    """A store of a kind, with one graph."""

    def __init__(self, folder: Path, server: Neo4jServer | None) -> None:
        self.folder, self.server = folder, server

    def graph(self) -> list[str]:
        if self.server is None:
            return ["--store", str(self.folder / "graph.lbug")]
        return ["--store", self.server.uri, "--graph", EMBEDDED]

    def start(self, corpus: Path, number: int, seconds: float = 0) -> subprocess.Popen[str]:
        """A build in a process that kills itself."""
        arguments = [str(number), str(seconds), "build", str(corpus), *self.graph()]
        return subprocess.Popen(
            [sys.executable, "-c", SMALL_WRITES, *arguments],
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def built(self, corpus: Path) -> str:
        """The graph as it is exported once a build has run to its end."""
        ran("build", str(corpus), *self.graph())
        return hlg("export", "--vectors", *self.graph()).stdout


@pytest.fixture(scope="module")
def whole(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a build exports that nothing interrupts, whatever store it is in."""
    return Place(tmp_path_factory.mktemp("whole"), None).built(corpus)


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    kind: str = request.param
    if kind == "ladybug":
        return Place(tmp_path, None)
    server: Neo4jServer = request.getfixturevalue("neo4j_servers")[kind]
    monkeypatch.setenv("HLG_NEO4J_USER", server.user)
    monkeypatch.setenv("HLG_NEO4J_PASSWORD", server.password)
    with closing(server.store(EMBEDDED)) as store:
        wipe(store)
    return Place(tmp_path, server)


@pytest.mark.slow
@pytest.mark.parametrize(
    "place", ["ladybug", pytest.param(NEO4J, marks=pytest.mark.neo4j)], indirect=True
)
def test_a_killed_build_resumes_to_the_same_graph(place: Place, corpus: Path, whole: str) -> None:
    rng = random.Random(7)
    # What a server does with a transaction that is cut off is its own affair.
    for number in (1,) if place.server else (0, 2):
        process = place.start(corpus, number, rng.uniform(0, 0.2))
        # What reads files for it may outlive it, with its standard error.
        assert process.wait(timeout=120) == -signal.SIGKILL
    assert place.built(corpus) == whole


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.parametrize("place", [NEO4J], indirect=True)
def test_a_build_outlasts_an_absence_of_its_server(place: Place, corpus: Path, whole: str) -> None:
    assert place.server is not None
    real = urlsplit(place.server.uri)
    with relayed(real.hostname or "", real.port or 0) as relay:
        server = replace(place.server, uri=f"bolt://127.0.0.1:{relay.port}")
        build = Place(place.folder, server).start(corpus, NEVER)
        assert build.stderr is not None
        assert "writing\n" in iter(build.stderr.readline, "")
        relay.cut()
        time.sleep(3)
        assert build.poll() is None
        relay.join()
        _, said = build.communicate(timeout=120)
    assert build.returncode == 0, said
    assert place.built(corpus) == whole
