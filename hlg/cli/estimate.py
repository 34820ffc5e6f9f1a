"""``hlg estimate``: what a build with a language model will cost."""

from typing import Annotated

import typer

from hlg.cli.completion import names_in
from hlg.cli.console import print_json, print_line
from hlg.cli.options import (
    BuildPathsArgument,
    GraphOption,
    JsonOption,
    PropositionizerOption,
    StoreOption,
    TraceOption,
    check_propositionizer,
)
from hlg.reports import Estimate

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def estimate(
    paths: BuildPathsArgument,
    extractor: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What is to extract [default: the setting; llm, where nothing else would ask].",
        ),
    ] = None,
    chunker: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=names_in("hlg.ingest.chunk.chunkers:CHUNKERS"),
            help="What is to cut, as hlg build takes it [default: the setting].",
        ),
    ] = None,
    propositionizer: PropositionizerOption = None,
    sample: Annotated[
        int, typer.Option(metavar="N", min=1, help="Chunks that are asked to find out.")
    ] = 20,
    store: StoreOption = None,
    graph: GraphOption = None,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what hlg build would pay a language model for, before it is paid.

    A sample of the chunks is asked, and costs what it costs; its answers are kept, and the
    build takes them from there.

    \b
    Examples:
      hlg estimate notes/
      hlg estimate notes/ --extractor llm-facts --sample 5
      hlg estimate notes/ --chunker contextual --extractor local
    """
    from hlg.graph import LexicalGraph
    from hlg.ingest.chunk.chunkers import asks_model
    from hlg.settings import load_settings

    settings = load_settings(
        store=store,
        graph=graph,
        chunker=chunker,
        extractor=extractor,
        propositionizer=propositionizer,
        llm_trace=trace,
    )
    asks = asks_model(settings.chunker)
    if extractor is None and settings.extractor == "local" and not asks:
        settings = settings.model_copy(update={"extractor": "llm"})
    check_propositionizer(propositionizer, settings.extractor)
    with LexicalGraph.open(settings=settings) as opened:
        found = opened.estimate(paths, sample=sample)
        concurrency = opened.require_door().concurrency
    if as_json:
        print_json(found)
    else:
        _print(found, concurrency)


def _print(found: Estimate, concurrency: int) -> None:
    from hlg.models.language.answers import money_text

    def money(amount: float | None) -> str:
        return "no price is known" if amount is None else money_text(amount)

    print_line(
        f"{found.documents} documents to build, {found.chunks} chunks: {found.kept} were asked "
        f"before, {found.sampled} were asked now"
    )
    print_line(f"asked now: {found.sample.summary()}")
    for prompt, stage in found.stages.items():
        print_line(
            f"  {prompt:<18} {stage.calls:>7,} calls {stage.tokens_in:>12,} tokens in "
            f"{stage.tokens_out:>12,} out  {money(stage.money)}"
        )
    print_line(
        f"the build will pay: {found.calls:,} calls, {found.tokens_in:,} tokens in, "
        f"{found.tokens_out:,} out, {money(found.money)}, in about {found.seconds / 60:.0f} min "
        f"with {concurrency} calls at once"
    )
