"""How sure a search can be that its hits hold the evidence: a calibrated chance from 0 to 1.

It looks at what any search has at hand: how near the hits are to the question against how
near everything is, which of the question's words and names they have, each alone and all
together, and how far the first is ahead. Small boosted trees weigh that, and an isotonic
curve (Zadrozny and Elkan, KDD 2002), fitted on families of questions that the trees have not
seen, turns their scores into chances. Nothing depends on a retriever's own scores, so that
chances can be compared across retrievers, questions and graphs.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.models.trees import Trees
from hlg.models.weights import read_model
from hlg.retrieval.question.words import AskedWords, share

FORMAT = 2
DEFAULT_MODEL = Path(__file__).with_name("confidence_model.txt")
LOOKED_AT = 5
"""Hits that the confidence in a whole result is about: that one of the first five is evidence."""
RAREST = (2, 3)
"""So many of a question's weightiest words are looked at by themselves."""
USUAL_MEAN, USUAL_SPREAD = 0.1, 0.12
"""Cosines of passages with a question that they have nothing to do with."""
USUAL_ALIKE, USUAL_ALIKE_SPREAD = 0.6, 0.14
"""Cosines of statements with the nearest of another passage."""
USUAL_WEIGHT = 20
"""What these count beside the passages of a graph: a graph of one has no background."""


@dataclass(frozen=True, slots=True)
class SeenHits:
    """What is known of the n hits of a question, best first, and of the graph behind them."""

    cosines: NDArray[np.float32]
    """Of each hit's passage and the question, shape (n,)."""
    statement_cosines: NDArray[np.float32]
    """Of the statement of each hit that is nearest to the question, shape (n,)."""
    held: NDArray[np.bool_]
    """Which of the question's terms each passage has, shape (n, terms)."""
    statement_held: NDArray[np.bool_]
    """Which of them the statement has that has most, shape (n, terms)."""
    background: tuple[float, float, int]
    """Mean and deviation of the cosines of all passages with the question, and their number."""
    alike: tuple[float, float, int] = (0.0, 0.0, 0)
    """Mean and deviation of the cosines of the graph's statements with the nearest of another
    passage, and how many were looked at."""


def hit_signals(asked: AskedWords, seen: SeenHits) -> dict[str, NDArray[np.float32]]:
    """What speaks for each hit, by name; columns of shape (n,)."""
    n = len(seen.cosines)
    mean, spread = _blended(seen.background, USUAL_MEAN, USUAL_SPREAD)
    usual, usual_spread = _blended(seen.alike, USUAL_ALIKE, USUAL_ALIKE_SPREAD)
    covered, stated = asked.share(seen.held), asked.share(seen.statement_held)
    every = result_signals(asked, seen)
    columns = {
        "cosine": seen.cosines,
        "cosine_z": (seen.cosines - mean) / spread,
        "cosine_ahead": seen.cosines - _best_of_others(seen.cosines),
        "statement_cosine": seen.statement_cosines,
        "statement_alike": (seen.statement_cosines - usual) / usual_spread,
        "statement_ahead": seen.statement_cosines - _best_of_others(seen.statement_cosines),
        "coverage": covered,
        "coverage_ahead": covered - _best_of_others(covered),
        "stated": stated,
        "names": asked.share_of_names(seen.held),
        "rank": np.log1p(np.arange(n)),
        **{f"result_{name}": np.full(n, value) for name, value in every.items()},
    }
    return {name: np.asarray(column, np.float32) for name, column in columns.items()}


