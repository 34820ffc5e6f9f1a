"""Chunkers by name, with the options that each has of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from hlg.errors import UsageError
from hlg.ingest.base import Chunker
from hlg.ingest.chunk.fixed import FixedChunker
from hlg.ingest.chunk.hierarchical import HierarchicalChunker, HierarchicalOptions
from hlg.ingest.chunk.node_parser import NodeParserChunker
from hlg.ingest.chunk.semantic import SemanticChunker, SemanticOptions
from hlg.ingest.composed import COMPOSED, ComposedChunker
from hlg.models.base import Embedder
from hlg.models.embedders import open_embedder

LLAMA_INDEX = "llama_index"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoOptions:
    """A chunker with nothing of its own to choose."""


@dataclass(frozen=True, slots=True)
class ChunkerRow:
    """A chunker of the registry.

    :param open: makes it from tokens, overlap, embedder and a record of ``options``.
    :param version: moves when the same settings make other chunks; part of a source's
        fingerprint, so that the next build makes them anew.
    """

    open: Callable[[int, float, Embedder, Any], Chunker]
    options: type
    summary: str
    version: int = 1


CHUNKERS: Mapping[str, ChunkerRow] = {
    "fixed": ChunkerRow(
        lambda tokens, overlap, embedder, _: FixedChunker(tokens, overlap, embedder.count_tokens),
        NoOptions,
        "up to so many tokens, each repeating the end of the one before",
        version=2,
    ),
    "semantic": ChunkerRow(
        lambda tokens, _, embedder, options: SemanticChunker(tokens, embedder, options),
        SemanticOptions,
        "sentences that belong together, cut where the subject changes",
    ),
    "hierarchical": ChunkerRow(
        lambda tokens, overlap, embedder, options: HierarchicalChunker(
            tokens, overlap, embedder.count_tokens, options.parent_tokens
        ),
        HierarchicalOptions,
        "large parents for reading, small children for searching",
        version=3,
    ),
}


def open_chunker(
    spec: str,
    *,
    tokens: int = 300,
    overlap: float = 0.2,
    embedder: Embedder | None = None,
) -> Chunker:
    """The chunker that a text names: ``fixed``, ``semantic:percentile=80,window=1``,
    ``hierarchical:parent_tokens=2000``, or ``llama_index:`` with a node parser's class.

    :param tokens: the most that a chunk has, counted as ``embedder`` does.
    :param overlap: the part of a chunk, below 1, that repeats the one before.
    :param embedder: the default one where None.
    :raises UsageError: no such chunker or option, or sizes that make no sense.
    """
    if tokens < 1 or not 0 <= overlap < 1:
        raise UsageError(
            f"chunks of {tokens} tokens with an overlap of {overlap} can't be made; "
            "give at least 1 token and an overlap from 0 to below 1"
        )
    embedder = embedder or open_embedder()
    name, _, rest = spec.partition(":")
    if name == LLAMA_INDEX and rest:
        return NodeParserChunker(rest, tokens, overlap, embedder)
    if spec == COMPOSED:
        return ComposedChunker(tokens, embedder.count_tokens)
    if (row := CHUNKERS.get(name)) is None:
        raise UsageError(
            f"no chunker {name!r}; choose one of: {', '.join(CHUNKERS)}, "
            f"{LLAMA_INDEX}:SentenceSplitter or another LlamaIndex node parser"
        )
    return row.open(tokens, overlap, embedder, _options(name, row.options, rest))


def chunker_version(spec: str) -> str:
    """A chunker's text with the version of what it makes, where that ever changed."""
    row = CHUNKERS.get(spec.partition(":")[0])
    return f"{spec}@{row.version}" if row and row.version > 1 else spec


def _options(name: str, kind: type, text: str) -> Any:
    """``percentile=80,window=1`` as a record of options, each checked."""
    from pydantic import TypeAdapter, ValidationError

    assert is_dataclass(kind)
    known = ", ".join(field.name for field in fields(kind)) or "no options"
    given = {}
    for part in filter(None, text.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in {field.name for field in fields(kind)}:
            raise UsageError(
                f"chunker {name!r} has no option {part.strip()!r}; it has {known}, "
                "written NAME:OPTION=VALUE"
            )
        given[key] = value
    try:
        return TypeAdapter(kind).validate_python(given)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        option = ".".join(str(part) for part in fault["loc"][:1])
        raise UsageError(
            f"chunker {name!r}: {option}={given.get(option)!r} is not valid: {fault['msg']}"
        ) from error
