"""Embedders by name."""

from functools import cache

from hlg.models.base import Embedder
from hlg.models.onnx_embedder import MiniLmEmbedder

DEFAULT_EMBEDDER = "minilm-int8"
_DEFAULTS = {DEFAULT_EMBEDDER, MiniLmEmbedder.name, MiniLmEmbedder.name.partition("@")[0]}


def open_embedder(name: str = DEFAULT_EMBEDDER) -> Embedder:
    """The embedder of that name, one a process.

    ``minilm-int8`` (or its full name, under which graphs remember it) is the default and
    needs nothing more; any other name is a sentence-transformers model, with
    ``all-MiniLM-L6-v2`` from the weights that ``hlg[torch]`` installs.

    :raises ModelError: the model or what runs it is missing; says how to get it.
    """
    return _default_embedder() if name in _DEFAULTS else _sentence_transformer(name)


def same(name: str, other: str) -> bool:
    """Whether two names are of one embedder."""
    return name == other or {name, other} <= _DEFAULTS


@cache
def _default_embedder() -> Embedder:
    return MiniLmEmbedder()


@cache
def _sentence_transformer(name: str) -> Embedder:
    from hlg.models.torch_embedder import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(name)
