"""The build: documents in, the graph brought up to date with them.

load → chunk → extract (all cores) → embed → write. Each step hands on bounded batches in
the order of the documents, so memory does not grow with the corpus, and a build that was
interrupted anywhere and run again ends with the same graph as one that was not: a source
is written whole in one transaction, and what is there unchanged is skipped.
"""

import json
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from hlg.ids import source_id, text_hash
from hlg.ingest.chunking import open_pool
from hlg.ingest.composed import ComposedDocument
from hlg.ingest.copies import Copies
from hlg.ingest.embed import GraphEmbedder
from hlg.ingest.extent import Extent, file_of
from hlg.ingest.load.limits import MEBIBYTE
from hlg.ingest.load.metadata import UNREAD
from hlg.ingest.recipe import Extracted, Recipe
from hlg.ingest.triples.relations import relations_uri
from hlg.models.base import Embedder
from hlg.records import BETWEEN, Document, Source, SourceGraph
from hlg.reports import BatchReport, BuildReport, Failure, LeftOut, Note, Progress
from hlg.store import GraphStore
from hlg.store.source_text import between_chunks

STATEMENTS_A_WRITE = 2_000
"""A transaction costs 0.1 s however small it is, and one of 2,000 statements half a second."""
SOURCES_A_WRITE = 500
CHARACTERS_A_BATCH = 40_000
"""Text handed to a worker at once: a quarter of a second's work."""
NO_STATEMENTS = "no statement was found in it; only its chunks can be searched"
UNREAD_PAGES = (
    "pictures of pages were not read ({pages}): they want the program tesseract and hlg[ocr], or "
    "more document_seconds"
)
MOST_PAGES_NAMED = 8
UNREAD_FIELDS = "fields of its metadata are too large or too deeply nested, and left out: {names}"


@dataclass(slots=True)
class _Tally:
    """What a build has done so far."""

    added: int = 0
    changed: int = 0
    skipped: int = 0
    deleted: int = 0
    statements: int = 0
    failed: list[Failure] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    languages: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    left_out: list[LeftOut] = field(default_factory=list)
    unaligned: int = 0
    copies: int = 0
    stopped: str = ""
    seen: set[str] = field(default_factory=set)
    seconds: dict[str, float] = field(
        default_factory=lambda: dict.fromkeys(("load", "extract", "embed", "write"), 0.0)
    )


