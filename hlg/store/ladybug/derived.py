"""What a Ladybug file has no index for: words by BM25, and entities by name.

Both are built by one streaming read and kept beside the file in
``FILE.cache/REVISION/``, so that the next process maps them from disk. A folder appears
when it is whole; those of older revisions are removed.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import ClassVar, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from hlg.arrays import cached_record
from hlg.folders import sweep
from hlg.ids import content_id
from hlg.lexical.bm25 import VERSION, LexicalIndex
from hlg.names import normalize_name
from hlg.schema import NODES
from hlg.store.records import Row


@dataclass(frozen=True, slots=True)
class Words:
    """The full text of a label's nodes; row i is the node ``ids[i]``, ascending."""

    version: ClassVar[str] = VERSION
    ids: NDArray[np.bytes_]
    index: LexicalIndex

    @classmethod
    def build(cls, label: str, batches: Iterable[list[Row]], without: Container[str]) -> Self:
        """Index a label's nodes, ordered by id; those with an id in ``without`` are left out."""
        ids: list[str] = []
        texts: list[str] = []
        for row in chain.from_iterable(batches):
            if (id_ := str(row["id"])) not in without:
                ids.append(id_)
                texts.append(_full_text(label, row))
        return cls(np.array(ids, np.bytes_), LexicalIndex.build(texts))


@dataclass(frozen=True, slots=True)
class Names:
    """Entities by name: row i says that ``ids[i]`` has the normalised name or alias ``keys[i]``.

    Keys are digests (:func:`hlg.ids.content_id`) in ascending order, so that any text is
    one and a look-up is a binary search.
    """

    version: ClassVar[str] = "names 1"
    """Changes with how a name is normalised."""
    keys: NDArray[np.bytes_]
    ids: NDArray[np.bytes_]

    @classmethod
    def build(cls, batches: Iterable[list[Row]], canonical: Mapping[str, str]) -> Self:
        """Collect the names and aliases of entities.

        :param canonical: merged entities, each with its canonical one; all that are merged
            with each other have the names of all.
        """
        groups: dict[str, set[str]] = defaultdict(set)
        for id_, into in canonical.items():
            groups[into] |= {id_, into}
        pairs = sorted(
            {
                (digest, id_)
                for row in chain.from_iterable(batches)
                for digest in map(name_digest, _names(row))
                for id_ in _group(str(row["id"]), canonical, groups)
            }
        )
        return cls(
            np.array([key for key, _ in pairs], "S32"), np.array([id_ for _, id_ in pairs], "S32")
        )

    def find(self, names: Sequence[str]) -> list[str]:
        """The ids of the entities with one of these names, ascending."""
        wanted = np.array([name_digest(name) for name in names], "S32")
        first = np.searchsorted(self.keys, wanted, "left")
        last = np.searchsorted(self.keys, wanted, "right")
        found = [self.ids[i:j] for i, j in zip(first, last, strict=True)]
        return [id_.decode() for id_ in np.unique(np.concatenate(found))] if found else []


def _group(id_: str, canonical: Mapping[str, str], groups: Mapping[str, set[str]]) -> Iterable[str]:
    return groups.get(canonical.get(id_, id_), (id_,))


def name_digest(name: str) -> str:
    """The key under which a name is found."""
    return content_id(normalize_name(name))


def _full_text(label: str, row: Row) -> str:
    values = (row.get(name) for name in NODES[label].full_text)
    return "\n".join(
        "\n".join(value) if isinstance(value, list) else str(value) for value in values if value
    )


def _names(row: Row) -> list[str]:
    aliases = row["aliases"]
    assert isinstance(aliases, list)
    return [str(row["name"]), *aliases]


DerivedT = TypeVar("DerivedT", Words, Names)


class DerivedIndexes:
    """What was derived from one revision of a file, in memory and beside the file."""

    def __init__(self, path: Path) -> None:
        self._root = path.with_name(f"{path.name}.cache")
        self._revision = ""
        self._opened: dict[str, Words | Names] = {}

    def get(
        self, revision: str, name: str, kind: type[DerivedT], build: Callable[[], DerivedT]
    ) -> DerivedT:
        """What is kept under ``name`` for a revision, built where it is missing."""
        if revision != self._revision:
            self._opened.clear()
            self._revision = revision
        if name not in self._opened:
            folder = self._root / revision / name
            is_there = folder.is_dir()
            self._opened[name] = cached_record(folder, kind, kind.version, build)
            if not is_there:
                sweep(self._root, {revision})
        return cast(DerivedT, self._opened[name])

    def sweep(self, revision: str) -> None:
        """Remove what a killed process left beside the file, and what older revisions had."""
        sweep(self._root, {revision})
        sweep(self._root / revision, {"names", *NODES})
