"""Texts that hlg composes itself, line by line, from what is known already.

Imported triples and the relations of an entity are no prose to be read: each line of
their text is a statement whose facts are given with it. Such a text goes through the same
build as any document, so chunks, vectors, citations, replacement and deletion are the
same too.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hlg.facts import SupportedFacts, fact_of
from hlg.ids import chunk_id, content_id, entity_id, source_id, statement_id, topic_id
from hlg.ingest.base import Extraction
from hlg.ingest.extract.mentions import counted
from hlg.records import Chunk, Document, Entity, Factuality, Statement, Topic

COMPOSED = "composed"
"""Name of the chunker and of the extractor, for recipes."""
SCHEMES = ("triples:", "relations:")
"""What the uris of composed sources begin with: no path on disk is one of them."""


@dataclass(frozen=True, slots=True)
class Named:
    """An entity as it is given."""

    name: str
    entity_class: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GivenFact(Factuality):
    """A fact as it is given; the object is an entity or a value."""

    subject: Named
    predicate: str
    object: Named | str


@dataclass(frozen=True, slots=True)
class Line:
    """A statement of a composed text; its text has no line break."""

    text: str
    details: str = ""
    facts: tuple[GivenFact, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Lines about one thing; ``heading`` is their topic, and the context of their chunks."""

    heading: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class ComposedDocument(Document):
    """A document whose text is the lines of its sections."""

    sections: tuple[Section, ...] = field(default=())


def compose(
    uri: str, title: str, metadata: Mapping[str, Any], sections: Sequence[Section]
) -> ComposedDocument:
    """The document of these sections: a line a row, an empty one between sections.

    What the text doesn't show (classes, aliases, facts) is in ``content_hash`` of the
    metadata, so that a source changes where any of it does.
    """
    return ComposedDocument(
        uri=uri,
        title=title,
        text="\n\n".join("\n".join(line.text for line in each.lines) for each in sections),
        metadata={**metadata, "content_hash": content_id(*map(repr, sections))},
        sections=tuple(sections),
    )


def is_composed(uri: str) -> bool:
    """Whether a source with this uri was composed, and so was never read from a file."""
    return uri.startswith(SCHEMES)


class ComposedChunker:
    """Chunks of whole lines, none with lines of two sections."""

    def __init__(self, tokens: int, count_tokens: Callable[[str], int]) -> None:
        self._tokens = tokens
        self._count_tokens = count_tokens

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        """The chunks of a composed document in order."""
        chunks: list[Chunk] = []
        for section, placed in _placed(document):
            for start, end in self._spans(placed):
                chunks.append(
                    Chunk(
                        id=chunk_id(source_id, start, end),
                        source_id=source_id,
                        ordinal=len(chunks),
                        start=start,
                        end=end,
                        text=document.text[start:end],
                        context=section.heading,
                    )
                )
        return chunks

    def _spans(self, placed: Sequence[tuple[int, Line]]) -> Iterator[tuple[int, int]]:
        first, tokens = 0, 0
        for i, (_, line) in enumerate(placed):
            size = self._count_tokens(line.text)
            if i > first and tokens + size > self._tokens:
                yield _span(placed[first:i])
                first, tokens = i, 0
            tokens += size
        if placed:
            yield _span(placed[first:])


class ComposedExtractor:
    """Statements and facts as they were given."""

    name = "composed-1"

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        """What a composed document says. Lines of one text in one chunk are one statement."""
        taken = _Taken(source_id(document.uri))
        remaining = iter(chunks)
        chunk = next(remaining, None)
        for section, placed in _placed(document):
            for start, line in placed:
                while chunk is not None and start >= chunk.end:
                    chunk = next(remaining, None)
                if chunk is not None:
                    taken.add(section.heading, chunk.id, start, line)
        return taken.extraction()


def _placed(document: Document) -> Iterator[tuple[Section, list[tuple[int, Line]]]]:
    """Sections, each with its lines and where they start in the text."""
    if not isinstance(document, ComposedDocument):
        raise TypeError(f"{document.uri} is not a composed document")
    start = 0
    for section in document.sections:
        placed = []
        for line in section.lines:
            placed.append((start, line))
            start += len(line.text) + 1
        yield section, placed
        start += 1


def _span(placed: Sequence[tuple[int, Line]]) -> tuple[int, int]:
    start, line = placed[-1]
    return placed[0][0], start + len(line.text)


class _Taken:
    """Records of one source as they are found, each once."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._topics: dict[str, tuple[str, dict[str, None]]] = {}
        self._statements: dict[str, Statement] = {}
        self._mentions: dict[str, set[str]] = {}
        self._entities: dict[str, tuple[Named, set[str]]] = {}
        self._facts = SupportedFacts()

    def add(self, heading: str, chunk: str, start: int, line: Line) -> None:
        """Take in a line of a section that stands in a chunk."""
        topic = topic_id(self._source, heading)
        self._topics.setdefault(topic, (heading, {}))[1][chunk] = None
        id_ = statement_id(chunk, line.text)
        end = start + len(line.text)
        statement = Statement(id_, line.text, start, end, (chunk,), topic, line.details)
        self._statements.setdefault(id_, statement)
        mentions = self._mentions.setdefault(id_, set())
        for fact in line.facts:
            subject = self._entity(fact.subject)
            object_ = self._entity(fact.object) if isinstance(fact.object, Named) else fact.object
            mentions.update(each.id for each in (subject, object_) if isinstance(each, Entity))
            self._facts.add(fact_of(subject, fact.predicate, object_, (), fact), id_)

    def _entity(self, named: Named) -> Entity:
        id_ = entity_id(named.name, named.entity_class)
        self._entities.setdefault(id_, (named, set()))[1].update(named.aliases)
        return Entity(id_, named.name, named.entity_class)

    def extraction(self) -> Extraction:
        """All of it, in canonical order."""
        statements = [
            replace(each, entity_ids=tuple(sorted(self._mentions[each.id])))
            for each in self._statements.values()
        ]
        entities = {
            id_: Entity(id_, named.name, named.entity_class, tuple(sorted(aliases)))
            for id_, (named, aliases) in self._entities.items()
        }
        return Extraction(
            topics=tuple(
                Topic(id_, self._source, name, tuple(chunks))
                for id_, (name, chunks) in sorted(self._topics.items())
            ),
            statements=tuple(sorted(statements, key=lambda each: (each.start, each.end, each.id))),
            facts=self._facts.records(),
            entities=counted(statements, entities),
        )
