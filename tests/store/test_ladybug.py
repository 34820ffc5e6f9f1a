"""What is Ladybug's own: its files, its locks, its caches, and what a kill leaves."""

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from hlg.errors import StoreDenied, StoreError, StoreLocked, StoreMissing, UsageError
from hlg.records import SourceGraph
from hlg.store import GraphStore, open_store
from hlg.store.ladybug import database, locks, place
from support.graphs import DIMENSIONS, EMBEDDER, source_graph

KILLS = 3
STATEMENTS = 12
"""Statements a source of :func:`numbered`."""

HOLD = """
import sys
from hlg.store import open_store
store = open_store(sys.argv[1])
store.set_up("test-embedder@1", 8)
print("open", flush=True)
sys.stdin.read()
"""
WRITE = """
import sys
import time
from hlg.store import open_store
from hlg.store.ladybug import database
from test_ladybug import EMBEDDER, DIMENSIONS, numbered
# A kill is to fall into checkpoints as well as between them.
database.CHECKPOINT_BYTES = int(sys.argv[2])
store = open_store(sys.argv[1])
store.set_up(EMBEDDER, DIMENSIONS)
first = len(store.sources())
print("writing", flush=True)
while True:
    store.write([numbered(first), numbered(first + 1)])
    first += 2
    print(first, flush=True)
    time.sleep(float(sys.argv[3]))
"""


def numbered(number: int) -> SourceGraph:
    """A source that shares its subject and one fact with all others."""
    founded = ("Ada Thorne", "founded", "Helix Instruments")
    return source_graph(
        f"file:///{number}.txt",
        [
            (f"Statement {i} of {number}.", [founded, (f"firm {number % 7}", "owes", f"={i}")])
            for i in range(STATEMENTS)
        ],
    )


def assert_whole(store: GraphStore, count: int) -> None:
    """The store holds the first ``count`` numbered sources, each whole, and their counts."""
    counts = store.counts()
    assert counts["Source"] == count
    assert counts["Statement"] == counts["BELONGS_TO"] == STATEMENTS * count
    rows = [row for batch in store.nodes("Entity") for row in batch]
    assert sum(int(str(row["degree"])) for row in rows) == counts["MENTIONS"]
    weights = [
        row["weight"] for rows in store.edges("RELATES_TO", ("Entity", "Entity")) for row in rows
    ]
    assert weights == ([STATEMENTS * count] if count else [])
    for graph in store.read([numbered(number).source.id for number in range(count)]):
        number = int(Path(graph.source.uri).stem)
        assert [x.id for x in graph.statements] == [x.id for x in numbered(number).statements]
        assert graph.statement_embeddings is not None


def edit(path: Path, where: slice, put: bytes) -> None:
    """Make a graph's file, with other bytes somewhere in it."""
    ready(path).close()
    content = bytearray(path.read_bytes())
    content[where] = put
    path.write_bytes(content)


NO_GRAPHS: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (lambda path: path.write_bytes(b"Dear diary, " * 1000), "is not a Ladybug database"),
    "folder": (Path.mkdir, "is a folder"),
    "pipe": (os.mkfifo, "is a named pipe"),
    "socket": (lambda path: socket.socket(socket.AF_UNIX).bind(str(path)), "is a socket"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "is a device"),
    "loop": (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
    "newer": (lambda path: edit(path, slice(4, 8), b"\xff\0\0\0"), "by a newer hlg"),
    "older": (lambda path: edit(path, slice(4, 8), b"\1\0\0\0"), "by an older hlg"),
    "truncated": (lambda path: edit(path, slice(5000, None), b""), "is damaged"),
    "corrupt": (
        lambda path: edit(path, slice(-4096 * 12, None), b"\xff" * 4096 * 12),
        "is damaged",
    ),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "graph.lbug"


def ready(path: Path) -> GraphStore:
    store = open_store(str(path))
    store.set_up(EMBEDDER, DIMENSIONS)
    return store


def run(script: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, Path(__file__).parents[:2]))},
    )


