"""Training of the cross-encoder that reads names beside the words around them.

It starts from MiniLM's layers, on which a head says what a name is. Word vectors stay those of the
default embedder, so that the file that ships has the layers alone.
"""

import logging
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from hlg.ingest.extract.local.cross_encoder import MAX_TOKENS
from hlg.ingest.extract.local.names.judge import CLASSES
from hlg.models.onnx_embedder import WordVectors
from hlg.models.wordpiece import padded, pair_ids

SEED = 42
WEIGHT_DECAY, DROPOUT, WARM_UP = 0.01, 0.1, 0.06
NEW = 10
"""How many times the layers' learning rate the head has."""
ALONE = 2
"""And where it learns alone: at ten times it forgets more of what it knew."""
BUCKET = 20
"""Batches among which pairs are sorted by length."""
OPSET = 17
INPUTS, OUTPUT = ("vectors", "types", "mask"), "names"


@dataclass(frozen=True, slots=True)
class Options:
    """``layers`` are which of MiniLM's are kept."""

    layers: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    epochs: int = 4
    batch: int = 64
    learning_rate: float = 1e-4
    max_tokens: int = MAX_TOKENS


@dataclass(frozen=True, slots=True)
class Task:
    """Pairs to learn from; ``targets`` has a row of chances for each."""

    pairs: Sequence[tuple[str, str]]
    targets: NDArray[np.float32]


class ReadingNetwork(nn.Module):
    """Logits of each class for pairs: ``vectors`` of shape (pairs, tokens, 384), ``types`` 1 in
    the second text, ``mask`` 1 where there is a token.

    :param encoder: a BERT model.
    """

    def __init__(self, encoder: Any, layers: Sequence[int]) -> None:
        super().__init__()
        encoder.embeddings.word_embeddings = nn.Embedding(1, encoder.config.hidden_size)
        encoder.encoder.layer = nn.ModuleList(encoder.encoder.layer[at] for at in layers)
        self.encoder = encoder
        self.dropout = nn.Dropout(DROPOUT)
        width = 2 * encoder.config.hidden_size
        self.head = nn.Linear(width, len(CLASSES))

    def forward(self, vectors: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """The head's logits."""
        logits: Tensor = self.head(self.dropout(self.seen(vectors, types, mask)))
        return logits

    def seen(self, vectors: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """What the head sees: the whole pair's state and the mean over its first text."""
        states = self.encoder(
            inputs_embeds=vectors, token_type_ids=types, attention_mask=mask
        ).last_hidden_state
        first = (mask * (1 - types))[:, :, None].to(states.dtype)
        mean = (states * first).sum(1) / first.sum(1)
        return torch.cat([states[:, 0], mean], 1)


def load_network(base: Path, options: Options) -> ReadingNetwork:
    """The untrained network, of a folder with a BERT encoder."""
    from transformers import AutoModel

    torch.manual_seed(SEED)
    encoder = AutoModel.from_pretrained(base, attn_implementation="eager", add_pooling_layer=False)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return ReadingNetwork(encoder.float(), options.layers).to(device)


def train(
    network: ReadingNetwork,
    task: Task,
    options: Options,
    progress: Callable[[str], None] = lambda line: None,
) -> ReadingNetwork:
    """The network after some passes over a task, by cross-entropy."""
    torch.manual_seed(SEED)
    generator = np.random.default_rng(SEED)
    reading = _Reading(network, options.max_tokens)
    tokens = reading.tokens(task.pairs)
    plan: list[list[int]] = []
    for _ in range(options.epochs):
        epoch = _batches([len(ids) for ids, _ in tokens], options.batch, generator)
        plan += [epoch[at] for at in generator.permutation(len(epoch)).tolist()]
    optimizer = torch.optim.AdamW(
        [
            {"params": network.encoder.parameters(), "lr": options.learning_rate},
            {"params": network.head.parameters(), "lr": NEW * options.learning_rate},
        ],
        weight_decay=WEIGHT_DECAY,
    )
    warm = WARM_UP * len(plan)
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / warm) * max(0.02, 1 - step / len(plan))
    )
    network.train()
    losses: list[float] = []
    for step, rows in enumerate(plan, 1):
        logits = reading.logits([tokens[row] for row in rows])
        targets = torch.tensor(task.targets[rows], device=logits.device)
        loss = -(targets * functional.log_softmax(logits, 1)).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        rate.step()
        losses.append(float(loss.detach()))
        if step % 200 == 0:
            progress(f"step {step} of {len(plan)}: loss {np.mean(losses[-200:]):.3f}")
    return network.eval()


