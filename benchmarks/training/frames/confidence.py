"""Training of the trees that say how sure a fact is, and of what they say where they did not
learn."""

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

from benchmarks.training.frames.examples import Example
from benchmarks.training.frames.measure import Binary, right_ones
from hlg.ingest.extract.local.frames.confidence import SIGNALS
from hlg.models.trees import tree_lists

FOLDS = 10
ROUNDS = 250
OPTIONS = {
    "objective": "binary",
    "num_leaves": 8,
    "learning_rate": 0.05,
    "min_data_in_leaf": 30,
    "lambda_l2": 5.0,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "num_threads": 1,
    "deterministic": True,
    "seed": 42,
    "verbose": -1,
}


def by_folds(held: Sequence[Example], read: Sequence[Sequence[Binary]]) -> list[list[Binary]]:
    """The facts with the chance that trees give them which learned from other documents."""
    folds = [fold_of(each) for each in held]
    boosters = [
        _learned(*_rows(held, read, [at for at, of in enumerate(folds) if of != fold]))
        for fold in range(FOLDS)
    ]
    return [
        [
            replace(each, chance=float(chance))
            for each, chance in zip(facts, _chances(boosters[fold], facts), strict=True)
        ]
        for fold, facts in zip(folds, read, strict=True)
    ]


def fold_of(example: Example) -> int:
    """The fold that a sentence's document is in."""
    return zlib.crc32(f"fold {example.marked.document}".encode()) % FOLDS


def trees_file(held: Sequence[Example], read: Sequence[Sequence[Binary]]) -> str:
    """The trees that learned from all of it, as ``confidence_trees.txt`` holds them."""
    booster = _learned(*_rows(held, read, range(len(held))))
    return as_file(booster, SIGNALS)


def as_file(booster: lightgbm.Booster, signals: Sequence[str]) -> str:
    """Trees as :func:`~hlg.models.trees.load_trees` reads them."""
    trees = [tree_lists(each["tree_structure"]) for each in booster.dump_model()["tree_info"]]
    return json.dumps({"signals": signals, "trees": trees}, separators=(",", ":")) + "\n"


def reliability(
    held: Sequence[Example], read: Sequence[Sequence[Binary]]
) -> Iterator[tuple[float, float, int]]:
    """By tenths the mean chance of facts, the share that is right, and how many."""
    rows = [
        (each.chance, right)
        for example, facts in zip(held, read, strict=True)
        for each, right in zip(facts, right_ones(example, facts), strict=True)
    ]
    for tenth in range(10):
        part = [row for row in rows if tenth == min(9, int(row[0] * 10))]
        if part:
            chance, right = np.mean(part, axis=0)
            yield float(chance), float(right), len(part)


def _chances(booster: lightgbm.Booster, facts: Sequence[Binary]) -> NDArray[np.float64]:
    signals = np.array([each.signals for each in facts], np.float32)
    return np.asarray(booster.predict(signals) if facts else [])


def _rows(
    held: Sequence[Example], read: Sequence[Sequence[Binary]], places: Sequence[int]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    rows = [
        (each.signals, right)
        for at in places
        for each, right in zip(read[at], right_ones(held[at], read[at]), strict=True)
        if each.subject  # of imperatives there are too few
    ]
    signals, right = zip(*rows, strict=True)
    return np.array(signals, np.float32), np.array(right)


def _learned(signals: NDArray[np.float32], right: NDArray[np.bool_]) -> Any:
    return lightgbm.train(OPTIONS, lightgbm.Dataset(signals, right), ROUNDS)
