"""Which graph the commands that take a data set ask, and that nothing is added to one's own."""

import shutil
from contextlib import chdir
from pathlib import Path

import pytest

from hlg.graph import LexicalGraph
from support.command_line import ran, refused
from support.datasets import write_dataset

ASKS = {
    "eval run": ("--retrievers", "bm25", "--out", "run.json"),
    "eval answers": ("--extractive", "--queries", "2"),
    "eval ablation": ("--questions", "4", "--out", "ablation"),
    "eval scenarios": ("--scenario", "1", "--questions", "2", "--out", "scenarios.json"),
    "tune threshold": ("--beta", "0.5"),
    "tune fusion": ("--out", "weights.json"),
    "tune ranker": ("--out", "ranker.txt"),
}
"""Commands that take a data set and a graph and need no language model, each with what keeps it
short."""


def sources(store: str) -> list[str]:
    with LexicalGraph.open(store, read_only=True) as graph:
        return sorted(each.uri for each in graph.sources())


@pytest.fixture(scope="module")
def world(shipyards: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with somebody's graph ``own.lbug``, a set ``made`` of it, and ``others`` of
    documents that it has not."""
    folder = tmp_path_factory.mktemp("world")
    shutil.copy(shipyards / ".hlg" / "eval" / "shipyards.lbug", folder / "own.lbug")
    texts = {f"d{at}": f"Mill {at} was built by Ada Thorne in {1800 + at}." for at in range(3)}
    with chdir(folder):
        ran("eval", "synthesize", "made", "--store", "own.lbug")
        write_dataset(
            Path("others"),
            corpus=[{"_id": id_, "title": id_, "text": text} for id_, text in texts.items()],
            queries=[
                {"_id": f"q{id_}", "text": text, "gold": [id_], "answer": "Ada Thorne"}
                for id_, text in texts.items()
            ],
        )
    return folder


@pytest.mark.parametrize("command", ASKS)
def test_a_set_is_asked_of_the_graph_that_it_was_made_of(
    command: str, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    before = sources("own.lbug")
    told = ran(*command.split(), "made", "--store", "own.lbug", *ASKS[command])
    assert "made was made of this graph, which is asked as it is" in told.stderr
    assert sources("own.lbug") == before
    assert not Path(".hlg/eval/made.lbug").exists()


@pytest.mark.parametrize("command", ASKS)
def test_nothing_is_added_to_a_graph_with_other_sources(
    command: str, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    before = sources("own.lbug")
    told = ran(*command.split(), "others", "--store", "own.lbug", *ASKS[command], code=2)
    assert told.stdout == ""
    assert told.stderr.splitlines()[-1] == (
        "hlg: own.lbug holds shipyards/corpus.jsonl#aldry, which is none of others's documents; "
        "nothing is added to such a graph: ask it as it is with --no-build, or leave out --store "
        "for one of their own"
    )
    assert sources("own.lbug") == before


@pytest.mark.parametrize("command", ASKS)
def test_without_building_the_graph_is_asked_as_it_is_whoever_writes_it(
    command: str, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    before = sources("own.lbug")
    with LexicalGraph.open("own.lbug"):
        ran(*command.split(), "made", "--store", "own.lbug", "--no-build", *ASKS[command])
    assert sources("own.lbug") == before
    told = ran(*command.split(), "made", "--no-build", *ASKS[command], code=3)
    missing = "hlg: no graph in .hlg/eval/made.lbug; hlg build makes one"
    assert told.stderr.splitlines()[-1] == missing


def test_a_graph_of_its_own_is_built_where_it_is_asked_for(
    world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    given = ("others", "--store", "new.lbug", "--retrievers", "bm25", "--out", "new.json")
    for _ in range(2):
        ran("eval", "run", *given, "--set", "workers=1")
        assert sources("new.lbug") == [f"others/corpus.jsonl#d{at}" for at in range(3)]


@pytest.mark.parametrize("command", ["tune fusion", "tune ranker"])
def test_several_sets_are_not_built_into_one_graph(
    command: str, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world)
    several = ("others", "made", "--store", "several.lbug", *ASKS[command])
    assert refused(*command.split(), *several) == (
        "hlg: --store is one graph, and there are 2 data sets: ask it as it is with --no-build, "
        "or leave out --store for a graph of each of them"
    )
    assert not Path("several.lbug").exists()
    twice = ("made", "made", "--store", "own.lbug", "--no-build", *ASKS[command])
    ran(*command.split(), *twice)
