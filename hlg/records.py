"""The records that every part of hlg speaks: what the graph holds, and what a search finds.

Nodes of the three tiers (HLG paper, §3.1) as frozen dataclasses. Relationships are the
ids that a record carries: a statement names its chunks, topic and entities; a fact names
its statements, subject and object.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Embeddings: TypeAlias = NDArray[np.float32]
"""Shape (n, d), each row of unit length."""


@dataclass(frozen=True, slots=True)
class Document:
    """A text as it was loaded, before anything is made of it.

    ``format`` names the kind of file that it was read from, for reports.
    """

    uri: str
    title: str
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    media_type: str = "text/plain"
    format: str = field(default="", compare=False)


ALSO_AT = "also_at"
"""In a source's metadata: further files that have its text."""
BETWEEN = "text_between_chunks"
"""In a source's metadata: what of its text no chunk holds (:mod:`hlg.store.source_text`)."""
OWN_METADATA = frozenset((ALSO_AT, BETWEEN))
"""What hlg keeps in a source's metadata; all else is the document's."""


@dataclass(frozen=True, slots=True)
class Source:
    """Lineage: where text came from. ``ingested_at`` is ISO 8601 in UTC."""

    id: str
    uri: str
    title: str
    text_hash: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    ingested_at: str = ""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where its text was read: its uri, then the further files that have it."""
        others = self.metadata.get(ALSO_AT)
        return (self.uri, *map(str, others)) if isinstance(others, list) else (self.uri,)


def find_source(sources: Iterable[Source], wanted: str) -> Source | None:
    """The source with an id or an address; one whose own uri it is comes first."""
    known = list(sources)
    own = (source for source in known if wanted in (source.id, source.uri))
    return next(own, next((each for each in known if wanted in each.addresses), None))


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lineage: the characters ``[start, end)`` of a source's text.

    ``context`` is what it stands under: a line with the document's title and the headings
    above it, and below that what a language model said of its place, if one was asked. It is
    searched with the text, but is no part of it.

    A chunk that others have as their ``parent_id`` is read, not searched: it has no
    embedding, and no statement names it.
    """

    id: str
    source_id: str
    ordinal: int
    start: int
    end: int
    text: str
    context: str = ""
    parent_id: str | None = None

    @property
    def headings(self) -> str:
        """The line of its context that is the source's own."""
        return headings_of(self.context)


def headings_of(context: str) -> str:
    """Title and headings out of a chunk's context: without what a language model added."""
    return context.partition("\n")[0]


@dataclass(frozen=True, slots=True)
class Topic:
    """Summarization: what a group of a source's statements is about."""

    id: str
    source_id: str
    name: str
    chunk_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """Summarization: a proposition, exactly as the source has it at ``[start, end)``.

    ``details`` says what the text leaves out (who "he" is, which column a number is in).
    The first of ``chunk_ids`` is the chunk that the id is made from. A proposition of a
    language model that stands nowhere in the text has the span of its chunk.
    """

    id: str
    text: str
    start: int
    end: int
    chunk_ids: tuple[str, ...]
    topic_id: str
    details: str = ""
    entity_ids: tuple[str, ...] = ()

    @property
    def is_aligned(self) -> bool:
        """Whether the text is the source's own at the span, and not a model's wording."""
        return len(self.text) == self.end - self.start


@dataclass(frozen=True, slots=True)
class Entity:
    """Entity tier: a named thing of a class. ``degree`` counts the statements about it;
    ``confidence`` is the chance, from 0 to 1, that its name is whole and names something that
    somebody may ask about; 1 where nothing has measured it."""

    id: str
    name: str
    entity_class: str
    aliases: tuple[str, ...] = ()
    degree: int = 0
    confidence: float = 1.0


AFFIRMED, DENIED = "affirmed", "denied"
"""The polarities of a fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Factuality:
    """How a text states a fact, and how sure it is that it does.

    ``confidence`` is how sure it is, from 0 to 1, that the text states it and that it is true by
    itself; ``polarity`` is :data:`AFFIRMED` or :data:`DENIED`. The others are words of the text,
    empty where it has none: ``modality`` a modal verb or phrase (``may``), ``condition`` what the
    fact depends on or is limited to (``if the price falls``, ``in most cases``), ``attributed_to``
    who says it, ``time`` when it holds (``in 1921``).
    """

    confidence: float = 1.0
    polarity: str = AFFIRMED
    modality: str = ""
    condition: str = ""
    attributed_to: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Fact(Factuality):
    """Subject, predicate and object, with the statements that support it.

    The object is an entity (``object_id``) or a value such as a date (``object_value``).
    What two texts state in two ways (one affirms it, one denies it) is two facts.
    """

    id: str
    text: str
    predicate: str
    subject_id: str
    statement_ids: tuple[str, ...]
    object_id: str | None = None
    object_value: str | None = None


EntityPair: TypeAlias = tuple[str, str]
"""Two entities' ids, ascending."""


