"""``hlg estimate``: what a build with a language model will cost."""

from typing import Annotated

import typer

from hlg.cli.command import Shown, flag, opened, option
from hlg.cli.console import print_line, say
from hlg.cli.options import BuildFlags
from hlg.errors import UsageError
from hlg.reports import Estimate, Progress


def estimate(
    given: BuildFlags,
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH...", help="What hlg build takes.")
    ] = None,
    sample: Annotated[int, option("N", "Chunks that are asked to find out.", min=1)] = 20,
    communities: Annotated[
        bool, flag("--communities", "What hlg communities build would pay for, the graph as it is.")
    ] = False,
) -> Shown:
    """Say what hlg build would pay a language model for, before it is paid.

    A sample of the chunks is asked, after it was said what that costs at most; its answers are
    kept, and the build takes them from there. Summaries of communities are asked for by
    hlg communities build: --communities is their estimate. Where what the settings name would
    ask nothing, --extractor llm is estimated.

    \b
    Examples:
      hlg estimate notes/
      hlg estimate notes/ --extractor llm-facts --sample 5
      hlg estimate notes/ --chunker contextual --extractor local
      hlg estimate --communities
    """
    from hlg.ingest.chunk.chunkers import asks_model
    from hlg.settings import load_settings

    if bool(paths) == communities:
        raise UsageError(
            "estimate either paths or, with --communities and without paths, the graph",
            option="paths",
        )
    settings = load_settings(**given)
    asks = asks_model(settings.chunker)
    if "extractor" not in given and settings.extractor == "local" and not asks:
        settings = settings.model_copy(update={"extractor": "llm"})
    with opened(settings, read_only=False) as graph:
        found = (
            graph.estimate(paths, sample=sample, on_progress=_say)
            if paths
            else graph.estimate_communities(sample=sample, on_progress=_say)
        )
    yield found
    what = "communities to summarize" if communities else "chunks"
    _print(found, what, settings.llm_concurrency)


def _say(progress: Progress) -> None:
    say(progress.message)


def _print(found: Estimate, what: str, concurrency: int) -> None:
    from hlg.models.language.answers import money_text

    documents = "" if what != "chunks" else f"{found.documents} documents to build, "
    print_line(
        f"{documents}{found.chunks} {what}: {found.kept} were asked before, "
        f"{found.sampled} were asked now"
    )
    print_line(f"asked now: {found.sample.summary()}")
    for prompt, stage in found.stages.items():
        print_line(
            f"  {prompt:<18} {stage.calls:>7,} calls {stage.tokens_in:>12,} tokens in "
            f"{stage.tokens_out:>12,} out  {money_text(stage.money)}"
        )
    print_line(
        f"the build will pay: {found.calls:,} calls, {found.tokens_in:,} tokens in, "
        f"{found.tokens_out:,} out, {money_text(found.money)}, in about "
        f"{found.seconds / 60:.0f} min with {concurrency} calls at once"
    )
