"""Extraction on all cores: batches of documents through worker processes, in order."""

import logging
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Self, cast

from hlg.errors import HlgError
from hlg.ids import source_id
from hlg.ingest.base import Chunker, Extraction, Extractor
from hlg.records import Chunk, Document

if TYPE_CHECKING:
    from joblib.externals.loky import ProcessPoolExecutor

logger = logging.getLogger(__name__)

INLINE_CHARACTERS = 150_000
"""Up to here starting processes, each with its own models, costs more than it saves."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides what is made of a document; part of a source's fingerprint."""

    chunker: str
    chunk_tokens: int
    chunk_overlap: float
    extractor: str
    embedder: str

    def check(self) -> None:
        """Make the chunker and the extractor here, so that a wrong name costs no build.

        :raises UsageError: a name is wrong; the message lists the right ones.
        """
        # A file of extractions may have changed since the last build of this process.
        _tools.cache_clear()
        _tools(self)

    def fingerprint(self) -> str:
        """One string that differs where two recipes differ."""
        return f"{self.chunker}|{self.chunk_tokens}|{self.chunk_overlap}|{_tools(self)[1].name}"


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a worker made of one document; ``error`` says why where it made nothing."""

    document: Document
    chunks: tuple[Chunk, ...] = ()
    extraction: Extraction = field(default_factory=Extraction)
    error: str = ""


@cache
def _tools(recipe: Recipe) -> tuple[Chunker, Extractor]:
    from hlg.ingest.chunk.chunkers import open_chunker
    from hlg.ingest.extract.extractors import open_extractor
    from hlg.models.embedders import open_embedder

    chunker = open_chunker(
        recipe.chunker,
        tokens=recipe.chunk_tokens,
        overlap=recipe.chunk_overlap,
        embedder=open_embedder(recipe.embedder),
    )
    return chunker, open_extractor(recipe.extractor)


def extract_batch(documents: list[Document], recipe: Recipe) -> tuple[list[Extracted], float]:
    """Chunk and extract documents one by one; also the seconds that it took.

    A document that breaks the extractor is given back with its error, so that one bad
    document never costs the others; errors in hlg's own setting up are raised.
    """
    started = time.perf_counter()
    chunker, extractor = _tools(recipe)
    return [
        _extract(document, chunker, extractor) for document in documents
    ], time.perf_counter() - started


def _extract(document: Document, chunker: Chunker, extractor: Extractor) -> Extracted:
    try:
        chunks = chunker.chunk(document, source_id(document.uri))
        extraction = extractor.extract(document, chunks)
    except HlgError:
        raise
    except Exception as error:
        logger.debug("extraction of %s failed", document.uri, exc_info=True)
        return Extracted(document, error=f"extraction failed: {type(error).__name__}: {error}")
    return Extracted(document, tuple(chunks), extraction)


def _start_worker(parent: int) -> None:
    """Leave Ctrl-C to the parent, and end when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class ExtractionPool:
    """Runs :func:`extract_batch` on batches, ahead of the reader but boundedly so.

    The first ``INLINE_CHARACTERS`` are extracted in this process; only a larger build
    starts workers.
    """

    def __init__(self, recipe: Recipe, workers: int) -> None:
        self._recipe = recipe
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None
        self._characters = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=error is None, kill_workers=error is not None)

    def run(self, batches: Iterator[list[Document]]) -> Iterator[tuple[list[Extracted], float]]:
        """Results in the order of ``batches``; at most two batches a worker wait."""
        waiting: deque[Future[tuple[list[Extracted], float]]] = deque()
        for batch in batches:
            waiting.append(self._submit(batch))
            while waiting and (len(waiting) > 2 * self._workers or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _submit(self, batch: list[Document]) -> Future[tuple[list[Extracted], float]]:
        self._characters += sum(len(document.text) for document in batch)
        if self._workers > 1 and self._characters > INLINE_CHARACTERS:
            submitted = self._pool().submit(extract_batch, batch, self._recipe)
            return cast(Future[tuple[list[Extracted], float]], submitted)
        future: Future[tuple[list[Extracted], float]] = Future()
        future.set_result(extract_batch(batch, self._recipe))
        return future

    def _pool(self) -> "ProcessPoolExecutor":
        if self._executor is None:
            # loky's workers start without running the caller's main module again, which
            # multiprocessing's would: a script that builds needs no __main__ guard.
            from joblib.externals.loky import ProcessPoolExecutor

            self._executor = ProcessPoolExecutor(
                self._workers, initializer=_start_worker, initargs=(os.getpid(),)
            )
        return self._executor
