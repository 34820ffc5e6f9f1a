"""The seams to models: what hlg asks of an embedder, a reranker and a language model."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hlg.records import Embeddings


class Embedder(Protocol):
    """Turns texts into vectors. The same text gives the same bits, whatever is beside it."""

    name: str
    """Identity of model and version; vectors of two names are never mixed."""
    dimensions: int

    def embed(self, texts: Sequence[str]) -> Embeddings:
        """Shape (len(texts), dimensions), rows of unit length, in the order of ``texts``."""

    def embed_spans(self, text: str, spans: Sequence[tuple[int, int]]) -> Embeddings:
        """A text's own vector, then one for each span of its characters ``[start, end)``.

        Shape (1 + len(spans), dimensions), rows of unit length. A model that can reads the
        spans where they stand, so that they cost nothing more than the text.
        """

    def count_tokens(self, text: str) -> int:
        """How many tokens the model sees in a text, special tokens aside."""


@runtime_checkable
class Reranker(Protocol):
    """Scores how well each text answers a query; higher is better."""

    name: str

    def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts),)."""