class Build:
    """One run of the pipeline into one store."""

    def __init__(
        self,
        store: GraphStore,
        embedder: Embedder,
        recipe: Recipe,
        *,
        workers: int,
        max_document_mb: int,
        document_seconds: float,
        on_progress: Callable[[Progress], None] | None,
    ) -> None:
        self._store = store
        self._embedder = GraphEmbedder(embedder)
        self._recipe = recipe
        self._workers = workers or len(os.sched_getaffinity(0))
        self._max_document_mb = max_document_mb
        self._document_seconds = document_seconds
        self._on_progress = on_progress or (lambda progress: None)
        self._known: dict[str, str] = {}
        self._copies = Copies((), self._text_hash)
        self._extent: Extent | None = None
        self._passing = Lock()
        self._tally = _Tally()
        self._started = time.perf_counter()

    def run(
        self,
        documents: Iterable[Document | Failure | LeftOut],
        *,
        prune: Callable[[str], bool] | None = None,
        dry_run: bool = False,
        sizes: Mapping[str, int] | None = None,
    ) -> BuildReport:
        """Bring the graph up to date with ``documents``.

        :param prune: says of a uri that is in the graph and not among the documents
            whether it is to be deleted; without it nothing is.
        :param dry_run: only say what would be added, changed, skipped and deleted.
        :param sizes: bytes of each file that is read, by uri, for progress with an end.
        """
        self._extent = Extent(sizes) if sizes else None
        todo = self.pending(documents)
        if dry_run:
            for document in todo:
                self._count(document.uri)
        else:
            self._process(todo)
            self._settle_copies(prune or (lambda uri: False))
        if prune is not None and not self._tally.stopped:
            self._prune(prune, dry_run=dry_run)
        return self.report(dry_run=dry_run)

    def report(self, *, dry_run: bool = False, batch: BatchReport | None = None) -> BuildReport:
        """What was done so far."""
        tally = self._tally
        tally.seconds["total"] = time.perf_counter() - self._started
        return BuildReport(
            counts=self._store.counts() if self._store.info() is not None else {},
            added=tally.added,
            changed=tally.changed,
            skipped=tally.skipped,
            deleted=tally.deleted,
            failed=tuple(tally.failed),
            notes=tuple(tally.notes),
            read=dict(tally.read),
            languages=dict(tally.languages.most_common()),
            left_out=tuple(tally.left_out),
            seconds={stage: round(seconds, 3) for stage, seconds in tally.seconds.items()},
            dry_run=dry_run,
            statements=tally.statements,
            unaligned=tally.unaligned,
            copies=tally.copies,
            batch=batch,
            stopped=tally.stopped,
        )

    def pending(self, documents: Iterable[Document | Failure | LeftOut]) -> Iterator[Document]:
        """The documents that a build would extract anew."""
        if self._store.info() is not None:
            sources = self._store.sources()
            self._known = {source.uri: source.text_hash for source in sources}
            self._copies = Copies(sources, self._text_hash)
        return self._changed(documents)

    def _changed(self, documents: Iterable[Document | Failure | LeftOut]) -> Iterator[Document]:
        """The documents that the graph doesn't hold as they are."""
        iterator = iter(documents)
        while True:
            started = time.perf_counter()
            document = next(iterator, None)
            self._tally.seconds["load"] += time.perf_counter() - started
            if document is None:
                return
            if isinstance(document, LeftOut):
                self._tally.left_out.append(document)
            elif isinstance(document, Failure):
                self._fail(document)
            elif document.uri in self._tally.seen:
                self._fail(Failure(document.uri, "named twice in this build; the first was kept"))
            else:
                self._tally.seen.add(document.uri)
                if document.format:
                    self._tally.read[document.format] += 1
                if self._is_too_large(document):
                    reason = (
                        f"a text of more than {self._max_document_mb} MiB; "
                        "raise the setting max_document_mb"
                    )
                    self._fail(Failure(document.uri, reason))
                elif self._copies.original_of(document) is not None:
                    self._tally.copies += 1
                    self._passed({document.uri: len(document.text)})
                elif self._known.get(document.uri) == self._fingerprint(document):
                    self._tally.skipped += 1
                    self._passed({document.uri: len(document.text)})
                else:
                    yield document

    def _is_too_large(self, document: Document) -> bool:
        """Whether a text that was read, not composed here, has more bytes than allowed."""
        if isinstance(document, ComposedDocument):
            return False
        limit = self._max_document_mb * MEBIBYTE
        text = document.text
        # A character takes one byte at least and four at most.
        return len(text) > limit or (
            4 * len(text) > limit and len(text.encode("utf-8", "surrogatepass")) > limit
        )

    def _process(self, documents: Iterator[Document]) -> None:
        """Extract, embed and write, each while the others run."""
        with (
            open_pool(self._recipe, self._workers, self._document_seconds) as pool,
            ThreadPoolExecutor(1, "hlg-writer") as writer,
        ):
            writes: deque[Future[None]] = deque()
            try:
                for graphs in self._groups(pool.run(_batches(documents))):
                    writes.append(writer.submit(self._write, self._embed(graphs)))
                    while len(writes) > 1:
                        writes.popleft().result()
                while writes:
                    writes.popleft().result()
                self._tally.stopped = pool.stopped
            except BaseException:
                for write in writes:
                    write.cancel()
                raise

    def _groups(
        self, results: Iterator[tuple[list[Extracted], float]]
    ) -> Iterator[list[SourceGraph]]:
        """Whole sources, as many as make one transaction."""
        group: list[SourceGraph] = []
        statements = 0
        for batch, seconds in results:
            self._tally.seconds["extract"] += seconds
            for extracted in batch:
                if extracted.error:
                    self._fail(Failure(extracted.document.uri, extracted.error))
                    continue
                if not extracted.extraction.statements:
                    self._tally.notes.append(Note(extracted.document.uri, NO_STATEMENTS))
                self._tally.notes += _notes(extracted.document)
                if extracted.extraction.language:
                    self._tally.languages[extracted.extraction.language] += 1
                group.append(self._source_graph(extracted))
                statements += len(extracted.extraction.statements)
                if statements >= STATEMENTS_A_WRITE or len(group) >= SOURCES_A_WRITE:
                    yield group
                    group, statements = [], 0
        if group:
            yield group

    def _source_graph(self, extracted: Extracted) -> SourceGraph:
        document, extraction = extracted.document, extracted.extraction
        between = between_chunks(document.text, extracted.chunks)
        return SourceGraph(
            source=Source(
                id=source_id(document.uri),
                uri=document.uri,
                title=document.title,
                text_hash=self._fingerprint(document),
                metadata={**document.metadata, **({BETWEEN: between} if between else {})},
                ingested_at=datetime.now(UTC).isoformat(timespec="seconds"),
            ),
            chunks=extracted.chunks,
            topics=extraction.topics,
            statements=extraction.statements,
            facts=extraction.facts,
            entities=extraction.entities,
        )

    def _embed(self, graphs: list[SourceGraph]) -> list[SourceGraph]:
        started = time.perf_counter()
        embedded = self._embedder.embed(graphs)
        self._tally.seconds["embed"] += time.perf_counter() - started
        return embedded

    def _write(self, graphs: list[SourceGraph]) -> None:
        started = time.perf_counter()
        self._store.write(graphs)
        tally = self._tally
        tally.seconds["write"] += time.perf_counter() - started
        for graph in graphs:
            self._count(graph.source.uri)
            tally.statements += len(graph.statements)
            tally.unaligned += sum(not each.is_aligned for each in graph.statements)
        ends = (max((chunk.end for chunk in graph.chunks), default=0) for graph in graphs)
        self._passed(dict(zip((graph.source.uri for graph in graphs), ends, strict=True)))

    def _passed(self, documents: Mapping[str, int]) -> None:
        """Tell how far the build is: documents are in the graph, left as they were, or left out.

        :param documents: the characters of each, by uri.
        """
        # What is written passes in the writer's thread, the others in this one.
        with self._passing:
            tally, extent = self._tally, self._extent
            for uri, characters in documents.items():
                if extent is not None:
                    extent.pass_by(uri, characters)
            done = tally.added + tally.changed + tally.skipped
            of = ""
            if extent is not None:
                of = f" of {extent.files} file{'' if extent.files == 1 else 's'}"
            self._on_progress(
                Progress(
                    stage="build",
                    done=done,
                    total=None,
                    message=f"{done} sources{of}, {tally.statements} statements, {uri}",
                    share=extent.share if extent is not None else None,
                )
            )

    def _count(self, uri: str) -> None:
        if uri in self._known:
            self._tally.changed += 1
        else:
            self._tally.added += 1

    def _fail(self, failure: Failure) -> None:
        self._tally.failed.append(failure)
        self._passed({failure.uri: 0})

    def _fingerprint(self, document: Document) -> str:
        return self._text_hash(document.text, document.title, document.metadata)

    def _text_hash(self, text: str, title: str, metadata: Mapping[str, Any]) -> str:
        told = json.dumps(dict(metadata), sort_keys=True, default=str)
        return text_hash(text, title, told, self._recipe.fingerprint())

    def _settle_copies(self, is_gone: Callable[[str], bool]) -> None:
        """Give sources the addresses of their copies, which are no sources of their own."""
        if self._store.info() is None:
            return
        sources = self._store.sources()
        own = self._copies.own_sources({each.uri for each in sources})
        self._tally.deleted += self._store.delete([source_id(uri) for uri in own])
        told = {each.id: self._copies.addresses(each, is_gone) for each in sources}
        self._store.set_metadata({id_: each for id_, each in told.items() if each is not None})

    def _prune(self, gone: Callable[[str], bool], *, dry_run: bool) -> None:
        # A record that a broken file may still hold is not gone.
        broken = {file_of(failure.uri) for failure in self._tally.failed}
        uris = [
            uri
            for uri in self._known
            if uri not in self._tally.seen and file_of(uri) not in broken and gone(uri)
        ]
        if not dry_run:
            self._store.delete([source_id(x) for uri in uris for x in (uri, relations_uri(uri))])
        self._tally.deleted += len(uris)


def _notes(document: Document) -> Iterator[Note]:
    """What was not read of a document."""
    if pages := document.metadata.get("unread_pages"):
        more = " …" if len(pages) > MOST_PAGES_NAMED else ""
        shown = ", ".join(map(str, pages[:MOST_PAGES_NAMED]))
        yield Note(document.uri, UNREAD_PAGES.format(pages=shown + more))
    if names := document.metadata.get(UNREAD):
        yield Note(document.uri, UNREAD_FIELDS.format(names=", ".join(map(str, names))))


def _batches(documents: Iterator[Document]) -> Iterator[list[Document]]:
    batch: list[Document] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += len(document.text)
        if characters >= CHARACTERS_A_BATCH:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
