"""Cutting text at its largest units that fit, and the records of what was cut."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from hlg.ids import chunk_id
from hlg.ingest.text.headings import heading_trail, markdown_headings
from hlg.ingest.text.spans import Span, trimmed
from hlg.records import Chunk, Document
from hlg.unicode import without_surrogates

if TYPE_CHECKING:
    from semantic_text_splitter import MarkdownSplitter, TextSplitter

CHARACTERS_A_TOKEN = 16
"""More count as a token more: WordPiece takes a word of any length over 100 for one."""
LONGEST_TITLE = 300
"""Characters of a document's title that are repeated in the context of each chunk."""
WINDOW, NARROW_WINDOW = 150_000, 20_000
"""Characters that are split at once; fewer where there is no space to cut at for long."""


class Splitter:
    """Cuts text at its largest units that fit: headings, paragraphs, sentences, words.

    Built on semantic-text-splitter; a Markdown text is cut by its own structure. Pieces do
    not overlap.

    :param tokens: the most that a piece has.
    """

    def __init__(self, tokens: int, count_tokens: Callable[[str], int]) -> None:
        self.tokens = tokens
        self._count_tokens = count_tokens

    def spans(self, text: str, *, markdown: bool = False) -> list[Span]:
        """Where the pieces of a text are, in order, without white space at their ends."""
        splitter = self._markdown if markdown else self._plain
        pieces = (trimmed(text, *piece) for piece in self._pieces(splitter, text))
        return [(start, end) for start, end in pieces if start < end]

    def _pieces(self, splitter: "TextSplitter | MarkdownSplitter", text: str) -> Iterator[Span]:
        """The splitter's pieces, a window of the text at a time.

        The splitter's time grows with the square of a text's length. A window's last piece
        may have been cut by the window's end, so the next window begins with it again.
        """
        text = without_surrogates(text)
        longest = CHARACTERS_A_TOKEN * self.tokens
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
        return least if least > self.tokens else max(self._count_tokens(text), least)

    @cached_property
    def _plain(self) -> "TextSplitter":
        from semantic_text_splitter import TextSplitter

        return TextSplitter.from_callback(self.size, self.tokens)

    @cached_property
    def _markdown(self) -> "MarkdownSplitter":
        from semantic_text_splitter import MarkdownSplitter

        return MarkdownSplitter.from_callback(self.size, self.tokens)


def make_chunks(
    document: Document, source_id: str, spans: Iterable[tuple[Span, Span | None]]
) -> list[Chunk]:
    """Records of spans, each with the span of its parent or None, in the order given.

    A chunk's context is the document's title and the headings that the chunk is under.
    """
    headings = markdown_headings(document.text) if is_markdown(document) else []
    title = " ".join(document.title.split())[:LONGEST_TITLE]
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
