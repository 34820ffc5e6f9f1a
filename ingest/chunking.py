"""Chunking that waits for a language model: a stage of its own, ahead of extraction.

Chunks are asked for in threads of this process, whatever extracts from them: a document goes on
to the pool of extraction with the chunks that were made of it.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, Self

from hlg.ids import source_id
from hlg.ingest.base import Chunker
from hlg.ingest.model_pool import ModelPool, Rest, extracting
from hlg.ingest.pool import ExtractionPool
from hlg.ingest.recipe import AskingChunker, Asks, Extracted, Recipe
from hlg.records import Chunk, Document


class Pool(Protocol):
    """Makes of documents what a recipe says; ``stopped`` says why, where it ended early."""

    @property
    def stopped(self) -> str: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: Any) -> None: ...

    def run(self, batches: Iterator[list[Document]]) -> Iterator[tuple[list[Extracted], float]]: ...


def open_pool(recipe: Recipe, workers: int, document_seconds: float) -> Pool:
    """What extracts by a recipe: processes, or threads where a language model is asked.

    :param workers: processes, where there are any.
    :param document_seconds: the most that the processor may work on one document.
    """
    if isinstance(recipe.chunker, AskingChunker):
        rest = open_pool(replace(recipe, chunker=_GivenChunks()), workers, document_seconds)
        chunker = recipe.chunker
        asking = ModelPool(_chunking(chunker), chunker.threads, document_seconds)
        return _ChunkingPool(asking, rest)
    if isinstance(recipe.extractor, Asks):
        return ModelPool(extracting(recipe), recipe.extractor.threads, document_seconds)
    return ExtractionPool(recipe, workers, document_seconds)


@dataclass(frozen=True, slots=True)
class _ChunkedDocument(Document):
    """A document with the chunks that were made of it."""

    chunks: tuple[Chunk, ...] = ()


class _GivenChunks(Chunker):
    """Gives the chunks that a document comes with."""

    name = "given"

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        """The chunks of the document, as they were made."""
        if not isinstance(document, _ChunkedDocument):
            raise TypeError(f"{document.uri} comes without chunks")
        return list(document.chunks)


class _ChunkingPool:
    """Chunks documents by asking, and hands them on to another pool."""

    def __init__(self, asking: ModelPool, rest: Pool) -> None:
        self._asking = asking
        self._rest = rest
        self._entered = ExitStack()
        self._failed: deque[Extracted] = deque()

    @property
    def stopped(self) -> str:
        """Why the work ended before the documents did."""
        return self._asking.stopped or self._rest.stopped

    def __enter__(self) -> Self:
        self._entered.enter_context(self._asking)
        self._entered.enter_context(self._rest)
        return self

    def __exit__(self, *error: Any) -> None:
        self._entered.__exit__(*error)

    def run(self, batches: Iterator[list[Document]]) -> Iterator[tuple[list[Extracted], float]]:
        """What comes of the documents in their order, but that those without chunks are early.

        :raises ModelError: the model answers for none of the first documents.
        """
        for result in self._rest.run(self._chunked(batches)):
            yield from self._without_chunks()
            yield result
        yield from self._without_chunks()

    def _chunked(self, batches: Iterator[list[Document]]) -> Iterator[list[Document]]:
        for batch, _ in self._asking.run(batches):
            for made in batch:
                if made.error:
                    self._failed.append(made)
                else:
                    own = {
                        each.name: getattr(made.document, each.name) for each in fields(Document)
                    }
                    yield [_ChunkedDocument(**own, chunks=made.chunks)]

    def _without_chunks(self) -> Iterator[tuple[list[Extracted], float]]:
        while self._failed:
            yield [self._failed.popleft()], 0.0


def _chunking(chunker: AskingChunker) -> Callable[[Document], Rest]:
    def begin(document: Document) -> Rest:
        rest = chunker.begin(document, source_id(document.uri))
        return lambda: Extracted(document, tuple(rest()))

    return begin
