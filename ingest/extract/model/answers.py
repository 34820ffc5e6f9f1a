"""What the prompts of extraction ask for, as it is taken from a model's answer.

Models at times give an empty name, or a number that no statement has: such parts are left out,
and do not cost the rest. What is not of the schema at all is asked for again by the door.
"""

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

__all__ = ["FoundEntity", "FoundFact", "FoundTopic", "Propositions", "StatementFacts", "Told"]


class Propositions(BaseModel):
    """Propositions of a chunk."""

    propositions: list[str]


class FoundTopic(BaseModel):
    """A topic, and the numbers of its statements from 1."""

    name: str
    statements: list[int]


class FoundEntity(BaseModel):
    """An entity by name and class."""

    model_config = ConfigDict(populate_by_name=True)

    name: str
    kind: str = Field(validation_alias=AliasChoices("class", "kind"), serialization_alias="class")


class FoundFact(BaseModel):
    """A fact of the statement of that number; the object is an entity or a value."""

    statement: int
    subject: str
    predicate: str
    object: str


class StatementFacts(BaseModel):
    """Entities and facts of numbered statements."""

    entities: list[FoundEntity]
    facts: list[FoundFact]


class Told(StatementFacts):
    """Topics, entities and facts of numbered statements."""

    topics: list[FoundTopic]
