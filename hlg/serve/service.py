"""The graph that is served: opened once, asked in threads, with the conversations about it."""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from anyio import CapacityLimiter, to_thread

from hlg.asking.chat import Chat, Turn
from hlg.asking.part import Part
from hlg.asking.search import SearchOptions
from hlg.errors import HlgError, UsageError
from hlg.graph import LexicalGraph
from hlg.names import normalize_name
from hlg.pictures import Picture, picture_of
from hlg.records import Entity, Source, SourceGraph, find_source
from hlg.reports import Status
from hlg.serve.models import Ask, Drawn, How
from hlg.serving.graph import opened_graph, warm_up
from hlg.settings import Settings

if TYPE_CHECKING:
    from hlg.serve.uploads import Uploads

Result = TypeVar("Result")

THREADS = 16
"""So many requests are worked on at once; the others wait their turn."""
MOST_CHATS = 500
"""The conversation that nobody went on with for longest is forgotten."""
SUGGESTED = 50_000
"""The most mentioned entities, whose names are suggested."""
SOURCES_KEPT = 16


@dataclass(frozen=True, slots=True)
class Answered:
    """A turn of a conversation, and which one it is."""

    chat: str
    number: int
    turn: Turn


@dataclass(slots=True)
class _KeptChat:
    """A conversation, in which one question is answered after the other."""

    chat: Chat
    lock: Lock = field(default_factory=Lock)


class GraphService:
    """What both the API and the pages ask. All its methods but :meth:`run` are for threads.

    :param uploads: takes files in, where that is allowed.
    """

    def __init__(self, graph: LexicalGraph, uploads: "Uploads | None" = None) -> None:
        self.graph = graph
        self.uploads = uploads
        self._limiter = CapacityLimiter(THREADS)
        self._chats: OrderedDict[str, _KeptChat] = OrderedDict()
        self._lock = Lock()
        self._read: dict[str, tuple[str, Any]] = {}
        self._sources: OrderedDict[tuple[str, str], SourceGraph] = OrderedDict()

    @property
    def settings(self) -> Settings:
        """The settings of the graph."""
        return self.graph.settings

    async def run(self, work: Callable[[], Result]) -> Result:
        """Do work in a thread, as soon as one is free; nobody waits for one who went away."""
        return await to_thread.run_sync(work, limiter=self._limiter, abandon_on_cancel=True)

    async def warm_up(self) -> None:
        """Load models and arrays, so that the first who asks does not wait for them."""
        with anyio.CancelScope(shield=True):
            await self.run(self._warm_up)

    def _warm_up(self) -> None:
        with suppress(HlgError):  # whoever asks first is told
            self.entities("", 1)
        warm_up(self.graph)

    # Asking

    def ask(self, given: Ask, on_text: Callable[[str], None] | None = None) -> Answered:
        """The answer, in the conversation that is named or in a new one."""
        with self._lock:
            name = given.chat if given.chat in self._chats else secrets.token_urlsafe(16)
            talk = self._chats.setdefault(name, _KeptChat(Chat(self.graph)))
            self._chats.move_to_end(name)
            while len(self._chats) > MOST_CHATS:
                self._chats.popitem(last=False)
        with talk.lock:
            chat = talk.chat
            chat.how = search_options(given)
            chat.extractive, chat.tokens = given.extractive, given.tokens
            turn = chat.ask(given.question, on_text)
            return Answered(name, len(chat.turns), turn)

    def answered(self, name: str, number: int) -> Answered:
        """A turn that was answered before.

        :raises UsageError: there is none, or it was forgotten.
        """
        with self._lock:
            talk = self._chats.get(name)
        turns = talk.chat.turns if talk else []
        if not 1 <= number <= len(turns):
            raise UsageError("that conversation was forgotten; ask again", option="chat")
        return Answered(name, number, turns[number - 1])

    # Looking

    def status(self) -> Status | None:
        """What the graph holds; None where nothing was built yet."""
        return self.kept("status", self.graph.status, None)

    def revision(self) -> str:
        """The graph's revision; empty where nothing was built yet."""
        info = self.graph.store.info()
        return info.revision if info else ""

    def counts(self) -> Mapping[str, int]:
        """How much of everything there is; nothing where nothing was built yet."""
        return self.kept("counts", self.graph.store.counts, {})

    def sources(self) -> list[Source]:
        """All sources, ordered by address."""
        return self.kept("sources", self.graph.sources, [])

    def kept(self, what: str, read: Callable[[], Result], nothing: Result) -> Result:
        """What was read at the graph's revision, or is read now; nothing without a graph."""
        revision = self.revision()
        if not revision:
            return nothing
        kept = self._read.get(what)
        if kept is None or kept[0] != revision:
            self._read[what] = kept = (revision, read())
        found: Result = kept[1]
        return found

    def entities(self, like: str, limit: int) -> list[Entity]:
        """The most mentioned entities, of those of which a word begins as ``like``."""
        wanted = f" {normalize_name(like)}" if like.strip() else ""
        names = self.kept("names", self._most_mentioned, list[tuple[str, Entity]]())
        return list(islice((each for name, each in names if wanted in name), limit))

    def _most_mentioned(self) -> list[tuple[str, Entity]]:
        found = self.graph.entities.most_mentioned(SUGGESTED, merged=True)
        return [(f" {normalize_name(each.name)}", each) for each in found]

    def find_source(self, wanted: str) -> Source:
        """The source of an id or an address.

        :raises UsageError: there is none.
        """
        sources = self.sources()
        if found := find_source(sources, wanted):
            return found
        raise UsageError(f"no source {wanted!r}; the list of sources has them all", option="source")

    def read_source(self, wanted: str) -> SourceGraph:
        """A source with all that was made of it; the last ones read are kept.

        :raises UsageError: there is none.
        """
        source, revision = self.find_source(wanted), self.revision()
        kept = self._sources.get((source.id, revision))
        if kept is None:
            (kept,) = self.graph.store.read([source.id])
            with self._lock:
                self._sources[source.id, revision] = kept
                while len(self._sources) > SOURCES_KEPT:
                    self._sources.popitem(last=False)
        return kept

    def picture(self, given: Drawn) -> Picture:
        """A part of the graph, as ``hlg view`` draws it.

        :raises UsageError: there is no such part, or none is named, or several are.
        """
        part = Part(given.question, given.entity, given.community, given.source)
        part.check()
        limits = part.drawn(given.statements)
        found = part.of(self.graph, limits, how=search_options(given))
        return picture_of(found.subgraph, found.title, found.ranks)

    def delete(self, wanted: str) -> int:
        """Delete a source, and its file where that was sent here; how many there were."""
        source = self.find_source(wanted)
        deleted = self.graph.delete(source.id)
        if self.uploads is not None:
            self.uploads.remove(source.addresses)
        return deleted


def search_options(given: How) -> SearchOptions:
    """How a request wants evidence to be searched for."""
    return SearchOptions(given.retriever or None, given.top_k, None, given.where)


def opened(settings: Settings, folder: Path | None) -> GraphService:
    """The service of the graph that the settings name; with a folder for uploads, it is written.

    :raises HlgError: as :func:`hlg.serving.graph.opened_graph`; the folder can't take files.
    """
    from hlg.serve.uploads import Uploads

    graph = opened_graph(settings, can_write=folder is not None)
    try:
        return GraphService(graph, None if folder is None else Uploads(graph, folder))
    except BaseException:
        graph.close()
        raise
