"""How the weights of answers from cells are made: questions on pages with a table, without a graph.

    python -m benchmarks.cell_answers DATA/tatqa

Each question is asked of its page and of four others that BM25 finds for it; the pages of the 70
questions that ``benchmarks/leads.py --questions 70`` asks are left out. A linear score is fitted by
which rows and cells give the answer (softmax over a question's candidates), and the chance of the
best one by a logistic model on folds that the score was not fitted on. Prints both, and over the
folds how many would lead, and how many of those are right, by the least chance.
"""

import argparse
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from hlg.asking.tables import tables_of
from hlg.evaluation.data.cut import cut
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset, DatasetDocument, Question
from hlg.evaluation.metrics.answers import best_of, exact_match
from hlg.lexical.bm25 import LexicalIndex
from hlg.records import Hit, Passage, SourceRef
from hlg.retrieval.answers.asked import asked_for
from hlg.retrieval.answers.cells.answer import CHANCE_SIGNALS, best_answer, fits, may_be_cells
from hlg.retrieval.answers.cells.match import SIGNALS, match
from hlg.retrieval.answers.cells.table import Table
from hlg.retrieval.answers.cells.wanted import Wanted, wanted
from hlg.retrieval.answers.cells.work import work_out

PAGES, FOLDS, PENALTY = 5, 2, 0.002
TESTED, WORDS = 70, 60_000
"""Questions and words of the cut whose pages are left out."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its tables; ``matrix`` has its candidates' signals, ``is_right`` says which
    give the answer."""

    question: Question
    what: Wanted
    tables: Sequence[Table]
    matrix: Floats
    is_right: NDArray[np.bool_]

    @property
    def fold(self) -> int:
        """By its page."""
        return zlib.crc32(self.question.gold[0].encode()) % FOLDS


def main() -> None:
    """Print the weights, and what leads at each least chance."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    asked = list(questions(load_dataset(parser.parse_args().data)))
    signals, right = [], []
    for fold in range(FOLDS):
        weights = fit([each for each in asked if each.fold != fold])
        for each in asked:
            if each.fold == fold and (found := chance_row(each, weights)) is not None:
                signals.append(found[0])
                right.append(found[1])
    rows, is_right = np.array(signals), np.array(right)
    model = LogisticRegression(C=1.0, max_iter=2000).fit(rows, is_right)
    print(f"{len(asked)} questions, {len(rows)} with a candidate, {is_right.sum()} right at once")
    chances = model.predict_proba(rows)[:, 1]
    print("| least chance | lead | right |\n|---|---|---|")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7):
        leads = chances >= least
        print(f"| {least} | {leads.sum()} | {(leads & is_right).sum()} |")
    print(dict(zip(SIGNALS, fit(asked).round(2).tolist(), strict=True)))
    weights = model.coef_[0].round(2).tolist()
    print(dict(zip(CHANCE_SIGNALS, weights, strict=True)), model.intercept_.round(2))


def questions(dataset: Dataset) -> Iterator[Asked]:
    """Those that cells may answer, each with the tables of its page and of what looks like it."""
    blank = replace(dataset, corpus_file=None)
    tested = cut(blank, lambda texts: np.zeros((len(texts), 1), np.float32),
                 questions=TESTED, words=WORDS)  # fmt: skip
    out = {page for question in tested.questions for page in question.gold}
    pages = [page for page in dataset.documents if page.id not in out]
    places = {page.id: place for place, page in enumerate(pages)}
    index = LexicalIndex.build([page.text for page in pages])
    for question in dataset.questions:
        gold = places.get(question.gold[0])
        if gold is None or not may_be_cells(question.text, asked_for(question.text)):
            continue
        near = [int(place) for place in index.search(question.text, PAGES)[0]]
        chosen = near if gold in near else [*near[: PAGES - 2], gold]
        hits = [Hit(rank, 0.0, _passage(pages[place])) for rank, place in enumerate(chosen, 1)]
        tables, what = tables_of(hits), wanted(question.text)
        if what.pair:
            yield Asked(question, what, tables, np.zeros((0, len(SIGNALS))), np.zeros(0, bool))
            continue
        found = match(question.text, what, tables)
        worked = [work_out(what, each) for each in found.candidates]
        is_right = [
            each is not None
            and candidate.table.passage.id in question.gold
            and best_of(exact_match, each.text, question.answers) > 0
            for each, candidate in zip(worked, found.candidates, strict=True)
        ]
        yield Asked(question, what, tables, found.matrix, np.array(is_right, bool))


def _passage(page: DatasetDocument) -> Passage:
    source = SourceRef(page.id, page.id, page.title)
    return Passage("Chunk", page.id, page.text, "", 0, len(page.text), page.id, "", source)


def fit(asked: Sequence[Asked]) -> Floats:
    """The weights under which what is right comes first."""
    used = [(each.matrix, each.is_right) for each in asked if each.is_right.any()]

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = PENALTY * float(weights @ weights), 2 * PENALTY * weights
        for matrix, right in used:
            scores = matrix @ weights
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            held = shares[right].sum() + 1e-12
            total -= float(np.log(held)) / len(used)
            slope = slope - (shares[right] @ matrix[right] / held - shares @ matrix) / len(used)
        return total, slope

    return np.asarray(minimize(loss, np.zeros(len(SIGNALS)), jac=True, method="L-BFGS-B").x)


def chance_row(each: Asked, weights: Floats) -> tuple[Floats, bool] | None:
    """The signals of the best answer's chance, and whether it is right; None where none is."""
    best = best_answer(each.question.text, each.what, each.tables, weights)
    if best is None or not fits(asked_for(each.question.text), each.what, best[0]):
        return None
    return best[2], best_of(exact_match, best[0].text, each.question.answers) > 0


if __name__ == "__main__":
    main()
