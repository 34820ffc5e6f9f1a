"""Contexts of a language model for the chunks of any other chunker (thesis §3.1.4.1)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from annotated_types import Ge, Le

from hlg.errors import UsageError
from hlg.ingest.base import Chunker, Task
from hlg.ingest.chunk.chunkers import asks_model, chunker_version, open_chunker
from hlg.ingest.chunk.model.contexts import CHUNK_CONTEXT, Contexts
from hlg.ingest.chunk.splitter import Splitter
from hlg.models.base import Embedder
from hlg.records import Chunk, Document

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextualOptions:
    """What is particular to ``contextual``.

    :param base: the chunker that cuts, with its own options, if any, parted by ``;``:
        ``base=semantic:percentile=80;window=0``; the thesis has ``hierarchical`` (§5.1).
    :param window_tokens: how much of a document the model reads at once to place a chunk.
    """

    base: str = "fixed"
    window_tokens: Annotated[int, Ge(256), Le(2_000_000)] = 16_000


class ContextualChunker:
    """Chunks of a base chunker, each with what the model says of its place in the document."""

    def __init__(
        self,
        door: "ModelDoor",
        base: Chunker,
        base_name: str,
        windows: Splitter,
        *,
        of_parents: bool = False,
    ) -> None:
        self._base = base
        self._contexts = Contexts(door, windows, of_parents=of_parents)
        self.threads = door.concurrency
        told = door.identity(CHUNK_CONTEXT)
        self.name = f"contextual-1|{base_name}|{windows.tokens}|{told}"

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        """The document's chunks with their contexts.

        :raises ModelError: the model does not answer for one of them.
        """
        return self.begin(document, source_id)()

    def begin(self, document: Document, source_id: str) -> Callable[[], list[Chunk]]:
        """Cut; what is left to do is to ask."""
        return partial(self._contexts.add, document, self.cut(document, source_id))

    def cut(self, document: Document, source_id: str) -> list[Chunk]:
        """The base chunker's chunks, without contexts."""
        return self._base.chunk(document, source_id)

    def break_tasks(self, document: Document) -> list[Task]:
        """Nothing is asked to cut."""
        return []

    def likely(self, document: Document, source_id: str) -> tuple[list[Chunk], bool]:
        """The chunks that there will be, without asking; also whether they are sure."""
        return self.cut(document, source_id), True

    def context_tasks(
        self, document: Document, chunks: list[Chunk], *, known: bool = True
    ) -> list[Task]:
        """What is asked of the chunks' places, one each."""
        return self._contexts.tasks(document, chunks, known=known)


def open_contextual(
    tokens: int, overlap: float, embedder: Embedder, options: ContextualOptions, door: "ModelDoor"
) -> ContextualChunker:
    """For the registry of chunkers."""
    base, name = open_base(options.base, tokens, overlap, embedder)
    windows = Splitter(options.window_tokens, embedder.count_tokens)
    return ContextualChunker(door, base, name, windows)


def open_base(spec: str, tokens: int, overlap: float, embedder: Embedder) -> tuple[Chunker, str]:
    """The chunker that an option names, and what it is known by.

    :raises UsageError: there is none of that name that asks no model itself.
    """
    spec = spec.replace(";", ",")
    if asks_model(spec):
        raise UsageError(
            f"base={spec}: the base chunker is one that asks no model, such as fixed",
            option="chunker",
        )
    return open_chunker(spec, tokens=tokens, overlap=overlap, embedder=embedder), chunker_version(
        spec
    )
