"""``hlg tune fusion``: what dense search weighs beside BM25, learned from questions."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from hlg.cli.completion import one_of
from hlg.cli.console import print_line, say
from hlg.cli.data_sets import QuestionsOption, WordsOption, built, load_all
from hlg.cli.options import GraphOption, StoreOption
from hlg.cli.tables import print_tables
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.evaluation.training.fusion.questions import FusedQuestion, Target

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
    store: StoreOption = None,
    graph: GraphOption = None,
) -> None:
    """Learn how much dense search counts beside BM25, question by question.

    The best weight of each question is worked out from its evidence; a line and boosted trees
    learn to predict it on 70 % of the questions, 15 % choose among them and the fixed
    weights, and what is printed is of the rest. `hlg query --retriever hybrid
    -o alpha=learned` uses what is kept.

    Each data set is built into its own graph under .hlg/eval first. Needs LightGBM, the
    extra "tune".

    \b
    Examples:
      hlg tune fusion data/hotpotqa data/musique --questions 300 --words 60000
      hlg tune fusion --store notes.lbug
    """
    from hlg import __version__
    from hlg.evaluation.training.fusion.questions import fused_questions
    from hlg.evaluation.training.fusion.train import train_weights
    from hlg.evaluation.training.ranker import check_lightgbm
    from hlg.retrieval.weights.kept import LearnedWeights, weights_beside, write_weights
    from hlg.settings import load_settings

    check_lightgbm()
    if target not in TARGETS:
        raise UsageError(
            f"--target {target!r}: choose one of {', '.join(TARGETS)}",
            option="target",
            known=TARGETS,
        )
    embedder, corpus, asked = "", list[str](), list["FusedQuestion"]()
    for dataset in load_all(directories or ()):
        with built(dataset, questions, words) as found:
            embedder = found[0].graph_embedder.name
            say(f"{dataset.name}: candidates of its questions")
            asked += fused_questions(*found)
    if not directories:
        embedder, corpus, asked = _made(store, graph)
    tuned = train_weights(asked, say, cast("Target", target))
    provenance = {
        "hlg": __version__,
        "sets": dict(Counter(question.set for question in asked)),
        "embedder": embedder,
        "target": target,
        "kept": tuned.kept,
        "corpus": corpus,
    }
    path = out or weights_beside(load_settings(store=store, graph=graph).store)
    write_weights(LearnedWeights(tuned.predictor, provenance), path)
    print_tables(tuned.tables())
    print_line(f"kept: {tuned.kept}, the best on validation")
    print_line(f"written: {path} ({path.stat().st_size // 1024} KB)")


def _made(store: str | None, graph: str | None) -> "tuple[str, list[str], list[FusedQuestion]]":
    """The graph's embedder, what stands for its corpus, and questions made of its facts."""
    from hlg.evaluation.training.fusion.made import made_dataset
    from hlg.evaluation.training.fusion.questions import fused_questions
    from hlg.evaluation.training.fusion.train import LEAST
    from hlg.evaluation.training.ranker_sets import snapshot_of
    from hlg.graph import LexicalGraph
    from hlg.retrieval.weights.kept import corpus_sketch

    with LexicalGraph.open(store, graph, read_only=True) as opened:
        asked = list(fused_questions(opened, made_dataset(opened, LEAST), by_uri=True))
        return opened.graph_embedder.name, corpus_sketch(snapshot_of(opened).chunk_ids), asked
