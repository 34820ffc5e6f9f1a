"""Triples imported into the graph, with the documents that describe their entities."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hlg.indexing.build import append_relations
from hlg.indexing.setup import composed_build, documents_of, open_build, recipe_of
from hlg.ingest.triples.importing import import_triples
from hlg.reports import ImportReport, Progress

if TYPE_CHECKING:
    from hlg.opened import OpenGraph


def import_into(
    graph: "OpenGraph",
    files: Sequence[str],
    documents: Sequence[str],
    relations: bool,
    on_progress: Callable[[Progress], None] | None,
) -> ImportReport:
    """See :meth:`hlg.LexicalGraph.import_triples`."""
    imported = import_triples(
        files,
        documents_of(graph, documents) if documents else None,
        composed_build(graph, on_progress),
        open_build(graph, recipe_of(graph), on_progress),
        on_progress or (lambda progress: None),
    )
    appended = append_relations(graph, on_progress) if relations else None
    graph.prepare()
    return ImportReport(
        counts=graph.store.counts(),
        rows=imported.rows,
        notes=imported.notes,
        triples=imported.triples,
        documents=imported.documents,
        described=imported.described,
        relations=appended,
    )
