"""A build that is killed anywhere and run again ends with the graph of one that was not."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from neo4j_fixture import Neo4jServer
from texts import write_corpus

KILLS = 10
# Small transactions, so that a kill falls between, before and into many of them.
SMALL_WRITES = (
    "import sys, hlg.ingest.build as build; build.STATEMENTS_A_WRITE = 40; "
    "from hlg.cli.main import run; run()"
)


def hlg(*arguments: str, env: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SMALL_WRITES, *arguments],
        env=os.environ | env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


def timed_build(corpus: Path, env: dict[str, str]) -> float:
    started = time.perf_counter()
    finish(hlg("build", str(corpus), env=env))
    return time.perf_counter() - started


def kill_builds(corpus: Path, env: dict[str, str], start_up: float, work: float) -> int:
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


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.parametrize("kind", ["ladybug", "neo4j"])
def test_a_killed_build_resumes_to_the_same_graph(
    kind: str, tmp_path: Path, neo4j_server: Neo4jServer
) -> None:
    corpus = write_corpus(tmp_path / "corpus.jsonl", 40)
    env = {"HLG_NEO4J_USER": neo4j_server.user, "HLG_NEO4J_PASSWORD": neo4j_server.password}

    def store(name: str) -> dict[str, str]:
        if kind == "ladybug":
            return env | {"HLG_STORE": str(tmp_path / f"{name}.lbug")}
        return env | {"HLG_STORE": neo4j_server.uri, "HLG_GRAPH": f"kill_{name}"}

    whole = timed_build(corpus, store("whole"))
    start_up = timed_build(corpus, store("whole"))
    killed = kill_builds(corpus, store("killed"), start_up, whole - start_up)
    finish(hlg("build", str(corpus), env=store("killed")))

    assert killed >= KILLS // 2
    export = ("export", "--vectors")
    assert finish(hlg(*export, env=store("killed"))) == finish(hlg(*export, env=store("whole")))
