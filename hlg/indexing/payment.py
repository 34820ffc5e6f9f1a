"""What building pays a language model: said before it is paid."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hlg.indexing.setup import documents_of, open_build, recipe_of
from hlg.ingest.estimate import estimate_build
from hlg.ingest.extract.model.domain import infer_domain
from hlg.ingest.extract.model.known import remember, warn_if_new
from hlg.ingest.recipe import Recipe, chunks_of
from hlg.records import Document
from hlg.reports import Estimate
from hlg.settings import Domain

if TYPE_CHECKING:
    from hlg.opened import OpenGraph

__all__ = ["domain_of", "estimate", "note_extractor"]


def estimate(graph: "OpenGraph", paths: Sequence[str], recipe: Recipe, sample: int) -> Estimate:
    """See :meth:`hlg.LexicalGraph.estimate`."""
    build = open_build(graph, recipe, set_up=False)
    pending = build.pending(documents_of(graph, paths))
    return estimate_build(graph.require_door(), recipe, pending, sample)


def domain_of(graph: "OpenGraph", paths: Sequence[str]) -> Domain:
    """See :meth:`hlg.LexicalGraph.infer_domain`."""
    documents = (each for each in documents_of(graph, paths) if isinstance(each, Document))
    recipe = recipe_of(graph, "fixed", "local")  # to cut is not to cost
    return infer_domain(graph.require_door(), chunks_of(recipe, documents))


def note_extractor(graph: "OpenGraph", recipe: Recipe) -> None:
    """Say it before anything is paid where a language model is to be asked otherwise."""
    if recipe.asks:
        folder = graph.snapshot_folder
        warn_if_new(folder, recipe.asks, graph.store.counts()["Source"])
        remember(folder, recipe.asks)
