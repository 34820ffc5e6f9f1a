"""What tools may be given, by name and range, and what one call gives at most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from hlg.errors import UsageError

Queries = Annotated[
    list[str],
    Field(description="1 to 5 wordings or parts of what is looked for", min_length=1, max_length=5),
]
ReferenceId = Annotated[str, Field(description="as a result gave it, such as turn1search4")]
Patterns = Annotated[
    list[str],
    Field(description="words as the document has them, any case", min_length=1, max_length=10),
]
Line = Annotated[int, Field(description="number of the first line, from 0", ge=0)]
EntityName = Annotated[str, Field(description="a name as the sources have it", min_length=1)]
CommunityId = Annotated[str, Field(description="the community's id", min_length=1)]
Hops = Annotated[int, Field(description="how far to go", ge=1, le=3)]


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """What one call gives, at most; ``tokens`` bounds any result, ``find_tokens`` that of find;
    ``snippet`` is how many characters a result of a search has, about."""

    results: int = 10
    snippet: int = 400
    passages: int = 2
    find_tokens: int = 11_000
    lines: int = 1_800
    tokens: int = 40_000
    path_hops: int = 4


def several(given: Sequence[str], most: int, name: str) -> Sequence[str]:
    """What was given, where there is something and not too much of it.

    :raises UsageError: else.
    """
    all_of_it = [given] if isinstance(given, str) else list(given)
    if not 1 <= len(all_of_it) <= most or not any(each.strip() for each in all_of_it):
        raise UsageError(f"give 1 to {most} {name}, none of them empty", option=name)
    return list(dict.fromkeys(each for each in all_of_it if each.strip()))
