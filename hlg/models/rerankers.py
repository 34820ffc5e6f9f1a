"""Rerankers by name or folder: cross-encoders of sentence-transformers, FlagEmbedding, ONNX."""

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hlg.arguments import takes_several
from hlg.errors import ModelError
from hlg.extras import how_to_install
from hlg.models.base import Reranker
from hlg.models.hub import model_address
from hlg.unicode import without_surrogates

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

BATCH = 16
"""Pairs that one run of a model gets."""
MAX_TOKENS = 512
"""Tokens of a pair that an ONNX model sees, unless its tokenizer says otherwise."""
LAYERWISE = "layerwise"
"""What the names of models hold that score from a middle layer."""
_CHATTY = ("huggingface_hub", "httpx", "sentence_transformers", "transformers", "urllib3")
CUTOFF_LAYER = 28
"""The layer that their authors recommend."""


def open_reranker(reranker: str | Reranker) -> Reranker:
    """The reranker of that name or folder, one a process; a reranker is given back as it is.

    A folder that holds ``model.onnx`` runs on onnxruntime; any other name is a
    cross-encoder of sentence-transformers, or a layerwise reranker of FlagEmbedding.

    :raises ModelError: it can't be loaded; says why, and the ways out.
    """
    return _named_reranker(reranker) if isinstance(reranker, str) else reranker


@cache
def _named_reranker(name: str) -> Reranker:
    folder = Path(name)
    if folder.is_dir() and onnx_file(folder) is not None:
        return OnnxReranker(name)
    if LAYERWISE in name.lower():
        return LayerwiseReranker(name)
    return CrossEncoderReranker(name)


def onnx_file(folder: Path) -> Path | None:
    """The model in a folder, in the places where exporters put it."""
    places = (folder / "model.onnx", folder / "onnx" / "model.onnx")
    return next((path for path in places if path.is_file()), None)


@takes_several
class OnnxReranker:
    """A cross-encoder's folder by onnxruntime: ``model.onnx`` and ``tokenizer.json``.

    :raises ModelError: a file is missing or can't be used.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        try:
            self._tokenizer, self._session = _tokenizer(Path(name)), _session(Path(name))
        except Exception as error:
            # Both libraries raise bare exceptions of their own.
            raise _not_loaded(name, error) from error

    def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """The model's logit for each text; of two classes, how far the second is ahead."""
        # Texts of like length share a run, so that little is padded.
        order = np.argsort([len(text) for text in texts], kind="stable")
        scores = np.zeros(len(texts), np.float32)
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            scores[places] = self._logits(query, [texts[place] for place in places.tolist()])
        return scores

    def _logits(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        query = without_surrogates(query)
        encodings = self._tokenizer.encode_batch(
            [(query, without_surrogates(text)) for text in texts]
        )
        inputs = {
            "input_ids": [encoding.ids for encoding in encodings],
            "attention_mask": [encoding.attention_mask for encoding in encodings],
            "token_type_ids": [encoding.type_ids for encoding in encodings],
        }
        wanted = {node.name for node in self._session.get_inputs()}
        feed = {key: np.array(rows, np.int64) for key, rows in inputs.items() if key in wanted}
        logits = np.asarray(self._session.run(None, feed)[0], np.float32).reshape(len(texts), -1)
        scores: NDArray[np.float32] = logits[:, -1] - (logits[:, 0] if logits.shape[1] > 1 else 0)
        return scores


def _tokenizer(folder: Path) -> "Tokenizer":
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    if tokenizer.truncation is None:
        tokenizer.enable_truncation(MAX_TOKENS)
    if tokenizer.padding is None:
        tokenizer.enable_padding()
    return tokenizer


def _session(folder: Path) -> "InferenceSession":
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = len(os.sched_getaffinity(0))
    path = str(onnx_file(folder))
    return InferenceSession(path, options, providers=["CPUExecutionProvider"])


@takes_several
class CrossEncoderReranker:
    """A cross-encoder of sentence-transformers (``hlg[torch]``), on a GPU where there is one.

    :raises ModelError: sentence-transformers is not installed, or has no such model.
    """

    also = ""
    """What installs its library, where no extra does."""

    def __init__(self, name: str) -> None:
        self.name = name
        try:
            with _quiet():
                self._score = self._loaded(name)
        except (ImportError, OSError, ValueError) as error:
            raise _not_loaded(name, error, self.also) from error

    def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """The model's score of each text."""
        if not texts:
            return np.zeros(0, np.float32)
        query = without_surrogates(query)
        found = self._score([(query, without_surrogates(text)) for text in texts])
        return np.asarray(found, np.float32).reshape(len(texts), -1)[:, -1]

    def _loaded(self, name: str) -> Callable[[list[tuple[str, str]]], object]:
        """What scores pairs of query and text."""
        address = model_address(name, "sentence_transformers", "cross-encoder")
        from sentence_transformers import CrossEncoder

        return partial(CrossEncoder(address).predict, batch_size=BATCH, show_progress_bar=False)


class LayerwiseReranker(CrossEncoderReranker):
    """A reranker that scores from a middle layer, as the HLG paper's (§6.3), by FlagEmbedding.

    :raises ModelError: FlagEmbedding is not installed, or has no such model.
    """

    also = "pip install FlagEmbedding"

    def _loaded(self, name: str) -> Callable[[list[tuple[str, str]]], object]:
        address = model_address(name, "FlagEmbedding")
        from FlagEmbedding import LayerWiseFlagLLMReranker

        model: Any = LayerWiseFlagLLMReranker(address, cutoff_layers=[CUTOFF_LAYER])
        score: Callable[[list[tuple[str, str]]], object] = model.compute_score
        return score


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what the libraries log while they look for a model: the error says it all."""
    loggers = [logging.getLogger(name) for name in _CHATTY]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _not_loaded(name: str, error: Exception, also: str = "") -> ModelError:
    reason = (str(error).strip() or type(error).__name__).partition("\n")[0]
    more = f"`{also}`; " if also else ""
    return ModelError(
        f"reranker {name!r} can't be loaded ({reason}): {more}install what it needs with "
        f"`{how_to_install('torch')}` and check the name, fetch it with `hf download {name}` where "
        "there is a network, give the folder of an ONNX cross-encoder (model.onnx with "
        "tokenizer.json), or choose rerank `path` or `none`",
        model=name,
    )
