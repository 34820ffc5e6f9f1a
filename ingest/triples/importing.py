"""Triples from files into a graph, with the documents that describe their entities."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from hlg.arguments import takes_several
from hlg.ingest.build import Build
from hlg.ingest.triples.spool import TripleSpool
from hlg.records import Document
from hlg.reports import BuildReport, Failure, ImportReport, LeftOut, Progress


@takes_several
def import_triples(
    files: Sequence[str | Path],
    documents: Iterator[Document | Failure | LeftOut] | None,
    build: Build,
    build_documents: Build,
    on_progress: Callable[[Progress], None],
) -> ImportReport:
    """Bring a graph up to date with triples of files, then with documents about them.

    :param build: composes sources of triples; ``build_documents`` reads documents.
    """
    described: set[str] = set()
    texts: BuildReport | None = None
    with TripleSpool() as spool:
        rows = 0
        for rows in spool.read(files):
            on_progress(Progress("read", rows, None, "triples"))
        report = build.run(chain(spool.failures, spool.documents()), prune=spool.is_gone)
        if documents is not None:
            texts = build_documents.run(spool.describing(documents, described))
        notes = tuple(spool.notes)
    return ImportReport((texts or report).counts, rows, notes, report, texts, len(described))
