"""The network that reads a passage: where an answer to a question begins and ends, or nowhere, and
what of the passage answers."""

from typing import Any

from torch import Tensor, nn


class ReadingNetwork(nn.Module):
    """Logits of each token as an answer's first and last, and as one of what answers, shape
    (windows, tokens, 3); the first two of ``[CLS]`` stand for no answer.

    ``vectors`` (windows, tokens, 384) of the pieces, ``types`` and ``mask`` (windows, tokens).
    """

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        hidden = encoder.config.hidden_size
        encoder.embeddings.word_embeddings = nn.Embedding(1, hidden)
        self.encoder = encoder
        self.heads = nn.Linear(hidden, 3)

    def forward(self, vectors: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        states = self.encoder(
            inputs_embeds=vectors, token_type_ids=types, attention_mask=mask
        ).last_hidden_state
        logits: Tensor = self.heads(states)
        return logits
