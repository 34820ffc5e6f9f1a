"""The graph brought up to date with files, and with what it relates itself."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from hlg.errors import UsageError
from hlg.indexing.payment import note_extractor
from hlg.indexing.setup import (
    composed_build,
    documents_of,
    open_build,
    recipe_of,
    unused_settings,
)
from hlg.ingest.extract.local.languages import language_advice
from hlg.ingest.load.sources import STDIN, covered_by, sizes_of
from hlg.ingest.tasks import open_questions
from hlg.ingest.triples.importing import import_triples
from hlg.ingest.triples.relations import is_relations, relation_documents
from hlg.models.language.answers import Usage
from hlg.models.language.providers import required
from hlg.records import Document
from hlg.reports import (
    BatchReport,
    BuildReport,
    Failure,
    ImportReport,
    LeftOut,
    OnProgress,
)

if TYPE_CHECKING:
    from hlg.ingest.recipe import Recipe
    from hlg.models.language.door import ModelDoor
    from hlg.opened import OpenGraph
    from hlg.store.base import GraphStore


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What :meth:`hlg.LexicalGraph.build` takes beside paths and recipe."""

    prune: bool = False
    relations: bool = False
    dry_run: bool = False
    budget: float | None = None
    batch: bool = False


def build_graph(
    graph: "OpenGraph",
    paths: Sequence[str],
    recipe: "Recipe",
    how: BuildOptions,
    on_progress: OnProgress | None,
) -> BuildReport:
    """See :meth:`hlg.LexicalGraph.build`."""
    documents = documents_of(graph, paths)
    if not how.dry_run and graph.store.info() is None:
        documents, is_any = _looked_into(documents)
        if not is_any:
            nothing = open_build(graph, recipe, set_up=False).run(documents, dry_run=True)
            return replace(nothing, dry_run=False)
    build = open_build(graph, recipe, on_progress, set_up=not how.dry_run)
    gone = covered_by(paths) if how.prune else None
    sizes = sizes_of(paths) if on_progress is not None else None
    if how.dry_run:
        return build.run(documents, prune=gone, dry_run=True, sizes=sizes)
    note_extractor(graph, recipe)
    with graph.spending(how.budget):
        spent = _spent(graph.door if recipe.asks else None)
        if how.batch:
            sent = _send(graph, paths, recipe)
            if sent.batch is not None and sent.batch.is_waiting:
                return replace(sent, model=spent())
            batch = sent.batch
        else:
            batch = _collect(graph, recipe)
        report = build.run(documents, prune=gone, sizes=sizes)
    known: frozenset[str] = getattr(graph.embedder, "languages", frozenset())
    advice = (*language_advice(report.languages, known), *unused_settings(graph, recipe))
    report = replace(report, model=spent(), batch=batch, advice=advice)
    if how.relations:
        report = replace(report, relations=append_relations(graph, on_progress))
    graph.prepare()
    return report


def _looked_into(
    documents: Iterator[Document | Failure | LeftOut],
) -> tuple[Iterator[Document | Failure | LeftOut], bool]:
    """The same, and whether there is a document: a graph of none is not made."""
    looked_at = []
    for each in documents:
        looked_at.append(each)
        if isinstance(each, Document):
            return chain(looked_at, documents), True
    return iter(looked_at), False


def _spent(door: "ModelDoor | None") -> "Callable[[], Usage | None]":
    """Gives what the language model was asked since; None where the build asks none."""
    before = door.usage if door is not None else Usage()
    return lambda: None if door is None else door.usage - before


def _collect(graph: "OpenGraph", recipe: "Recipe") -> BatchReport | None:
    """Take in what batches have brought; None where none is out.

    :raises ModelError: the provider can't be asked.
    """
    door = graph.door if recipe.asks else None
    if door is None or not door.keeps_answers:
        return None
    out = tuple(door.batches(graph.settings.llm_batch_share).collect())
    return BatchReport(out=out) if out else None


def _send(graph: "OpenGraph", paths: Sequence[str], recipe: "Recipe") -> BuildReport:
    """Take in what is ready and send off what can be asked next; nothing is built.

    The report's ``batch`` says whether there is anything to wait for.

    :raises UsageError: nothing is asked by this recipe, or not by a protocol that has batches.
    :raises ModelError: the provider can't be asked.
    """
    if not recipe.asks:
        raise UsageError(
            "--batch: neither extractor nor chunker asks a language model; give --extractor llm, "
            "llm-facts or --chunker contextual",
            option="batch",
        )
    if STDIN in paths:
        raise UsageError("--batch reads its paths again later, which stdin can't", option="batch")
    desk = required(graph.door).batches(graph.settings.llm_batch_share)
    out = tuple(desk.collect())
    build = open_build(graph, recipe)
    found = open_questions(recipe, build.pending(documents_of(graph, paths)))
    fresh = desk.not_out(found.questions)
    sent = tuple(desk.submit(fresh))
    held_back = len(fresh) - sum(each.questions for each in sent)
    return build.report(batch=BatchReport(out, sent, held_back, found.unusable))


def append_relations(
    graph: "OpenGraph", on_progress: OnProgress | None, related_by: "GraphStore | None" = None
) -> BuildReport:
    """Append to each document what the graph relates the entity of its title to.

    :param related_by: another graph whose relations they are.
    """
    build = composed_build(graph, on_progress)
    sources, least = graph.store.sources(), graph.settings.min_confidence
    found = relation_documents(related_by or graph.store, sources, least)
    return build.run(found, prune=is_relations)


def import_into(
    graph: "OpenGraph",
    files: Sequence[str],
    documents: Sequence[str],
    relations: bool,
    on_progress: OnProgress | None,
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
    return replace(imported, counts=graph.store.counts(), relations=appended)
