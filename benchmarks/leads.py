"""How often what an answer without a language model leads with is right.

    python -m benchmarks.leads DATA/squad2 DATA/hotpotqa DATA/tatqa --questions 70

Of each data set so many questions that no shipped reader was trained on are asked of a cut
corpus, as `hlg ask` asks them, those without an answer among them. The table has the leads that
are the answer (exact match), those that share half of its words (token F1), the wrong ones, and
the questions that no lead was given for; ``--types`` adds a row for each type of question.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.training.reading.examples import MARKED
from benchmarks.training.reading.held_out import is_held_out
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset, Question
from hlg.evaluation.metrics.answers import best_of, exact_match, token_f1

ASKED = ("questions", "exact", "right", "wrong", "without a lead", "of them without an answer")
"""Columns of what `hlg ask` leads with; the exact ones are among the right ones."""
HALF = 0.5


def main() -> None:
    """Print a row a data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--words", type=int, default=60_000)
    parser.add_argument("--folder", type=Path, default=Path(".hlg/leads"))
    parser.add_argument("--types", action="store_true")
    options = parser.parse_args()
    print(f"| {' | '.join(('data', *ASKED))} | wrong of leads |\n{'|---' * (len(ASKED) + 2)}|")
    for each in options.data:
        asked = asked_of(each, options.folder, options.questions, options.words)
        print_asked(each.name, asked, types=options.types)


def asked_of(folder: Path, stores: Path, questions: int, words: int) -> Mapping[str, Counter[str]]:
    """What `hlg ask` leads with, counted by the questions' type."""
    dataset = unseen(folder)
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


def unseen(folder: Path) -> Dataset:
    """A data set with the questions whose answer is known, or that have none, and that no reader
    was trained on."""
    dataset = load_dataset(folder)
    lines = (folder / "queries.jsonl").read_text("utf-8").splitlines()
    kept = {each["_id"] for each in map(json.loads, lines) if is_held_out(dataset.name, each)}
    is_read = dataset.name in MARKED
    chosen = [
        each
        for each in dataset.questions
        if (each.answers or not each.gold) and (not is_read or each.id in kept)
    ]
    return replace(dataset, questions=tuple(chosen), corpus_file=None)


def is_right(text: str, answers: Sequence[str]) -> bool:
    """Whether a lead says what one of the answers says, or most of it."""
    return best_of(exact_match, text, answers) > 0 or best_of(token_f1, text, answers) >= HALF


if __name__ == "__main__":
    main()
