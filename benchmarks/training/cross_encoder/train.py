"""Training of a cross-encoder that starts from the default embedder's MiniLM."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.training.cross_encoder.pairs import Pool, sampled
from hlg.errors import UsageError
from hlg.models.base import Reranker

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

SEED = 42
MAX_TOKENS = 384
"""Of a question and a passage together: a passage of the default chunker fits."""
WEIGHT_DECAY = 0.01
LINES = 10
"""So often the loss is told."""
WARM_UP = 0.1
"""Share of the steps in which the rate rises to what is given."""


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """``layers`` of the encoder are kept, evenly picked; each question is shown ``negatives``
    passages beside one with evidence, ``questions`` of them a step."""

    layers: int = 6
    epochs: int = 2
    negatives: int = 7
    questions: int = 4
    learning_rate: float = 5e-5


@dataclass(frozen=True, slots=True)
class CrossEncoder:
    """A network with its tokenizer, and the loss of each step that trained it."""

    name: str
    network: Any
    tokenizer: "Tokenizer"
    losses: tuple[float, ...] = ()

    def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """See :class:`hlg.models.base.Reranker`."""
        import torch

        with torch.inference_mode():
            return np.asarray(self.logits([query] * len(texts), texts).float().cpu().numpy())

    def logits(self, queries: Sequence[str], texts: Sequence[str]) -> "torch.Tensor":
        """Of each pair, shape (n,), with what is needed to learn from them."""
        import torch

        encoded = self.tokenizer.encode_batch(list(zip(queries, texts, strict=True)))
        columns = {
            "input_ids": [each.ids for each in encoded],
            "attention_mask": [each.attention_mask for each in encoded],
            "token_type_ids": [each.type_ids for each in encoded],
        }
        device = next(self.network.parameters()).device
        given = {name: torch.tensor(rows, device=device) for name, rows in columns.items()}
        logits: torch.Tensor = self.network(**given)[:, 0]
        return logits


def load_base(folder: Path, layers: int) -> CrossEncoder:
    """A cross-encoder out of a BERT encoder's folder and some of its layers, which ranks at
    first as the encoder does.

    :raises UsageError: it has fewer layers, or is no such folder.
    """
    import torch
    from tokenizers import Tokenizer
    from transformers import AutoModel

    from benchmarks.training.cross_encoder.network import PairNetwork

    torch.manual_seed(SEED)
    try:
        with _quiet():
            # The network masks each head by itself, which not all implementations can.
            encoder = AutoModel.from_pretrained(folder, attn_implementation="eager")
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:
        # Both libraries raise bare exceptions of their own.
        reason = str(error).strip().partition("\n")[0]
        raise UsageError(
            f"no encoder to start from in {folder}: {reason}", option="base"
        ) from error
    known = len(encoder.encoder.layer)
    if layers > known:
        raise UsageError(f"--layers {layers}: the encoder in {folder} has {known}", option="layers")
    places = np.unique(np.linspace(0, known - 1, layers).round().astype(int)).tolist()
    tokenizer.enable_truncation(min(MAX_TOKENS, encoder.config.max_position_embeddings))
    tokenizer.enable_padding()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return CrossEncoder(str(folder), PairNetwork(encoder, places).to(device), tokenizer)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what transformers says and draws while it loads an encoder."""
    logging: Any = import_module("transformers.utils.logging")
    level = logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        logging.enable_progress_bar()


def train_cross_encoder(
    pools: Sequence[Pool],
    base: CrossEncoder,
    options: TrainingOptions,
    progress: Callable[[str], None],
    teacher: Reranker | None = None,
) -> CrossEncoder:
    """The cross-encoder after some passes over the questions that are not held out.

    The loss is the cross-entropy of a softmax over a question's passages, against the one
    with evidence or, where there is a teacher, against the softmax of its scores.

    :raises UsageError: no question can be trained on.
    """
    import torch

    learned = [each for each in pools if not each.is_held_out]
    if not learned:
        raise UsageError("no question's evidence is found beside other passages; give more of them")
    network = base.network
    generator = np.random.default_rng(SEED)
    steps = options.epochs * -(-len(learned) // options.questions)
    optimizer = torch.optim.AdamW(network.by_rate(options.learning_rate), weight_decay=WEIGHT_DECAY)
    warm_up = max(1, int(WARM_UP * steps))
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / warm_up, (steps - step) / max(1, steps - warm_up)),
    )
    losses: list[float] = []
    network.train()
    told = max(1, steps // LINES)
    for _ in range(options.epochs):
        order = generator.permutation(len(learned))
        for start in range(0, len(order), options.questions):
            batch = [learned[place] for place in order[start : start + options.questions]]
            optimizer.zero_grad()
            loss = 0.0
            # One question's passages at a time: a step needs no more memory than that.
            for each in batch:
                own: Any = _loss(base, each, options.negatives, generator, teacher) / len(batch)
                own.backward()
                loss += float(own.detach())
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            rate.step()
            losses.append(loss)
            if len(losses) % told == 0:
                progress(f"step {len(losses)} of {steps}: loss {np.mean(losses[-told:]):.3f}")
    network.eval()
    return CrossEncoder(base.name, network, base.tokenizer, tuple(losses))


def _loss(
    encoder: CrossEncoder,
    pool: Pool,
    negatives: int,
    generator: np.random.Generator,
    teacher: Reranker | None,
) -> "torch.Tensor":
    """Of one question, a number."""
    import torch

    texts = sampled(pool, negatives, generator)
    logits = encoder.logits([pool.question] * len(texts), texts)
    target = torch.zeros_like(logits)
    target[0] = 1
    if teacher is not None:
        told = torch.tensor(teacher.scores(pool.question, texts))
        target = torch.softmax(told.to(logits.device, logits.dtype), dim=0)
    return -(target * torch.log_softmax(logits, dim=0)).sum()
