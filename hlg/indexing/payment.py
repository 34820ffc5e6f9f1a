"""What building pays a language model: said before it is paid."""

import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from hlg.indexing.setup import documents_of, open_build, recipe_of
from hlg.ingest.base import Task
from hlg.ingest.communities.build import materials_to_summarize
from hlg.ingest.communities.find import CommunityOptions
from hlg.ingest.communities.summaries import ExtractiveSummarizer, ModelSummarizer
from hlg.ingest.estimate import estimate_build, estimate_cost
from hlg.ingest.extract.model.domain import infer_domain
from hlg.ingest.recipe import Recipe, chunks_of
from hlg.models.language.providers import required
from hlg.records import Document
from hlg.reports import Estimate, OnProgress
from hlg.settings import Domain
from hlg.whole_file import write_whole_text

if TYPE_CHECKING:
    from hlg.opened import OpenGraph

logger = logging.getLogger(__name__)


def estimate(
    graph: "OpenGraph",
    paths: Sequence[str],
    recipe: Recipe,
    sample: int,
    on_progress: OnProgress | None,
) -> Estimate:
    """See :meth:`hlg.LexicalGraph.estimate`."""
    build = open_build(graph, recipe, set_up=False)
    pending = build.pending(documents_of(graph, paths))
    return estimate_build(required(graph.door), recipe, pending, sample, on_progress)


def estimate_communities(
    graph: "OpenGraph", sample: int, on_progress: OnProgress | None
) -> Estimate:
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
    """Say it before anything is paid where a language model is to be asked otherwise.

    What asked last, with its model and its prompts' versions, is kept beside what is derived
    from the graph.
    """
    from hlg.retrieval.arrays.source import snapshot_folder

    if not recipe.asks:
        return
    kept = snapshot_folder(graph.store.address, graph.settings.graph) / "extractor.json"
    before = recipe.asks
    with suppress(OSError, ValueError, KeyError, TypeError):
        before = json.loads(kept.read_text("utf-8"))["extractor"]
    sources = graph.store.counts()["Source"]
    if before != recipe.asks and sources:
        logger.warning(
            "the model, a prompt or the domain has changed since the last build: of the %d "
            "sources in the graph, those under the given paths are asked about again; "
            "hlg estimate says what that costs",
            sources,
        )
    write_whole_text(kept, json.dumps({"extractor": recipe.asks}), make_folder=True)
