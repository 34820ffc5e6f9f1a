"""A graph as the tools see it: what may be seen of it, by which names, and what of it is quoted."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from hlg.agent.bounds import ToolLimits
from hlg.agent.results import Cited, Fact, FoundPassage, Neighbour, Window
from hlg.agent.tools import GraphTools
from hlg.asking.search import SearchOptions
from hlg.graph import LexicalGraph
from hlg.mcp.library import Library
from hlg.mcp.results import ToolOutput
from hlg.mcp.telling import MOST_CHARACTERS, ROOM, Row, json_of
from hlg.models.tokens import token_counter
from hlg.names import normalize_name
from hlg.records import Entity
from hlg.store.source_text import SourceText
from hlg.unicode import one_line

LINES_TOKENS = ROOM // 2 - 200
"""Of a document's lines, which are there as text and as data."""
OFFERED = 20
"""Entities that are listed, or completed."""
LOOKED_AT = 10_000
MOST_TRIED = 200
"""Entities that are looked at, and those that are tried for whether they may be seen."""

Item = TypeVar("Item", FoundPassage, Fact, Neighbour)
OutputT = TypeVar("OutputT", bound=ToolOutput)


class Access:
    """What the tools work on; for any number of threads.

    :param how: how it is searched; its ``where`` says which sources may be seen.
    :raises UsageError: that is no condition.
    """

    def __init__(self, graph: LexicalGraph, how: SearchOptions) -> None:
        self.graph = graph
        self.how = how
        self.library = Library(graph, how.where)
        self.tools = GraphTools(graph, how, references=self.library)
        self.pages = GraphTools(
            graph, how, limits=ToolLimits(tokens=LINES_TOKENS), references=self.library
        )

    def count(self, text: str) -> int:
        """Tokens of a text."""
        return token_counter(self.graph.graph_embedder).count(text)

    def texts(self, cited: Iterable[Cited]) -> dict[str, SourceText]:
        """The texts of sources that are cited, by the sources' ids; in one call of the store."""
        ids = list({self.library[each.reference].source.id: None for each in cited})
        return {each.source.id: each for each in self.tools.texts(ids)}

    def text_of(self, cited: Cited, texts: dict[str, SourceText]) -> SourceText:
        """The text that a citation is of."""
        return texts[self.library[cited.reference].source.id]

    def quoted(self, found: Sequence[Item], *, in_full: bool) -> Iterator[Item]:
        """What was found with its evidence as it is shown.

        :param in_full: with the passages that it stands in, each passage once.
        """
        texts = self.texts(each.evidence for each in found) if in_full else {}
        shown = set[str]()
        for each in found:
            text = each.evidence.text
            if in_full:
                passage = passage_around(each.evidence, self.text_of(each.evidence, texts))
                text = text if passage in shown else passage
                shown.add(passage)
            cited = replace(each.evidence, text=one_line(text, MOST_CHARACTERS))
            yield replace(each, evidence=cited)

    def rows(
        self, found: Sequence[Item], kind: type[OutputT], *, in_full: bool
    ) -> list[Row[OutputT]]:
        """What was found, :meth:`quoted`, as a model reads it and, of a kind, as a program does."""
        quoted = self.quoted(found, in_full=in_full)
        return [Row(each.line(), kind.model_validate(each)) for each in quoted]

    def entities(self, like: str, limit: int) -> list[Entity]:
        """The most mentioned entities that may be seen, of those whose name begins as ``like``;
        one of each name."""
        wanted = normalize_name(like)
        found: dict[str, Entity] = {}
        for each in self.graph.entities.most_mentioned(LOOKED_AT, merged=True):
            name = normalize_name(each.name)
            if name.startswith(wanted):
                found.setdefault(name, each)
        likely = islice(found.values(), MOST_TRIED)
        return list(islice((each for each in likely if self.tools.is_seen(each)), limit))

    def lines(self, name: str, line: int) -> Window:
        """A document's lines from one on, as many as there is room for, as text and as data.

        :raises UsageError: there is no such document or line.
        """
        read = self.pages.open(name, line)
        while len(read.lines) > 1 and self._cost(read) > ROOM:
            read = replace(read, lines=read.lines[: len(read.lines) * 4 // 5])
        return read

    def _cost(self, read: Window) -> int:
        return self.count(read.shown().text) + self.count(json_of(read.lines))


def passage_around(cited: Cited, text: SourceText) -> str:
    """The smallest chunk that holds a citation; where that is too long, as much as there is room
    for on both sides of it."""
    around = [
        (c.start, c.end) for c in text.chunks if c.start <= cited.start and cited.end <= c.end
    ]
    start, end = min(around, key=lambda span: span[1] - span[0], default=(cited.start, cited.end))
    room = max(0, MOST_CHARACTERS - (cited.end - cited.start)) // 2
    first, last = max(start, cited.start - room), min(end, cited.end + room)
    before, after = "…" if first > start else "", "…" if last < end else ""
    return f"{before}{text.text[first:last]}{after}"


Opened = Callable[[], Access]
"""Gives what is open, as long as the server runs."""
