"""Learned weights as they are kept: a file with what they were learned from."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from hlg.folders import beside
from hlg.models.weights import read_model
from hlg.retrieval.weights.predictors import LearnedPredictor, Predictor
from hlg.whole_file import write_whole_text

FORMAT = 1
SKETCH = 128
"""So many of a corpus's chunk ids, the smallest, stand for it: ids are hashes of content, so
that they are a random sample (a bottom-k sketch, Cohen and Kaplan 2007)."""
STILL_THERE = 0.8
"""A corpus has moved where less than this share of both is in both (Jaccard)."""
SIGNIFICANT_DIGITS = 6


@dataclass(frozen=True, slots=True)
class LearnedWeights:
    """A predictor with its provenance: ``embedder``, ``corpus`` (a sketch; empty where it was
    learned from labelled sets, for any corpus), and how it was trained."""

    predictor: Predictor
    provenance: Mapping[str, Any]

    def why_stale(self, embedder: str, corpus: NDArray[np.bytes_] | None) -> str:
        """Why the weights don't fit a graph any more, or nothing where they do.

        :param corpus: the graph's chunk ids, sorted; None where it is too large for arrays,
            and only the embedder is compared.
        """
        if self.provenance["embedder"] != embedder:
            return f"they were learned with {self.provenance['embedder']}"
        learned = self.provenance.get("corpus") or []
        if learned and corpus is not None:
            shared = likeness(learned, corpus_sketch(corpus))
            if shared < STILL_THERE:
                return f"the corpus has moved: {shared:.0%} of it is as it was"
        return ""


def corpus_sketch(chunk_ids: NDArray[np.bytes_]) -> list[str]:
    """What stands for a corpus: the smallest of its chunk ids, ascending.

    :param chunk_ids: sorted.
    """
    return [id_.decode() for id_ in chunk_ids[:SKETCH].tolist()]


def likeness(one: list[str], other: list[str]) -> float:
    """The Jaccard similarity of two corpora as their sketches tell it (Cohen and Kaplan 2007):
    of the smallest ids of the union the share that both have."""
    smallest = sorted(set(one) | set(other))[:SKETCH]
    both = set(one) & set(other)
    return sum(id_ in both for id_ in smallest) / len(smallest) if smallest else 1.0


def weights_beside(address: str) -> Path:
    """Where the weights learned for a store are kept."""
    return beside(address, "fusion.json")


def write_weights(learned: LearnedWeights, path: Path) -> None:
    """Write weights as the text that :func:`read_weights` reads."""
    record = {
        "format": FORMAT,
        "provenance": dict(learned.provenance),
        "predictor": _rounded(asdict(cast(Any, learned.predictor))),
    }
    write_whole_text(path, json.dumps(record, separators=(",", ":")) + "\n", make_folder=True)


def read_weights(path: Path) -> LearnedWeights:
    """Weights from their file; a file that has not changed is read once.

    :raises ModelError: there is none, or it is damaged or of another version of hlg.
    """
    return _read(path, path.stat().st_mtime_ns if path.is_file() else 0)


@cache
def _read(path: Path, changed: int) -> LearnedWeights:
    from pydantic import TypeAdapter

    def weights(record: Any) -> LearnedWeights:
        kind = TypeAdapter[LearnedPredictor](LearnedPredictor)
        predictor = kind.validate_python(record["predictor"])
        return LearnedWeights(predictor, {"embedder": "", **record["provenance"]})

    remedy = "make them again: hlg tune fusion"
    return read_model(path, "learned weights", weights, remedy, FORMAT)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{SIGNIFICANT_DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return value