def train_head(network: ReadingNetwork, task: Task, options: Options) -> ReadingNetwork:
    """The network after some passes of its head over a task; all else stays as it was, and the
    layers read each pair once."""
    torch.manual_seed(SEED)
    generator = np.random.default_rng(SEED)
    seen = _Reading(network.eval(), options.max_tokens).seen(task.pairs, 4 * options.batch)
    wanted = torch.tensor(task.targets, device=seen.device)
    head = network.head.train()
    optimizer = torch.optim.AdamW(
        head.parameters(), lr=ALONE * options.learning_rate, weight_decay=WEIGHT_DECAY
    )
    rows = len(wanted)
    steps = options.epochs * -(-rows // options.batch)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.02, 1 - step / steps))
    for _ in range(options.epochs):
        order = torch.from_numpy(generator.permutation(rows)).to(seen.device)
        for start in range(0, rows, options.batch):
            batch = order[start : start + options.batch]
            logits = head(functional.dropout(seen[batch], DROPOUT))
            loss = -(wanted[batch] * functional.log_softmax(logits, 1)).sum(1).mean()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            rate.step()
    return network.eval()


def chances(
    network: ReadingNetwork, pairs: Sequence[tuple[str, str]], options: Options
) -> NDArray[np.float32]:
    """What a network says of pairs that it has not learned from."""
    reading = _Reading(network.eval(), options.max_tokens)
    tokens = reading.tokens(pairs)
    found = np.zeros((len(pairs), len(CLASSES)), np.float32)
    with torch.inference_mode():
        for rows in _by_length(tokens, 4 * options.batch):
            logits = reading.logits([tokens[row] for row in rows])
            found[rows] = functional.softmax(logits, 1).cpu().numpy()
    return found


def export(network: ReadingNetwork, path: Path, provenance: Mapping[str, str]) -> None:
    """Write the network for onnxruntime: weights of 8 bits, activations quantized as they come."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    network = network.cpu().eval()
    ones = torch.ones(2, 8, dtype=torch.long)
    given = (torch.zeros(2, 8, network.encoder.config.hidden_size), torch.zeros_like(ones), ones)
    names = {name: {0: "pairs", 1: "tokens"} for name in INPUTS}
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer's, of branches that never change here
        whole, small = Path(place, "whole.onnx"), Path(place, "small.onnx")
        torch.onnx.export(
            network,
            given,
            str(whole),
            dynamo=False,
            input_names=list(INPUTS),
            output_names=[OUTPUT],
            dynamic_axes={**names, OUTPUT: {0: "pairs"}},
            opset_version=OPSET,
        )
        logging.disable(logging.WARNING)
        try:
            quantize_dynamic(whole, small, weight_type=QuantType.QInt8)
        finally:
            logging.disable(logging.NOTSET)
        model = onnx.load(small)
    for key, value in provenance.items():
        model.metadata_props.add(key=key, value=value)
    onnx.save(model, path)


class _Reading:
    """Pairs as a network takes them."""

    def __init__(self, network: ReadingNetwork, max_tokens: int) -> None:
        self._network = network
        self._vectors = WordVectors()
        self._max_tokens = max_tokens
        self._device = next(network.parameters()).device

    def tokens(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[list[int], int]]:
        return pair_ids(pairs, self._max_tokens)

    def logits(self, batch: Sequence[tuple[list[int], int]]) -> Tensor:
        with self._quickly():
            logits: Tensor = self._network(*self._given(batch)).float()
        return logits

    def seen(self, pairs: Sequence[tuple[str, str]], size: int) -> Tensor:
        """What the head sees of each pair, shape (pairs, what it sees)."""
        tokens = self.tokens(pairs)
        width = 2 * self._network.encoder.config.hidden_size
        found = torch.zeros(len(pairs), width, device=self._device)
        with torch.no_grad(), self._quickly():
            for rows in _by_length(tokens, size):
                found[rows] = self._network.seen(*self._given([tokens[at] for at in rows])).float()
        return found

    def _given(self, batch: Sequence[tuple[list[int], int]]) -> tuple[Tensor, ...]:
        ids, types, mask = padded(batch)
        given = (self._vectors.of(ids), types, mask)
        return tuple(torch.from_numpy(each).to(self._device) for each in given)

    def _quickly(self) -> torch.autocast:
        return torch.autocast("cuda", torch.bfloat16, enabled=self._device.type == "cuda")


def _by_length(tokens: Sequence[tuple[list[int], int]], size: int) -> Iterator[list[int]]:
    """All rows in batches of like lengths."""
    order = sorted(range(len(tokens)), key=lambda at: len(tokens[at][0]))
    for start in range(0, len(order), size):
        yield order[start : start + size]


def _batches(lengths: Sequence[int], size: int, generator: np.random.Generator) -> list[list[int]]:
    """All rows in batches of like lengths, differently each time."""
    order = generator.permutation(len(lengths))
    found = []
    for start in range(0, len(order), size * BUCKET):
        rows = sorted(order[start : start + size * BUCKET].tolist(), key=lambda row: lengths[row])
        found += [rows[at : at + size] for at in range(0, len(rows), size)]
    return found
