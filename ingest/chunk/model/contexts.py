"""What a chunk's place in its document is, in a language model's words (thesis §3.1.4.1).

The document stands first in the prompt, and all chunks of a document share that beginning to
the letter, so that a provider which keeps the beginnings of prompts reads it once. Of a document
that is longer than a window, a chunk is placed within the window that holds it.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hlg.ingest.base import Task, leaves
from hlg.ingest.chunk.splitter import Splitter, is_markdown
from hlg.models.language.fence import new_boundary
from hlg.records import Chunk, Document

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

CHUNK_CONTEXT = "chunk-context"
"""Name of the prompt."""
LONGEST_CONTEXT = 1000
"""Characters that are kept of an answer: the chunk has to have room in the same vector."""


class Contexts:
    """Asks for the contexts of chunks, and adds them.

    :param windows: cuts a document into what the model reads at once.
    :param of_parents: what is part of a larger chunk has that one's context, so that only it
        is asked about.
    """

    def __init__(self, door: "ModelDoor", windows: Splitter, *, of_parents: bool = False) -> None:
        self._door = door
        self._windows = windows
        self._of_parents = of_parents

    def add(self, document: Document, chunks: Sequence[Chunk]) -> list[Chunk]:
        """The chunks, each that is searched with its context below its headings.

        :raises ModelError: the model does not answer for one of them.
        """
        placed = self._placed(document, chunks)
        ask = partial(self._ask, document, new_boundary())
        # The first alone: once it is answered, the document is known to the provider.
        said = [ask(each) for each in placed[:1]]
        said += self._door.map(ask, placed[1:])
        contexts = {chunk.id: text for (chunk, _), text in zip(placed, said, strict=True)}
        searched = {chunk.id for chunk in leaves(chunks)}
        return [
            replace(each, context=f"{each.headings}\n{contexts[self._asked_about(each)]}")
            if each.id in searched
            else each
            for each in chunks
        ]

    def tasks(
        self, document: Document, chunks: Sequence[Chunk], *, known: bool = True
    ) -> list[Task]:
        """What is asked for these chunks, one each.

        :param known: whether the chunks are those that there will be, and not only like them.
        """
        ask = partial(self._ask, document, new_boundary())
        return [
            Task(len(window) + len(chunk.text), partial(ask, (chunk, window)) if known else None)
            for chunk, window in self._placed(document, chunks)
        ]

    def _placed(self, document: Document, chunks: Sequence[Chunk]) -> list[tuple[Chunk, str]]:
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
        return (chunk.parent_id if self._of_parents else None) or chunk.id

    def _ask(self, document: Document, boundary: str, placed: tuple[Chunk, str]) -> str:
        chunk, window = placed
        material = {"title": document.title, "document": window, "passage": chunk.text}
        said = " ".join(self._door.ask(CHUNK_CONTEXT, material, boundary=boundary).value.split())
        if len(said) <= LONGEST_CONTEXT:
            return said
        return said[:LONGEST_CONTEXT].rpartition(" ")[0] or said[:LONGEST_CONTEXT]
