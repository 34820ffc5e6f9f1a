"""Chunks that end where a language model says so (thesis §3.1.4.2)."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from pydantic import BaseModel

from hlg.errors import ModelError, UnusableAnswer
from hlg.ingest.base import Chunker, Task
from hlg.ingest.chunk.fixed import OverlappingSplitter
from hlg.ingest.chunk.model.contextual import (
    CHUNK_CONTEXT,
    ContextualChunker,
    ContextualOptions,
    open_base,
)
from hlg.ingest.chunk.splitter import Splitter, is_markdown, make_chunks
from hlg.ingest.text.sentences import sentence_spans
from hlg.ingest.text.spans import Span
from hlg.models.base import Embedder
from hlg.models.language.recording import kept_only
from hlg.records import Chunk, Document

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

CHUNK_BREAKS = "chunk-breaks"
"""Name of the prompt."""
WORDS_A_CHUNK = 1000
LEEWAY = 3
"""How many chunks more or less than one in a thousand words are taken."""
TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AgenticOptions(ContextualOptions):
    """What is particular to ``agentic``.

    :param base: the chunker that cuts what the model does not, as in ``contextual``.
    :param window_tokens: how much of a document the model reads at once.
    """


class Breaks(BaseModel):
    """Numbers of the sentences that begin a part, from 1."""

    breaks: list[int]


def guard_rail(words: int) -> tuple[int, int]:
    """The fewest and the most chunks of a text of so many words: [max(2, τ - 3), τ + 3] with
    τ = round(words / 1000) (thesis §3.1.4.2)."""
    target = round(words / WORDS_A_CHUNK)
    return max(2, target - LEEWAY), target + LEEWAY


class AgenticChunker(ContextualChunker):
    """Groups of sentences as the model divides them, each with its context.

    A group that has more tokens than a chunk may have is read whole and searched by its parts,
    as the parents of ``hierarchical`` are. Where the model gives too few or too many groups
    three times, the document is cut by the base chunker.
    """

    of_parents = True

    def __init__(
        self,
        door: "ModelDoor",
        base: Chunker,
        base_name: str,
        windows: Splitter,
        parts: OverlappingSplitter,
    ) -> None:
        super().__init__(door, base, base_name, windows)
        self._parts = parts
        told = door.identity(CHUNK_BREAKS, CHUNK_CONTEXT)
        self.name = f"agentic-1|{base_name}|{windows.tokens}|{told}"

    def begin(self, document: Document, source_id: str) -> Callable[[], list[Chunk]]:
        """Find the sentences; what is left to do is to ask."""
        otherwise = self.cut(document, source_id)
        windows = self._sentences(document)

        def ask() -> list[Chunk]:
            spans = self._asked(document, windows)
            chunks = self._records(document, source_id, spans) if spans else otherwise
            return self.placed(document, chunks)

        return ask

    def break_tasks(self, document: Document) -> list[Task]:
        """What is asked to cut a document, a window each."""
        return [
            Task(sum(end - start for start, end in each), partial(self._breaks, document, each))
            for each in self._sentences(document)
        ]

    def likely(self, document: Document, source_id: str) -> tuple[list[Chunk], bool]:
        """The chunks that there will be, where the model was asked before; else such as the
        model might make, and False."""
        windows = self._sentences(document)
        with suppress(ModelError), kept_only():
            spans = self._asked(document, windows)
            if spans:
                return self._records(document, source_id, spans), True
            return self.cut(document, source_id), True
        even = [span for each in windows for span in _even_groups(document.text, each)]
        return self._records(document, source_id, even), False

    def _sentences(self, document: Document) -> list[list[Span]]:
        """The sentences of each window of a document; none of one that can't be divided."""
        text = document.text
        windows = self._windows.spans(text, markdown=is_markdown(document))
        found = [
            [(start + i, start + j) for i, j in sentence_spans(text[start:end])]
            for start, end in windows
        ]
        return found if any(len(each) > 1 for each in found) else []

    def _asked(self, document: Document, windows: Sequence[list[Span]]) -> list[Span]:
        """The groups of all windows; none where the base chunker is to cut."""
        spans: list[Span] = []
        for sentences in windows:
            breaks = self._breaks(document, sentences)
            if breaks is None:
                return []
            spans += groups(sentences, breaks)
        return spans

    def _breaks(self, document: Document, sentences: Sequence[Span]) -> list[int] | None:
        """Positions of the sentences that begin a group, but for the first; None where the
        model does not keep to the guard rail.

        :raises ModelError: it does not answer.
        """
        text = document.text
        said = [" ".join(text[start:end].split()) for start, end in sentences]
        words = sum(len(each.split()) for each in said)
        fewest, most = guard_rail(words)
        fewest, most = min(fewest, len(said)), min(most, len(said))
        if most < 2:
            return []
        again = ""
        for _ in range(TRIES):
            try:
                answer = self._door.ask_json(
                    CHUNK_BREAKS,
                    Breaks,
                    {"sentences": "\n".join(f"{at}. {each}" for at, each in enumerate(said, 1))},
                    words=words,
                    fewest=fewest,
                    most=most,
                    fewest_breaks=fewest - 1,
                    most_breaks=most - 1,
                    again=again,
                ).value.breaks
            except UnusableAnswer:
                return None
            breaks = sorted({number - 1 for number in answer if 1 < number <= len(said)})
            if fewest <= len(breaks) + 1 <= most:
                return breaks
            again += f" An earlier answer made {len(breaks) + 1} parts, which can't be used."
        return None

    def _records(self, document: Document, source_id: str, spans: Sequence[Span]) -> list[Chunk]:
        # A group is searched by its parts, if it has any.
        return make_chunks(document, source_id, self._parts.tree(document, spans))


def groups(sentences: Sequence[Span], breaks: Sequence[int]) -> list[Span]:
    """Sentences in groups that begin at ``breaks``: C₁ = S[0:b₁], C₂ = S[b₁:b₂], … (§3.1.4.2)."""
    bounds = [0, *breaks, len(sentences)]
    return [(sentences[i][0], sentences[j - 1][1]) for i, j in pairwise(bounds)]


def _even_groups(text: str, sentences: Sequence[Span]) -> list[Span]:
    """Groups of as many sentences each, as many as a model is to aim for."""
    if not sentences:
        return []
    words = sum(len(text[start:end].split()) for start, end in sentences)
    fewest, _ = guard_rail(words)
    count = min(max(fewest, round(words / WORDS_A_CHUNK)), len(sentences))
    return groups(sentences, [len(sentences) * at // count for at in range(1, count)])


def open_agentic(
    tokens: int, overlap: float, embedder: Embedder, options: AgenticOptions, door: "ModelDoor"
) -> AgenticChunker:
    """For the registry of chunkers."""
    base, name = open_base(options.base, tokens, overlap, embedder)
    windows = Splitter(options.window_tokens, embedder.count_tokens)
    parts = OverlappingSplitter(tokens, overlap, embedder.count_tokens)
    return AgenticChunker(door, base, name, windows, parts)
