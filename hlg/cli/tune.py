"""``hlg tune``: fit what ranks and reads to questions with known answers, or to the graph."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from hlg.cli.command import Commands, opened
from hlg.cli.console import print_line, print_tables, say
from hlg.cli.data_sets import FOLDER, DataSetFlags, TunedFlags, noting, working, write_document
from hlg.cli.options import Budget, Count, RetrieverOptions, retriever_options
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.evaluation.data.questions import Dataset
    from hlg.evaluation.training.fusion.questions import FusedQuestion
    from hlg.graph import LexicalGraph

app = Commands()


@app.callback()
def tune() -> None:
    """Fit the ranker, the reader or the weights of searches to your own questions or graph."""


@app.command()
def ranker(
    given: TunedFlags,
    directories: list[Path] | None = None,
    out: Path | None = None,
    report: Path | None = None,
    fresh: bool = False,
    thorough: bool = False,
    questions: Count = None,
    words: Count = None,
    build: bool = True,
) -> None:
    """Train the path ranker, and say how well it does on what it was not trained on.

    Training goes on from the ranker that ships, unless --fresh is given. A cut is made by
    hashes, so that it is the same every time; its graph is easier to search than the whole.

    Without a data set it learns from questions made of the graph's facts. On people's
    questions such a ranker was worse than the one that ships on six cut sets of eight and
    better on two, each within noise: compare both before you keep it.

    Each data set's graph is brought up to date first, in .hlg/eval or --store. Data sets whose
    names begin alike, up to the first _ or -, are one family; every family is ranked by a
    model that was trained on the others. Needs LightGBM, the extra "tune".

    \b
    Examples:
      hlg tune ranker data/hotpotqa data/musique data/2wiki --out ranker.txt
      hlg tune ranker data/fiqa data/scifact --questions 250 --words 60000 --out ranker.txt
      hlg tune ranker --store notes.lbug

    :param FILE out: Where the model goes [default: beside the graph's store, whose searches then
        use it].
    :param FILE report: Also write the whole report as JSON.
    :param fresh: Start from nothing, not from the ranker that ships.
    :param thorough: Train twice in 500 slow rounds instead of once in 90, on raw scores too: better
        for whole corpora like those that will be searched, worse for those of other kinds.
    """
    from hlg import __version__
    from hlg.evaluation.training.ranker import (
        FOR_ANY_GENRE,
        THOROUGH,
        check_lightgbm,
        train,
        write_model,
    )
    from hlg.evaluation.training.ranker_sets import question_set
    from hlg.retrieval.ranker.path_ranker import PathRanker, model_beside
    from hlg.settings import load_settings

    check_lightgbm()
    settings = load_settings(**given)
    sets = [
        question_set(*found) for found in _asked(directories, questions, words, given, build=build)
    ]
    provenance = {
        "hlg": __version__,
        "sets": {each.name: len(each.questions) for each in sets},
        "embedder": settings.embedder,
        "extractor": settings.extractor,
    }
    start, recipe = None if fresh else PathRanker.load(), THOROUGH if thorough else FOR_ANY_GENRE
    model, told = train(sets, provenance, say, start, recipe)
    path = out or model_beside(settings.store)
    write_model(model, path)
    if report:
        write_document(report, {**provenance, **told})
    _print(told)
    _print_written(path)


@app.command()
def fusion(
    given: TunedFlags,
    directories: list[Path] | None = None,
    out: Path | None = None,
    questions: Count = None,
    words: Count = None,
    target: Literal["lss", "ndcg"] = "lss",
    build: bool = True,
) -> None:
    """Learn how much dense search counts beside BM25, question by question.

    The best weight of each question is worked out from its evidence; a line and boosted trees
    learn to predict it on 70 % of the questions, 15 % choose, and what is printed is of the
    rest. What is kept is the default weight, unless another one or a model finds more than it
    by more than chance. `hlg query --retriever hybrid
    -o alpha=learned` uses what is kept.

    Each data set's graph is brought up to date first, in .hlg/eval or --store. Needs LightGBM,
    the extra "tune".

    \b
    Examples:
      hlg tune fusion data/hotpotqa data/musique --questions 300 --words 60000
      hlg tune fusion made --store notes.lbug
      hlg tune fusion --store notes.lbug

    :param FILE out: Where the weights go [default: beside the graph's store, whose searches then
        find them].
    :param lss|ndcg target: What a weight is best for: scores that are near to how much of the
        evidence a passage has (lss, α* of the thesis), or the ranking (ndcg).
    """
    from hlg import __version__
    from hlg.evaluation.training.fusion.questions import fused_questions
    from hlg.evaluation.training.fusion.train import DEFAULT, train_weights
    from hlg.evaluation.training.ranker import check_lightgbm
    from hlg.evaluation.training.ranker_sets import snapshot_of
    from hlg.retrieval.weights.learned import (
        LearnedWeights,
        corpus_sketch,
        weights_beside,
        write_weights,
    )
    from hlg.settings import load_settings

    check_lightgbm()
    settings = load_settings(**given)
    embedder, corpus, asked = "", list[str](), list["FusedQuestion"]()
    for graph, dataset in _asked(directories, questions, words, given, build=build):
        say(f"{dataset.name}: candidates of its questions")
        asked += fused_questions(graph, dataset)
        embedder = graph.graph_embedder.name
        corpus = [] if directories else corpus_sketch(snapshot_of(graph).chunk_ids)
    tuned = train_weights(asked, say, target)
    provenance = {
        "hlg": __version__,
        "sets": dict(Counter(question.set for question in asked)),
        "embedder": embedder,
        "target": target,
        "kept": tuned.chosen,
        "corpus": corpus,
    }
    path = out or weights_beside(settings.store)
    write_weights(LearnedWeights(tuned.predictor, provenance), path)
    print_tables(tuned.tables())
    leads = "nothing leads" if tuned.chosen == DEFAULT else "leads the default"
    print_line(f"kept: {tuned.chosen}, which {leads} by more than chance")
    _print_written(path)


@app.command()
def threshold(
    directory: Path,
    given: DataSetFlags,
    beta: Annotated[float, typer.Option(min=0, max=1)] = 0.5,
    retriever: str = "hybrid",
    reranker: str = "path",
    sure_by: Literal["confidence", "score"] = "confidence",
    options: RetrieverOptions = None,
    questions: Count = None,
    words: Count = None,
    report: Path | None = None,
    budget: Budget = None,
    build: bool = True,
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

    :arg DIR directory: A data set with labelled questions.
    :param SHARE beta: How often what is skipped has to be right.
    :param NAME retriever: The search that is reranked or not.
    :param path|llm|MODEL reranker --rerank: What reranks it.
    :param confidence|score sure_by --by: What the threshold is compared with.
    :param DIR report: Also write the table, as Markdown.
    """
    from hlg.evaluation.data.datasets import load_dataset
    from hlg.evaluation.reranking import ask_both_ways, threshold_report

    dataset = load_dataset(directory)
    journal = FOLDER / f"{dataset.name}.rerank.jsonl"
    chosen = retriever_options(options)
    with working(dataset, given, budget, words, build=build) as work, noting(work.show) as noted:
        asked = work.built(dataset, questions, words)
        both = ask_both_ways(
            work.graph, asked, retriever, reranker, sure_by, journal, noted, chosen
        )
    best = both.calibrated(beta)
    found = threshold_report(both, best, beta)
    print_tables(found.tables)
    if report:
        print_line(f"written: {found.write(report)}")
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


