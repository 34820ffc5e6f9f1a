"""What a chunk's place in its document is, in a language model's words (thesis §3.1.4.1).

The document stands first in the prompt, and all chunks of a document share that beginning to
the letter, so that a provider which keeps the beginnings of prompts reads it once. Of a document
that is longer than a window, a chunk is placed within the window that holds it.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from annotated_types import Ge, Le

from hlg.errors import UsageError
from hlg.ingest.base import Chunker, Task, leaves
from hlg.ingest.chunk.chunkers import asks_model, chunker_version, open_chunker
from hlg.ingest.chunk.splitter import Splitter, is_markdown
from hlg.models.base import Embedder
from hlg.models.language.fence import new_boundary
from hlg.records import Chunk, Document

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

CHUNK_CONTEXT = "chunk-context"
"""Name of the prompt."""
LONGEST_CONTEXT = 1000
"""Characters that are kept of an answer: the chunk has to have room in the same vector."""


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
    """Chunks of a base chunker, each with what the model says of its place in the document.

    :param windows: cuts a document into what the model reads at once.
    """

    of_parents = False
    """Whether what is part of a larger chunk has that one's context, so that only it is asked
    about."""

    def __init__(self, door: "ModelDoor", base: Chunker, base_name: str, windows: Splitter) -> None:
        self._door = door
        self._base = base
        self._windows = windows
        self.threads = door.concurrency
        self.name = f"contextual-1|{base_name}|{windows.tokens}|{door.identity(CHUNK_CONTEXT)}"

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        """The document's chunks with their contexts.

        :raises ModelError: the model does not answer for one of them.
        """
        return self.begin(document, source_id)()

    def begin(self, document: Document, source_id: str) -> Callable[[], list[Chunk]]:
        """Cut; what is left to do is to ask."""
        return partial(self.placed, document, self.cut(document, source_id))

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
        self, document: Document, chunks: Sequence[Chunk], *, known: bool = True
    ) -> list[Task]:
        """What is asked of the chunks' places, one each.

        :param known: whether the chunks are those that there will be, and not only like them.
        """
        ask = partial(self._ask, document, new_boundary())
        return [
            Task(len(window) + len(chunk.text), partial(ask, (chunk, window)) if known else None)
            for chunk, window in self._windows_of(document, chunks)
        ]

    def placed(self, document: Document, chunks: Sequence[Chunk]) -> list[Chunk]:
        """The chunks, each that is searched with its context below its headings.

        :raises ModelError: the model does not answer for one of them.
        """
        asked = self._windows_of(document, chunks)
        ask = partial(self._ask, document, new_boundary())
        # The first alone: once it is answered, the document is known to the provider.
        said = [ask(each) for each in asked[:1]]
        said += self._door.map(ask, asked[1:])
        contexts = {chunk.id: text for (chunk, _), text in zip(asked, said, strict=True)}
        searched = {chunk.id for chunk in leaves(chunks)}
        return [
            replace(each, context=f"{each.headings}\n{contexts[self._asked_about(each)]}")
            if each.id in searched
            else each
            for each in chunks
        ]

    def _windows_of(self, document: Document, chunks: Sequence[Chunk]) -> list[tuple[Chunk, str]]:
        """The chunks that are asked about, each with what the model reads of the document."""
        ids = {self._asked_about(each) for each in leaves(chunks)}
        text = document.text
        starts = [0]
        if self._windows.size(text) > self._windows.tokens:
            spans = self._windows.spans(text, markdown=is_markdown(document))
            starts += [start for start, _ in spans[1:]]
        ends = [*starts[1:], len(text)]
        placed = []
        for chunk in chunks:
            if chunk.id in ids:
                at = bisect_right(starts, (chunk.start + chunk.end) // 2) - 1
                placed.append((chunk, text[starts[at] : ends[at]]))
        return placed

    def _asked_about(self, chunk: Chunk) -> str:
        return (chunk.parent_id if self.of_parents else None) or chunk.id

    def _ask(self, document: Document, boundary: str, placed: tuple[Chunk, str]) -> str:
        chunk, window = placed
        material = {"title": document.title, "document": window, "passage": chunk.text}
        said = " ".join(self._door.ask(CHUNK_CONTEXT, material, boundary=boundary).value.split())
        if len(said) <= LONGEST_CONTEXT:
            return said
        return said[:LONGEST_CONTEXT].rpartition(" ")[0] or said[:LONGEST_CONTEXT]


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
