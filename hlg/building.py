"""The part of the facade that builds: documents, triples, and what the graph relates them to."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from hlg.ingest.build import Build
from hlg.ingest.composed import COMPOSED
from hlg.ingest.load.sources import covered_by, load
from hlg.ingest.pool import Recipe
from hlg.ingest.triples.relations import is_relations, relation_documents
from hlg.ingest.triples.spool import TripleSpool
from hlg.models.base import Embedder
from hlg.records import Document
from hlg.reports import BuildReport, Failure, ImportReport, Progress
from hlg.settings import Settings
from hlg.store import GraphStore

__all__ = ["Builder"]


@dataclass(frozen=True, slots=True)
class Builder:
    """Brings a graph up to date, as :class:`hlg.LexicalGraph` documents it."""

    store: GraphStore
    settings: Settings
    embedder: Callable[[], Embedder]
    on_progress: Callable[[Progress], None] | None = None

    def build(
        self,
        paths: Sequence[str | Path],
        *,
        chunker: str | None,
        extractor: str | None,
        prune: bool,
        relations: bool,
        dry_run: bool,
    ) -> BuildReport:
        """See :meth:`hlg.LexicalGraph.build`."""
        build = self._build_with(self._recipe(chunker, extractor), set_up=not dry_run)
        gone = covered_by(paths) if prune else None
        report = build.run(self._documents(paths), prune=gone, dry_run=dry_run)
        if relations and not dry_run:
            report = replace(report, relations=self._append_relations())
        return report

    def import_triples(
        self,
        files: Sequence[str | Path],
        *,
        documents: Sequence[str | Path],
        relations: bool,
    ) -> ImportReport:
        """See :meth:`hlg.LexicalGraph.import_triples`."""
        documents_recipe = self._recipe(None, None)
        build = self._build_with(self._recipe(COMPOSED, COMPOSED))
        described: set[str] = set()
        texts: BuildReport | None = None
        with TripleSpool() as spool:
            rows = 0
            for rows in spool.read(files):
                if self.on_progress is not None:
                    self.on_progress(Progress("read", rows, None, "triples"))
            report = build.run(chain(spool.failures, spool.documents()), prune=spool.is_gone)
            if documents:
                about = spool.describing(self._documents(documents), described)
                texts = self._build_with(documents_recipe).run(about)
            notes = tuple(spool.notes)
        appended = self._append_relations() if relations else None
        return ImportReport(
            counts=self.store.counts(),
            rows=rows,
            notes=notes,
            triples=report,
            documents=texts,
            described=len(described),
            relations=appended,
        )

    def _recipe(self, chunker: str | None, extractor: str | None) -> Recipe:
        settings = self.settings
        recipe = Recipe(
            chunker=chunker or settings.chunker,
            chunk_tokens=settings.chunk_tokens,
            chunk_overlap=settings.chunk_overlap,
            extractor=extractor or settings.extractor,
            embedder=settings.embedder,
        )
        recipe.check()
        return recipe

    def _build_with(self, recipe: Recipe, *, set_up: bool = True) -> Build:
        embedder = self.embedder()
        if set_up:
            self.store.set_up(embedder.name, embedder.dimensions)
        workers = self.settings.workers
        return Build(
            self.store,
            embedder,
            recipe,
            workers=workers,
            max_document_mb=self.settings.max_document_mb,
            on_progress=self.on_progress,
        )

    def _documents(self, paths: Sequence[str | Path]) -> Iterator[Document | Failure]:
        return load(paths, max_bytes=self.settings.max_file_mb * 2**20)

    def _append_relations(self) -> BuildReport:
        build = self._build_with(self._recipe(COMPOSED, COMPOSED))
        return build.run(relation_documents(self.store), prune=is_relations)
