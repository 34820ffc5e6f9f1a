"""What the API takes and gives, as pydantic models; what is a record already is given as it is."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from hlg.answers import AnswerSentence, Citation
from hlg.models.language.answers import Usage
from hlg.records import Chunk, Entity, Fact, PathStep, SourceRef, Statement, Topic
from hlg.reports import Explanation, Status

MOST_CHARACTERS = 10_000
"""Of a question; a name or an address has fewer."""
MOST_HITS = 100


class Given(BaseModel):
    """What a request gives: a name that is not known is refused."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class How(Given):
    """How evidence is searched for."""

    retriever: str | None = Field(None, description="A retriever's name; the setting's without.")
    top_k: int | None = Field(None, ge=1, le=MOST_HITS, description="Hits, at most.")
    where: str = Field(
        "", max_length=MOST_CHARACTERS, description="Only sources that fulfil this condition."
    )


class Search(How):
    """A question whose evidence is looked for."""

    question: str = Field(min_length=1, max_length=MOST_CHARACTERS)


class Ask(Search):
    """A question that is to be answered; ``chat`` is the conversation that it goes on with."""

    chat: str = Field("", max_length=64, description="Of an earlier answer; empty begins anew.")
    extractive: bool = Field(False, description="Ask no language model, even where there is one.")
    tokens: int = Field(3000, ge=100, le=100_000, description="Of evidence for the model.")


class Context(Search):
    """A question for which a language model is to be given text."""

    format: str = Field("grouped", description="grouped, paths, triples, statements or json.")
    tokens: int = Field(3000, ge=100, le=100_000)


class EntityList(Given):
    """Entities by how often they are mentioned."""

    like: str = Field("", max_length=200, description="Only those of which a word begins so.")
    limit: int = Field(20, ge=1, le=1000)


class Named(Given):
    """A thing by its name, its id or its address."""

    name: str = Field(min_length=1, max_length=MOST_CHARACTERS)


class Level(Given):
    """Communities of a level, or all."""

    level: int | None = Field(None, ge=0)


class Drawn(How):
    """A part of the graph to draw: one of a question, an entity, a community and a source."""

    question: str | None = Field(None, min_length=1, max_length=MOST_CHARACTERS)
    entity: str | None = Field(None, max_length=MOST_CHARACTERS)
    community: str | None = Field(None, max_length=64)
    source: str | None = Field(None, max_length=MOST_CHARACTERS)
    statements: int | None = Field(None, ge=0, le=100, description="At most.")


class Upload(Named):
    """A file that is sent as the request's body."""

    replace: bool = Field(False, description="Take the place of the file that has this name.")


class Nothing(Given):
    """A request that gives nothing."""


class HitDocument(BaseModel):
    """A hit: the passage that was found, its score, the signals and the path that led to it."""

    rank: int
    score: float
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
    confidence: float
    sentence: tuple[int, int] | None = None
    signals: dict[str, float]
    path: list[PathStep]


class SearchDocument(BaseModel):
    """What a search found, and what it cost."""

    query: str
    retriever: str
    hits: list[HitDocument]
    store_calls: int
    timings_ms: dict[str, float]
    confidence: float
    explanation: Explanation | None = None
    answer: str = ""
    notes: list[str] = []


class AnswerDocument(BaseModel):
    """An answer with all that it rests on."""

    question: str
    lead: str
    lead_over: str = ""
    lead_citations: list[int]
    sentences: list[AnswerSentence]
    citations: list[Citation]
    hits: list[HitDocument]
    confidence: float
    is_answered: bool
    unsaid: list[str] = []
    by: str
    notes: list[str]
    usage: Usage
    timings_ms: dict[str, float]


class TurnDocument(BaseModel):
    """A question of a conversation: as it was asked, as it stands alone, and its answer."""

    chat: str
    turn: int
    asked: str
    question: str
    answer: AnswerDocument


class ContextDocument(BaseModel):
    """Text for a language model, and what of the evidence did not fit."""

    model_config = ConfigDict(extra="allow")
    query: str
    text: str


class SourceDocument(BaseModel):
    """A source with what was made of it."""

    id: str
    uri: str
    title: str
    text_hash: str
    metadata: dict[str, Any]
    ingested_at: str
    chunks: list[Chunk]
    topics: list[Topic]
    statements: list[Statement]
    facts: list[Fact]
    entities: list[Entity]


class CommunityDocument(BaseModel):
    """A community; who is in it, and its parts, where one alone was asked for."""

    id: str
    level: int
    title: str
    summary: str
    parent_id: str | None
    size: int
    members: list[dict[str, str]] = []
    parts: list[str] = []


class PictureDocument(BaseModel):
    """A part of the graph with the place of each node, as ``hlg view`` draws it."""

    title: str
    shown: str
    fontPixels: int  # noqa: N815
    faint: list[str]
    looks: dict[str, dict[str, str]]
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]


class FileDocument(BaseModel):
    """A file that was sent here, and how far it has come."""

    name: str
    state: str = Field(description="waiting, building, done or left out.")
    reason: str = ""


class BuildDocument(BaseModel):
    """The files that were sent here since the start, and the build that is going on."""

    is_running: bool
    progress: str
    files: list[FileDocument]


class StatusDocument(BaseModel):
    """What the graph holds, and what is being built."""

    graph: Status | None = Field(description="None where nothing was built yet.")
    model: str | None = Field(description="The language model that answers, where there is one.")
    can_write: bool
    build: BuildDocument | None = None


class DeletedDocument(BaseModel):
    """How many sources were deleted."""

    deleted: int


class ErrorDocument(BaseModel):
    """What was wrong, where, and what to do, in one line, and what a program needs to act."""

    model_config = ConfigDict(extra="allow")
    error: str
    message: str
    exit_code: int
    retryable: bool
