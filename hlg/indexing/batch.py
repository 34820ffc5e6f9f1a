"""Builds whose questions go to the language model in batches."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hlg.errors import UsageError
from hlg.indexing.setup import documents_of, open_build
from hlg.ingest.load.sources import STDIN
from hlg.ingest.tasks import open_questions
from hlg.models.language.providers import required
from hlg.reports import BatchReport, BuildReport

if TYPE_CHECKING:
    from hlg.ingest.recipe import Recipe
    from hlg.opened import OpenGraph


def collect(graph: "OpenGraph", recipe: "Recipe") -> BatchReport | None:
    """Take in what batches have brought; None where none is out.

    :raises ModelError: the provider can't be asked.
    """
    door = graph.door if recipe.asks else None
    if door is None or not door.keeps_answers:
        return None
    desk = door.batches(graph.settings.llm_batch_share)
    return None if desk.is_idle else BatchReport(out=tuple(desk.collect()))


def send(graph: "OpenGraph", paths: Sequence[str], recipe: "Recipe") -> BuildReport:
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
