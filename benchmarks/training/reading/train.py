"""Training of the network: what is learned from is drawn anew, so many times in all."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from benchmarks.training.reading.examples import Example
from benchmarks.training.reading.network import ReadingNetwork
from hlg.retrieval.answers.reading.windows import window

WEIGHT_DECAY, WARM_UP = 0.01, 0.05
NEW = 8
"""How many times the encoder's learning rate the head has."""
BLURRED = 0.06
"""So many pieces are hidden, so that no single word is relied on."""
MASK = 103
IGNORED = -1e4
NEVER = 1e-30
TAUGHT = 0.7
"""The share of the loss that teachers have."""
SHOWN = 200
"""Steps between two lines that say how far it is."""


@dataclass(frozen=True, slots=True)
class Options:
    """``draws`` examples are learned from, ``batch`` at a time; ``made`` is the share of those from
    facts at first, a quarter of it at the end, ``asked`` that of folders, ``answered`` that of
    those with evidence."""

    draws: int = 160_000
    batch: int = 64
    learning_rate: float = 3e-4
    made: float = 0.25
    asked: float = 0.45
    answered: float = 0.6
    seed: int = 42
    device: str = "cpu"


@dataclass(frozen=True, slots=True)
class Encoded:
    """An example as numbers: ids and types, which tokens are the passage's, which of them give the
    answer, and by answer the first and last token, (0, 0) for none; no end at all where no words
    are the answer."""

    ids: np.ndarray
    types: np.ndarray
    inside: np.ndarray
    evidence: np.ndarray
    ends: tuple[tuple[int, int], ...]


def encode(examples: Iterable[Example]) -> list[Encoded]:
    """Without those of which what answers lies beyond what a window has room for."""
    return [each for each in map(_encoded, examples) if each is not None]


def _encoded(example: Example) -> Encoded | None:
    found = window(example.question, example.hint, example.passage)
    starts, stops = found.offsets.T
    ends = []
    for start, stop in example.places or ():
        begins = np.flatnonzero((starts <= start) & (stops > start))
        closes = np.flatnonzero((starts < stop) & (stops >= stop))
        if len(begins) and len(closes):
            ends.append((int(begins[0]), int(closes[-1])))
    if example.places and not ends:
        return None
    evidence = np.zeros(len(starts), bool)
    for start, stop in example.evidence:
        evidence |= (starts < stop) & (stops > start) & (starts >= 0)
    if example.evidence and not evidence.any():
        return None
    if example.places is not None:
        ends = ends or [(0, 0)]
    return Encoded(found.ids, found.types, starts >= 0, evidence, tuple(ends))


def train(
    network: ReadingNetwork,
    parts: Sequence[Sequence[Encoded]],
    vectors: Callable[[NDArray[np.int64]], Tensor],
    options: Options,
    kept: Path,
    progress: Callable[[str], None] = lambda line: None,
    teachers: Sequence[ReadingNetwork] = (),
) -> ReadingNetwork:
    """The trained network; its weights are kept in a file now and then.

    :param parts: what is marked in sets, what facts of them gave, and what is asked of folders.
    :param teachers: trained networks to learn from beside the marks.
    :param vectors: the vector of each word piece, shape (…) to (…, 384), on any device.
    """
    torch.manual_seed(options.seed)
    draw = random.Random(options.seed)
    pools = [_pools(each, draw) for each in parts]
    network.to(options.device).train()
    rates = options.learning_rate, NEW * options.learning_rate
    optimizer = torch.optim.AdamW(
        [
            {"params": part.parameters(), "lr": rate}
            for part, rate in zip((network.encoder, network.heads), rates, strict=True)
        ],
        weight_decay=WEIGHT_DECAY,
    )
    steps, losses = options.draws // options.batch, torch.zeros((), device=options.device)
    waiting: list[list[Encoded]] = []
    for step in range(steps):
        share = step / steps
        if not waiting:
            made_now = options.made * (1 - 0.75 * share)
            shares = 1 - made_now - options.asked, made_now, options.asked
            waiting = _batches(pools, shares, options, draw)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * min(1.0, share / WARM_UP + 0.02) * max(0.02, 1 - share)
        batch = Batch.of(waiting.pop(), vectors, draw, options.device)
        logits = logits_of(network, batch)
        loss = loss_of(logits, batch)
        if teachers:
            loss = (1 - TAUGHT) * loss + TAUGHT * loss_by(teachers, logits, batch)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        losses += loss.detach()
        if step % SHOWN == SHOWN - 1:
            progress(f"{share:.3f} step {step + 1}: loss {float(losses) / SHOWN:.3f}")
            losses.zero_()
            torch.save(network.state_dict(), kept)
    torch.save(network.state_dict(), kept)
    return network.eval()


