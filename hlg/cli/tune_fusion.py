"""``hlg tune fusion``: what dense search weighs beside BM25, learned from questions."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from hlg.cli.command import opened, option
from hlg.cli.console import print_line, say
from hlg.cli.data_sets import DirectoriesArgument, QuestionsOption, WordsOption, built, load_all
from hlg.cli.options import GraphSettings
from hlg.cli.tables import print_tables

if TYPE_CHECKING:
    from hlg.evaluation.training.fusion.questions import FusedQuestion
    from hlg.settings import Settings


def fusion(
    settings: GraphSettings,
    directories: DirectoriesArgument = None,
    out: Annotated[
        Path | None,
        option(
            "FILE",
            "Where the weights go [default: beside the graph's store, whose searches then "
            "find them].",
        ),
    ] = None,
    questions: QuestionsOption = None,
    words: WordsOption = None,
    target: Annotated[
        Literal["lss", "ndcg"],
        option(
            "lss|ndcg",
            "What a weight is best for: scores that are near to how much of the evidence a "
            "passage has (lss, α* of the thesis), or the ranking (ndcg).",
        ),
    ] = "lss",
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

    check_lightgbm()
    embedder, corpus, asked = "", list[str](), list["FusedQuestion"]()
    for dataset in load_all(directories or ()):
        with built(dataset, questions, words) as found:
            embedder = found[0].graph_embedder.name
            say(f"{dataset.name}: candidates of its questions")
            asked += fused_questions(*found)
    if not directories:
        embedder, corpus, asked = _made(settings)
    tuned = train_weights(asked, say, target)
    provenance = {
        "hlg": __version__,
        "sets": dict(Counter(question.set for question in asked)),
        "embedder": embedder,
        "target": target,
        "kept": tuned.kept,
        "corpus": corpus,
    }
    path = out or weights_beside(settings.store)
    write_weights(LearnedWeights(tuned.predictor, provenance), path)
    print_tables(tuned.tables())
    print_line(f"kept: {tuned.kept}, the best on validation")
    print_line(f"written: {path} ({path.stat().st_size // 1024} KB)")


def _made(settings: "Settings") -> "tuple[str, list[str], list[FusedQuestion]]":
    """The graph's embedder, what stands for its corpus, and questions made of its facts."""
    from hlg.evaluation.training.fusion.made import made_dataset
    from hlg.evaluation.training.fusion.questions import fused_questions
    from hlg.evaluation.training.fusion.train import LEAST
    from hlg.evaluation.training.ranker_sets import snapshot_of
    from hlg.retrieval.weights.kept import corpus_sketch

    with opened(settings) as graph:
        asked = list(fused_questions(graph, made_dataset(graph, LEAST), by_uri=True))
        return graph.graph_embedder.name, corpus_sketch(snapshot_of(graph).chunk_ids), asked
