"""Where snapshots come from: read from the store once a revision, then mapped from disk."""

import json
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from threading import Lock

from hlg.arrays import ArraysError, arrays_of, read_record, write_arrays
from hlg.folders import draft_of, sweep
from hlg.ids import content_id
from hlg.lexical.bm25 import VERSION as WORDS_VERSION
from hlg.retrieval.arrays.build import empty_snapshot, estimated_bytes, read_snapshot
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.store.base import GraphStore

CACHE = Path(".hlg") / "cache"
"""Where snapshots of graphs on servers are kept."""
_VERSION = f"snapshot 8, {WORDS_VERSION}"
_TOO_LARGE = "too_large.json"


def snapshot_folder(address: str, graph: str = "") -> Path:
    """Where the snapshots of a graph are: beside its file, or in the cache for a server's."""
    if "://" in address:
        return CACHE / content_id("snapshots", address, graph)
    return Path(f"{address}.snapshots")


class SnapshotSource:
    """Gives the snapshot of a graph's latest revision, reading as little as it can.

    :param folder: where snapshots are kept for the next process; None keeps them in memory.
    :param max_mb: a larger snapshot is not made; the graph is walked in its store.
    """

    def __init__(self, store: GraphStore, folder: Path | None, max_mb: int) -> None:
        self._store = store
        self._folder = folder
        self._most_bytes = max_mb * 2**20
        self._snapshot: Snapshot | None = None
        self._is_over = max_mb == 0
        self._refreshing = Lock()

    def __call__(self) -> Snapshot | None:
        """The snapshot, or None where it is too large; one store call where it is known.

        :raises StoreError: the store can't be read.
        """
        if self._is_over or self._known_over():
            return None
        return self.refresh()

    def refresh(self) -> Snapshot | None:
        """The same after a look at how large the graph is now, for after a build."""
        with self._refreshing:
            return self._refresh()

    def _refresh(self) -> Snapshot | None:
        info = self._store.info()
        if info is None:
            return empty_snapshot()
        if self._snapshot is None or self._snapshot.revision != info.revision:
            self._snapshot = self._saved(info.revision)
            self._is_over = False
        if self._snapshot is None:
            needed = estimated_bytes(self._store.counts(), info.dimensions)
            self._is_over = needed > self._most_bytes
            if self._is_over:
                self._remember_over(needed)
                return None
            self._snapshot = read_snapshot(self._store, info)
            current = self._store.info()
            if self._folder is not None and current and current.revision == info.revision:
                # A store may be read from where nothing can be written.
                with suppress(OSError):
                    save_snapshot(self._snapshot, self._folder)
        return self._snapshot

    def sweep(self) -> None:
        """Remove what killed processes left on disk, and snapshots of older revisions."""
        if self._folder is not None and self._folder.is_dir():
            info = self._store.info()
            sweep(self._folder, {_key(info.revision)} if info else ())

    def _saved(self, revision: str) -> Snapshot | None:
        if self._folder is None:
            return None
        path = self._folder / _key(revision)
        try:
            return load_snapshot(path)
        except ArraysError:
            rmtree(path, ignore_errors=True)
            return None

    def _known_over(self) -> bool:
        """Whether an earlier process found the graph too large; costs no store call."""
        if self._folder is None or self._snapshot is not None:
            return False
        try:
            needed = json.loads((self._folder / _TOO_LARGE).read_text("utf-8"))["bytes"]
        except (OSError, ValueError, KeyError):
            return False
        self._is_over = needed > self._most_bytes
        return self._is_over

    def _remember_over(self, needed: int) -> None:
        if self._folder is None:
            return
        with suppress(OSError):  # a folder that can't be written to: the next process counts again
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / _TOO_LARGE).write_text(json.dumps({"bytes": needed}), "utf-8")


def save_snapshot(snapshot: Snapshot, folder: Path) -> Path:
    """Save a snapshot under its revision, whole or not at all, and remove older ones.

    :raises OSError: the folder can't be written to.
    """
    target = folder / _key(snapshot.revision)
    with draft_of(target) as draft:
        write_arrays(draft, arrays_of(snapshot), version=_VERSION)
    sweep(folder, {target.name})
    (folder / _TOO_LARGE).unlink(missing_ok=True)
    return target


def load_snapshot(path: Path) -> Snapshot:
    """Map a saved snapshot; nothing is read before it is needed.

    :raises hlg.arrays.ArraysError: there is none, or it is damaged or of another version.
    """
    return read_record(path, Snapshot, version=_VERSION)


def _key(revision: str) -> str:
    return content_id("snapshot", _VERSION, revision)
