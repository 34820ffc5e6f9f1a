"""Training of the network that says how sure it is that an entity is one, from entities that were
judged by reading."""

import json
import lzma
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from benchmarks.training.frames.told import FOLDS, LONGEST, texts_of
from benchmarks.training.frames.train import SEED, falling_rate, learn
from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.names import naming
from hlg.ingest.extract.local.names.confidence import Named, confidences, signals
from hlg.records import Chunk, Document

JUDGED = Path(__file__).with_name("entities.jsonl.xz")
"""An entity a line, with its document, whether it is one, and if not why: it is ``V``ague, ``C``ut
or two things, or ``N``o thing; and which ``class`` it is of, where that was wrong."""
HIDDEN, EPOCHS, BATCH = 64, 30, 128
RATE, WEIGHT_DECAY, WARM_UP, DROPOUT = 2e-3, 0.05, 0.03, 0.3
LEAST_DEVIATION = 0.2
"""A signal that varies less counts as if it varied so much: that of a rare class is no proof."""


@dataclass(frozen=True, slots=True)
class JudgedEntity:
    """What the network is given of an entity, whether it is right, the fold of its document, its
    class, and the set that it is of."""

    given: NDArray[np.float64]
    right: bool
    fold: int
    entity_class: str
    source: str


def judged_entities(data: Path) -> list[JudgedEntity]:
    """Those that are still told, as they are told today."""
    documents: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    with lzma.open(JUDGED, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            documents[row["set"], row["document"]].append(row)
    texts = texts_of(data, (set_ for set_, _ in documents))
    found, extractor = list[JudgedEntity](), LocalExtractor()
    for (set_, name), rows in documents.items():
        text = texts[set_][name][:LONGEST]
        source = source_id(name)
        with _recorded() as named:
            extractor.extract(
                Document(name, "", text),
                [Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)],
            )
        fold = zlib.crc32(f"{set_} {name}".encode()) % FOLDS
        for row in rows:
            if of := named.get((row["name"], row["entity_class"])):
                own = signals(of), row["right"], fold, of.entity_class, set_
                found.append(JudgedEntity(*own))
    return found


@contextmanager
def _recorded() -> Iterator[dict[tuple[str, str], Named]]:
    """Notes what is known of each entity."""
    found: dict[tuple[str, str], Named] = {}

    def record(named: Sequence[Named]) -> list[float]:
        found.update({(each.name, each.entity_class): each for each in named})
        return [1.0] * len(named)

    setattr(naming, "confidences", record)  # noqa: B010
    try:
        yield found
    finally:
        setattr(naming, "confidences", confidences)  # noqa: B010


def entities_by_folds(rows: Sequence[JudgedEntity]) -> NDArray[np.float64]:
    """The chance of each by networks that learned from other documents."""
    chances = np.zeros(len(rows))
    for fold in range(FOLDS):
        own = [at for at, each in enumerate(rows) if each.fold == fold]
        inner, bias, outer, last = train_entities([x for x in rows if x.fold != fold]).values()
        seen = np.stack([rows[at].given for at in own])
        odds = np.maximum(seen @ inner + bias, 0) @ outer + last
        chances[own] = 1 / (1 + np.exp(-odds))
    return chances


def train_entities(rows: Sequence[JudgedEntity]) -> Mapping[str, NDArray[np.floating]]:
    """The arrays of the network: weights and biases of its layers, in their order."""
    torch.manual_seed(SEED)
    generator = np.random.default_rng(SEED)
    seen = np.stack([each.given for each in rows])
    mean, deviation = seen.mean(axis=0), np.maximum(seen.std(axis=0), LEAST_DEVIATION)
    given = torch.from_numpy((seen - mean) / deviation).float()
    right = torch.tensor([float(each.right) for each in rows])
    first, last = nn.Linear(given.shape[1], HIDDEN), nn.Linear(HIDDEN, 1)
    dropout = nn.Dropout(DROPOUT)
    network = nn.Sequential(dropout, first, nn.ReLU(), dropout, last)
    steps = EPOCHS * len(rows) // BATCH
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=WEIGHT_DECAY)
    rate = falling_rate(optimizer, WARM_UP, steps)
    for _ in range(steps):
        batch = generator.choice(len(rows), BATCH)
        odds = network(given[batch])[:, 0]
        loss = functional.binary_cross_entropy_with_logits(odds, right[batch])
        learn(loss, network, optimizer, rate)
    inner = first.weight.detach().numpy() / deviation
    bias = first.bias.detach().numpy() - inner @ mean
    outer = last.weight.detach().numpy()[0]
    return {"0": inner.T, "1": bias, "2": outer, "3": last.bias.detach().numpy()}


def write_entities(arrays: Mapping[str, NDArray[np.floating]], path: Path) -> None:
    """Write ``entities.npz``."""
    halved = {name: each.astype(np.float16) for name, each in arrays.items()}
    np.savez_compressed(path, allow_pickle=False, **halved)
