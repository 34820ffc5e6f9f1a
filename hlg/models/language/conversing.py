"""What is said between a language model and whoever runs its tools, whatever the provider."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

from hlg.models.language.fence import fenced


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model asks for a tool; ``arguments`` are JSON as it wrote them."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One turn after the system's part. What ``user`` and ``tool`` say is material: it is fenced.

    :param name: of material, in its fence: the tool's, or what a user's turn is.
    :param call_id: of a tool's turn: what it answers.
    """

    role: Literal["user", "assistant", "tool"]
    text: str
    name: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told of it."""

    name: str
    description: str
    arguments: type[BaseModel]


def said(turn: ChatTurn, boundary: str) -> str:
    """What is said in a turn: the model's words as they are, all else fenced."""
    if turn.role == "assistant":
        return turn.text
    return fenced(turn.name or turn.role, turn.text, boundary)
