"""The reader: small boosted trees that weigh what speaks for each span as the answer.

It needs no language model: it looks at nothing but :mod:`hlg.retrieval.answers.signals`.
``hlg tune reader`` trains it on questions whose answers are known.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.folders import beside
from hlg.models.trees import Trees
from hlg.models.weights import read_model
from hlg.retrieval.answers.signals import SIGNALS, Read

FORMAT = 1
DEFAULT_MODEL = Path(__file__).with_name("reader_model.txt")

PRIOR = {"life": 1.5, "text_overlap": 3.0, "overlap": 2.0, "noun_after": 1.0, "measured": 1.0}
"""Signals that a score starts from, as too few questions teach them."""
DIRECT = 6.0
"""What it weighs that a statement says what is asked, the more the more one statement says all
of it: the questions of the training sets need two, and teach too little about one."""
ALL, NEARLY_ALL = 3.0, 0.9
"""What it weighs that a statement with its title has nearly all words of the question."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Trees over :data:`~hlg.retrieval.answers.signals.SIGNALS`."""

    trees: Trees

    def scores(self, read: Read) -> NDArray[np.float32]:
        """How well each span answers, shape (spans,); higher is better."""
        if not read.spans:
            return np.zeros(0, np.float32)
        columns = {name: read.matrix[:, i] for i, name in enumerate(SIGNALS)}
        start = sum(weight * columns[name] for name, weight in PRIOR.items())
        direct = columns["text_overlap"].max() ** 2 * columns["new_overlap"]
        direct += ALL / DIRECT * (columns["overlap"] >= NEARLY_ALL)
        scores = start + self.trees.scores(self.trees.select(columns)) + DIRECT * direct
        counted = columns["noun_after"] * columns["asked_number"] + columns["measured"]
        return np.asarray(scores + columns["cosine"] + counted, np.float32)

    @classmethod
    def load(cls, path: Path) -> "Reader":
        """The reader that ``hlg tune reader`` wrote.

        :raises ModelError: the file is missing, damaged, or of another version.
        """
        remedy = "install hlg again" if path == DEFAULT_MODEL else "train it again, or remove it"
        return cls(read_model(path, "reader", _trees, remedy, FORMAT))


def _trees(model: Any) -> Trees:
    trees = Trees.from_lists(model["signals"], model["trees"])
    if unknown := set(trees.signals) - set(SIGNALS):
        raise ValueError(f"unknown signal {sorted(unknown)[0]}")
    return trees


@cache
def load_reader(path: Path = DEFAULT_MODEL) -> Reader:
    """A reader, by default the one that comes with hlg; read once."""
    return Reader.load(path)


def reader_beside(address: str) -> Path:
    """Where the reader that was trained for a store is kept."""
    return beside(address, "reader.txt")


def reader_for(address: str) -> Reader:
    """The reader trained for a store where there is one, else the one that ships.

    :raises ModelError: it can't be read.
    """
    trained = reader_beside(address)
    return load_reader(trained if trained.is_file() else DEFAULT_MODEL)
