"""Train a small cross-encoder on what searches find, and keep it as int8 ONNX.

    python -m benchmarks.cross_encoder DATA/hotpotqa DATA/fiqa --unseen DATA/musique --out OURS
    hlg query --retriever hybrid --rerank OURS "Who founded the yard?"

It starts from the weights of MiniLM and learns which of a question's hits hold evidence. A fifth
of the questions, by a hash of their ids, is held out; what is printed is of those, and of the sets
that are given as unseen: the order of the hybrid search, of the model, and of both
(``-o rerank_share=0.5``), with the interval of the difference to the search. ``--teacher MODEL``
learns a stronger reranker's scores, ``--base FOLDER`` starts from another BERT encoder; few
questions want a higher ``--rate``. Trains on a GPU where there is one. Needs ``hlg[torch]`` and
onnx.
"""

import argparse
import time
from pathlib import Path

from benchmarks.training.cross_encoder.export import export
from benchmarks.training.cross_encoder.measure import measured
from benchmarks.training.cross_encoder.pairs import Pool, pools
from benchmarks.training.cross_encoder.train import TrainingOptions, load_base, train_cross_encoder
from hlg import __version__
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset
from hlg.models.rerankers import OnnxReranker, open_reranker
from hlg.models.torch_embedder import packaged_weights

TIMED = 100
"""Passages that the printed time is for."""


def main() -> None:
    """Build, list, train, write and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--unseen", type=Path, action="append", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--negatives", type=int, default=7)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--teacher")
    parser.add_argument("--base", type=Path, default=packaged_weights())
    parser.add_argument("--questions", type=int)
    parser.add_argument("--words", type=int)
    parser.add_argument("--graphs", type=Path, default=Path(".hlg/eval"))
    options = parser.parse_args()
    sets, unseen = ([load_dataset(each) for each in its] for its in (options.data, options.unseen))
    encoder = load_base(options.base, options.layers)
    teacher = open_reranker(options.teacher) if options.teacher else None
    found = {each.name: pools_of(each, options) for each in sets}
    learned = [each for its in found.values() for each in its]
    recipe = TrainingOptions(
        options.layers, options.epochs, options.negatives, learning_rate=options.rate
    )
    trained = train_cross_encoder(learned, encoder, recipe, print, teacher)
    counts = {name: len(its) for name, its in found.items()}
    told = {"hlg": __version__, "sets": counts, "layers": options.layers}
    model = export(trained, options.out, told)
    ranker = OnnxReranker(str(options.out))
    report("held-out questions", [each for each in learned if each.is_held_out], ranker)
    for dataset in unseen:
        report(dataset.name, pools_of(dataset, options), ranker)
    print(f"{milliseconds(ranker, learned):.0f} ms for {TIMED} passages")
    print(f"written: {options.out} ({model.stat().st_size / 2**20:.1f} MB)")


def pools_of(dataset: Dataset, options: argparse.Namespace) -> list[Pool]:
    """A data set's questions with what the searches find for them."""
    with cut_graph(dataset, options.graphs, options.questions, options.words) as found:
        return list(pools(*found))


def report(title: str, found: list[Pool], ranker: OnnxReranker) -> None:
    """Print a row for each order."""
    print(f"{title}: {len(found)}, what is found of their evidence among their hits")
    for name, metrics in measured(found, ranker).items():
        sign = "" if name == "search" else "+"
        told = "  ".join(
            f"{metric} {mean:.3f} [{low:{sign}.3f} {high:{sign}.3f}]"
            for metric, (mean, low, high) in metrics.items()
        )
        print(f"  {name:7} {told}")


def milliseconds(ranker: OnnxReranker, found: list[Pool]) -> float:
    """What so many passages of a question take, once the model is in memory."""
    passages = [text for each in found for text in each.passages][:TIMED]
    ranker.scores(found[0].question, passages[:2])
    started = time.perf_counter()
    ranker.scores(found[0].question, passages)
    return (time.perf_counter() - started) * 1000 * TIMED / len(passages)


if __name__ == "__main__":
    main()
