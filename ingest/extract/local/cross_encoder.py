"""The cross-encoder that reads a name beside the words that it was found in.

Traits of a name (``names/traits.py``) are of grammar and form; this sees what the words mean. It
is layers of MiniLM, trained on names that people marked (``benchmarks/judges.py``), over the word
vectors of the default embedder.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from hlg.errors import ModelError
from hlg.models.onnx_embedder import WordVectors
from hlg.models.wordpiece import padded, pair_ids

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

__all__ = ["MAX_TOKENS", "CrossEncoder", "Pair", "shipped"]

Pair = tuple[str, str]
"""A name, and the words it was found in."""
MAX_TOKENS = 96
"""Of a pair, with its marks."""
BATCH = 16
"""Pairs that one run of the model gets."""
_MODEL = "cross_encoder.onnx"


@cache
def shipped() -> "CrossEncoder":
    """The one that comes with hlg, loaded when it is first asked."""
    return CrossEncoder(cast(Path, resources.files(__package__) / _MODEL))


class CrossEncoder:
    """A file of ``benchmarks/judges.py``.

    :raises ModelError: at first use, when it is missing or damaged.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def names(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """For each name the chance of each class of ``names/judge.py``."""
        tokens = pair_ids(pairs, MAX_TOKENS)
        order = sorted(range(len(pairs)), key=lambda at: len(tokens[at][0]))
        found: list[NDArray[np.float32]] = []
        for start in range(0, len(order), BATCH):
            batch = [tokens[at] for at in order[start : start + BATCH]]
            found.append(self._run(batch))
        logits = np.concatenate(found)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances: NDArray[np.float32] = np.empty_like(powers)
        chances[order] = powers / powers.sum(axis=1, keepdims=True)
        return chances

    def _run(self, batch: Sequence[tuple[list[int], int]]) -> NDArray[np.float32]:
        ids, types, mask = padded(batch)
        given = {"vectors": self._vectors.of(ids), "types": types, "mask": mask}
        logits: NDArray[np.float32]
        (logits,) = self._session.run(["names"], given)
        return logits

    @cached_property
    def _vectors(self) -> WordVectors:
        return WordVectors()

    @cached_property
    def _session(self) -> "InferenceSession":
        from onnxruntime import InferenceSession, SessionOptions

        options = SessionOptions()
        options.intra_op_num_threads = 1  # documents are read in a process a core
        options.inter_op_num_threads = 1
        options.enable_mem_pattern = False
        try:
            return InferenceSession(str(self._path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            # onnxruntime raises bare exceptions of its own.
            reason = str(error).strip().partition("\n")[0]
            raise ModelError(f"{self._path} can't be read ({reason}): install hlg again") from error
