"""``hlg tune reranker``: a small cross-encoder of one's own."""

import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.console import print_line, say
from hlg.cli.data_sets import QuestionsOption, WordsOption, built, load_all
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.evaluation.training.reranker.pairs import Listed
    from hlg.models.rerankers import OnnxReranker

TIMED = 100
"""Passages that the printed time is for."""


def reranker(
    directories: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Data sets with labelled questions.")
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the model goes.")],
    layers: Annotated[
        int, typer.Option(metavar="N", min=1, help="Layers of the encoder that are kept.")
    ] = 6,
    epochs: Annotated[int, typer.Option(metavar="N", min=1, help="Passes over the questions.")] = 2,
    negatives: Annotated[
        int, typer.Option(metavar="N", min=1, help="Passages beside each with evidence.")
    ] = 7,
    rate: Annotated[
        float,
        typer.Option(
            metavar="RATE",
            min=0,
            help="The highest learning rate; few questions want a higher one.",
        ),
    ] = 5e-5,
    teacher: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Learn a stronger reranker's scores: its name or folder.",
            show_default=False,
        ),
    ] = None,
    base: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="A BERT encoder to start from [default: all-MiniLM-L6-v2].",
            show_default=False,
        ),
    ] = None,
    unseen: Annotated[
        list[Path] | None,
        typer.Option(
            "--unseen",
            metavar="DIR",
            help="A data set to measure on that is not trained on; may be repeated.",
            show_default=False,
        ),
    ] = None,
    questions: QuestionsOption = None,
    words: WordsOption = None,
) -> None:
    """Train a cross-encoder on what searches find, and keep it as int8 ONNX.

    It starts from the weights of MiniLM and learns which of a question's hits hold evidence.
    A fifth of the questions, by a hash of their ids, is held out; what is printed is of
    those, and of the sets that are given as unseen: the order of the hybrid search, of the
    model, and of both (`-o rerank_share=0.5`), with the interval of the difference to the
    search. `--rerank FOLDER` ranks with it, without PyTorch. Trains on a GPU where there is
    one. Needs the extras "torch" and "tune".

    \b
    Example:
      hlg tune reranker data/hotpotqa data/fiqa --unseen data/musique --out ours
      hlg query --retriever hybrid --rerank ours "Who founded the yard?"
    """
    from hlg import __version__
    from hlg.evaluation.training.reranker.export import export
    from hlg.evaluation.training.reranker.pairs import listed_questions
    from hlg.evaluation.training.reranker.train import (
        TrainingOptions,
        load_base,
        train_cross_encoder,
    )
    from hlg.models.rerankers import OnnxReranker, open_reranker

    _check_packages()
    options = TrainingOptions(layers=layers, epochs=epochs, negatives=negatives, learning_rate=rate)
    encoder = load_base(base or _packaged(), layers)
    taught = open_reranker(teacher) if teacher else None
    listed: list[Listed] = []
    counts: dict[str, int] = {}
    for dataset in load_all(directories):
        with built(dataset, questions, words) as (opened, asked):
            found = list(listed_questions(opened, asked))
        counts[dataset.name] = len(found)
        listed += found
    trained = train_cross_encoder(listed, encoder, options, say, taught)
    model = export(trained, out, {"hlg": __version__, "sets": counts, "layers": layers})
    ranker = OnnxReranker(str(out))
    _print_measured("held-out questions", [each for each in listed if each.is_held_out], ranker)
    for dataset in load_all(unseen or []):
        with built(dataset, questions, words) as (opened, asked):
            _print_measured(dataset.name, list(listed_questions(opened, asked)), ranker)
    print_line(f"{_milliseconds(ranker, listed):.0f} ms for {TIMED} passages")
    print_line(f"written: {out} ({model.stat().st_size / 2**20:.1f} MB)")


def _print_measured(title: str, listed: "list[Listed]", ranker: "OnnxReranker") -> None:
    from hlg.evaluation.training.reranker.measure import measured

    print_line(f"{title}: {len(listed)}, what is found of their evidence among their hits")
    for name, metrics in measured(listed, ranker).items():
        sign = "" if name == "search" else "+"
        told = "  ".join(
            f"{metric} {mean:.3f} [{low:{sign}.3f} {high:{sign}.3f}]"
            for metric, (mean, low, high) in metrics.items()
        )
        print_line(f"  {name:7} {told}")


def _check_packages() -> None:
    from hlg.extras import how_to_install

    for package, extra in (("torch", "torch"), ("transformers", "torch"), ("onnx", "tune")):
        if find_spec(package) is None:
            raise UsageError(f"training a reranker needs {package}: {how_to_install(extra)}")


def _packaged() -> Path:
    from hlg.models.torch_embedder import packaged_weights

    return packaged_weights()


def _milliseconds(ranker: "OnnxReranker", listed: "list[Listed]") -> float:
    """What so many passages of a question take, once the model is in memory."""
    passages = [text for each in listed for text in each.passages][:TIMED]
    ranker.scores(listed[0].question, passages[:2])
    started = time.perf_counter()
    ranker.scores(listed[0].question, passages)
    return (time.perf_counter() - started) * 1000 * TIMED / len(passages)
