"""Where the TF-IDF of a graph comes from: made when it is first asked for, then mapped."""

from functools import lru_cache
from pathlib import Path
from shutil import rmtree

from hlg.arrays import ArraysError
from hlg.folders import draft_of
from hlg.ids import content_id
from hlg.retrieval.arrays.grams import GramIndex
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.arrays.source import CACHE
from hlg.retrieval.base import CHUNK, SearchSession
from hlg.retrieval.texts import text_with_details
from hlg.store.base import GraphStore

BATCH = 2_000
"""Texts read from the store at once."""


def gram_index(session: SearchSession, snapshot: Snapshot, label: str) -> GramIndex:
    """The TF-IDF of a graph's chunks or statements, by the rows of its snapshot.

    Kept beside the store for the next process; of some of the graph's sources alone it is
    made anew, and of them alone.

    :raises StoreError: the store can't be read.
    """
    known = _of_snapshot(snapshot)
    if label not in known:
        with session.trace.stage("tfidf"):
            known[label] = _index(session, snapshot, label)
    return known[label]


@lru_cache(maxsize=1)
def _of_snapshot(snapshot: Snapshot) -> dict[str, GramIndex]:
    """What was made or mapped for the snapshot at hand, by label."""
    return {}


def _index(session: SearchSession, snapshot: Snapshot, label: str) -> GramIndex:
    store = session.store
    if session.is_restricted:
        return _read(store, snapshot, label)
    folder = _folder(store.address, label)
    try:
        return GramIndex.load(folder, snapshot.revision)
    except ArraysError:
        made = _read(store, snapshot, label)
        _save_quietly(made, folder, snapshot.revision)
        return made


def _read(store: GraphStore, snapshot: Snapshot, label: str) -> GramIndex:
    ids = snapshot.chunk_ids if label == CHUNK else snapshot.statement_ids
    texts: list[str] = []
    for start in range(0, len(ids), BATCH):
        wanted = ids[start : start + BATCH].astype(str).tolist()
        found = {each.id: text_with_details(each) for each in store.passages(label, wanted)}
        texts += [found.get(id_, "") for id_ in wanted]
    return GramIndex.build(texts)


def _folder(address: str, label: str) -> Path:
    """Beside the graph's file, or in the cache for a server's."""
    if "://" in address:
        return CACHE / content_id("grams", address, label)
    return Path(f"{address}.grams") / label.lower()


def _save_quietly(index: GramIndex, folder: Path, revision: str) -> None:
    """Save where that is possible: a store may be read from where nothing can be written."""
    rmtree(folder, ignore_errors=True)
    try:
        with draft_of(folder) as draft:
            index.save(draft, revision)
    except OSError:
        return