def _pools(encoded: Sequence[Encoded], draw: random.Random) -> tuple[Iterator[Encoded], ...]:
    """Endless examples with evidence, and endless ones without."""
    parts = (
        [each for each in encoded if each.evidence.any()],
        [each for each in encoded if not each.evidence.any()],
    )
    return tuple(_endless(part, draw) for part in parts)


def _endless(part: list[Encoded], draw: random.Random) -> Iterator[Encoded]:
    while True:
        yield from draw.sample(part, len(part))


def _batches(
    pools: Sequence[tuple[Iterator[Encoded], ...]],
    shares: Sequence[float],
    options: Options,
    draw: random.Random,
) -> list[list[Encoded]]:
    """Some batches of examples that are alike in length."""
    drawn = [
        next(pool[draw.random() >= options.answered])
        for pool in draw.choices(pools, shares, k=options.batch * 16)
    ]
    drawn.sort(key=lambda each: len(each.ids))
    found = [drawn[at : at + options.batch] for at in range(0, len(drawn), options.batch)]
    draw.shuffle(found)
    return found


@dataclass(frozen=True, slots=True)
class Batch:
    """Examples as the network reads them: ``vectors`` (examples, tokens, 384); ``types``, ``mask``,
    ``inside`` and ``evidence`` (examples, tokens); ``ends`` (places, 3): an example, and the first
    and last token of what it says; ``read``, those with ends."""

    vectors: Tensor
    types: Tensor
    mask: Tensor
    inside: Tensor
    evidence: Tensor
    ends: Tensor
    read: Tensor

    @classmethod
    def of(
        cls,
        examples: Sequence[Encoded],
        vectors: Callable[[NDArray[np.int64]], Tensor],
        draw: random.Random,
        device: str,
    ) -> "Batch":
        """Some pieces are hidden."""
        width = max(len(each.ids) for each in examples)
        ids, types, mask, inside, evidence = np.zeros((5, len(examples), width), np.int64)
        for row, each in enumerate(examples):
            count = len(each.ids)
            ids[row, :count], types[row, :count], mask[row, :count] = each.ids, each.types, 1
            inside[row, :count], evidence[row, :count] = each.inside, each.evidence
        blurred = np.random.default_rng(draw.getrandbits(32)).random(ids.shape) < BLURRED
        ids[blurred & (ids > MASK)] = MASK
        places = [(row, *place) for row, each in enumerate(examples) for place in each.ends]
        given = (
            types, mask, inside, evidence,
            np.array(places, np.int64).reshape(-1, 3),
            np.array([bool(each.ends) for each in examples]),
        )  # fmt: skip
        found = [torch.from_numpy(each).to(device) for each in given]
        return cls(vectors(ids).to(device), *found)


def logits_of(network: ReadingNetwork, batch: Batch) -> Tensor:
    """What a network makes of a batch: shape (examples, tokens, 3)."""
    with torch.autocast(batch.types.device.type, dtype=torch.bfloat16):
        logits: Tensor = network(batch.vectors, batch.types, batch.mask)
    return logits.float()


def loss_of(logits: Tensor, batch: Batch) -> Tensor:
    """That some place says the answer, of the chances of all places together, and that each token
    is of what answers or is not."""
    within, ends = batch.inside == 1, _ends(batch)
    wanted = batch.evidence.float()[within]
    seen = nn.functional.binary_cross_entropy_with_logits(logits[:, :, 2][within], wanted)
    logs = torch.log_softmax(logits[:, :, :2].masked_fill(~ends, IGNORED), 1)
    row, first, last = batch.ends.T
    chances = torch.exp(logs[row, first, 0] + logs[row, last, 1])
    said = torch.zeros_like(logs[:, 0, 0]).index_add(0, row, chances)
    return seen - torch.log(said[batch.read] + NEVER).sum() / len(said)


def loss_by(teachers: Sequence[ReadingNetwork], logits: Tensor, batch: Batch) -> Tensor:
    """How far a network is from what its teachers say together (distillation): of each token as
    first, as last and as one of what answers."""
    with torch.no_grad():
        taught = torch.stack([logits_of(each, batch) for each in teachers])
    within, ends = batch.inside == 1, _ends(batch)
    answering = torch.sigmoid(taught[..., 2]).mean(0)[within]
    seen = nn.functional.binary_cross_entropy_with_logits(logits[:, :, 2][within], answering)
    chances = torch.softmax(taught[..., :2].masked_fill(~ends, IGNORED), 2).mean(0)
    logs = torch.log_softmax(logits[:, :, :2].masked_fill(~ends, IGNORED), 1)
    loss: Tensor = seen - (chances * logs).sum((1, 2)).mean()
    return loss


def _ends(batch: Batch) -> Tensor:
    """Which tokens an answer may begin and end with; the first stands for none."""
    places = torch.arange(batch.inside.shape[1], device=batch.inside.device)
    return ((batch.inside == 1) | (places == 0))[:, :, None]
