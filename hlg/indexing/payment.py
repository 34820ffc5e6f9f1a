"""What building pays a language model: said before it is paid."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from hlg.indexing.setup import documents_of, open_build, recipe_of
from hlg.ingest.base import Task
from hlg.ingest.communities.build import materials_to_summarize
from hlg.ingest.communities.find import CommunityOptions
from hlg.ingest.communities.summaries import ExtractiveSummarizer, ModelSummarizer
from hlg.ingest.estimate import estimate_build, estimate_cost
from hlg.ingest.extract.model.domain import infer_domain
from hlg.ingest.extract.model.known import remember, warn_if_new
from hlg.ingest.recipe import Recipe, chunks_of
from hlg.models.language.providers import required
from hlg.records import Document
from hlg.reports import Estimate, Progress
from hlg.settings import Domain

if TYPE_CHECKING:
    from hlg.opened import OpenGraph

OnProgress = Callable[[Progress], None] | None


def estimate(
    graph: "OpenGraph", paths: Sequence[str], recipe: Recipe, sample: int, on_progress: OnProgress
) -> Estimate:
    """See :meth:`hlg.LexicalGraph.estimate`."""
    build = open_build(graph, recipe, set_up=False)
    pending = build.pending(documents_of(graph, paths))
    return estimate_build(required(graph.door), recipe, pending, sample, on_progress)


def estimate_communities(graph: "OpenGraph", sample: int, on_progress: OnProgress) -> Estimate:
    """See :meth:`hlg.LexicalGraph.estimate_communities`."""
    door = required(graph.door)
    summarizer = ModelSummarizer(door, ExtractiveSummarizer(graph.graph_embedder.count_tokens))
    materials = materials_to_summarize(graph.store, summarizer, CommunityOptions())
    tasks = [
        Task(sum(map(len, each.names + each.statements)), partial(summarizer.ask, each))
        for each in materials
    ]
    return estimate_cost(door, tasks, 0, sample, on_progress)


def domain_of(graph: "OpenGraph", paths: Sequence[str]) -> Domain:
    """See :meth:`hlg.LexicalGraph.infer_domain`."""
    documents = (each for each in documents_of(graph, paths) if isinstance(each, Document))
    recipe = recipe_of(graph, "fixed", "local")  # to cut is not to cost
    return infer_domain(required(graph.door), chunks_of(recipe, documents))


def note_extractor(graph: "OpenGraph", recipe: Recipe) -> None:
    """Say it before anything is paid where a language model is to be asked otherwise."""
    from hlg.retrieval.arrays.source import snapshot_folder

    if recipe.asks:
        folder = snapshot_folder(graph.store.address, graph.settings.graph)
        warn_if_new(folder, recipe.asks, graph.store.counts()["Source"])
        remember(folder, recipe.asks)
