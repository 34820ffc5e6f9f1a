"""Who speaks in a chat or a transcript, line by line: "[10:31] Ada Thorne: I sold it."."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlg.words import words
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.lexicon import HONORIFICS
from hlg.words.no_names import NO_NAMES

if TYPE_CHECKING:
    from hlg.ingest.text.blocks import Block

FEWEST_TURNS = 3
"""Lines that begin with a speaker's name in the shortest chat."""

_TIME = r"[\[(]?\d[\d:./,\- ]{2,20}(?:[aApP]\.?[mM]\.?)?[\])]?,?\s*[-–—]?\s*"
_NAME = r"[^\W\d_a-z][\w.'’-]*(?:[ ][^\W\d_a-z][\w.'’-]*){0,3}(?: ?\([^()]{1,20}\))?"
_TURN = re.compile(rf"(?:(?P<time>{_TIME}))?(?:\*\*)?<?(?P<name>{_NAME})>?\s?:(?:\*\*)?\s+(?=\S)")
_SPOKEN = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Yy]ou|[Yy]our|[Ww]e|us|[Oo]ur)\b|[?!]")
"""What somebody says, and a field's value hardly has."""
_EDGES = " []()-–—,"
_FIELDS = words("documents", "fields")
"""Names of the fields of a package's description, which nobody speaks under."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Who speaks from ``start`` on, and when; ``time`` is empty where nobody says."""

    speaker: str
    time: str
    start: int


def are_turns(lines: Iterable[str]) -> bool:
    """Whether lines are a chat's: most of them begin with who speaks."""
    spoken = [match is not None for match in map(_TURN.match, lines)]
    return sum(spoken) >= FEWEST_TURNS and 2 * sum(spoken) >= len(spoken)


def find_turns(text: str, blocks: Sequence["Block"]) -> Mapping[int, Turn]:
    """The turns of a chat by the start of their block; none where a text is no chat. Where most
    speak once, it is one if people's names stand before what people say."""
    prose = [
        block
        for block in blocks
        if block.kind in ("text", "item") or (block.kind == "heading" and block.level >= 5)
    ]
    turns: dict[int, Turn] = {}
    spoken = persons = 0
    for block in prose:
        match = _TURN.match(text, block.start, min(block.end, block.start + 120))
        if match and _is_speaker(match["name"]):
            time = (match["time"] or "").strip(_EDGES)
            turns[block.start] = Turn(match["name"], time, match.end())
            spoken += _SPOKEN.search(text, match.end(), block.end) is not None
            persons += _is_person(match["name"])
    speakers = Counter(turn.speaker for turn in turns.values())
    enough = len(turns) >= FEWEST_TURNS and 2 * len(turns) >= len(prose)
    is_talk = 2 * len(speakers) <= len(turns) + 1 or 2 * min(spoken, persons) >= len(turns)
    return turns if enough and is_talk else {}


def _is_person(name: str) -> bool:
    """Whether a label can name nothing else: "Ada Thorne", "Dr. Amari", "Grad G"."""
    first, *rest = name.split()
    known = first.lower() in GIVEN_NAMES or first.lower().rstrip(".") in HONORIFICS
    return known or len((rest or [first])[-1]) == 1


def _is_speaker(name: str) -> bool:
    return name[0].isupper() and name.lower() not in NO_NAMES and name.lower() not in _FIELDS
