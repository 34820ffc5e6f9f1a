"""The sources that may be seen, and what passages of them are called.

A passage is called by its source and by where it stands, ``3fa9c2d1b0e4:318-544``: the
beginning of the source's id, and characters. Nothing is kept to understand that, so a name of
an earlier conversation still means the same, whoever asks.
"""

import re
from collections import Counter
from threading import Lock

from hlg.errors import UsageError
from hlg.graph import LexicalGraph
from hlg.records import Passage, Source, SourceRef
from hlg.where import parse_where

RESOURCE = "hlg://source/"
"""Before the name of a source, as a resource."""
SHORT = 12
"""Characters of a source's id that stand for it: 100,000 sources share one by a chance of
2 in 100,000, and are then called by the whole of it."""
_SPAN = re.compile(r"(.+):(\d{1,12})-(\d{1,12})", re.DOTALL)


class Library:
    """The sources of a graph that fulfil a condition, read anew when the graph has changed.

    :param where: the condition (:mod:`hlg.where`); empty lets all be seen.
    :raises UsageError: it is none.
    """

    def __init__(self, graph: LexicalGraph, where: str) -> None:
        self._graph = graph
        self._condition = parse_where(where) if where else None
        self._kept: tuple[str, list[Source], dict[str, Source]] | None = None
        self._lock = Lock()

    def sources(self) -> list[Source]:
        """Those that may be seen, by address.

        :raises UsageError: the condition asks for a field that no source has.
        :raises StoreError: there is no graph.
        """
        return self._read()[1]

    def source(self, name: str) -> Source:
        """The source of an id, the beginning of one, its resource, or an address.

        :raises UsageError: there is none.
        """
        found = self._read()[2].get(_bare(name))
        if found is None:
            raise UsageError(f"no source {name[:80]!r}: ids are those that search or sources gave")
        return found

    def short_id(self, source_id: str) -> str:
        """What a source is called."""
        short = source_id[:SHORT]
        return short if short in self._read()[2] else source_id

    def of(self, passage: Passage) -> str:
        """What a passage is called."""
        return f"{self.short_id(passage.source.id)}:{passage.start}-{passage.end}"

    def __getitem__(self, name: str) -> Passage:
        """The passage of a name, without its text; of a source's name, its beginning.

        :raises UsageError: there is no such source.
        """
        name = _bare(name)
        span = _SPAN.fullmatch(name) if name not in self._read()[2] else None
        source = self.source(span[1] if span else name)
        start, end = (int(span[2]), int(span[3])) if span else (0, 0)
        ref = SourceRef(source.id, source.uri, source.title)
        return Passage("Chunk", source.id, "", "", start, max(start, end), "", "", ref)

    def _read(self) -> tuple[str, list[Source], dict[str, Source]]:
        revision = self._graph.store.require().revision
        with self._lock:
            if self._kept is None or self._kept[0] != revision:
                sources = self._graph.sources()
                if self._condition is not None:
                    sources = self._condition.among(sources)
                self._kept = revision, sources, _by_name(sources)
            return self._kept


def _bare(name: str) -> str:
    """A name without what a result shows around it."""
    return name.strip("[] ").removeprefix(RESOURCE)


def _by_name(sources: list[Source]) -> dict[str, Source]:
    sharing = Counter(source.id[:SHORT] for source in sources)
    named = {each.id[:SHORT]: each for each in sources if sharing[each.id[:SHORT]] == 1}
    named |= {source.id: source for source in sources}
    for source in sources:
        for address in source.addresses:
            named.setdefault(address, source)
    return named


def url_of(source: Source, short_id: str) -> str:
    """Where a source can be read: its address in the web, else as a resource of this server."""
    for address in (source.metadata.get("url"), *source.addresses):
        if isinstance(address, str) and address.startswith(("https://", "http://")):
            return address
    return f"{RESOURCE}{short_id}"
