"""A build as a graph's settings say: its recipe, its documents, its bounds."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hlg.ingest.build import Build
from hlg.ingest.chunk.chunkers import asks_model, open_chunker
from hlg.ingest.composed import COMPOSED
from hlg.ingest.extract.extractors import MODEL_EXTRACTORS, open_model_extractor
from hlg.ingest.load.file import RecordFields
from hlg.ingest.load.limits import MEBIBYTE, Limits
from hlg.ingest.load.sources import load
from hlg.ingest.recipe import Recipe
from hlg.records import Document
from hlg.reports import Failure, LeftOut, OnProgress

if TYPE_CHECKING:
    from hlg.ingest.base import Chunker, Extractor
    from hlg.opened import OpenGraph


def recipe_of(
    graph: "OpenGraph",
    chunker: "str | Chunker | None" = None,
    extractor: "str | Extractor | None" = None,
) -> Recipe:
    """How documents become a graph; what isn't given comes from the settings.

    :raises UsageError: a chunker's or an extractor's name is wrong.
    """
    settings = graph.settings
    extractor = extractor or settings.extractor
    if isinstance(extractor, str) and extractor in MODEL_EXTRACTORS and graph.door is not None:
        extractor = open_model_extractor(
            extractor, graph.door, settings.domain, settings.propositionizer
        )
    chunker = chunker or settings.chunker
    if isinstance(chunker, str) and asks_model(chunker) and graph.door is not None:
        chunker = open_chunker(
            chunker,
            tokens=settings.chunk_tokens,
            overlap=settings.chunk_overlap,
            embedder=graph.embedder,
            door=graph.door,
        )
    recipe = Recipe(
        chunker=chunker,
        chunk_tokens=settings.chunk_tokens,
        chunk_overlap=settings.chunk_overlap,
        extractor=extractor,
        embedder=settings.embedder,
    )
    recipe.check()
    return recipe


def unused_settings(graph: "OpenGraph", recipe: Recipe) -> list[str]:
    """What says that a setting does nothing in a build."""
    from hlg.ingest.extract.model.extractor import ModelExtractor

    if not graph.settings.propositionizer or isinstance(recipe.extractor, ModelExtractor):
        return []
    return ["the setting propositionizer did nothing: it is for --extractor llm"]


def open_build(
    graph: "OpenGraph",
    recipe: Recipe,
    on_progress: OnProgress | None = None,
    *,
    set_up: bool = True,
) -> Build:
    """A build into the graph's store, whose schema is set up unless nothing is to be written.

    :raises StoreError: the store fails, or holds vectors of another embedder.
    """
    embedder = graph.embedder
    if set_up:
        graph.store.set_up(embedder.name, embedder.dimensions)
    return Build(
        graph.store,
        embedder,
        recipe,
        workers=graph.settings.workers,
        max_document_mb=graph.settings.max_document_mb,
        document_seconds=graph.settings.document_seconds,
        on_progress=on_progress,
    )


def composed_build(graph: "OpenGraph", on_progress: OnProgress | None) -> Build:
    """A build of documents that come with their statements (:mod:`hlg.ingest.composed`)."""
    return open_build(graph, recipe_of(graph, COMPOSED, COMPOSED), on_progress)


def documents_of(
    graph: "OpenGraph", paths: Sequence[str]
) -> Iterator[Document | Failure | LeftOut]:
    """What paths hold, within the bounds that the settings give."""
    settings = graph.settings
    limits = Limits(
        file_bytes=settings.max_file_mb * MEBIBYTE,
        unpacked_bytes=settings.max_unpacked_mb * MEBIBYTE,
        seconds=settings.document_seconds,
    )
    fields = RecordFields(settings.text_field, settings.id_field, settings.title_field)
    return load(paths, limits=limits, fields=fields, ocr_languages=settings.ocr_languages)
