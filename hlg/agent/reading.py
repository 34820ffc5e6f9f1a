"""A text by lines and by patterns: what ``open`` and ``find`` see of it. Pure, and exact."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from hlg.agent.results import Cited
from hlg.errors import UsageError
from hlg.records import OWN_METADATA, Chunk, Passage, Source, SourceRef
from hlg.store.source_text import SourceText
from hlg.unicode import one_line

Span = tuple[int, int]
ROOM = 300
"""Characters that a passage shows on each side of what was found in it, about."""
LONGEST_LINE = 4_000
"""Characters of a line that are shown at once; it goes on in lines of the same number."""
MOST_FIELDS = 12
"""Fields of a source's metadata that a result shows, each of at most :data:`LONGEST_FIELD`
characters."""
LONGEST_FIELD = 120
_BREAK = re.compile(r"(?<=[.!?])\s+|\n+")


def line_of(text: str, place: int) -> int:
    """The number, from 0, of the line that a character stands in."""
    return text.count("\n", 0, place)


def lines_of(text: str) -> list[str]:
    """A text's lines, without their ends; at least one."""
    return text.split("\n")


def window(
    text: str, line: int, most: int, tokens: int, count: Callable[[str], int]
) -> tuple[int, list[str], int]:
    """The number of the first line, up to ``most`` whole lines from it on that have room in so
    many tokens, and how many lines there are.

    A single line that is longer than that is cut.

    :raises UsageError: there is no such line.
    """
    lines = lines_of(text)
    if not 0 <= line < len(lines):
        raise UsageError(f"there is no line {line}: lines go from 0 to {len(lines) - 1}")
    shown: list[str] = []
    for each in lines[line : line + most]:
        cost = count(each) + 3 if len(each) <= LONGEST_LINE else len(each) // 3
        if cost > tokens:
            break
        tokens -= cost
        shown.append(each)
    if not shown:
        cut = lines[line][: min(LONGEST_LINE, 3 * tokens)]
        shown = [f"{cut} … (this line has {len(lines[line]):,} characters: find words in it)"]
    return line, shown, len(lines)


def matches(text: str, pattern: str, most: int, taken: Sequence[Span] = ()) -> Iterator[Span]:
    """Passages around the first places where a pattern stands, whatever its case.

    Each is of whole sentences where those are short; none lies in one before it, or in one of
    those ``taken``.

    :param most: how many, at most.
    """
    seen = list(taken)
    found = 0
    for each in re.finditer(re.escape(pattern), text, re.IGNORECASE):
        if found == most:
            return
        start, end = each.span()
        if any(first <= start and end <= last for first, last in seen):
            continue
        passage = _around(text, start, end)
        seen.append(passage)
        found += 1
        yield passage


def _around(text: str, start: int, end: int) -> Span:
    """The passage about a span: from one break to another, about :data:`ROOM` on each side."""
    least, most = max(0, start - ROOM), min(len(text), end + ROOM)
    before = [each.end() for each in _BREAK.finditer(text, least, start)]
    after = [each.start() for each in _BREAK.finditer(text, end, most)]
    first = 0 if least == 0 else before[0] if before else least
    last = most if most == len(text) else after[-1] if after else most
    while first < start and text[first].isspace():
        first += 1
    while last > end and text[last - 1].isspace():
        last -= 1
    return first, last


def snippet(cited: Cited, text: SourceText, characters: int) -> Cited:
    """A passage with as much around it as makes about so many characters, or cut to them."""
    room = characters - (cited.end - cited.start)
    if room <= 0:
        return replace(cited, text=one_line(cited.text, characters))
    start, end = max(0, cited.start - room // 2), min(len(text.text), cited.end + room // 2)
    before = text.text[start : cited.start].partition(" ")[2] if start else text.text[: cited.start]
    after = text.text[cited.end : end]
    after = after.rpartition(" ")[0] if end < len(text.text) else after
    return replace(cited, text=" ".join(f"{before}{cited.text}{after}".split()))


def part(text: SourceText, start: int, end: int) -> Passage:
    """A part of a text as a passage, of the chunk that it begins in."""
    before = [each.id for each in text.chunks if each.start <= start]
    chunk = before[-1] if before else text.source.id
    ref = SourceRef(text.source.id, text.source.uri, text.source.title)
    return Passage("Chunk", chunk, text.text[start:end], "", start, end, chunk, "", ref)


def is_mostly(chunk: Chunk, taken: Sequence[tuple[int, int]]) -> bool:
    """Whether half of a chunk's characters were taken."""
    held = sum(max(0, min(end, chunk.end) - max(start, chunk.start)) for start, end in taken)
    return 2 * held >= chunk.end - chunk.start


def content(passage: Passage) -> str:
    """What a passage says, for telling that two say the same."""
    return " ".join(passage.text.split()).lower()


def shown_metadata(source: Source) -> dict[str, str]:
    """What a result shows of a source's metadata."""
    hidden = {*OWN_METADATA, "pages"}
    shown = [(name, value) for name, value in source.metadata.items() if name not in hidden]
    return {
        one_line(name, LONGEST_FIELD): one_line(str(value), LONGEST_FIELD)
        for name, value in shown[:MOST_FIELDS]
    }
