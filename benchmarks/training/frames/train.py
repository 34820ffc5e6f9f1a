"""Training of the reader of frames, and its frames before it is exported."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.lr_scheduler import LambdaLR

from benchmarks.training.frames.examples import ANY, Example
from benchmarks.training.frames.network import FrameNetwork
from hlg.ingest.extract.local.frames.decode import KINDS, LABELS, Frame, decode
from hlg.ingest.extract.local.frames.features import branches, distances, padded_words
from hlg.models.onnx_embedder import WordVectors

SEED = 42
WEIGHT_DECAY, WARM_UP = 0.01, 0.08
NEW = 10
"""How many times the encoder's learning rate the rest has."""
BEGINS = torch.tensor(
    [
        label.startswith("begin") and label.split()[1] not in ("predicate", "subject")
        for label in LABELS
    ]
)
INSIDES = torch.tensor(
    [
        label.startswith("inside") and label.split()[1] not in ("predicate", "subject")
        for label in LABELS
    ]
)


@dataclass(frozen=True, slots=True)
class Options:
    """``layers`` are which of MiniLM's are kept."""

    layers: tuple[int, ...] = (0, 1, 2, 3)
    epochs: int = 4
    batch: int = 24
    learning_rate: float = 1e-4


def load_network(base: Path, options: Options) -> FrameNetwork:
    """The untrained network, of a folder with a BERT encoder."""
    from transformers import AutoModel

    torch.manual_seed(SEED)
    encoder = AutoModel.from_pretrained(base, add_pooling_layer=False)
    return FrameNetwork(encoder.float(), options.layers)


def train(
    network: FrameNetwork,
    learned: Sequence[Example],
    options: Options,
    progress: Callable[[str], None] = lambda line: None,
) -> FrameNetwork:
    """The network after some passes over all examples."""
    torch.manual_seed(SEED)
    generator = np.random.default_rng(SEED)
    vectors = WordVectors()
    plan = [
        batch
        for _ in range(options.epochs)
        for batch in batches(
            [len(each.features.pieces) for each in learned], options.batch, generator
        )
    ]
    encoder = list(network.states.encoder.parameters())
    known = {id(each) for each in encoder}
    rest = [each for each in network.parameters() if id(each) not in known]
    optimizer = torch.optim.AdamW(
        [
            {"params": encoder, "lr": options.learning_rate},
            {"params": rest, "lr": NEW * options.learning_rate},
        ],
        weight_decay=WEIGHT_DECAY,
    )
    rate = falling_rate(optimizer, WARM_UP, len(plan))
    network.train()
    losses: list[tuple[float, float]] = []
    for step, rows in enumerate(plan, 1):
        batch = [learned[row] for row in rows]
        kinds, labels = _losses(network, batch, vectors)
        learn(kinds + labels, network, optimizer, rate)
        losses.append((float(kinds.detach()), float(labels.detach())))
        if step % 50 == 0:
            progress(f"step {step} of {len(plan)}: loss {np.mean(losses[-50:], axis=0).round(3)}")
    return network.eval()


def _given(batch: Sequence[Example], vectors: WordVectors) -> tuple[Tensor, ...]:
    pieces = max(len(each.features.pieces) for each in batch)
    words = max(len(each.features) for each in batch)
    ids = np.zeros((len(batch), pieces), np.int64)
    mask = np.zeros((len(batch), pieces), np.int64)
    forms = np.zeros((len(batch), words, 4), np.int64)
    for at, each in enumerate(batch):
        ids[at, : len(each.features.pieces)] = each.features.pieces
        mask[at, : len(each.features.pieces)] = 1
        forms[at, : len(each.features)] = each.features.forms
    firsts = padded_words([np.array(each.features.firsts) for each in batch], words)
    return tuple(map(torch.from_numpy, (vectors.of(ids), mask, firsts, forms)))


