"""The seams of ingestion: what a chunker and an extractor give."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from hlg.records import Chunk, Document, Entity, Fact, Statement, Topic


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor found in one source, in the canonical order of ``SourceGraph``.

    ``language`` is the code of the language that its text was read as, where that decides.
    """

    topics: tuple[Topic, ...] = ()
    statements: tuple[Statement, ...] = ()
    facts: tuple[Fact, ...] = ()
    entities: tuple[Entity, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of what a language model is asked, about so many characters.

    ``ask`` is None where it is only known that something like it will be asked. ``then`` names
    the prompts that are filled with the answer to its first.
    """

    size: int
    ask: Callable[[], object] | None
    then: tuple[str, ...] = ()


class Chunker(Protocol):
    """Splits a document; ``document.text[chunk.start:chunk.end] == chunk.text`` for each chunk.

    One of your own may have a ``name``, which is part of a source's fingerprint: give it a
    new one when it makes other chunks. Without one its class is what it is known by.
    """

    def chunk(self, document: Document, source_id: str) -> list[Chunk]: ...


def leaves(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks that no other is part of: those are searched, and statements stand in them."""
    parents = {chunk.parent_id for chunk in chunks}
    return [chunk for chunk in chunks if chunk.id not in parents]


class Extractor(Protocol):
    """Turns a source's chunks into statements, topics, entities and facts.

    Deterministic for ``local`` extractors: the same document and chunks give the same ids.
    A statement's text is ``document.text[start:end]``; its ``chunk_ids`` are the chunks,
    of parents and children only the children (:func:`leaves`), that hold the whole span (or,
    where none does, the one that holds most of it), first the earliest.
    """

    name: str
    """Identity of extractor and version, part of the key under which results are cached."""

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction: ...
