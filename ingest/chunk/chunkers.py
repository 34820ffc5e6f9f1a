"""Chunkers by name, with the options that each has of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from hlg.errors import UsageError
from hlg.registry import Registry, Row

if TYPE_CHECKING:
    from hlg.ingest.base import Chunker
    from hlg.models.base import Embedder
    from hlg.models.language.door import ModelDoor

OpenChunker: TypeAlias = "Callable[..., Chunker]"
"""Makes a chunker from tokens, overlap, embedder and its options or argument; one that asks a
language model has its door besides."""


@dataclass(frozen=True, slots=True)
class ChunkerRow(Row[OpenChunker]):
    """A chunker of the registry.

    ``version`` moves when the same settings make other chunks; it is part of a source's
    fingerprint, so that the next build makes them anew. ``asks`` a language model.
    """

    version: int = 1
    asks: bool = False


CHUNKERS: Registry[ChunkerRow] = Registry(
    "chunker",
    {
        "fixed": ChunkerRow(
            "up to so many tokens, each repeating the end of the one before",
            "hlg.ingest.chunk.fixed",
            "open_fixed",
            version=2,
        ),
        "semantic": ChunkerRow(
            "sentences that belong together, cut where the subject changes",
            "hlg.ingest.chunk.semantic",
            "SemanticChunker",
            "SemanticOptions",
        ),
        "hierarchical": ChunkerRow(
            "large parents for reading, small children for searching",
            "hlg.ingest.chunk.hierarchical",
            "HierarchicalChunker",
            "HierarchicalOptions",
            version=3,
        ),
        "llama_index": ChunkerRow(
            "a LlamaIndex node parser, such as SentenceSplitter",
            "hlg.ingest.chunk.node_parser",
            "NodeParserChunker",
            argument="CLASS",
        ),
        "contextual": ChunkerRow(
            "those of another, each placed in its document by a language model",
            "hlg.ingest.chunk.model.contextual",
            "open_contextual",
            "ContextualOptions",
            asks=True,
        ),
        "agentic": ChunkerRow(
            "cut and placed by a language model",
            "hlg.ingest.chunk.model.agentic",
            "open_agentic",
            "AgenticOptions",
            asks=True,
        ),
    },
)
"""Every chunker, in the order in which lists show them."""


def open_chunker(
    spec: str,
    *,
    tokens: int = 300,
    overlap: float = 0.2,
    embedder: "Embedder | None" = None,
    door: "ModelDoor | None" = None,
) -> "Chunker":
    """The chunker that a text names: ``fixed``, ``semantic:percentile=80,window=1``,
    ``hierarchical:parent_tokens=2000``, or ``llama_index:`` with a node parser's class.

    :param tokens: the most that a chunk has, counted as ``embedder`` does.
    :param overlap: the part of a chunk, below 1, that repeats the one before.
    :param embedder: the default one where None.
    :param door: what is asked by a chunker that asks a language model.
    :raises UsageError: no such chunker or option, sizes that make no sense, or it asks a
        language model and there is none.
    """
    from hlg.ingest.composed import COMPOSED, ComposedChunker
    from hlg.models.embedders import open_embedder

    if tokens < 1 or not 0 <= overlap < 1:
        raise UsageError(
            f"chunks of {tokens} tokens with an overlap of {overlap} can't be made; "
            "give at least 1 token and an overlap from 0 to below 1",
            option="chunk_tokens" if tokens < 1 else "chunk_overlap",
        )
    embedder = embedder or open_embedder()
    if spec == COMPOSED:
        return ComposedChunker(tokens, embedder.count_tokens)
    opener, given = CHUNKERS.open(spec)
    asks = asks_model(spec)
    if asks and door is None:
        raise UsageError(
            f"chunker {spec!r} needs a language model: set llm (and llm_url) in hlg.toml, or "
            "HLG_LLM (and HLG_LLM_URL)",
            option="chunker",
        )
    chunker: Chunker = opener(tokens, overlap, embedder, given, *([door] if asks else []))
    return chunker


def asks_model(spec: str) -> bool:
    """Whether the chunker that a text names asks a language model."""
    row = CHUNKERS.get(spec.partition(":")[0])
    return row is not None and row.asks


def chunker_version(spec: str) -> str:
    """A chunker's text with the version of what it makes, where that ever changed."""
    row = CHUNKERS.get(spec.partition(":")[0])
    return f"{spec}@{row.version}" if row and row.version > 1 else spec
