"""The network of a cross-encoder that knows from the start what its encoder knows.

A cross-encoder whose head is new has to learn everything from its pairs, which takes hundreds
of thousands of them. This one begins as the encoder it is made of: question and passage are
read beside each other, each with positions of its own, and attention between the two halves
starts nearly closed. Its score is how near the halves are as wholes, and how near each of the
question's tokens comes to some token of the passage, before, among and after the layers.
Training moves the encoder, opens the attention, and weighs tokens and likenesses.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

CLOSED = -4.0
"""What is added to attention between the halves at first: a fiftieth of it is left."""
WHOLE, TOKENS = 10.0, 4.0
"""What the likeness of the wholes, and each of the tokens' likenesses, counts at first."""
MASKED = -1e4
NEW, NUMBERS = 40, 500
"""How many times the encoder's learning rate new weights have, and single numbers."""


class PairNetwork(nn.Module):
    """The score of each question and passage: (pairs, tokens) three times in, (pairs, 1) out.

    :param encoder: a BERT model's, of which ``layers`` are used.
    """

    def __init__(self, encoder: Any, layers: list[int]) -> None:
        super().__init__()
        config = encoder.config
        self.positions: int = config.max_position_embeddings
        self.embeddings = encoder.embeddings
        self.layers = nn.ModuleList(encoder.encoder.layer[place] for place in layers)
        self.between = nn.Parameter(torch.full((len(layers), config.num_attention_heads), CLOSED))
        self.importance = nn.Linear(config.hidden_size, 1)
        nn.init.zeros_(self.importance.weight)
        self.levels = sorted({0, (len(layers) + 1) // 2, len(layers)})
        self.middles = nn.Parameter(torch.full((len(self.levels),), 0.6))
        self.head = nn.Linear(1 + 2 * len(self.levels), 1)
        nn.init.constant_(self.head.weight, TOKENS)
        nn.init.zeros_(self.head.bias)
        with torch.no_grad():
            self.head.weight[0, 0] = WHOLE

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Token types are 0 in the question's half and 1 in the passage's."""
        asked = (1 - token_type_ids) * attention_mask
        told = token_type_ids * attention_mask
        states = self._states(input_ids, asked, told)
        weights = self._weights(states[0], asked)
        likenesses = [(_mean(states[-1], asked) * _mean(states[-1], told)).sum(1)]
        for place, level in enumerate(self.levels):
            unit = functional.normalize(states[level], dim=2)
            cosines = unit @ unit.transpose(1, 2)
            best = cosines.masked_fill((told == 0)[:, None, :], -1.0).amax(2)
            likenesses.append((weights * best).sum(1))
            likenesses.append((weights * torch.sigmoid(8 * (best - self.middles[place]))).sum(1))
        scores: Tensor = self.head(torch.stack(likenesses, 1))
        return scores

    def by_rate(self, rate: float) -> list[dict[str, Any]]:
        """The parameters for an optimizer, each kind at a learning rate of its own: ``rate``
        is the encoder's, and what is new, or a single number, moves faster."""
        encoder = [*self.embeddings.parameters(), *self.layers.parameters()]
        numbers = [self.between, self.middles, *self.head.parameters()]
        return [
            {"params": encoder, "lr": rate},
            {"params": self.importance.parameters(), "lr": NEW * rate},
            {"params": numbers, "lr": NUMBERS * rate, "weight_decay": 0.0},
        ]

    def _states(self, input_ids: Tensor, asked: Tensor, told: Tensor) -> list[Tensor]:
        """Before the first layer and after each, shape (pairs, tokens, width)."""
        place = torch.cumsum(torch.ones_like(input_ids), 1) - 1
        # A text of its own has its first word behind the mark that opens it.
        own = torch.where(told == 1, place - asked.sum(1, keepdim=True) + 1, place)
        state = self.embeddings(
            input_ids=input_ids,
            position_ids=own.clamp(0, self.positions - 1),
            token_type_ids=torch.zeros_like(input_ids),
        )
        together = (told[:, None, :, None] == told[:, None, None, :]).to(state.dtype)
        padding = (1 - (asked + told))[:, None, None, :].to(state.dtype) * MASKED
        states = [state]
        for layer, closed in zip(self.layers, self.between, strict=True):
            mask = (1 - together) * closed[None, :, None, None] + padding
            found = layer(state, mask)
            state = found[0] if isinstance(found, tuple) else found
            states.append(state)
        return states

    def _weights(self, state: Tensor, asked: Tensor) -> Tensor:
        """What each token of the question counts, 1 in all; its first and last are marks."""
        place = torch.cumsum(asked, 1)
        inside = asked * (place > 1) * (place < asked.sum(1, keepdim=True))
        weights = functional.softplus(self.importance(state)[:, :, 0]) * inside
        shares: Tensor = weights / weights.sum(1, keepdim=True).clamp(min=1e-6)
        return shares


def _mean(state: Tensor, which: Tensor) -> Tensor:
    """The unit mean of some tokens of each row, shape (pairs, width)."""
    mask = which[:, :, None].to(state.dtype)
    mean: Tensor = functional.normalize((state * mask).sum(1), dim=1)
    return mean