def _losses(
    network: FrameNetwork, batch: Sequence[Example], vectors: WordVectors
) -> tuple[Tensor, Tensor]:
    words, kinds, _ = network.states(*_given(batch, vectors))
    wanted = torch.full(kinds.shape[:2], -100)
    for at, each in enumerate(batch):
        wanted[at, : len(each.kinds)] = torch.from_numpy(each.kinds)
    of_kinds = functional.cross_entropy(kinds.flatten(0, 1), wanted.flatten(), ignore_index=-100)
    rows = [(at, role) for at, each in enumerate(batch) for role in each.roles]
    if not rows:
        return 4 * of_kinds, of_kinds * 0
    width = words.shape[1]
    places = torch.tensor([at for at, _ in rows])
    heads = torch.tensor([role.head for _, role in rows])
    mask = torch.arange(width)[None] < torch.tensor([len(role.labels) for _, role in rows])[:, None]
    logits = network.roles(
        words[places],
        words[places, heads],
        torch.from_numpy(padded_words([role.branches for _, role in rows], width)),
        torch.from_numpy(padded_words([role.distances for _, role in rows], width)),
        mask.long(),
        torch.tensor([batch[at].marked.style for at, _ in rows]),
    )
    labels = torch.from_numpy(padded_words([role.labels for _, role in rows], width))
    return 4 * of_kinds, _label_loss(logits[mask], labels[mask])


def _label_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy; where any of some roles is right, of their chances together."""
    logs = functional.log_softmax(logits, 1)
    exact = logs.gather(1, labels.clamp(min=0)[:, None])[:, 0]
    begin = logs.masked_fill(~BEGINS, -1e9).logsumexp(1)
    inside = logs.masked_fill(~INSIDES, -1e9).logsumexp(1)
    chosen = torch.where(
        labels == ANY["begin"], begin, torch.where(labels == ANY["inside"], inside, exact)
    )
    return -chosen.mean()


def read(
    network: FrameNetwork, examples: Sequence[Example], least: float = 0.05, style: int = 0
) -> list[list[Frame]]:
    """The frames of each sentence of which the head is one by at least so much."""
    vectors = WordVectors()
    found: list[list[Frame]] = []
    with torch.inference_mode():
        for start in range(0, len(examples), 32):
            batch = examples[start : start + 32]
            words, kinds, _ = network.states(*_given(batch, vectors))
            chances = functional.softmax(kinds, 2).numpy()
            for at, each in enumerate(batch):
                found.append(_frames(network, each, words[at], chances[at], least, style))
    return found


def _frames(
    network: FrameNetwork,
    example: Example,
    words: Tensor,
    chances: NDArray[np.float32],
    least: float,
    style: int,
) -> list[Frame]:
    count = len(example.features)
    some = 1 - chances[:count, 0]
    heads = np.flatnonzero(some >= least)
    if not len(heads):
        return []
    logits = network.roles(
        words[None, :count].expand(len(heads), -1, -1),
        words[torch.from_numpy(heads)],
        torch.from_numpy(np.stack([branches(example.sentence, int(h))[:count] for h in heads])),
        torch.from_numpy(np.stack([distances(count, int(h)) for h in heads])),
        torch.ones(len(heads), count, dtype=torch.long),
        torch.full((len(heads),), style),
    ).numpy()
    spans = decode([logits])[0]
    return [
        Frame(int(head), KINDS[1 + int(chances[head, 1:].argmax())], float(some[head]), tuple(row))
        for head, row in zip(heads, spans, strict=True)
    ]


def learn(
    loss: Tensor, network: nn.Module, optimizer: torch.optim.Optimizer, rate: LambdaLR
) -> None:
    """One step down, no longer than one."""
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    rate.step()


def falling_rate(optimizer: torch.optim.Optimizer, warm_up: float, steps: int) -> LambdaLR:
    """A rate that rises during a share of the steps, and falls to a fiftieth."""
    warm = warm_up * steps
    return LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / warm) * max(0.02, 1 - step / steps)
    )


def batches(
    lengths: Sequence[int], size: int, generator: np.random.Generator
) -> Iterator[list[int]]:
    order = generator.permutation(len(lengths))
    found = []
    for start in range(0, len(order), size * 20):
        rows = sorted(order[start : start + size * 20].tolist(), key=lambda row: lengths[row])
        found += [rows[at : at + size] for at in range(0, len(rows), size)]
    yield from (found[at] for at in generator.permutation(len(found)).tolist())
