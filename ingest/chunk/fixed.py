"""Chunks of a fixed size that overlap by what is asked for (thesis §3.1.1)."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator

from hlg.ingest.chunk.splitter import CHARACTERS_A_TOKEN, Splitter, is_markdown, make_chunks
from hlg.ingest.text.sentences import sentence_spans
from hlg.ingest.text.spans import Span
from hlg.models.base import Embedder
from hlg.records import Chunk, Document
from hlg.unicode import without_surrogates

_WORD = re.compile(r"\S+")


class OverlappingSplitter:
    """Pieces of up to so many tokens, each of which begins before the end of the last.

    A piece's own text takes what the overlap leaves of its room and is cut at the text's
    structure; in front of it stands the end of the piece before: whole sentences, or whole
    words where those would be less than half of the overlap.

    :param overlap: the part of a piece, below 1, that repeats the one before.
    """

    def __init__(self, tokens: int, overlap: float, count_tokens: Callable[[str], int]) -> None:
        self._tokens = tokens
        self._overlap = min(round(tokens * overlap), tokens - 1)
        self._splitter = Splitter(tokens - self._overlap, count_tokens)
        self._whole = Splitter(tokens, count_tokens)

    def spans(self, text: str, *, markdown: bool = False) -> list[Span]:
        """Where the pieces of a text are, in order; one where the text has room in it."""
        text = without_surrogates(text)
        if self._fits(text, self._tokens):
            return self._whole.spans(text, markdown=markdown)
        spans = self._splitter.spans(text, markdown=markdown)
        if not self._overlap:
            return spans
        overlapping = spans[:1]
        for span in spans[1:]:
            overlapping.append((self._beginning(text, overlapping[-1][0], span), span[1]))
        return overlapping

    def tree(
        self, document: Document, parents: Iterable[Span]
    ) -> Iterator[tuple[Span, Span | None]]:
        """Parents, each before the pieces of it, with their parent; one piece alone is left out."""
        for start, end in parents:
            yield (start, end), None
            pieces = self.spans(document.text[start:end], markdown=is_markdown(document))
            if len(pieces) > 1:
                yield from (((start + i, start + j), (start, end)) for i, j in pieces)

    def _beginning(self, text: str, previous: int, span: Span) -> int:
        """Where a piece begins, given where the one before it does, which it never holds whole."""
        start, end = span
        # No text of so many characters has room in the overlap.
        lowest = max(previous, start - CHARACTERS_A_TOKEN * (self._overlap + 1))

        def fits(beginning: int) -> bool:
            return self._fits(text[beginning:start], self._overlap) and self._fits(
                text[beginning:end], self._tokens
            )

        def earliest(beginnings: list[int]) -> int:
            later = [at for at in beginnings if at > previous]
            at = bisect_left(later, True, key=fits)
            return later[at] if at < len(later) else start

        before = text[lowest:start]
        beginning = earliest([lowest + first for first, _ in sentence_spans(before)])
        if self._fits(text[previous:start], self._overlap) or self._enough(text, beginning, start):
            return beginning
        beginning = earliest([lowest + word.start() for word in _WORD.finditer(before)])
        if self._enough(text, beginning, start):
            return beginning
        characters = enumerate(before, lowest)
        return earliest(
            [at for at, each in characters if not (each.isspace() or unicodedata.combining(each))]
        )

    def _fits(self, text: str, tokens: int) -> bool:
        """Whether a text has room in so many tokens; a long one is not counted."""
        return len(text) // CHARACTERS_A_TOKEN <= tokens and self._whole.size(text) <= tokens

    def _enough(self, text: str, beginning: int, start: int) -> bool:
        return 2 * self._whole.size(text[beginning:start]) >= self._overlap


class FixedChunker:
    """Chunks of up to so many tokens, each repeating the end of the one before."""

    def __init__(self, tokens: int, overlap: float, count_tokens: Callable[[str], int]) -> None:
        self._splitter = OverlappingSplitter(tokens, overlap, count_tokens)

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        """The document's chunks in order; none where it has only white space."""
        spans = self._splitter.spans(document.text, markdown=is_markdown(document))
        return make_chunks(document, source_id, ((span, None) for span in spans))


def open_fixed(tokens: int, overlap: float, embedder: Embedder, _: None) -> FixedChunker:
    """For the registry of chunkers."""
    return FixedChunker(tokens, overlap, embedder.count_tokens)
