"""Training of the network within a time: what is learned from is drawn anew until it is up."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from benchmarks.training.reading.examples import Example
from benchmarks.training.reading.network import ReadingNetwork
from hlg.models.onnx_embedder import WordVectors
from hlg.retrieval.answers.reading.windows import window

SEED = 42
WEIGHT_DECAY, WARM_UP = 0.01, 0.05
NEW = 8
"""How many times the encoder's learning rate the head has."""
BLURRED = 0.06
"""So many pieces are hidden, so that no single word is relied on."""
MASK = 103
IGNORED = -1e4


@dataclass(frozen=True, slots=True)
class Options:
    """``minutes`` are of the whole training; ``made`` is the share of examples from facts at
    first, a quarter of it at the end, ``answered`` that of those with an answer."""

    minutes: float = 60.0
    batch: int = 8
    learning_rate: float = 1.5e-4
    made: float = 0.5
    answered: float = 0.67


@dataclass(frozen=True, slots=True)
class Encoded:
    """An example as numbers: ids and types, which tokens are the passage's, and by answer the
    first and last token, (0, 0) for none."""

    ids: np.ndarray
    types: np.ndarray
    inside: np.ndarray
    ends: tuple[tuple[int, int], ...]


def encode(example: Example) -> Encoded | None:
    """None where what answers lies beyond what a window has room for."""
    found = window(example.question, example.hint, example.passage)
    starts, stops = found.offsets.T
    ends = []
    for start, stop in example.places:
        begins = np.flatnonzero((starts <= start) & (stops > start))
        closes = np.flatnonzero((starts < stop) & (stops >= stop))
        if len(begins) and len(closes):
            ends.append((int(begins[0]), int(closes[-1])))
    if example.places and not ends:
        return None
    return Encoded(found.ids, found.types, starts >= 0, tuple(ends) or ((0, 0),))


def train(
    network: ReadingNetwork,
    marked: Sequence[Example],
    made: Sequence[Example],
    options: Options,
    kept: Path,
    progress: Callable[[str], None] = lambda line: None,
) -> ReadingNetwork:
    """The network when its time is up; its weights are kept in a file now and then."""
    torch.manual_seed(SEED)
    draw = random.Random(SEED)
    pools = [_pools(marked, draw), _pools(made, draw)]
    vectors = WordVectors()
    head = list(network.ends.parameters())
    optimizer = torch.optim.AdamW(
        [
            {"params": network.encoder.parameters(), "lr": options.learning_rate},
            {"params": head, "lr": NEW * options.learning_rate},
        ],
        weight_decay=WEIGHT_DECAY,
    )
    base = [group["lr"] for group in optimizer.param_groups]
    started, step, losses = time.monotonic(), 0, [0.0]
    network.train()
    waiting: list[list[Encoded]] = []
    while (share := (time.monotonic() - started) / 60 / options.minutes) < 1:
        if not waiting:
            chance = options.made * (1 - 0.75 * share)
            waiting = _batches(pools, chance, options, draw)
        for group, rate in zip(optimizer.param_groups, base, strict=True):
            group["lr"] = rate * min(1.0, share / WARM_UP + 0.02) * max(0.02, 1 - share)
        loss = loss_of(network, waiting.pop(), vectors, draw)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        losses.append(float(loss.detach()))
        step += 1
        if step % 50 == 0:
            progress(f"{share:.3f} step {step}: loss {np.mean(losses[-50:]):.3f}")
        if step % 250 == 0:
            torch.save(network.state_dict(), kept)
    torch.save(network.state_dict(), kept)
    return network.eval()


def _pools(examples: Sequence[Example], draw: random.Random) -> tuple[Iterator[Encoded], ...]:
    """Endless examples with an answer, and endless ones without."""
    encoded = [each for each in map(encode, examples) if each is not None]
    parts = (
        [x for x in encoded if x.ends != ((0, 0),)],
        [x for x in encoded if x.ends == ((0, 0),)],
    )
    return tuple(_endless(part, draw) for part in parts)


def _endless(part: list[Encoded], draw: random.Random) -> Iterator[Encoded]:
    while True:
        yield from draw.sample(part, len(part))


def _batches(
    pools: Sequence[tuple[Iterator[Encoded], ...]],
    made: float,
    options: Options,
    draw: random.Random,
) -> list[list[Encoded]]:
    """Some batches of examples that are alike in length."""
    drawn = [
        next(pools[draw.random() < made][draw.random() >= options.answered])
        for _ in range(options.batch * 16)
    ]
    drawn.sort(key=lambda each: len(each.ids))
    found = [drawn[at : at + options.batch] for at in range(0, len(drawn), options.batch)]
    draw.shuffle(found)
    return found


def loss_of(
    network: ReadingNetwork, batch: Sequence[Encoded], vectors: WordVectors, draw: random.Random
) -> Tensor:
    """That some place says the answer: of the chances of all places together."""
    width = max(len(each.ids) for each in batch)
    ids, types, mask, inside = np.zeros((4, len(batch), width), np.int64)
    for row, each in enumerate(batch):
        count = len(each.ids)
        hidden = np.array([draw.random() < BLURRED for _ in range(count)]) & (each.ids > MASK)
        ids[row, :count] = np.where(hidden, MASK, each.ids)
        types[row, :count], mask[row, :count] = each.types, 1
        inside[row, :count] = each.inside
    inside[:, 0] = 1
    logits = network(*map(torch.from_numpy, (vectors.of(ids), types, mask)))
    logits = logits.masked_fill(torch.from_numpy(inside == 0)[:, :, None], IGNORED)
    logs = torch.log_softmax(logits, 1)
    losses = []
    for row, each in enumerate(batch):
        chances = [logs[row, first, 0] + logs[row, last, 1] for first, last in each.ends]
        losses.append(-torch.logsumexp(torch.stack(chances), 0))
    return torch.stack(losses).mean()
