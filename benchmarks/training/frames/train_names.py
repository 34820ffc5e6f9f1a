"""Training of the reader of names upon the states of a reader of frames, which stay as they are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from benchmarks.training.frames.names import ANY_CLASSES, ANY_NAME, UNKNOWN, NameExample
from benchmarks.training.frames.network import NamesNetwork
from benchmarks.training.frames.train import batches, falling_rate, learn
from hlg.ingest.extract.local.frames.features import padded_words
from hlg.ingest.extract.local.frames.named import NAME_LABELS
from hlg.ingest.extract.local.frames.reader import FrameReader
from hlg.ingest.extract.local.frames.spelling import spellings

SEED = 43
WEIGHT_DECAY, WARM_UP = 0.01, 0.05
CONCEPTS = 0.5
"""What the loss of concepts counts beside that of names."""
ANY = {
    mark: torch.tensor(
        [label in {f"{mark} {each}" for each in ANY_CLASSES} for label in NAME_LABELS]
    )
    for mark in ANY_NAME
}


@dataclass(frozen=True, slots=True)
class NameOptions:
    """How long, in what steps."""

    epochs: int = 5
    batch: int = 32
    learning_rate: float = 1e-3


@dataclass(frozen=True, slots=True)
class _Seen:
    """An example with the states of its words, which training never changes."""

    example: NameExample
    states: NDArray[np.float16]
    spellings: NDArray[np.int64]


def train_names(
    reader: FrameReader,
    learned: Sequence[NameExample],
    options: NameOptions,
    progress: Callable[[str], None] = lambda line: None,
) -> NamesNetwork:
    """The network after some passes over all examples."""
    torch.manual_seed(SEED)
    generator = np.random.default_rng(SEED)
    seen = list(_seen(reader, learned))
    lengths = [len(each.example.features) for each in seen]
    plan = [
        rows for _ in range(options.epochs) for rows in batches(lengths, options.batch, generator)
    ]
    network = NamesNetwork(seen[0].states.shape[1])
    optimizer = torch.optim.AdamW(
        network.parameters(), lr=options.learning_rate, weight_decay=WEIGHT_DECAY
    )
    rate = falling_rate(optimizer, WARM_UP, len(plan))
    network.train()
    losses: list[float] = []
    for step, rows in enumerate(plan, 1):
        loss = _loss(network, [seen[row] for row in rows])
        learn(loss, network, optimizer, rate)
        losses.append(float(loss.detach()))
        if step % 200 == 0:
            progress(f"step {step} of {len(plan)}: loss {np.mean(losses[-200:]):.3f}")
    return network.eval()


def _seen(reader: FrameReader, learned: Sequence[NameExample]) -> Iterator[_Seen]:
    order = sorted(learned, key=lambda each: len(each.features.pieces))
    for start in range(0, len(order), 32):
        batch = order[start : start + 32]
        *_, states = reader.states_of([each.features for each in batch])
        for each, found in zip(batch, states, strict=True):
            count = len(each.features)
            spelt = spellings(each.sentence.words[:count])
            yield _Seen(each, found[:count].astype(np.float16), spelt)


def _loss(network: NamesNetwork, batch: Sequence[_Seen]) -> Tensor:
    width = max(len(each.states) for each in batch)
    states = np.zeros((len(batch), width, batch[0].states.shape[1]), np.float32)
    labels = np.full((2, len(batch), width), UNKNOWN)
    mask = np.zeros((len(batch), width), np.int64)
    for row, each in enumerate(batch):
        count = len(each.states)
        states[row, :count] = each.states
        mask[row, :count] = 1
        labels[0, row, :count] = each.example.names
        labels[1, row, :count] = each.example.concepts
    forms = padded_words([each.example.features.forms for each in batch], width)
    spelt = padded_words([each.spellings for each in batch], width)
    logits = network(*map(torch.from_numpy, (states, forms, spelt, mask)))
    names, concepts = torch.from_numpy(labels)
    cut = len(NAME_LABELS)
    of_names = _name_loss(logits[:, :, :cut], names)
    return of_names + CONCEPTS * _cross_entropy(logits[:, :, cut:], concepts)


def _name_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy; where any of some classes is right, of their chances together."""
    known = labels != UNKNOWN
    logs, labels = functional.log_softmax(logits[known], 1), labels[known]
    chosen = logs.gather(1, labels.clamp(min=0)[:, None])[:, 0]
    for mark, label in ANY_NAME.items():
        any_of = logs.masked_fill(~ANY[mark], -1e9).logsumexp(1)
        chosen = torch.where(labels == label, any_of, chosen)
    return -chosen.mean() if len(chosen) else logits.sum() * 0


def _cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    known = labels != UNKNOWN
    if not known.any():
        return logits.sum() * 0
    return functional.cross_entropy(logits[known], labels[known])
