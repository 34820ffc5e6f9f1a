"""Which part of its source each statement of the evidence is shown in, by the text's layout."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hlg.ingest.text.blocks import Block, split_blocks
from hlg.ingest.text.turns import find_turns
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.parts import (
    FIELD,
    LIST,
    LONGEST,
    PROSE,
    ROW,
    STEPS,
    TURN,
    UNSAID,
    Part,
    cells_of,
)
from hlg.subgraph import Subgraph

__all__ = ["with_parts"]

_ORDINAL = re.compile(r"[^\w\n]*(?:step\s+)?(\d{1,3})[.):](?=\s)", re.IGNORECASE)
_IMAGE = re.compile(r"!?\[[^\]]*\]\([^)]*\)$")
_WORD = re.compile(r"\w+")
TITLE_WORDS = 8
"""Words of a line that may stand over others like a heading."""
QUESTION, TITLE = 8, 7
"""Their ranks, below those of marked headings."""
TOUCH = 2
"""Characters between chunks that follow each other."""
BETWEEN = 6
"""Blocks between two steps of one procedure: code, remarks, figures."""
BEYOND = 10_000
"""Characters after the last statement that are laid out: a list or a procedure ends there."""
LEAD_IN = 300
"""Characters of the paragraph over a list that are shown with it."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """The part for what stands at ``[start, end)`` of a source: it may show more than that."""

    start: int
    end: int
    part: Part


def with_parts(
    statements: Sequence[EvidenceStatement], subgraph: Subgraph
) -> list[EvidenceStatement]:
    """Statements, each with the part that it is shown in; where no chunk holds it, as it was."""
    placed: dict[str, list[_Placed]] = {}
    ends: dict[str, int] = {}
    for each in statements:
        source = each.passage.source.id
        ends[source] = max(ends.get(source, 0), each.passage.end)
    for source, start, text in _texts(subgraph):
        read = text[: max(0, ends.get(source, 0) + BEYOND - start)]
        placed.setdefault(source, []).extend(_Layout(read, start).parts())
    return [
        replace(each, part=_part_of(each, placed.get(each.passage.source.id, ())))
        for each in statements
    ]


def _texts(subgraph: Subgraph) -> Iterator[tuple[str, int, str]]:
    """By source the texts of its chunks, each with where it begins; those that overlap or touch
    as one."""
    sources = {edge.source: edge.target for edge in subgraph.edges_of("PART_OF")}
    texts: list[tuple[str, int, str]] = []
    for source, start, text in sorted(
        (sources.get(node.id, ""), int(node.properties["start"]), str(node.properties["text"]))
        for node in subgraph.nodes_of("Chunk")
    ):
        last, begin, before = texts[-1] if texts else ("", 0, "")
        gap = start - begin - len(before)
        if last == source and texts and gap <= TOUCH:
            more = "\n" * gap + text if gap > 0 else text[-gap:]
            texts[-1] = source, begin, before + more
        else:
            texts.append((source, start, text))
    yield from texts


def _part_of(statement: EvidenceStatement, placed: Sequence[_Placed]) -> Part | None:
    """The part that holds where a statement begins."""
    passage = statement.passage
    at = bisect_right(placed, passage.start, key=lambda each: each.start) - 1
    part = placed[at].part if at >= 0 and passage.start < placed[at].end else None
    if cells := cells_of(passage.text, passage.details):
        heading, table = (part.heading, part.table) if part and part.kind == ROW else ("", 0)
        span = passage.start, passage.end
        return Part(ROW, *span, passage.text, heading, table, cells)
    return part


class _Layout:
    """The blocks of a text, as parts."""

    def __init__(self, text: str, offset: int) -> None:
        self._text, self._offset = text, offset
        self._blocks = list(split_blocks(text))
        self._turns = find_turns(text, self._blocks)

    def parts(self) -> Iterator[_Placed]:
        """The parts of a text in order."""
        trail: list[tuple[int, str]] = []
        table, at = -1, 0
        while at < len(self._blocks):
            block = self._blocks[at]
            level = self._level(at)
            if level:
                trail = [each for each in trail if each[0] < level]
            heading = " > ".join(title for _, title in trail)
            table += block.kind == "row" and not (at and self._blocks[at - 1].kind == "row")
            kind, until, items = self._kind(at, level)
            first = self._first_shown(at, kind)
            start, end = first, self._blocks[until - 1].end
            part = Part(
                kind,
                self._offset + start,
                self._offset + end,
                self._text[start:end],
                heading,
                table if kind == ROW else -1,
                items=items,
            )
            yield _Placed(self._offset + block.start, self._offset + end, part)
            if level:
                trail.append((level, self._said(block)))
            at = until

    def _said(self, block: Block) -> str:
        return " ".join(self._text[block.start : block.end].split())

    def _level(self, at: int) -> int:
        """The rank of a heading, or of a line that stands over others like one: the question of
        a list of questions, a few words over a paragraph; 0 for what is neither."""
        block, said = self._blocks[at], self._said(self._blocks[at])
        if block.kind == "heading":
            return block.level
        if block.start in self._turns or at + 1 == len(self._blocks):
            return 0
        following = self._blocks[at + 1]
        if not said or following.kind not in ("text", "item") or block.kind in ("entry", "row"):
            return 0
        if said.endswith("?") and not self._said(following).endswith("?"):
            return QUESTION
        if block.kind == "item" or self._is_one_more(at):
            return 0
        begins = said[0].isupper() or said[0].isdigit()
        is_title = begins and len(_WORD.findall(said)) <= TITLE_WORDS
        return TITLE if is_title and said[-1].isalnum() and ": " not in said else 0

    def _is_one_more(self, at: int) -> bool:
        """Whether a line is one of several in a row that end like no sentence, with another above
        it or two below: of a list without marks, of an address."""
        return self._goes_with(at - 1) or (self._goes_with(at) and self._goes_with(at + 1))

    def _goes_with(self, at: int) -> bool:
        """Whether a short line stands right over another line of text."""
        if not 0 <= at < len(self._blocks) - 1:
            return False
        block, below = self._blocks[at], self._blocks[at + 1]
        said = self._said(block)
        return (
            block.kind == below.kind == "text"
            and said[-1:].isalnum()
            and len(_WORD.findall(said)) <= TITLE_WORDS
            and self._text.count("\n", block.end, below.start) == 1
        )

    def _kind(self, at: int, level: int) -> tuple[str, int, tuple[tuple[int, int], ...]]:
        """What kind of part begins at a block, the place after its last, and a list's items."""
        block = self._blocks[at]
        if level or block.kind in ("entry", "aside", "heading") or _IMAGE.match(self._said(block)):
            return UNSAID, at + 1, ()
        if block.kind == "row":
            return ROW, at + 1, ()
        if block.start in self._turns:
            return TURN, at + 1, ()
        if block.kind == "field":
            until = at + 1
            while until < len(self._blocks) and self._is_of_record(at, until):
                until += 1
            return FIELD, until, ()
        if places := self._listed(at):
            bounds = [self._line(self._blocks[place]) for place in places]
            until = places[-1] + 1
            ends = [*bounds[1:], self._blocks[until - 1].end]
            items = tuple(
                (self._offset + start, self._offset + start + len(self._text[start:end].rstrip()))
                for start, end in zip(bounds, ends, strict=True)
            )
            return (STEPS if self._ordinal(block) else LIST), until, items
        until = at + 1
        while until < len(self._blocks) and self._goes_on(until):
            until += 1
        return PROSE, until, ()

    def _is_of_record(self, first: int, at: int) -> bool:
        """Whether a block is one more field of the record that begins at another."""
        before, block = self._blocks[at - 1], self._blocks[at]
        is_near = self._text.count("\n", before.end, block.start) < 2
        return (
            block.kind == "field" and is_near and block.end - self._blocks[first].start <= LONGEST
        )

    def _goes_on(self, at: int) -> bool:
        """Whether a block is of the paragraph of the one before it."""
        before, block = self._blocks[at - 1], self._blocks[at]
        between = self._text[before.end : block.start]
        is_text = block.kind == "text" and not self._level(at) and not self._ordinal(block)
        return is_text and between.count("\n") < 2

    def _listed(self, at: int) -> list[int]:
        """The places of the items of the list that begins there, two or more."""
        number = self._ordinal(self._blocks[at])
        if not number and self._blocks[at].kind != "item":
            return []
        places = [at]
        for place in range(at + 1, len(self._blocks)):
            block = self._blocks[place]
            if block.kind == "heading" or place - places[-1] > BETWEEN or self._level(place):
                break
            found = self._ordinal(block)
            if number and found == number + 1:
                number = found
                places.append(place)
            elif not number and block.kind == "item" and not found and place == places[-1] + 1:
                places.append(place)
            elif not number or block.kind == "row":
                break
        return places if len(places) > 1 else []

    def _line(self, block: Block) -> int:
        """Where the line of a block begins, its mark included."""
        begin = self._text.rfind("\n", 0, block.start) + 1
        return begin + len(self._text[begin:]) - len(self._text[begin:].lstrip())

    def _ordinal(self, block: Block) -> int:
        """The number that an item or a step begins with; 0 for none."""
        match = _ORDINAL.match(self._text, self._line(block))
        return int(match[1]) if match and match.end() <= block.start + len(match[0]) else 0

    def _first_shown(self, at: int, kind: str) -> int:
        """Where what is shown begins: with the line that leads a list in, or the turn before."""
        block = self._blocks[at]
        if kind not in (STEPS, LIST, TURN):
            return block.start
        before = self._blocks[at - 1] if at else None
        if kind == TURN:
            return before.start if before and before.start in self._turns else block.start
        leads = before is not None and before.kind == "text" and not self._level(at - 1)
        if before is not None and leads and before.end - before.start <= LEAD_IN:
            return before.start
        return self._line(block)
