"""What is made of a document: its chunks and what they say, by a recipe, in a bounded time."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Protocol, runtime_checkable

from hlg.errors import HlgError, UsageError
from hlg.ids import source_id
from hlg.ingest.base import Chunker, Extraction, Extractor, Task, leaves
from hlg.ingest.deadline import Deadline, OutOfTime
from hlg.records import Chunk, Document

logger = logging.getLogger(__name__)


@runtime_checkable
class Loads(Protocol):
    """An extractor with a model to load before the first document."""

    def load(self) -> None: ...


@runtime_checkable
class Asks(Protocol):
    """An extractor that mostly waits for answers: it runs in threads of this process.

    ``begin`` does what needs a processor, and gives what is left to do: to ask.
    """

    name: str
    threads: int

    def begin(self, document: Document, chunks: Sequence[Chunk]) -> Callable[[], Extraction]: ...


@runtime_checkable
class AskingChunker(Protocol):
    """A chunker that mostly waits for answers, as :class:`Asks` is an extractor.

    For an estimate it says what it will ask: ``break_tasks`` to cut a document, and
    ``context_tasks`` of the chunks that :meth:`likely` come of it.
    """

    name: str
    threads: int

    def chunk(self, document: Document, source_id: str) -> list[Chunk]: ...

    def begin(self, document: Document, source_id: str) -> Callable[[], list[Chunk]]: ...

    def break_tasks(self, document: Document) -> list[Task]: ...

    def likely(self, document: Document, source_id: str) -> tuple[list[Chunk], bool]: ...

    def context_tasks(
        self, document: Document, chunks: list[Chunk], *, known: bool = True
    ) -> list[Task]: ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides what is made of a document; part of a source's fingerprint.

    ``chunker`` and ``extractor`` are names or objects of the caller's own.
    """

    chunker: str | Chunker
    chunk_tokens: int
    chunk_overlap: float
    extractor: str | Extractor
    embedder: str

    def check(self) -> None:
        """Make the chunker and the extractor here, so that a wrong one costs no build.

        :raises UsageError: a name is wrong, and the message lists the right ones; or an
            object is none, or can't be sent to worker processes.
        """
        _check_object("chunker", self.chunker, "chunk")
        _check_object("extractor", self.extractor, "extract")
        # A file of extractions may have changed since the last build of this process.
        _named_extractor.cache_clear()
        tools(self)

    @property
    def asks(self) -> str:
        """What a language model is asked with: names of chunker and extractor, as far as they
        ask one; empty where none is asked."""
        parts = (self.chunker, self.extractor)
        return "|".join(each.name for each in parts if isinstance(each, Asks | AskingChunker))

    def fingerprint(self) -> str:
        """One string that differs where two recipes differ."""
        sizes = f"{self.chunk_tokens}|{self.chunk_overlap}"
        return f"{_chunker_identity(self.chunker)}|{sizes}|{tools(self)[1].name}"


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a worker made of one document; ``error`` says why where it made nothing."""

    document: Document
    chunks: tuple[Chunk, ...] = ()
    extraction: Extraction = field(default_factory=Extraction)
    error: str = ""


def tools(recipe: Recipe) -> tuple[Chunker, Extractor]:
    """The chunker and the extractor themselves, those with a name one a process."""
    chunker, extractor = recipe.chunker, recipe.extractor
    if isinstance(chunker, str):
        chunker = _named_chunker(
            chunker, recipe.chunk_tokens, recipe.chunk_overlap, recipe.embedder
        )
    return chunker, _named_extractor(extractor) if isinstance(extractor, str) else extractor


@cache
def _named_chunker(name: str, tokens: int, overlap: float, embedder: str) -> Chunker:
    from hlg.ingest.chunk.chunkers import open_chunker
    from hlg.models.embedders import open_embedder

    return open_chunker(name, tokens=tokens, overlap=overlap, embedder=open_embedder(embedder))


@cache
def _named_extractor(name: str) -> Extractor:
    from hlg.ingest.extract.extractors import open_extractor

    return open_extractor(name)


def _chunker_identity(chunker: str | Chunker) -> str:
    if isinstance(chunker, str):
        from hlg.ingest.chunk.chunkers import chunker_version

        return chunker_version(chunker)
    kind = type(chunker)
    return str(getattr(chunker, "name", f"{kind.__module__}.{kind.__qualname__}"))


def _check_object(what: str, given: object, method: str) -> None:
    """An object is what it should be, and can go to a worker process.

    :raises UsageError: it is not, or can't.
    """
    if isinstance(given, str):
        return
    kind = type(given).__name__
    if not callable(getattr(given, method, None)):
        raise UsageError(
            f"{what}={kind} object: it has no method {method}(); give a {what}'s name or an "
            f"object of hlg.ingest.base.{what.capitalize()}",
            option=what,
        )
    if isinstance(given, Asks | AskingChunker):
        return  # it never leaves this process
    from joblib.externals.loky.backend.reduction import dumps

    try:
        dumps(given)
    except Exception as error:
        reason = str(error).partition("\n")[0]
        raise UsageError(
            f"{what}={kind} object: it can't be sent to worker processes ({reason}); leave out "
            "of it what can't be pickled, such as open files, locks and connections",
            option=what,
        ) from error


def chunks_of(recipe: Recipe, documents: Iterable[Document]) -> Iterator[Chunk]:
    """The chunks of documents that statements stand in."""
    chunker, _ = tools(recipe)
    for document in documents:
        yield from leaves(chunker.chunk(document, source_id(document.uri)))


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
    chunker, extractor = tools(recipe)
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
