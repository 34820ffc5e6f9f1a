"""A build that is killed anywhere and run again ends with the graph of one that was not."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from hlg.neo4j_server import server as neo4j_server
from support.neo4j_fixture import GIVEN, Neo4jServer, versions
from support.texts import write_corpus

Env: TypeAlias = dict[str, str]
NEO4J = versions()[0]
KILLS = 4
DOCUMENTS = 20
# Small transactions, so that a kill falls between, before and into many of them.
SMALL_WRITES = (
    "import sys, hlg.ingest.build as build; build.STATEMENTS_A_WRITE = 40; "
    "from hlg.cli.main import run; run()"
)


def hlg(*arguments: str, env: Env) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SMALL_WRITES, *arguments],
        env=os.environ | {"HLG_WORKERS": "1"} | env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


def timed_build(corpus: Path, env: Env) -> float:
    started = time.perf_counter()
    finish(hlg("build", str(corpus), env=env))
    return time.perf_counter() - started


def kill_builds(corpus: Path, env: Env, start_up: float, work: float) -> int:
    """Kill builds with SIGKILL at random moments; how many of them were still at work.

    Each gets about a ``KILLS``-th of the whole work done before it is killed.
    """
    rng = random.Random(7)
    killed = 0
    for _ in range(KILLS):
        process = hlg("build", str(corpus), env=env)
        time.sleep(start_up + rng.uniform(0, 1.5 * work / KILLS))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            killed += 1
        process.communicate()
    return killed


def places(kind: str, folder: Path, request: pytest.FixtureRequest) -> Callable[[str], Env]:
    """The environment under which ``hlg`` works on a graph of that name, in a store of a kind."""
    if kind == "ladybug":
        return lambda name: {"HLG_STORE": str(folder / f"{name}.lbug")}
    server: Neo4jServer = request.getfixturevalue("neo4j_servers")[kind]
    login = {"HLG_NEO4J_USER": server.user, "HLG_NEO4J_PASSWORD": server.password}
    return lambda name: login | {"HLG_STORE": server.uri, "HLG_GRAPH": f"built_{name}"}


def export(env: Env) -> str:
    return finish(hlg("export", "--vectors", env=env))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ladybug", pytest.param(NEO4J, marks=pytest.mark.neo4j)])
def test_a_killed_build_resumes_to_the_same_graph(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    corpus = write_corpus(tmp_path / "corpus.jsonl", DOCUMENTS)
    store = places(kind, tmp_path, request)

    whole = timed_build(corpus, store("whole"))
    start_up = timed_build(corpus, store("whole"))
    killed = kill_builds(corpus, store("killed"), start_up, whole - start_up)
    finish(hlg("build", str(corpus), env=store("killed")))

    assert killed >= KILLS // 2
    assert export(store("killed")) == export(store("whole"))


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.parametrize("version", [version for version in versions()[:1] if version != GIVEN])
def test_a_build_outlasts_a_restart_of_its_server(
    version: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    corpus = write_corpus(tmp_path / "corpus.jsonl", DOCUMENTS)
    store = places(version, tmp_path, request)
    server: Neo4jServer = request.getfixturevalue("neo4j_servers")[version]
    assert server.home is not None
    finish(hlg("build", str(corpus), env=store("calm")))

    build = hlg("build", str(corpus), env=store("restarted"))
    assert build.stderr is not None
    build.stderr.readline()  # the first sources are in
    neo4j_server.stop(server.home)
    neo4j_server.start(server.home)

    finish(build)
    assert export(store("restarted")) == export(store("calm"))
