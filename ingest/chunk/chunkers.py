"""Chunkers by name, and the two that go by structure: fixed and hierarchical."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from hlg.errors import UsageError
from hlg.ids import chunk_id
from hlg.ingest.base import Chunker
from hlg.ingest.composed import COMPOSED, ComposedChunker
from hlg.ingest.text.headings import heading_trail, markdown_headings
from hlg.ingest.text.spans import Span, trimmed
from hlg.models.base import Embedder
from hlg.models.embedders import open_embedder
from hlg.records import Chunk, Document
from hlg.unicode import without_surrogates

if TYPE_CHECKING:
    from semantic_text_splitter import MarkdownSplitter, TextSplitter

CHUNKERS = ("fixed", "semantic", "hierarchical")
LLAMA_INDEX = "llama_index:"
PARENT_TOKENS = 4
"""A parent chunk has room for as many times the tokens of its children."""
CHARACTERS_A_TOKEN = 16
"""More count as a token more: WordPiece takes a word of any length over 100 for one."""
LONGEST_TITLE = 300
"""Characters of a document's title that are repeated in the context of each chunk."""
WINDOW, NARROW_WINDOW = 150_000, 20_000
"""Characters that are split at once; fewer where there is no space to cut at for long."""


def open_chunker(
    name: str, *, tokens: int = 300, overlap: float = 0.2, embedder: Embedder | None = None
) -> Chunker:
    """The chunker of that name: ``fixed``, ``semantic``, ``hierarchical`` or
    ``llama_index:`` with the name of a node parser's class.

    :param tokens: the most that a chunk has, counted as ``embedder`` does.
    :param overlap: the part of a chunk, below 1, that the next one repeats at most.
    :param embedder: the default one where None.
    :raises UsageError: no such chunker, or sizes that make no sense.
    """
    if tokens < 1 or not 0 <= overlap < 1:
        raise UsageError(
            f"chunks of {tokens} tokens with an overlap of {overlap} can't be made; "
            "give at least 1 token and an overlap from 0 to below 1"
        )
    embedder = embedder or open_embedder()
    if name == "fixed":
        return FixedChunker(tokens, overlap, embedder.count_tokens)
    if name == "hierarchical":
        return HierarchicalChunker(tokens, overlap, embedder.count_tokens)
    if name == "semantic":
        from hlg.ingest.chunk.semantic import SemanticChunker

        return SemanticChunker(tokens, embedder)
    if name == COMPOSED:
        return ComposedChunker(tokens, embedder.count_tokens)
    if name.startswith(LLAMA_INDEX):
        from hlg.ingest.chunk.node_parser import NodeParserChunker

        return NodeParserChunker(name.removeprefix(LLAMA_INDEX), tokens, overlap, embedder)
    raise UsageError(
        f"no chunker {name!r}; choose one of: {', '.join(CHUNKERS)}, "
        f"{LLAMA_INDEX}SentenceSplitter or another LlamaIndex node parser"
    )


