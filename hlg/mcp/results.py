"""What the tools give to a program, as the output schemas say it. Fields that are empty are left
out."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from hlg.agent import results as found
from hlg.unicode import without_surrogates

Text = Annotated[str, BeforeValidator(without_surrogates)]
Id = Annotated[str, Field(description="What fetch, open and find take.")]
Next = Annotated[int, Field(description="Call again with this as skip for more; 0: no more.")]


class ToolOutput(BaseModel):
    """What is made of what the tools of an agent found: its fields are called as they are there."""

    model_config = ConfigDict(from_attributes=True)


class Quote(ToolOutput):
    """Words of a source: characters [start, end), from line line, counted from 0."""

    id: Id
    title: Text
    uri: Text
    start: int
    end: int
    line: int
    text: Text

    @model_validator(mode="before")
    @classmethod
    def _of_cited(cls, given: object) -> object:
        if not isinstance(given, found.Cited):
            return given
        same = {name: getattr(given, name) for name in ("title", "uri", "start", "end", "text")}
        return {"id": given.reference, "line": given.first_line, **same}


class Result(Quote):
    """What a search found. via names what led to it from another one."""

    url: Text
    score: float
    via: Text = ""
    metadata: dict[Text, Text] = {}


class Results(BaseModel):
    """What a search found, best first."""

    results: list[Result]
    confidence: Annotated[float, Field(description="How likely the evidence is there, 0 to 1.")]
    notes: list[Text] = []
    next_skip: Next = 0


class Match(Quote):
    """A passage that a pattern found, by its words or by what it means."""

    pattern: Text
    by_meaning: bool = False


class Matches(BaseModel):
    """Passages of one document."""

    passages: list[Match]
    left_out: int = 0


class Lines(BaseModel):
    """Lines of a document, numbered from first."""

    id: Id
    title: Text
    uri: Text
    first: int
    total: int
    lines: list[Text]
    next_line: Annotated[int, Field(description="Where to read on; 0: it ends here.")] = 0


class Document(BaseModel):
    """A document, whole or the part that metadata names."""

    id: Id
    title: Text
    text: Text
    url: Text
    metadata: dict[Text, Text]


class Cited(Quote):
    """What a number in the answer stands for."""

    number: int


class Answered(BaseModel):
    """An answer with its citations in brackets.

    is_answered: whether the evidence seems to answer the question at all; unsaid: words of the
    question that no evidence has, where it seems not to.
    """

    answer: Text
    is_answered: bool
    unsaid: list[Text] = []
    confidence: float
    by: Text
    citations: list[Cited]
    problems: list[Text] = []
    notes: list[Text] = []


class StatedFact(ToolOutput):
    """A fact in words, and the statement that says so."""

    fact: Text = ""
    evidence: Quote


class EntityFacts(BaseModel):
    """What is said of an entity."""

    entity: Text
    entity_class: Text
    facts: list[StatedFact]
    aliases: list[Text] = []
    next_skip: Next = 0


class Step(ToolOutput):
    """What another entity is joined with: via, in so many hops, by a fact or a statement."""

    name: Text
    entity_class: Text
    hop: int
    via: Text
    fact: Text = ""
    evidence: Quote


class Around(BaseModel):
    """What lies around an entity, the nearest first."""

    entity: Text
    neighbours: list[Step]
    next_skip: Next = 0


class Way(BaseModel):
    """How two entities hang together; no steps where nothing joins them."""

    start: Text
    end: Text
    steps: list[Step]


class SourceEntry(BaseModel):
    """A document that can be read."""

    id: Id
    title: Text
    uri: Text
    url: Text
    metadata: dict[Text, Text] = {}


class Sources(BaseModel):
    """Documents by address, of total that there are."""

    sources: list[SourceEntry]
    total: int
    next_skip: Next = 0


class Left(BaseModel):
    """A file that was not taken in, and why."""

    uri: Text
    reason: Text


class Built(BaseModel):
    """What a build did."""

    added: int
    changed: int
    unchanged: int
    left_out: list[Left] = []
    stopped: Text = ""


class Deleted(BaseModel):
    """The documents that were deleted from the graph."""

    deleted: list[Text]
