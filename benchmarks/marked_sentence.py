"""How often the sentence that ``hlg query`` marks in a passage is one that holds the evidence.

    python benchmarks/marked_sentence.py DATA/hotpotqa DATA/scifact --folder .hlg/marked --fit

Of each data set so many questions with known evidence sentences are asked of a cut corpus. A
hit counts where it holds such a sentence and other statements beside: the marked one is right
if it overlaps the evidence. Beside it stand the first statement, the one with the best cosine,
and one drawn at random. ``--fit`` weighs the signals of ``retrieval/answers/sentence.py``
anew, each family of data sets by the others, and prints the weights of all together.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from hlg.asking.found import FoundEvidence, evidence_of
from hlg.asking.marks import marked_hits, said_before
from hlg.asking.search import SearchOptions, search
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset, Question, Span
from hlg.evaluation.metrics.assess import Assessor
from hlg.retrieval.answers.sentence import SIGNALS, sentence_signals

FAMILIES = {"hotpotqa": "Wikipedia", "2wiki_ctx": "Wikipedia"}
"""Data sets that are left out together; another is a family of its own."""
PENALTY = 0.0003
"""Of the squared weights, in the fit."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A passage with several statements, in the text's order, some of them evidence.

    ``marked`` is the place of the marked one, -1 for none; ``signals`` (statements, signals).
    """

    signals: NDArray[np.float64]
    is_gold: NDArray[np.bool_]
    marked: int


def main() -> None:
    """Print a row a data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--words", type=int, default=12_000)
    parser.add_argument("--folder", type=Path, default=Path(".hlg/marked"))
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    found = {
        folder.name: list(choices(folder, options.folder, options.questions, options.words))
        for folder in options.data
    }
    fitted = ["fitted on other families"] if options.fit else []
    columns = ["data", "passages", "random", "first", "best cosine", "marked", *fitted]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for name, each in found.items():
        row = [fmean(choice.is_gold.mean() for choice in each)]
        row += [right(each, np.zeros(len(SIGNALS))), right(each, np.eye(len(SIGNALS))[0])]
        row += [fmean(choice.marked >= 0 and choice.is_gold[choice.marked] for choice in each)]
        if options.fit:
            row.append(right(each, fit([k for n, k in found.items() if family(n) != family(name)])))
        print(f"| {name} | {len(each)} | {' | '.join(f'{value:.3f}' for value in row)} |")
    if options.fit:
        weights = fit(list(found.values()))
        print(dict(zip(SIGNALS, (weights / weights[0]).round(2).tolist(), strict=True)))


def family(name: str) -> str:
    """What a data set is left out with."""
    return FAMILIES.get(name, name)


def choices(folder: Path, stores: Path, questions: int, words: int) -> Iterator[Choice]:
    """The passages of a data set's questions that hold evidence and more."""
    dataset = with_evidence(folder, questions)
    with cut_graph(dataset, stores, questions, words) as (graph, smaller):
        assessor = Assessor(smaller, graph.embedder.count_tokens)
        for question in smaller.questions:
            evidence = evidence_of(graph, search(graph, question.text, SearchOptions()))
            yield from choices_of(question, evidence, assessor)


def with_evidence(folder: Path, questions: int) -> Dataset:
    """A data set with the first questions whose evidence is marked within documents."""
    marked: dict[str, tuple[Span, ...]] = {}
    for line in (folder / "queries.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        spans = record.get("gold_spans") or ()
        marked[record["_id"]] = tuple(Span(x["doc"], x["start"], x["end"]) for x in spans)
    dataset = load_dataset(folder)
    known = (replace(each, spans=each.spans or marked[each.id]) for each in dataset.questions)
    chosen = [each for each in known if each.spans and each.gold]
    return replace(dataset, questions=tuple(chosen[:questions]), corpus_file=None)


def choices_of(question: Question, found: FoundEvidence, assessor: Assessor) -> Iterator[Choice]:
    """The passages that one search found, of which some statements are evidence and some not."""
    signals = sentence_signals(question.text, found.statements, found.cosines, said_before(found))
    hits = {hit.passage.id: hit for hit in marked_hits(found)}
    held = [i for i, x in enumerate(found.statements) if x.passage.chunk_id in hits]
    held = [i for i in held if found.statements[i].passage.id not in hits]

    def order(i: int) -> tuple[str, int]:
        return found.statements[i].passage.chunk_id, found.statements[i].passage.start

    for chunk, inside in groupby(sorted(held, key=order), key=lambda i: order(i)[0]):
        places = list(inside)
        spans = [
            (found.statements[i].passage.start, found.statements[i].passage.end) for i in places
        ]
        document = assessor.document_id(hits[chunk].passage.source.uri)
        gold = [each for each in question.spans if each.document_id == document]
        is_gold = np.array(
            [any(x.start < end and start < x.end for x in gold) for start, end in spans]
        )
        if is_gold.any() and not is_gold.all():
            sentence = hits[chunk].sentence
            marked = spans.index(sentence) if sentence in spans else -1
            yield Choice(signals[places], is_gold, marked)


def right(found: Sequence[Choice], weights: NDArray[np.float64]) -> float:
    """How often the statement that weights prefer is evidence; the first of equals."""
    return fmean(each.is_gold[np.argmax(each.signals @ weights)] for each in found)


def fit(sets: Sequence[Sequence[Choice]]) -> NDArray[np.float64]:
    """Weights by which evidence comes before what is none: a logistic model of pairs of
    statements of one passage, in which each data set weighs the same."""
    pairs, shares = [], []
    for found in sets:
        for each in found:
            gold, other = each.signals[each.is_gold], each.signals[~each.is_gold]
            differences = (gold[:, None] - other[None]).reshape(-1, len(SIGNALS))
            pairs.append(differences)
            shares += [1 / len(differences) / len(found) / len(sets)] * len(differences)
    rows, weighs = np.concatenate(pairs), np.array(shares)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = rows @ weights
        slope = -(weighs / (1 + np.exp(margins))) @ rows + 2 * PENALTY * weights
        return float(weighs @ np.logaddexp(0, -margins) + PENALTY * weights @ weights), slope

    weights: NDArray[np.float64] = minimize(loss, np.zeros(len(SIGNALS)), jac=True).x
    return weights


if __name__ == "__main__":
    main()
