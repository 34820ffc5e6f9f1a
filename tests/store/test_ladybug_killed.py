"""A process that is killed before one of its writes leaves the graph whole, and no drafts."""

import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlg import LexicalGraph
from hlg.errors import StoreMissing
from hlg.ids import source_id
from hlg.records import Community, SameAs, SourceGraph
from hlg.retrieval.arrays.source import SnapshotSource, snapshot_folder
from hlg.store import GraphStore, open_store
from hlg.store.ladybug.database import Session
from support.graphs import DIMENSIONS, EMBEDDER, source_graph
from support.stores import state

CALLS_A_STEP = 29
"""A prime, so that kills fall before every kind of call."""


def graph_of(uri: str) -> SourceGraph:
    founded = ("Ada Thorne", "founded", "Helix")
    texts = [(f"Statement {i} of {uri}.", [founded, (uri, "owes", f"={i}")]) for i in range(12)]
    graph = source_graph(uri, texts)
    # Its own is another in every process.
    return replace(graph, source=replace(graph.source, text_hash=uri))


def steps(store: GraphStore) -> list[Callable[[], Any]]:
    """What a small build does to a store, a transaction or a folder each."""
    one, other = graph_of("one"), graph_of("other")
    entities = sorted(x.id for x in one.entities)
    community = Community("c" * 32, 0, "all", "All of it.", None, len(entities), tuple(entities))
    return [
        lambda: store.set_up(EMBEDDER, DIMENSIONS),
        lambda: store.write([one]),
        lambda: store.write([other]),
        lambda: store.write_merges([SameAs(entities[0], entities[1], 1.0)]),
        lambda: store.write_communities([community], None),
        lambda: store.text_search("Statement", "statement 7", 3),
        lambda: store.entities_named(["helix"]),
        lambda: SnapshotSource(store, snapshot_folder(store.address), 64).refresh(),
        lambda: store.delete([source_id("one")]),
        lambda: SnapshotSource(store, snapshot_folder(store.address), 64).refresh(),
    ]


def build(path: str, _: int = 0) -> None:
    store = open_store(path)
    for step in steps(store):
        step()
    store.close()


def build_until(path: str, call: int) -> None:
    """Build, and kill this process before the call of this number that writes or may write."""
    calls = itertools.count()

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            if next(calls) == call:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **options)

        return wrapper

    for owner, name in ((Session, "execute"), (np, "save"), (Path, "rename")):
        setattr(owner, name, counted(getattr(owner, name)))
    build(path)


def serve() -> None:
    """Build in a child process for each line of stdin (way, path, number); say how it ended."""
    for line in sys.stdin:
        way, path, number = line.split()
        child = os.fork()
        if not child:
            {"build": build, "build_until": build_until}[way](path, int(number))
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


class Builder:
    """Builds in processes of their own, which start at once: one that has all modules forks."""

    def __init__(self) -> None:
        folders = os.pathsep.join(map(str, Path(__file__).parents[:2]))
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": folders},
        )

    def is_killed(self, way: str, path: Path, number: int = 0) -> bool:
        """Whether the build did not come to its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(way, path, number, file=self._process.stdin, flush=True)
        ended = int(self._process.stdout.readline())
        assert ended in (0, -signal.SIGKILL)
        return ended != 0

    def close(self) -> None:
        self._process.communicate("")


@pytest.fixture(scope="module")
def builder() -> Iterator[Builder]:
    builder = Builder()
    yield builder
    builder.close()


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What a store holds after each of its steps."""
    store = open_store(str(tmp_path_factory.mktemp("whole") / "graph.lbug"))
    found = []
    for step in steps(store):
        step()
        found.append(state(store))
    store.close()
    return found


@contextmanager
def opened(path: Path) -> Iterator[GraphStore]:
    with LexicalGraph.open(path) as graph:
        yield graph.store


def assert_whole(path: Path, states: list[str]) -> None:
    """The graph is as after some step, and what the killed process left is swept."""
    with opened(path) as store:
        try:
            revision = store.require().revision
            assert state(store) in states
        except StoreMissing:
            revision = ""
        cache = path.with_name(f"{path.name}.cache")
        assert {x.name for x in cache.glob("*")} <= {revision}
        assert not [*path.parent.rglob("draft-*")]
        assert len([x for x in snapshot_folder(store.address).glob("*") if x.is_dir()]) <= 1


@pytest.mark.slow
def test_a_kill_at_any_write_leaves_a_whole_graph_that_can_go_on(
    builder: Builder, tmp_path: Path, states: list[str]
) -> None:
    kills = 0
    for number in itertools.count(0, CALLS_A_STEP):
        path = tmp_path / str(number) / "graph.lbug"
        if not builder.is_killed("build_until", path, number):
            break
        kills += 1
        assert_whole(path, states)
        if kills % 5 == 0:
            assert not builder.is_killed("build", path)
            with opened(path) as store:
                assert state(store) == states[-1]
    assert kills > 5


if __name__ == "__main__":
    serve()
