"""``hlg build --watch``: what is written, changed, moved and deleted is in the graph at once."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

import pytest

from hlg.errors import UsageError
from hlg.graph import LexicalGraph
from hlg.indexing.watch import keep_together
from hlg.ingest.load.watch import Changes, changes_of
from hlg.reports import BuildReport
from hlg.settings import load_settings

SECONDS = 60


@dataclass
class Watched:
    folder: Path
    store: Path
    reports: Queue[BuildReport]

    def next(self) -> BuildReport:
        return self.reports.get(timeout=SECONDS)

    def sources(self) -> list[str]:
        with LexicalGraph.open(self.store, read_only=True) as graph:
            return [Path(source.uri).name for source in graph.sources()]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """A folder of one note that is watched in a thread."""
    folder, store = tmp_path / "notes", tmp_path / "graph.lbug"
    folder.mkdir()
    (folder / "a.md").write_text("The Petrel was built by Harrow Yard.")
    settings = load_settings(store=str(store), workers=1)
    stop = threading.Event()
    reports: Queue[BuildReport] = Queue()
    thread = threading.Thread(
        target=keep_together,
        args=(
            [str(folder)],
            lambda: LexicalGraph.open(settings=settings),
            reports.put,
            print,
            stop,
        ),
    )
    thread.start()
    yield Watched(folder, store, reports)
    stop.set()
    thread.join(SECONDS)
    assert not thread.is_alive()


def test_the_graph_follows_its_folder(watched: Watched) -> None:
    assert watched.next().added == 1
    (watched.folder / "b.md").write_text("Mina Sorley bought the Petrel.")
    report = watched.next()
    assert (report.added, report.changed, report.skipped) == (1, 0, 0)
    assert watched.sources() == ["a.md", "b.md"]

    (watched.folder / "old").mkdir()
    (watched.folder / "a.md").rename(watched.folder / "old" / "c.md")
    report = watched.next()
    assert (report.added, report.deleted) == (1, 1)
    assert watched.sources() == ["b.md", "c.md"]


@pytest.mark.parametrize("path", ["-", "nowhere/", "*.md"])
def test_what_is_not_there_cannot_be_watched(path: str) -> None:
    with pytest.raises(UsageError, match="only files and folders"):
        keep_together([path], LexicalGraph.open, print, print, threading.Event())


def test_only_what_changed_among_documents_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes/deep").mkdir(parents=True)
    for name in ("a.md", "deep/b.md", "records.jsonl", "picture.png", ".hidden.md"):
        Path("notes", name).write_text('{"_id": "1", "text": "x"}')
    held = ["notes/a.md", "notes/gone.md", "notes/records.jsonl#1", "other/gone.md"]

    def changes(*changed: str) -> Changes:
        return changes_of(["notes"], [tmp_path / each for each in changed], held)

    assert changes("notes/a.md", "notes/picture.png", "notes/.hidden.md").read == ("notes/a.md",)
    assert not changes("notes/picture.png", "other/gone.md")
    assert changes("notes/deep").read == ("notes/deep/b.md",)
    assert changes("notes/records.jsonl") == Changes(("notes/records.jsonl",), ())
    assert changes("notes/gone.md") == Changes((), ("notes/gone.md",))
