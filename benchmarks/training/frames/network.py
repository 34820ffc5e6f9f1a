"""The network that reads frames: which words are predicates, and what each word is to each."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from hlg.ingest.extract.local.frames.decode import KINDS, LABELS
from hlg.ingest.extract.local.frames.features import BRANCHES, DISTANCES, FORMS
from hlg.ingest.extract.local.frames.named import CONCEPT_LABELS, NAME_LABELS
from hlg.ingest.extract.local.frames.spelling import SPELLINGS
from hlg.ingest.extract.local.frames.told import PARTS

WIDTH, ROLE_WIDTH, FORM_WIDTH = 256, 192, 32
SPELT_WIDTH = 24
TOLD_WIDTH, TOLD_DROPOUT = 128, 0.1
CHANCES = 3
"""Of a fact: its frame's, that times what its pronouns mean, and that alone."""
DROPOUT = 0.15
HEADS = 4
MASKED = -1e4
STYLES = 2
"""Ways in which tuples are cut: ours, and CaRB's."""


class StatesNetwork(nn.Module):
    """States of words, the logits of each being a predicate's head, and the encoder's states.

    ``vectors`` (sentences, pieces, 384) and ``mask`` of them; ``firsts`` (sentences, words) where
    each word begins, ``forms`` (sentences, words, 4).
    """

    def __init__(self, encoder: Any, layers: Sequence[int]) -> None:
        super().__init__()
        hidden = encoder.config.hidden_size
        encoder.embeddings.word_embeddings = nn.Embedding(1, hidden)
        encoder.encoder.layer = nn.ModuleList(encoder.encoder.layer[at] for at in layers)
        self.encoder = encoder
        self.forms = nn.Embedding(FORMS, FORM_WIDTH)
        self.joined = nn.Linear(hidden + 4 * FORM_WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.dropout = nn.Dropout(DROPOUT)
        self.hidden = nn.Linear(WIDTH, WIDTH)
        self.kind = nn.Linear(WIDTH, len(KINDS))

    def forward(
        self, vectors: Tensor, mask: Tensor, firsts: Tensor, forms: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        states = self.encoder(inputs_embeds=vectors, attention_mask=mask).last_hidden_state
        states = states.gather(1, firsts[:, :, None].expand(-1, -1, states.shape[2]))
        seen = torch.cat([states, self.forms(forms).flatten(2)], 2)
        words = self.norm(torch.relu(self.joined(self.dropout(seen))))
        return words, self.kind(self.dropout(torch.relu(self.hidden(words)))), states


class RolesNetwork(nn.Module):
    """Logits of what each word is to a predicate.

    ``words`` (predicates, words, width), ``heads`` (predicates, width), ``branches`` and
    ``distances`` (predicates, words), ``mask`` likewise, ``styles`` (predicates).
    """

    def __init__(self) -> None:
        super().__init__()
        self.of_word = nn.Linear(WIDTH, ROLE_WIDTH)
        self.of_head = nn.Linear(WIDTH, ROLE_WIDTH)
        self.branches = nn.Embedding(BRANCHES, ROLE_WIDTH)
        self.distances = nn.Embedding(DISTANCES, ROLE_WIDTH)
        self.styles = nn.Embedding(STYLES, ROLE_WIDTH)
        for table in (self.branches, self.distances, self.styles):
            nn.init.normal_(table.weight, std=0.3)
        self.norm = nn.LayerNorm(ROLE_WIDTH)
        self.layers = nn.ModuleList(
            _Layer(ROLE_WIDTH, HEADS, 2 * ROLE_WIDTH, DROPOUT, batch_first=True, norm_first=True)
            for _ in range(2)
        )
        self.dropout = nn.Dropout(DROPOUT)
        self.label = nn.Linear(ROLE_WIDTH, len(LABELS))

    def forward(
        self,
        words: Tensor,
        heads: Tensor,
        branches: Tensor,
        distances: Tensor,
        mask: Tensor,
        styles: Tensor,
    ) -> Tensor:
        seen = self.of_word(words) + (self.of_head(heads) + self.styles(styles))[:, None, :]
        seen = seen + self.branches(branches) + self.distances(distances)
        seen = self.dropout(self.norm(torch.relu(seen)))
        for layer in self.layers:
            seen = layer(seen, mask)
        labels: Tensor = self.label(self.dropout(seen))
        return labels


class _Layer(nn.TransformerEncoderLayer):
    """A layer whose attention is written out: what torch has can't be exported for any length."""

    def forward(self, seen: Tensor, mask: Tensor) -> Tensor:  # type: ignore[override]
        """:param mask: 1 where there is a word, shape (rows, words)."""
        seen = seen + self.dropout1(self._attended(self.norm1(seen), mask))
        raised = self.dropout(torch.relu(self.linear1(self.norm2(seen))))
        found: Tensor = seen + self.dropout2(self.linear2(raised))
        return found

    def _attended(self, seen: Tensor, mask: Tensor) -> Tensor:
        rows, words = seen.shape[0], seen.shape[1]
        attention = self.self_attn
        given = functional.linear(seen, attention.in_proj_weight, attention.in_proj_bias)
        parts = given.reshape(rows, words, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        asked, keys, values = parts[0], parts[1], parts[2]
        scores = asked @ keys.transpose(2, 3) / keys.shape[3] ** 0.5
        scores = scores + (1 - mask[:, None, None, :].to(scores.dtype)) * MASKED
        joined = (torch.softmax(scores, 3) @ values).permute(0, 2, 1, 3).flatten(2)
        found: Tensor = attention.out_proj(joined)
        return found


class NamesNetwork(nn.Module):
    """Logits of what name and what concept each word is in.

    ``states`` (sentences, words, given), ``forms`` and ``spellings`` (sentences, words, 4),
    ``mask`` (sentences, words).
    """

    def __init__(self, given: int) -> None:
        super().__init__()
        self.forms = nn.Embedding(FORMS, SPELT_WIDTH)
        self.spellings = nn.Embedding(SPELLINGS, SPELT_WIDTH)
        self.joined = nn.Linear(given + 8 * SPELT_WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.near = nn.ModuleList(_Near() for _ in range(3))
        self.all = _Layer(WIDTH, HEADS, 2 * WIDTH, DROPOUT, batch_first=True, norm_first=True)
        self.dropout = nn.Dropout(DROPOUT)
        self.label = nn.Linear(WIDTH, len(NAME_LABELS) + len(CONCEPT_LABELS))

    def forward(self, states: Tensor, forms: Tensor, spellings: Tensor, mask: Tensor) -> Tensor:
        spelt = [self.forms(forms).flatten(2), self.spellings(spellings).flatten(2)]
        seen = self.joined(torch.cat([self.dropout(states), *spelt], 2))
        seen = self.dropout(self.norm(torch.relu(seen)))
        seen = self.all(self.near[0](seen, mask), mask)
        for layer in self.near[1:]:
            seen = layer(seen, mask)
        labels: Tensor = self.label(self.dropout(seen))
        return labels


class _Near(nn.Module):
    """What is added to each word for itself and the words before and behind it."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.joined = nn.Linear(3 * WIDTH, WIDTH)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, seen: Tensor, mask: Tensor) -> Tensor:
        words = self.norm(seen) * mask[:, :, None].to(seen.dtype)
        none = torch.zeros_like(words[:, :1])
        before, after = [none, words[:, :-1]], [words[:, 1:], none]
        beside = torch.cat([torch.cat(before, 1), words, torch.cat(after, 1)], 2)
        found: Tensor = seen + self.dropout(torch.relu(self.joined(beside)))
        return found


class ToldNetwork(nn.Module):
    """Log-odds that a fact is true as it is told, and logits of why it is not.

    ``states`` (facts, words, width); ``parts``, ``told``, ``branches``, ``distances`` (facts,
    words); ``heads`` (facts), ``chances`` (facts, 3), ``mask`` (facts, words).
    """

    def __init__(self, reasons: int) -> None:
        super().__init__()
        self.of_word = nn.Linear(WIDTH, TOLD_WIDTH)
        self.parts = nn.Embedding(len(PARTS), TOLD_WIDTH)
        self.told = nn.Embedding(2, TOLD_WIDTH)
        self.branches = nn.Embedding(BRANCHES, TOLD_WIDTH)
        self.distances = nn.Embedding(DISTANCES, TOLD_WIDTH)
        for table in (self.parts, self.told, self.branches, self.distances):
            nn.init.normal_(table.weight, std=0.3)
        self.norm = nn.LayerNorm(TOLD_WIDTH)
        self.layers = nn.ModuleList(
            _Layer(
                TOLD_WIDTH, HEADS, 2 * TOLD_WIDTH, TOLD_DROPOUT, batch_first=True, norm_first=True
            )
            for _ in range(2)
        )
        self.dropout = nn.Dropout(TOLD_DROPOUT)
        self.joined = nn.Linear(5 * TOLD_WIDTH + CHANCES, TOLD_WIDTH)
        self.right = nn.Linear(TOLD_WIDTH, 1)
        self.why = nn.Linear(TOLD_WIDTH, reasons)

    def forward(
        self,
        states: Tensor,
        parts: Tensor,
        told: Tensor,
        branches: Tensor,
        distances: Tensor,
        heads: Tensor,
        chances: Tensor,
        mask: Tensor,
    ) -> tuple[Tensor, Tensor]:
        seen = self.of_word(self.dropout(states)) + self.parts(parts) + self.told(told)
        seen = seen + self.branches(branches) + self.distances(distances)
        seen = self.dropout(self.norm(torch.relu(seen)))
        for layer in self.layers:
            seen = layer(seen, mask)
        head = seen.gather(1, heads[:, None, None].expand(-1, 1, seen.shape[2]))[:, 0]
        left = mask * (told == 0)
        of_parts = [mask * (parts == PARTS.index(part)) for part in ("subject", "object")]
        means = [_mean(seen, words) for words in (*of_parts, left, mask)]
        joined = torch.cat([head, *means, chances], 1)
        found = torch.relu(self.joined(self.dropout(joined)))
        return self.right(found)[:, 0], self.why(found)


def _mean(seen: Tensor, words: Tensor) -> Tensor:
    """The mean of some words' states, shape (rows, width); zeros where there are none."""
    chosen = words[:, :, None].to(seen.dtype)
    return (seen * chosen).sum(1) / chosen.sum(1).clamp(min=1)


class FrameNetwork(nn.Module):
    """Both halves of the reader of frames."""

    def __init__(self, encoder: Any, layers: Sequence[int]) -> None:
        super().__init__()
        self.states = StatesNetwork(encoder, layers)
        self.roles = RolesNetwork()
