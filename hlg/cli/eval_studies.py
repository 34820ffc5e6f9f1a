"""``hlg eval ablation`` and ``hlg eval progression``: the papers' experiments on any data set."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hlg.cli.command import flag, option
from hlg.cli.console import print_line, print_tables, progress_reporter
from hlg.cli.data_sets import (
    FOLDER,
    BuildOption,
    DataSetFlags,
    DirectoryArgument,
    Noted,
    QuestionsOption,
    WordsOption,
    built,
    load_marked,
)
from hlg.cli.options import AnyFlags, BudgetOption

if TYPE_CHECKING:
    from hlg.evaluation.report import Report

OutOption = Annotated[
    Path | None,
    option("DIR", "Where graphs, outcomes and the report go [default: .hlg/eval/DATASET.STUDY]."),
]


def ablation(
    directory: DirectoryArgument,
    given: DataSetFlags,
    reranker: Annotated[
        str, option("path|MODEL", "What stands where the cross-encoder stands.")
    ] = "path",
    questions: QuestionsOption = None,
    words: WordsOption = None,
    budget: BudgetOption = None,
    out: OutOption = None,
    build: BuildOption = True,
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
    directory: DirectoryArgument,
    given: AnyFlags,
    chunkers: Annotated[
        list[str] | None,
        option(
            "NAME[:OPTIONS][@TOKENS[/OVERLAP]]",
            "A chunker to compare, as fixed@700/0.2; may be given again [default: fixed, "
            "semantic, hierarchical].",
            "--chunker",
        ),
    ] = None,
    grid: Annotated[
        bool, flag("--grid", "Compare the thesis's eighteen: three chunkers, six sizes each.")
    ] = False,
    retriever: Annotated[str, option("NAME", "What searches the graph.")] = "statement-graph",
    weights: Annotated[
        Path | None, option("FILE", "Weights of hlg tune fusion for the fusion.", exists=True)
    ] = None,
    reranker: Annotated[str, option("path|llm|MODEL", "What reranks.", "--rerank")] = "path",
    rerank_below: Annotated[
        float,
        option(
            "SHARE",
            "Rerank where the best fused score is below this; hlg tune threshold --by score "
            "finds it.",
            min=0,
            max=1,
        ),
    ] = 0.95,
    questions: QuestionsOption = None,
    words: WordsOption = None,
    budget: BudgetOption = None,
    out: OutOption = None,
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