@dataclass(frozen=True, slots=True)
class SameAs:
    """A merge: an entity is the same thing as its canonical one, which is merged into none.

    ``score`` is from 0 to 1; ``evidence`` says why, in values that JSON has.
    """

    entity_id: str
    canonical_id: str
    score: float
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Merges:
    """Which entities are the same, and which were decided not to be; both ordered by id."""

    same_as: tuple[SameAs, ...] = ()
    different_from: tuple[EntityPair, ...] = ()

    def canonical(self) -> dict[str, str]:
        """Each merged entity's id with its canonical one's."""
        return {each.entity_id: each.canonical_id for each in self.same_as}


@dataclass(frozen=True, slots=True)
class SourceGraph:
    """All that one source brings into the graph; it is written whole or not at all.

    Canonical order: chunks by ordinal; statements by (start, end, id); topics, facts and
    entities by id; ids inside a record in the order of what they name, each once; aliases
    ascending. ``NEXT`` follows the order of statements, and of chunks with the same
    parent. Each ``*_embeddings`` has one row a record of its kind, in the same order, or
    is None where the graph is kept without vectors. Facts name statements of this source
    only.
    """

    source: Source
    chunks: tuple[Chunk, ...] = ()
    topics: tuple[Topic, ...] = ()
    statements: tuple[Statement, ...] = ()
    facts: tuple[Fact, ...] = ()
    entities: tuple[Entity, ...] = ()
    chunk_embeddings: Embeddings | None = None
    topic_embeddings: Embeddings | None = None
    statement_embeddings: Embeddings | None = None
    entity_embeddings: Embeddings | None = None


@dataclass(frozen=True, slots=True)
class Community:
    """Entities that relate to each other more than to the rest, with a summary of them.

    Level 0 is the coarsest; a community is part of its ``parent_id``, one level above.
    ``entity_ids`` are its members, ascending, those of its children among them; ``size`` is
    how many there were when it was found. ``content_hash`` is the fingerprint of what its
    summary was made of and how: while that is unchanged, the summary stands.
    """

    id: str
    level: int
    title: str
    summary: str
    parent_id: str | None
    size: int
    entity_ids: tuple[str, ...]
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """A node's id with a score; higher is better."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class SourceRef:
    """What a citation needs of a source."""

    id: str
    uri: str
    title: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A statement or a chunk with all that is needed to cite it.

    ``chunk_id`` is the chunk to read it in: a statement's first chunk, or the chunk itself;
    where that is part of a larger one, the larger one (thesis §3.1.3).
    """

    kind: str
    id: str
    text: str
    details: str
    start: int
    end: int
    chunk_id: str
    topic: str
    source: SourceRef
    page: int | None = None
    """The page that it begins on, from 1, in a source that has pages."""

    @property
    def citation(self) -> str:
        """Where it stands, to the character: ``report.pdf p. 12:3400-3512``."""
        page = f" p. {self.page}" if self.page else ""
        return f"{self.source.uri}{page}:{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a walk: the node reached and what it was reached through.

    ``kind`` and ``via_kind`` are labels (Statement, Topic, Entity); ``via`` is empty at
    the start of a path.
    """

    kind: str
    id: str
    text: str
    via_kind: str = ""
    via: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """An answer's evidence: a passage, its score, and every signal that led to it."""

    rank: int
    score: float
    passage: Passage
    signals: Mapping[str, float] = field(default_factory=dict)
    path: tuple[PathStep, ...] = ()
    confidence: float = 0.0
    """The calibrated chance, from 0 to 1, that the passage holds evidence for the question."""
    sentence: tuple[int, int] | None = None
    """Where in the source the sentence of the passage stands that answers best, if marked."""

    @property
    def marked_text(self) -> tuple[str, str, str]:
        """The passage's text before, in, and after its marked sentence; all of it before where
        none is marked."""
        text = self.passage.text
        if self.sentence is None:
            return text, "", ""
        start, end = (place - self.passage.start for place in self.sentence)
        return text[:start], text[start:end], text[end:]