def result_signals(asked: AskedWords, seen: SeenHits) -> dict[str, float]:
    """What speaks for the first :data:`LOOKED_AT` hits together, by name."""
    head = slice(0, LOOKED_AT)
    cosines, statements = seen.cosines[head], seen.statement_cosines[head]
    held, stated = seen.held[head], seen.statement_held[head]
    mean, spread = _blended(seen.background, USUAL_MEAN, USUAL_SPREAD)
    usual, usual_spread = _blended(seen.alike, USUAL_ALIKE, USUAL_ALIKE_SPREAD)
    together: NDArray[np.bool_] = np.asarray(held.any(0), bool)
    missed = np.where(together, 0, asked.weights)
    ordered = np.sort(cosines)[::-1]
    return {
        "cosine": float(ordered[0]),
        "cosine_z": float((ordered[0] - mean) / spread),
        "cosine_lead": float(ordered[0] - ordered[1:].mean()) if len(ordered) > 1 else 0.0,
        "cosine_first": float(cosines[0]),
        "statement_cosine": float(statements.max()),
        "statement_first": float(statements[0]),
        "statement_alike": float((statements.max() - usual) / usual_spread),
        "coverage": float(asked.share(held).max()),
        "coverage_first": float(asked.share(held[:1])[0]),
        "together": float(asked.weights[together].sum() / asked.total),
        "stated": float(asked.share(stated).max()),
        "missed_most": float(missed.max(initial=0) / max(asked.weights.max(initial=0), 1e-6)),
        **rarest_held(asked, held),
        "unknown": asked.unknown,
        "names": float(asked.share_of_names(held).max()),
        "names_together": float(asked.share_of_names(together[None])[0]),
    }


def rarest_held(asked: AskedWords, held: NDArray[np.bool_]) -> dict[str, float]:
    """The share of a question's weightiest words that hits have together, and that one of them
    has; by name.

    :param held: which of the question's terms each hit has, shape (n, terms).
    """
    order = np.argsort(-asked.weights, kind="stable")
    shares: dict[str, float] = {}
    for count in RAREST:
        first = order[:count]
        weights, has = asked.weights[first], held[:, first]
        together: NDArray[np.bool_] = np.asarray(has.any(0), bool)
        shares[f"rarest_{count}"] = float(share(together[None], weights)[0])
        shares[f"rarest_{count}_one"] = float(share(has, weights).max())
    return shares


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Trees whose scores a rising curve turns into chances."""

    trees: Trees
    scores: NDArray[np.float64]
    """Where the curve has its points, ascending."""
    chances: NDArray[np.float64]

    def chance(self, matrix: NDArray[np.float32]) -> NDArray[np.float64]:
        """The chance of each row of signals, shape (n,); straight lines between the points."""
        return np.interp(self.trees.scores(matrix), self.scores, self.chances)


@dataclass(frozen=True, slots=True)
class Confidence:
    """The trained models of a hit's confidence and of a result's."""

    hit: Calibrated
    result: Calibrated

    @classmethod
    def load(cls, path: Path = DEFAULT_MODEL) -> "Confidence":
        """The models from their file.

        :raises ModelError: the file is missing, damaged, or of another version of hlg.
        """
        return _load(path)

    def of(self, asked: AskedWords, seen: SeenHits) -> tuple[float, list[float]]:
        """The confidence in a result, that one of its first hits is evidence, and in each hit.

        Without hits it is 0.
        """
        if not len(seen.cosines):
            return 0.0, []
        columns = hit_signals(asked, seen)
        whole = {
            name: np.full(1, value, np.float32)
            for name, value in result_signals(asked, seen).items()
        }
        chance = self.result.chance(self.result.trees.select(whole))
        hits = self.hit.chance(self.hit.trees.select(columns))
        return float(chance[0]), [float(each) for each in hits]


@cache
def _load(path: Path) -> Confidence:
    def calibrated(part: Any) -> Calibrated:
        return Calibrated(
            Trees.from_lists(part["signals"], part["trees"]),
            np.array(part["scores"], np.float64),
            np.array(part["chances"], np.float64),
        )

    def confidence(model: Any) -> Confidence:
        return Confidence(calibrated(model["hit"]), calibrated(model["result"]))

    return read_model(path, "model of confidence", confidence, "install hlg again", FORMAT)


def _blended(known: tuple[float, float, int], mean: float, spread: float) -> tuple[float, float]:
    """What a graph says of its cosines, and by how little it says the usual beside it."""
    own = known[2] / (known[2] + USUAL_WEIGHT)
    return own * known[0] + (1 - own) * mean, own * known[1] + (1 - own) * spread


def _best_of_others(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """By place the greatest of the values elsewhere; its own where there is no other."""
    if len(values) < 2:
        return values.astype(np.float64)
    first, second = np.sort(values)[::-1][:2]
    others: NDArray[np.float64] = np.where(values == first, second, first).astype(np.float64)
    return others