class TestFiles:
    def test_a_named_graph_is_a_file_beside_the_default_one(self, path: Path) -> None:
        for graph, name in (("", "graph.lbug"), ("acme", "graph.acme.lbug")):
            store = open_store(str(path), graph)
            store.set_up(EMBEDDER, DIMENSIONS)
            store.close()
            assert store.address == str(path.with_name(name))
            assert path.with_name(name).is_file()

    def test_reading_a_missing_file_says_how_to_make_it(self, path: Path) -> None:
        with pytest.raises(StoreError, match=r"no graph in .*graph\.lbug; hlg build makes one"):
            open_store(str(path), read_only=True)
        assert not path.parent.exists()

    def test_a_file_that_was_never_set_up_holds_no_graph(self, path: Path) -> None:
        """Asking a graph that is not there makes no file, nor a folder for it."""
        store = open_store(str(path))
        assert store.info() is None
        for ask in (
            store.sources,
            store.counts,
            lambda: store.write([]),
            lambda: store.text_search("Chunk", "x", 1),
            lambda: store.nodes("Chunk"),
        ):
            with pytest.raises(StoreError, match=r"no graph in .*graph\.lbug; hlg build makes one"):
                ask()
        store.close()
        assert not path.parent.exists()

    @pytest.mark.parametrize("read_only", [False, True])
    @pytest.mark.parametrize("kind", NO_GRAPHS)
    def test_what_is_no_graph_is_said_and_left_alone(
        self, tmp_path: Path, kind: str, read_only: bool
    ) -> None:
        path = tmp_path / "graph.lbug"
        make, said = NO_GRAPHS[kind]
        make(path)
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(StoreError, match=said) as caught:
            open_store(str(path), read_only=read_only).sources()
        assert "\n" not in str(caught.value)
        assert caught.value.address == str(path)
        assert (path.read_bytes() if path.is_file() else b"") == before

    @pytest.mark.parametrize("place", ["/proc/graph.lbug", "/proc/nowhere/graph.lbug", "x" * 300])
    def test_a_place_that_can_not_be_written_says_so(
        self, place: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(locks, "LOCK_SECONDS", 0.1)
        with pytest.raises(StoreDenied, match="can't be opened"):
            open_store(place).set_up(EMBEDDER, DIMENSIONS)

    @pytest.mark.parametrize("address", ["", "/", "."])
    def test_an_address_of_no_file_is_a_usage_error(self, address: str) -> None:
        with pytest.raises(UsageError, match="names no file"):
            open_store(address, "acme")

    def test_a_full_disk_is_not_written_to(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = ready(path)
        store.write([numbered(0)])
        free = SimpleNamespace(free=place.ROOM_BYTES - 1)
        monkeypatch.setattr(place, "disk_usage", lambda _: free)
        monkeypatch.setattr(database, "disk_usage", lambda _: free)
        for write in (
            lambda: store.write([numbered(1)]),
            lambda: ready(path.with_name("new.lbug")),
        ):
            with pytest.raises(StoreError, match=r"67 MB are free, .* make room on its disk"):
                write()
        assert not path.with_name("new.lbug").exists()
        store.close()
        # Nor is the log moved into the file.
        assert path.with_name("graph.lbug.wal").exists()
        reader = open_store(str(path), read_only=True)
        assert_whole(reader, 1)
        reader.close()

    def test_a_read_only_store_refuses_to_write(self, path: Path) -> None:
        ready(path).close()
        store = open_store(str(path), read_only=True)
        with pytest.raises(StoreError, match="read-only"):
            store.write([numbered(0)])
        with pytest.raises(StoreError, match="read-only"):
            store.delete([numbered(0).source.id])
        store.close()


class TestLocks:
    @pytest.fixture(autouse=True)
    def impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(locks, "LOCK_SECONDS", 0.3)

    def test_a_second_writer_is_told_who_has_the_file(self, path: Path) -> None:
        with run(HOLD, path) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "open\n"
            with pytest.raises(
                StoreLocked, match=rf"is open for writing in process {holder.pid} \(.*python"
            ) as caught:
                open_store(str(path))
            assert caught.value.retryable
            holder.communicate("")
        open_store(str(path)).close()

    def test_so_is_one_in_the_same_process(self, path: Path) -> None:
        store = ready(path)
        with pytest.raises(StoreLocked, match=str(os.getpid())):
            open_store(str(path))
        store.close()
        open_store(str(path)).close()

    def test_threads_that_open_a_new_file_at_once_share_it(self, path: Path) -> None:
        store = open_store(str(path))
        assert not path.exists()
        with ThreadPoolExecutor(8) as threads:
            for each in [threads.submit(store.set_up, EMBEDDER, DIMENSIONS) for _ in range(8)]:
                each.result()
        with run(HOLD, path) as other:
            out, _ = other.communicate("")
        assert out == ""
        store.write([numbered(0)])
        assert_whole(store, 1)
        store.close()

    def test_a_reader_that_closes_does_not_let_a_second_writer_in(self, path: Path) -> None:
        """The engine's lock belongs to the process, and a closed reader gives it up."""
        store = ready(path)
        open_store(str(path), read_only=True).close()
        with run(HOLD, path) as other:
            out, _ = other.communicate("")
        assert out == ""
        assert other.returncode != 0
        store.close()

    def test_a_writer_waits_for_the_one_before(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(locks, "LOCK_SECONDS", 20)
        with run(HOLD, path) as holder:
            assert holder.stdin is not None
            assert holder.stdout is not None
            holder.stdout.readline()
            holder.stdin.close()
            open_store(str(path)).close()

    def test_a_killed_writer_holds_no_lock(self, path: Path) -> None:
        with run(HOLD, path) as holder:
            assert holder.stdout is not None
            holder.stdout.readline()
            holder.kill()
        open_store(str(path)).close()


class TestReaders:
    def test_a_reader_sees_what_is_not_in_the_file_yet(self, path: Path) -> None:
        writer = ready(path)
        writer.write([numbered(0)])
        assert path.with_name("graph.lbug.wal").stat().st_size > 0
        reader = open_store(str(path), read_only=True)
        writer.write([numbered(1)])
        assert_whole(reader, 1)
        reader.close()
        reader = open_store(str(path), read_only=True)
        assert_whole(reader, 2)
        reader.close()
        writer.close()

    def test_no_checkpoint_is_made_under_a_reader(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(database, "CHECKPOINT_BYTES", 1)
        log = path.with_name("graph.lbug.wal")
        writer = ready(path)
        for number in range(10):
            writer.write([numbered(number)])
            assert not log.exists()
        before = path.read_bytes()
        reader = open_store(str(path), read_only=True)
        for number in range(10, 20):
            writer.write([numbered(number)])
        writer.close()
        assert path.read_bytes() == before
        assert_whole(reader, 10)
        reader.close()
        again = open_store(str(path))
        again.close()
        assert not log.exists()
        reader = open_store(str(path), read_only=True)
        assert_whole(reader, 20)
        reader.close()

    def test_a_look_at_no_graph_leaves_no_file(self, path: Path) -> None:
        path.parent.mkdir()
        with pytest.raises(StoreMissing):
            open_store(str(path), read_only=True)
        assert not list(path.parent.iterdir())

    def test_a_folder_without_room_for_a_lock_can_be_read(self, path: Path) -> None:
        store = ready(path)
        store.write([numbered(0)])
        store.close()
        lock = path.with_name("graph.lbug.readers.lock")
        lock.unlink()
        lock.mkdir()
        reader = open_store(str(path), read_only=True)
        assert_whole(reader, 1)
        reader.close()

    @pytest.mark.slow
    @pytest.mark.parametrize("checkpoint", [1, 1 << 26], ids=["checkpoints", "log"])
    def test_readers_beside_a_busy_writer_see_whole_sources(
        self, path: Path, checkpoint: int
    ) -> None:
        with run(WRITE, path, checkpoint, 0.1) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            writer.stdout.readline()
            seen = set()
            for _ in range(5):
                reader = open_store(str(path), read_only=True)
                count = reader.counts()["Source"]
                time.sleep(0.1)
                assert_whole(reader, count)
                seen.add(count)
                reader.close()
            assert writer.poll() is None
            writer.kill()
        assert len(seen) > 2

    def test_a_reader_ends_the_checkpoint_of_a_killed_writer(self, path: Path) -> None:
        while True:
            with run(WRITE, path, 1, 0) as writer:
                intent = path.with_name("graph.lbug.wal.checkpoint")
                deadline = time.monotonic() + 10
                while not intent.exists() and time.monotonic() < deadline:
                    assert writer.poll() is None
                    time.sleep(0.001)
                writer.kill()
            if intent.exists():
                break
        reader = open_store(str(path), read_only=True)
        assert_whole(reader, reader.counts()["Source"])
        reader.close()


class TestCaches:
    def test_what_was_derived_is_kept_for_the_next_process(self, path: Path) -> None:
        store = ready(path)
        store.write([numbered(0)])
        found = store.text_search("Statement", "statement 7", 3)
        assert [x.name for x in store.entities_named(["ada thorne"])] == ["Ada Thorne"]
        store.close()
        again = open_store(str(path), read_only=True)
        before = again.calls
        assert again.text_search("Statement", "statement 7", 3) == found
        assert again.calls <= before + 1
        again.close()

    def test_only_the_newest_revision_is_kept(self, path: Path) -> None:
        store = ready(path)
        folder = path.with_name("graph.lbug.cache")
        for number in range(3):
            store.write([numbered(number)])
            assert len(store.text_search("Statement", "statement 7", 10)) >= number
            revision = store.require().revision
            assert [x.name for x in folder.iterdir()] == [revision]
            assert [x.name for x in (folder / revision).iterdir()] == ["Statement"]
        store.close()

    def test_a_cache_that_can_not_be_kept_is_no_failure(self, path: Path) -> None:
        store = ready(path)
        store.write([numbered(0)])
        path.with_name("graph.lbug.cache").write_text("in the way")
        assert store.text_search("Statement", "statement 7", 1)
        store.close()

    def test_a_deleted_cache_is_built_again(self, path: Path) -> None:
        store = ready(path)
        store.write([numbered(0)])
        found = store.text_search("Statement", "statement 7", 3)
        store.close()
        shutil.rmtree(path.with_name("graph.lbug.cache"))
        again = open_store(str(path))
        assert again.text_search("Statement", "statement 7", 3) == found
        again.close()


@pytest.mark.slow
@pytest.mark.parametrize("checkpoint", [1, 1 << 26], ids=["checkpoints", "log"])
def test_a_kill_at_any_moment_leaves_whole_sources(path: Path, checkpoint: int) -> None:
    rng = random.Random(checkpoint)
    count = 0
    for _ in range(KILLS):
        with run(WRITE, path, checkpoint, 0) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "writing\n"
            time.sleep(rng.uniform(0, 1.5))
            writer.send_signal(signal.SIGKILL)
            told = [int(line) for line in writer.stdout]
        store = open_store(str(path))
        found = store.counts()["Source"]
        # What was reported is there; a transaction may have ended without being reported.
        committed = told[-1] if told else count
        assert found in (committed, committed + 2)
        assert_whole(store, found)
        store.close()
        count = found
    assert count > 0
