"""``hlg tune threshold``: from which threshold on a search is left as it is."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from hlg.cli.command import option
from hlg.cli.console import print_line, progress_reporter
from hlg.cli.data_sets import (
    FOLDER,
    FormatOption,
    QuestionsOption,
    WordsOption,
    built,
    load_all,
)
from hlg.cli.options import RetrieverOptions, retriever_options
from hlg.cli.tables import print_tables


def threshold(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="A data set with labelled questions.")
    ],
    beta: Annotated[
        float, option("SHARE", "How often what is skipped has to be right.", min=0, max=1)
    ] = 0.5,
    retriever: Annotated[str, option("NAME", "The search that is reranked or not.")] = "hybrid",
    reranker: Annotated[str, option("path|llm|MODEL", "What reranks it.", "--rerank")] = "path",
    sure_by: Annotated[
        Literal["confidence", "score"],
        option("confidence|score", "What the threshold is compared with.", "--by"),
    ] = "confidence",
    options: RetrieverOptions = None,
    questions: QuestionsOption = None,
    words: WordsOption = None,
    report: Annotated[Path | None, option("DIR", "Also write the table and a plot.")] = None,
    image_format: FormatOption = "png",
) -> None:
    """Calibrate when to rerank: the lowest threshold above which the search is right anyway.

    Every question is asked with and without reranking. Of the thresholds whose skipped
    questions number at least 30, the lowest is taken at which Wilson's lower bound on how
    many of them have the answer among the first five hits is at least --beta. Printed with
    it: what is skipped, quality, time and cost by threshold. What was asked is kept; a run
    that was stopped goes on. Money is counted where a model's price is known; answers from
    the cache cost nothing.

    \b
    Examples:
      hlg tune threshold data/hotpotqa --beta 0.8
      hlg tune threshold data/musique --rerank llm --questions 100 --words 30000 --report rerank
    """
    from hlg.evaluation.reranking import ask_both_ways, threshold_report

    (dataset,) = load_all([directory])
    journal = FOLDER / f"{dataset.name}.rerank.jsonl"
    chosen = retriever_options(options)
    with progress_reporter() as show, built(dataset, questions, words, show) as (opened, asked):
        both = ask_both_ways(opened, asked, retriever, reranker, sure_by, journal, show, chosen)
    best = both.calibrated(beta)
    found = threshold_report(both, best, beta)
    print_tables(found.tables)
    if report:
        written = found.write(report, image_format)
        print_line(f"written: {written[0]} with {len(written) - 1} plot")
    if best is None:
        print_line(f"no threshold skips 30 questions that are right at β = {beta:g}: rerank always")
        return
    low, high = best.interval
    print_line(
        f"τ* = {best.threshold:.4g}: {best.count} of {len(both.right)} skipped, "
        f"{best.precision:.3f} of them right, 95 % interval {low:.3f} to {high:.3f}"
    )
    print_line(
        f"hlg query --retriever {retriever} --rerank {reranker} "
        f"-o rerank_below={best.threshold:.4g} -o sure_by={sure_by}"
    )
