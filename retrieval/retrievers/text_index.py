"""What is made of all texts of a graph for a search: when it is first asked for, then mapped."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, TypeVar, cast

from hlg.arrays import cached_record
from hlg.ids import content_id
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.arrays.source import CACHE
from hlg.retrieval.base import CHUNK, SearchSession
from hlg.retrieval.texts import text_with_details
from hlg.store.base import GraphStore

BATCH = 2_000
"""Texts read from the store at once."""


class TextIndex(Protocol):
    """A record of arrays (:mod:`hlg.arrays`), made of texts in the order of rows."""

    version: ClassVar[str]
    """Changes with how it is made."""

    @classmethod
    def build(cls, texts: Sequence[str], order: Sequence[int]) -> Self:
        """Of texts; ``order``: the rows as the texts follow each other in their sources."""


IndexT = TypeVar("IndexT", bound=TextIndex)


def text_index(
    session: SearchSession, snapshot: Snapshot, label: str, kind: type[IndexT], name: str
) -> IndexT:
    """What is made of a graph's chunks or statements, by the rows of its snapshot.

    Kept beside the store for the next process; of some of the graph's sources alone it is
    made anew, and of them alone.

    :param name: of the folder that it is kept in.
    :raises StoreError: the store can't be read.
    """
    known = _of_snapshot(snapshot)
    if (label, name) not in known:
        with session.trace.stage(name):
            known[label, name] = _index(session, snapshot, label, kind, name)
    return cast(IndexT, known[label, name])


@lru_cache(maxsize=1)
def _of_snapshot(snapshot: Snapshot) -> dict[tuple[str, str], Any]:
    """What was made or mapped for the snapshot at hand, by label and name."""
    return {}


def _index(
    session: SearchSession, snapshot: Snapshot, label: str, kind: type[IndexT], name: str
) -> IndexT:
    def build() -> IndexT:
        return _read(session.store, snapshot, label, kind)

    if session.is_restricted:
        return build()
    folder = _folder(session.store.address, label, name)
    return cached_record(folder, kind, f"{kind.version}, {snapshot.revision}", build)


def _read(store: GraphStore, snapshot: Snapshot, label: str, kind: type[IndexT]) -> IndexT:
    ids = (snapshot.chunk_ids if label == CHUNK else snapshot.statement_ids).astype(str).tolist()
    texts: dict[str, str] = {}
    places: dict[str, tuple[str, int]] = {}
    for start in range(0, len(ids), BATCH):
        for each in store.passages(label, ids[start : start + BATCH]):
            texts[each.id] = text_with_details(each)
            places[each.id] = each.source.uri, each.start
    order = sorted(range(len(ids)), key=lambda row: (*places.get(ids[row], ("", 0)), row))
    return kind.build([texts.get(id_, "") for id_ in ids], order)


def _folder(address: str, label: str, name: str) -> Path:
    """Beside the graph's file, or in the cache for a server's."""
    if "://" in address:
        return CACHE / content_id(name, address, label)
    return Path(f"{address}.{name}") / label.lower()
