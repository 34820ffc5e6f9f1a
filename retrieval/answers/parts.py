"""The part of a text that a statement is shown in: whole, so that it helps where it stands.

A statement may be half a sentence or one step of five. What is shown of a source is what its
layout holds together: the steps of a procedure, a row with its headers, a paragraph, what
somebody says in a chat with what was said before.
"""

import re
from dataclasses import dataclass

STEPS, LIST, ROW, PROSE, TURN = "steps", "list", "row", "prose", "turn"
FIELD, UNSAID = "field", "unsaid"
"""A list with numbers, one without, a table's row, a paragraph, a turn of a chat, a record of names
and values; and what is no statement by itself: a heading, a caption, a line of contents, an entry
of references."""
LONGEST = 700
"""Characters of a paragraph that is shown whole; of a longer one sentences are."""
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+|\n(?=\s*\n)")
_BETWEEN_CELLS = re.compile(r'[\s|,;"\\]*')
_WRITTEN_OTHERWISE = re.compile(r'""|\\\||\s\s|[^\S ]')


@dataclass(frozen=True, slots=True)
class Part:
    """The characters ``[start, end)`` of a source that belong together.

    ``heading`` is what they stand under, the outermost first; ``table`` counts the tables of the
    source, so that rows of one are known, and is -1 for what is none.
    """

    kind: str
    start: int
    end: int
    text: str
    heading: str = ""
    table: int = -1
    cells: tuple[tuple[str, str], ...] = ()
    """A row's, each with the header of its column."""
    items: tuple[tuple[int, int], ...] = ()
    """Where in the source those of a list stand."""

    def shown(self, start: int, end: int, *, whole: bool = False) -> tuple[int, int]:
        """What of the part is shown for what stands at ``[start, end)`` of the source: of a list
        the item, unless the ``whole`` of it is wanted; of a long paragraph the sentences there
        and the one before; of anything else all.

        >>> Part(PROSE, 10, 24, "It is. It was.").shown(17, 20)
        (10, 24)
        """
        if self.items and not whole:
            held = [each for each in self.items if each[0] < end and start < each[1]]
            return (held[0][0], held[-1][1]) if held else (start, end)
        if self.items or self.end - self.start <= LONGEST:
            return self.start, self.end
        ends = [match.end() for match in _SENTENCE_END.finditer(self.text)]
        last = next((place for place in ends if place >= end - self.start), len(self.text))
        for begin in [0, *(place for place in ends if place <= start - self.start)][-2:]:
            shown = self.text[begin:last].rstrip()
            if len(shown) <= LONGEST:
                return self.start + begin, self.start + begin + len(shown)
        return start, end


def cells_of(text: str, details: str) -> tuple[tuple[str, str], ...]:
    """The cells of a table's row with their headers; empty for any other statement.

    A row's details repeat its cells, each after its header, the first maybe without one, and its
    text has nothing else.

    >>> cells_of("| E4 | Pump draws air |", "Code: E4; Meaning: Pump draws air")
    (('Code', 'E4'), ('Meaning', 'Pump draws air'))
    >>> cells_of("| Weight | 92 kg |", "Weight; P20: 92 kg")
    (('', 'Weight'), ('P20', '92 kg'))
    >>> cells_of("May,12,dry; warm", "Month: May; Days: 12; Remarks: dry; warm")[-1]
    ('Remarks', 'dry; warm')
    >>> cells_of('"A ""dry"" May",12', 'Title: A "dry" May; Days: 12')
    (('Title', 'A "dry" May'), ('Days', '12'))
    >>> cells_of("She was built at Oake Yard.", "Petrel: a ship")
    ()
    """
    if ": " not in details:
        return ()
    cells: list[tuple[str, str]] = []
    at = 0
    for told in details.split("; "):
        header, mark, value = told.partition(": ")
        if not (mark or cells):
            header, value = "", told
        if value and (end := _cell_end(text, at, value)):
            cells.append((header, value))
        elif cells and (end := _cell_end(text, at, f"; {told}")):
            # A cell with a semicolon of its own goes on.
            cells[-1] = cells[-1][0], f"{cells[-1][1]}; {told}"
        else:
            break
        at = end
    is_whole = _BETWEEN_CELLS.fullmatch(text, at) is not None
    return tuple(cells) if is_whole and len(cells) > 1 else ()


def _cell_end(text: str, at: int, value: str) -> int:
    """Where the cell ends that comes next in a row; 0 where that is another one. It may be written
    with breaks of lines for its spaces, its quotes doubled and its pipes marked."""
    found = text.find(value, at)
    if found >= 0:
        return found + len(value) if _BETWEEN_CELLS.fullmatch(text, at, found) else 0
    if _WRITTEN_OTHERWISE.search(text) is None:
        return 0
    words = (re.escape(word).replace('"', '""?') for word in value.split())
    written = r"\s+".join(words).replace(r"\|", r"\\?\|")
    match = re.compile(_BETWEEN_CELLS.pattern + written).match(text, at)
    return match.end() if match else 0
