"""``hlg eval ablation`` and ``hlg eval progression``: the papers' experiments on any data set."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.console import print_line, print_tables, progress_reporter
from hlg.cli.data_sets import FOLDER, DataSetFlags, Noted, built, load_marked
from hlg.cli.options import AnyFlags, Budget, Count

if TYPE_CHECKING:
    from hlg.evaluation.report import Report


def ablation(
    directory: Path,
    given: DataSetFlags,
    reranker: str = "path",
    questions: Count = None,
    words: Count = None,
    budget: Budget = None,
    out: Path | None = None,
    build: bool = True,
) -> None:
    """Add one part of the pipeline after the other, and say what each one gives and costs.

    Dense search; with BM25; with entities; reranked; and where a language model is set,
    reranked by it as well. Prints quality with intervals and paired differences, fixed
    weights of the searches beside those by question (by the model, or by rules), how much
    each reranker moves, the questions that it makes worse, and time by stage. What was
    asked is kept; a run that was stopped goes on.

    \b
    Example:
      hlg eval ablation data/scifact --questions 100 --words 60000

    :param path|MODEL reranker: What stands where the cross-encoder stands.
    :param DIR out: Where graphs, outcomes and the report go [default: .hlg/eval/DATASET.STUDY].
    """
    from hlg.evaluation.studies.ablation import run_ablation

    whole = load_marked(directory)
    folder = out or FOLDER / f"{whole.name}.ablation"
    with built(whole, given, questions, words, budget, build=build) as (work, dataset):
        noted = Noted(work.show)
        report = run_ablation(work.graph, dataset, reranker, folder, noted)
    noted.say()
    _tell(report, folder)


def progression(
    directory: Path,
    given: AnyFlags,
    chunkers: list[str] | None = None,
    grid: bool = False,
    retriever: str = "statement-graph",
    weights: Annotated[Path | None, typer.Option(exists=True)] = None,
    reranker: str = "path",
    rerank_below: Annotated[float, typer.Option(min=0, max=1)] = 0.95,
    questions: Count = None,
    words: Count = None,
    budget: Budget = None,
    out: Path | None = None,
) -> None:
    """Compare chunkers, and on the best of them the graph, fusion and conditional reranking.

    A graph a chunker is built. Prints the thesis's eleven metrics by type of question, and
    what building and asking cost. What was built and asked is kept; a run that was stopped
    goes on.

    \b
    Examples:
      hlg eval progression data/musique --questions 40 --words 15000
      hlg tune fusion data/musique --target lss --out weights.json
      hlg eval progression data/musique --grid --weights weights.json

    :param NAME[:OPTIONS][@TOKENS[/OVERLAP]] chunkers --chunker: A chunker to compare, as
        fixed@700/0.2; may be given again [default: fixed, semantic, hierarchical].
    :param grid: Compare the thesis's eighteen: three chunkers, six sizes each.
    :param NAME retriever: What searches the graph.
    :param FILE weights: Weights of hlg tune fusion for the fusion.
    :param path|llm|MODEL reranker --rerank: What reranks.
    :param SHARE rerank_below: Rerank where the best fused score is below this; hlg tune threshold
        --by score finds it.
    :param DIR out: Where graphs, outcomes and the report go [default: .hlg/eval/DATASET.STUDY].
    """
    from hlg.evaluation.corpus import cut_to
    from hlg.evaluation.studies.progression import GRID, Plan, run_progression
    from hlg.models.embedders import open_embedder
    from hlg.models.language.budget import spending
    from hlg.settings import load_settings

    plan = Plan(
        chunkers=tuple(
            dict.fromkeys([*(chunkers or ()), *(GRID if grid else ())] or Plan().chunkers)
        ),
        graph=retriever,
        weights=str(weights) if weights else "",
        reranker=reranker,
        rerank_below=rerank_below,
        settings=given,
    )
    whole = load_marked(directory)
    embedder = load_settings(**given).embedder
    dataset = cut_to(whole, lambda: open_embedder(embedder), questions, words)
    folder = out or FOLDER / f"{dataset.name}.progression"
    folder.mkdir(parents=True, exist_ok=True)
    with progress_reporter() as show, spending(budget):
        noted = Noted(show)
        report = run_progression(dataset, plan, folder, noted)
    noted.say()
    _tell(report, folder)


def _tell(report: "Report", folder: Path) -> None:
    print_tables(report.tables)
    print_line(f"written: {report.write(folder)}; graphs and outcomes are kept")
    print_line(f"plots with: hlg eval report {folder / 'result.json'}")
