"""The network that reads a passage: where an answer to a question begins and ends, or nowhere."""

from typing import Any

from torch import Tensor, nn

LAYERS = 6
"""So many of the encoder's are kept, the first."""


class ReadingNetwork(nn.Module):
    """Logits of each token as an answer's first and last, shape (windows, tokens, 2); those of
    ``[CLS]`` stand for no answer.

    ``vectors`` (windows, tokens, 384) of the pieces, ``types`` and ``mask`` (windows, tokens).
    """

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        hidden = encoder.config.hidden_size
        encoder.embeddings.word_embeddings = nn.Embedding(1, hidden)
        encoder.encoder.layer = encoder.encoder.layer[:LAYERS]
        self.encoder = encoder
        self.ends = nn.Linear(hidden, 2)

    def forward(self, vectors: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        states = self.encoder(
            inputs_embeds=vectors, token_type_ids=types, attention_mask=mask
        ).last_hidden_state
        logits: Tensor = self.ends(states)
        return logits
