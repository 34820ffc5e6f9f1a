"""What a language model is asked, apart from how."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from hlg.models.language.fence import new_boundary
from hlg.models.language.prompts import Message, Prompt

Exchange = tuple[Mapping[str, str], str]
"""What a prompt was filled with earlier in a conversation, and what was answered."""


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt with what is filled into it.

    ``schema`` is what the answer is to be of, or None for text; ``key`` is what the answer is
    kept under; ``boundary`` is that of all calls which begin alike, else empty; ``history`` what
    was said before.
    """

    prompt: Prompt
    material: Mapping[str, str]
    parameters: Mapping[str, object]
    schema: type[BaseModel] | None
    key: str
    boundary: str = ""
    history: Sequence[Exchange] = ()

    def messages(self) -> list[Message]:
        """The messages that are sent."""
        boundary = self.boundary or new_boundary()
        system, user = self.prompt.render(self.material, self.parameters, boundary)
        said = [system]
        for material, answer in self.history:
            said += self.prompt.render(material, self.parameters, boundary)[1:]
            said.append(("assistant", answer))
        return [*said, user]