def _asked(
    directories: Sequence[Path] | None,
    questions: int | None,
    words: int | None,
    given: Mapping[str, Any],
    *,
    build: bool,
) -> "Iterator[tuple[LexicalGraph, Dataset]]":
    """The data sets, each with its graph; without any, the graph that is given, with questions
    that are made out of it.

    :raises InputError: a data set can't be read.
    :raises UsageError: several were to be built into one graph.
    """
    from hlg.evaluation.data.datasets import load_dataset
    from hlg.evaluation.synthesis.facts import made_dataset
    from hlg.evaluation.training.fusion.train import LEAST
    from hlg.settings import load_settings

    folders = directories or ()
    if build and len(folders) > 1 and "store" in given:
        raise UsageError(
            f"--store is one graph, and there are {len(folders)} data sets: ask it as it is with "
            "--no-build, or leave out --store for a graph of each of them",
            option="store",
        )
    # What is wrong with a later one is said before an earlier one is built for an hour.
    for dataset in [load_dataset(folder) for folder in folders]:
        with working(dataset, given, words=words, build=build) as work:
            yield work.graph, work.built(dataset, questions, words)
    if not folders:
        with opened(load_settings(**given)) as graph:
            yield graph, made_dataset(graph, LEAST)


def _print(report: dict[str, Any]) -> None:
    print_line(f"recall@5 [95 % interval], all evidence in the first 5; {report['protocol']}")
    for each in report["sets"]:
        print_line(f"{each['name']}: {each['questions']} questions")
        for name, metrics in each["results"].items():
            recall, every = metrics["recall@5"], metrics["all@5"]
            low, high = recall["interval"]
            mean = f"{recall['mean']:.3f} [{low:.3f}, {high:.3f}]"
            print_line(f"  {name:8} {mean}  {every['mean']:.3f}")
    if importance := report["importance"]:
        strongest = (f"{name} {share}" for name, share in list(importance.items())[:10])
        print_line(f"strongest signals: {', '.join(strongest)}")


def _print_written(path: Path) -> None:
    print_line(f"written: {path} ({path.stat().st_size // 1024} KB)")
