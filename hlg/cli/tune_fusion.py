"""``hlg tune fusion``: what dense search weighs beside BM25, learned from questions."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from hlg.cli.completion import one_of
from hlg.cli.console import print_line, say
from hlg.cli.data_sets import FormatOption, QuestionsOption, WordsOption, built, load_all
from hlg.cli.options import GraphOption, StoreOption
from hlg.cli.tables import print_tables
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.evaluation.data.questions import Dataset
    from hlg.evaluation.training.fusion.questions import FusedQuestion, Target
    from hlg.graph import LexicalGraph

TARGETS = ("lss", "ndcg")


def fusion(
    directories: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[DIR]...",
            help="Data sets with labelled questions; without any, questions are made out of "
            "the graph's facts.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where the weights go [default: beside the graph's store, whose searches "
            "then find them].",
            show_default=False,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Also write a report: tables, plots, figures as JSON.",
            show_default=False,
        ),
    ] = None,
    image_format: FormatOption = "png",
    questions: QuestionsOption = None,
    words: WordsOption = None,
    target: Annotated[
        str,
        typer.Option(
            metavar="lss|ndcg",
            autocompletion=one_of(
                lss="scores near to what passages are worth", ndcg="the best ranking"
            ),
            help="What a weight is best for: scores that are near to how much of the evidence a "
            "passage has (lss, α* of the thesis), or the ranking (ndcg).",
        ),
    ] = "lss",
    cells: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Of the 108 perceptrons that are tried, so many.",
            show_default=False,
        ),
    ] = None,
    store: StoreOption = None,
    graph: GraphOption = None,
) -> None:
    """Learn how much dense search counts beside BM25, question by question.

    The best weight of each question is worked out from its evidence; a line, boosted trees
    and a perceptron learn to predict it on 70 % of the questions, 15 % choose among them and
    the fixed weights, and the report is of the rest. `hlg query --retriever hybrid
    -o alpha=learned` uses what is kept.

    Each data set is built into its own graph under .hlg/eval first. Needs LightGBM, the
    extra "tune", and for --report Matplotlib, the extra "report".

    \b
    Examples:
      hlg tune fusion data/hotpotqa data/musique --questions 300 --words 60000 --report weights
      hlg tune fusion --store notes.lbug
    """
    from hlg.evaluation.plots import check_format
    from hlg.evaluation.training.fusion.models import fits
    from hlg.evaluation.training.fusion.report import (
        report_of,
        weight_tables,
        write_weight_report,
    )
    from hlg.evaluation.training.fusion.train import train_weights
    from hlg.evaluation.training.ranker import check_lightgbm
    from hlg.retrieval.weights.kept import LearnedWeights, weights_beside, write_weights
    from hlg.settings import load_settings
    from hlg.whole_file import write_whole_text

    check_lightgbm()
    if target not in TARGETS:
        raise UsageError(
            f"--target {target!r}: choose one of {', '.join(TARGETS)}",
            option="target",
            known=TARGETS,
        )
    check_format(image_format)
    settings = load_settings(store=store, graph=graph)
    if directories:
        found = list(_labelled(load_all(directories), questions, words))
        embedder, corpus = found[0][0], list[str]()
        asked = [each for _, several in found for each in several]
    else:
        embedder, corpus, asked = _made(store, graph)
    tuned = train_weights(asked, say, fits(cells), cast("Target", target))
    provenance = _provenance(asked) | {
        "embedder": embedder,
        "target": target,
        "kept": tuned.kept,
        "corpus": corpus,
    }
    path = out or weights_beside(settings.store)
    write_weights(LearnedWeights(tuned.predictor, provenance), path)
    print_tables(weight_tables(tuned))
    if report:
        written = write_weight_report(tuned, provenance, report, image_format)
        figures = json.dumps(provenance | report_of(tuned), indent=1) + "\n"
        write_whole_text(report / "report.json", figures)
        print_line(f"written: {written[0]} with {len(written) - 1} plots, report.json")
    print_line(f"kept: {tuned.kept}, the best on validation")
    print_line(f"written: {path} ({path.stat().st_size // 1024} KB)")


def _labelled(
    datasets: "Sequence[Dataset]", questions: int | None, words: int | None
) -> "Iterator[tuple[str, list[FusedQuestion]]]":
    """By data set: its graph's embedder, and its questions."""
    for dataset in datasets:
        with built(dataset, questions, words) as (opened, asked):
            yield opened.graph_embedder.name, _questions(opened, asked)


def _made(store: str | None, graph: str | None) -> "tuple[str, list[str], list[FusedQuestion]]":
    """The graph's embedder, what stands for its corpus, and questions made of its facts."""
    from hlg.evaluation.training.fusion.made import made_dataset
    from hlg.evaluation.training.fusion.train import LEAST
    from hlg.evaluation.training.ranker_sets import snapshot_of
    from hlg.graph import LexicalGraph
    from hlg.retrieval.weights.kept import corpus_sketch

    with LexicalGraph.open(store, graph, read_only=True) as opened:
        made = made_dataset(opened, LEAST)
        corpus = corpus_sketch(snapshot_of(opened).chunk_ids)
        return opened.graph_embedder.name, corpus, _questions(opened, made, by_uri=True)


def _questions(
    opened: "LexicalGraph", dataset: "Dataset", *, by_uri: bool = False
) -> "list[FusedQuestion]":
    from hlg.evaluation.training.fusion.questions import fused_questions
    from hlg.evaluation.training.ranker_sets import snapshot_of

    return fused_questions(opened, snapshot_of(opened), dataset, say, by_uri=by_uri)


def _provenance(asked: "list[FusedQuestion]") -> dict[str, object]:
    from hlg import __version__

    return {"hlg": __version__, "sets": dict(Counter(question.set for question in asked))}
