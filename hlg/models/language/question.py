"""What a language model is asked, apart from how."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from hlg.models.language.fence import new_boundary
from hlg.models.language.prompts import Message, Prompt

__all__ = ["Question"]


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt with what is filled into it.

    ``schema`` is what the answer is to be of, or None for text; ``key`` is what the answer is
    kept under; ``boundary`` is that of all calls which begin alike, else empty.
    """

    prompt: Prompt
    material: Mapping[str, str]
    parameters: Mapping[str, object]
    schema: type[BaseModel] | None
    key: str
    boundary: str = ""

    def messages(self) -> list[Message]:
        """The messages that are sent."""
        return self.prompt.render(self.material, self.parameters, self.boundary or new_boundary())
