"""How often the span that an answer without a language model leads with is right, and which go.

    python benchmarks/leads.py DATA/squad2 DATA/hotpotqa DATA/tatqa --questions 70
    python benchmarks/leads.py DATA/squad2 DATA/hotpotqa DATA/locomo --unlearned locomo --fit

Of each data set so many questions that the shipped reader was not trained on are asked of a cut
corpus, as `hlg ask` asks them, those without an answer among them. The table has the leads that
are the answer (exact match), those that share half of its words (token F1), the wrong ones, and
the questions that no lead was given for; ``--types`` adds a row for each type of question.

``--fit`` looks at the reader alone: a span whose chance is under ``LEAST`` is left out, and the
table has the right and the wrong ones before and after. It weighs the signals of
``retrieval/answers/lead_confidence.py`` anew, each family by the others, and prints the weights of
all that may be learned.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from hlg.asking.found import find_evidence
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset, Question
from hlg.evaluation.metrics.answers import best_of, exact_match, token_f1
from hlg.evaluation.training.ranker_sets import family_of
from hlg.evaluation.training.reader import is_held_out
from hlg.graph import LexicalGraph
from hlg.retrieval.answers.asked import TEXT, YES_NO, asked_for
from hlg.retrieval.answers.compare import compare
from hlg.retrieval.answers.extractive import best_span
from hlg.retrieval.answers.lead_confidence import LEAST, SIGNALS, chance
from hlg.retrieval.answers.reader import load_reader

READ = ("musique", "2wiki", "hotpot")
"""What the shipped reader was trained on begins with these: two questions of three."""
ASKED = ("questions", "exact", "right", "wrong", "without a lead", "of them without an answer")
"""Columns of what `hlg ask` leads with; the exact ones are among the right ones."""
HALF = 0.5
PENALTY = 0.1
"""``C`` of the logistic model, over standardised signals."""


@dataclass(frozen=True, slots=True)
class Leads:
    """What a data set's questions lead to: signals, shape (n, signals), and which are right."""

    name: str
    signals: NDArray[np.float64]
    is_right: NDArray[np.bool_]


def main() -> None:
    """Print a row a data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--words", type=int, default=60_000)
    parser.add_argument("--folder", type=Path, default=Path(".hlg/leads"))
    parser.add_argument("--unlearned", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--types", action="store_true")
    options = parser.parse_args()
    if not options.fit:
        print(f"| {' | '.join(('data', *ASKED))} | wrong of leads |\n{'|---' * (len(ASKED) + 2)}|")
        for each in options.data:
            asked = asked_of(each, options.folder, options.questions, options.words)
            print_asked(each.name, asked, types=options.types)
        return
    found = [leads(each, options.folder, options.questions, options.words) for each in options.data]
    learned = [each for each in found if each.name not in options.unlearned]
    columns = ["data", "right", "wrong", "right ones left out", "wrong ones left out", "AUROC"]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for each in found:
        family = family_of(each.name)
        weights, bias = fit([x for x in learned if family_of(x.name) != family])
        print(row(each, chance(each.signals, weights, bias)))
    weights, bias = fit(learned)
    print(dict(zip(SIGNALS, weights.round(3).tolist(), strict=True)), round(bias, 3))


def asked_of(folder: Path, stores: Path, questions: int, words: int) -> Mapping[str, Counter[str]]:
    """What `hlg ask` leads with, counted by the questions' type."""
    dataset = unseen(load_dataset(folder))
    found: dict[str, Counter[str]] = defaultdict(Counter)
    with cut_graph(dataset, stores, questions, words) as (graph, smaller):
        for question in smaller.questions:
            lead = graph.ask(question.text, extractive=True).lead
            found[question.type].update(judged(lead, question))
    return found


