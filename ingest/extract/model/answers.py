"""What the prompts of extraction ask for, as it is taken from a model's answer.

Models at times give an empty name, or a number that no statement has: such parts are left out,
and do not cost the rest. What is not of the schema at all is asked for again by the door.
"""

import logging
from typing import Annotated, TypeVar

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field

logger = logging.getLogger(__name__)

MOST_FOUND = 1_000
"""Of a kind in one answer. Of things that say something its tokens hold fewer."""

T = TypeVar("T")


def _first(found: object) -> object:
    """A list as far as it is taken; says so where it is longer."""
    if isinstance(found, list) and len(found) > MOST_FOUND:
        logger.warning(
            "a language model's answer lists %d things, of which the first %d are taken",
            *(len(found), MOST_FOUND),
        )
        return found[:MOST_FOUND]
    return found


Bounded = Annotated[list[T], BeforeValidator(_first)]


class Propositions(BaseModel):
    """Propositions of a chunk."""

    propositions: Bounded[str]


class FoundTopic(BaseModel):
    """A topic, and the numbers of its statements from 1."""

    name: str
    statements: Bounded[int]


class FoundEntity(BaseModel):
    """An entity by name and class."""

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

    entities: Bounded[FoundEntity]
    facts: Bounded[FoundFact]


class FoundGraph(StatementFacts):
    """Topics, entities and facts of numbered statements."""

    topics: Bounded[FoundTopic]
