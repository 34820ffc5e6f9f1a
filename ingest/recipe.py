"""What is made of a document: its chunks and what they say, by a recipe, in a bounded time."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Protocol, runtime_checkable

from hlg.errors import HlgError
from hlg.ids import source_id
from hlg.ingest.base import Chunker, Extraction, Extractor
from hlg.ingest.deadline import Deadline, OutOfTime
from hlg.records import Chunk, Document

__all__ = ["Extracted", "Recipe", "extract_batch", "out_of_time"]

logger = logging.getLogger(__name__)


@runtime_checkable
class Loads(Protocol):
    """An extractor with a model to load before the first document."""

    def load(self) -> None: ...


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


def extract_batch(
    documents: Sequence[Document],
    recipe: Recipe,
    deadline: Deadline,
    begin: Callable[[int], None] = lambda position: None,
) -> tuple[list[Extracted], float]:
    """Chunk and extract documents one by one; also the seconds that it took.

    A document that breaks the extractor, or takes longer than ``deadline`` gives it, is
    given back with its error, so that one bad document never costs the others; errors in
    hlg's own setting up are raised.

    :param begin: told of each document's position before it is begun.
    """
    started = time.perf_counter()
    chunker, extractor = _tools(recipe)
    if isinstance(extractor, Loads):
        extractor.load()  # not on the first document's time
    extracted = []
    for position, document in enumerate(documents):
        begin(position)
        try:
            extracted.append(deadline.run(partial(_extract, document, chunker, extractor)))
        except OutOfTime:
            extracted.append(Extracted(document, error=out_of_time(deadline.seconds)))
    return extracted, time.perf_counter() - started


def out_of_time(seconds: float) -> str:
    """Why a document was left out that took too long."""
    return f"took more than {seconds:g} s to chunk and extract; raise the setting document_seconds"


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