def judged(lead: str, question: Question) -> Iterator[str]:
    """The columns of :data:`ASKED` that a question counts in."""
    answers = question.answers if question.gold else ()
    yield "questions"
    if not lead:
        yield "without a lead"
        yield from () if answers else ("of them without an answer",)
        return
    if best_of(exact_match, lead, answers) > 0:
        yield "exact"
    yield "right" if is_right(lead, answers) else "wrong"


def print_asked(name: str, found: Mapping[str, Counter[str]], *, types: bool) -> None:
    """A row of all types, and where they are wanted one of each."""
    rows = [(name, sum(found.values(), Counter()))]
    rows += [(f"{name}: {type_}", found[type_]) for type_ in sorted(found)] if types else []
    for title, counts in rows:
        leads = counts["right"] + counts["wrong"]
        share = f"{counts['wrong'] / leads:.2f}" if leads else "–"
        print(f"| {title} | {' | '.join(str(counts[each]) for each in ASKED)} | {share} |")


def leads(folder: Path, stores: Path, questions: int, words: int) -> Leads:
    """What the reader would lead with."""
    dataset = unseen(load_dataset(folder))
    with cut_graph(dataset, stores, questions, words) as (graph, smaller):
        rows = list(labelled(graph, smaller))
    signals = np.array([each for each, _ in rows]).reshape(-1, len(SIGNALS))
    return Leads(dataset.name, signals, np.array([is_right for _, is_right in rows], bool))


def unseen(dataset: Dataset) -> Dataset:
    """A data set with the questions whose answer is known, or that have none, and that no reader
    was trained on."""
    is_read = dataset.name.startswith(READ)
    chosen = [
        each
        for each in dataset.questions
        if (each.answers or not each.gold) and (not is_read or is_held_out(each.id))
    ]
    return replace(dataset, questions=tuple(chosen), corpus_file=None)


def labelled(graph: LexicalGraph, dataset: Dataset) -> Iterator[tuple[NDArray[np.float64], bool]]:
    """By question that a span may answer the best span's signals, and whether it is right."""
    score = load_reader().scores
    for question in dataset.questions:
        found, asked = find_evidence(graph, question.text), asked_for(question.text)
        is_other = asked.kind in (TEXT, YES_NO) or compare(question.text, asked, found.statements)
        if found.is_doubtful or is_other:
            continue
        best = best_span(
            question.text,
            asked,
            found.statements,
            found.cosines,
            score,
            found.result.confidence,
        )
        if best is not None:
            answers = question.answers if question.gold else ()
            yield best[1], bool(answers) and is_right(best[0].text, answers)


def is_right(text: str, answers: Sequence[str]) -> bool:
    """Whether a lead says what one of the answers says, or most of it."""
    return best_of(exact_match, text, answers) > 0 or best_of(token_f1, text, answers) >= HALF


def row(found: Leads, chances: NDArray[np.float64]) -> str:
    """A data set's row of the table."""
    gone, right = chances < LEAST, found.is_right
    auroc = f"{roc_auc_score(right, chances):.3f}" if 0 < right.sum() < len(right) else "–"
    counts = (right.sum(), (~right).sum(), (gone & right).sum(), (gone & ~right).sum())
    return f"| {found.name} | {' | '.join(map(str, counts))} | {auroc} |"


def fit(sets: Sequence[Leads]) -> tuple[NDArray[np.float64], float]:
    """Weights and bias of a logistic model; a data set weighs as the root of its size."""
    rows = np.concatenate([each.signals for each in sets])
    right = np.concatenate([each.is_right for each in sets])
    shares = np.concatenate(
        [np.full(len(each.is_right), len(each.is_right) ** -0.5) for each in sets]
    )
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    model = LogisticRegression(C=PENALTY, max_iter=2000)
    model.fit((rows - mean) / spread, right, sample_weight=shares / shares.mean())
    weights = model.coef_[0] / spread
    return weights, float(model.intercept_[0] - weights @ mean)


if __name__ == "__main__":
    main()