class Splitter:
    """Cuts text at its largest units that fit: headings, paragraphs, sentences, words.

    Built on semantic-text-splitter; a Markdown text is cut by its own structure.
    """

    def __init__(self, tokens: int, overlap: float, count_tokens: Callable[[str], int]) -> None:
        self._tokens = tokens
        self._overlap = min(round(tokens * overlap), tokens - 1)
        self._count_tokens = count_tokens

    def spans(self, text: str, *, markdown: bool = False) -> list[Span]:
        """Where the pieces of a text are, in order, without white space at their ends."""
        splitter = self._markdown if markdown else self._plain
        spans: list[Span] = []
        for start, end in self._pieces(splitter, without_surrogates(text)):
            span = trimmed(text, start, end)
            # An overlap at a text's end can leave a piece that the one before holds whole.
            if span[0] < span[1] and (not spans or span[1] > spans[-1][1]):
                spans.append(span)
        return spans

    def _pieces(self, splitter: "TextSplitter | MarkdownSplitter", text: str) -> Iterator[Span]:
        """The splitter's pieces, a window of the text at a time.

        The splitter's time grows with the square of a text's length. A window's last piece
        may have been cut by the window's end, so the next window begins with it again.
        """
        longest = CHARACTERS_A_TOKEN * self._tokens
        unbroken = re.compile(rf"\S{{{longest}}}")
        start = 0
        while start < len(text):
            following = start + max(WINDOW, 4 * longest)
            if unbroken.search(text, start, following):
                following = start + max(NARROW_WINDOW, 4 * longest)
            pieces = splitter.chunk_indices(text[start:following])
            if following < len(text) and len(pieces) > 1:
                following = start + pieces.pop()[0]
            for offset, piece in pieces:
                yield start + offset, start + offset + len(piece)
            start = following

    def size(self, text: str) -> int:
        """How much of a chunk's room a text takes, in tokens; what is too long for one by
        its characters alone is not counted."""
        least = len(text) // CHARACTERS_A_TOKEN
        return least if least > self._tokens else max(self._count_tokens(text), least)

    @cached_property
    def _plain(self) -> "TextSplitter":
        from semantic_text_splitter import TextSplitter

        return TextSplitter.from_callback(self.size, self._tokens, self._overlap)

    @cached_property
    def _markdown(self) -> "MarkdownSplitter":
        from semantic_text_splitter import MarkdownSplitter

        return MarkdownSplitter.from_callback(self.size, self._tokens, self._overlap)


class FixedChunker:
    """Chunks of up to so many tokens, each repeating the end of the one before."""

    def __init__(self, tokens: int, overlap: float, count_tokens: Callable[[str], int]) -> None:
        self._splitter = Splitter(tokens, overlap, count_tokens)

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        """The document's chunks in order; none where it has only white space."""
        spans = self._splitter.spans(document.text, markdown=is_markdown(document))
        return make_chunks(document, source_id, ((span, None) for span in spans))


class HierarchicalChunker:
    """Parent chunks without overlap, each before its children, which do the overlapping.

    A parent that would have one child, itself, has none.
    """

    def __init__(self, tokens: int, overlap: float, count_tokens: Callable[[str], int]) -> None:
        self._parents = Splitter(PARENT_TOKENS * tokens, 0, count_tokens)
        self._children = Splitter(tokens, overlap, count_tokens)

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        """Parents and children in the order of the text."""
        return make_chunks(document, source_id, self._tree(document))

    def _tree(self, document: Document) -> Iterator[tuple[Span, Span | None]]:
        markdown = is_markdown(document)
        for parent in self._parents.spans(document.text, markdown=markdown):
            yield parent, None
            start, end = parent
            children = self._children.spans(document.text[start:end], markdown=markdown)
            if len(children) > 1:
                yield from (((start + i, start + j), parent) for i, j in children)


def make_chunks(
    document: Document, source_id: str, spans: Iterable[tuple[Span, Span | None]]
) -> list[Chunk]:
    """Records of spans, each with the span of its parent or None, in the order given.

    A chunk's context is the document's title and the headings that the chunk is under.
    """
    headings = markdown_headings(document.text) if is_markdown(document) else []
    title = document.title[:LONGEST_TITLE]
    chunks = []
    for ordinal, ((start, end), parent) in enumerate(spans):
        trail = heading_trail(headings, start)
        if title and title not in trail[:1]:
            trail.insert(0, title)
        chunks.append(
            Chunk(
                id=chunk_id(source_id, start, end),
                source_id=source_id,
                ordinal=ordinal,
                start=start,
                end=end,
                text=document.text[start:end],
                context=" > ".join(trail),
                parent_id=chunk_id(source_id, *parent) if parent else None,
            )
        )
    return chunks


def is_markdown(document: Document) -> bool:
    """Whether the document's text has Markdown's structure."""
    return document.media_type == "text/markdown"
