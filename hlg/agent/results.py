"""What the tools of an agent give: records for a program, and the same as text for a model."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from hlg.unicode import printable

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Shown:
    """A result as text: what stands first, then pieces, each with the reference that it is of.

    A piece without a reference belongs to none.
    """

    head: str
    pieces: tuple[tuple[str, str], ...] = ()
    hint: str = ""

    @property
    def text(self) -> str:
        """All of it, as a model reads it."""
        parts = [self.head, *(text for _, text in self.pieces), self.hint]
        return "\n".join(part for part in parts if part)

    def shown(self) -> "Shown":
        """Itself: what has no record for a program. See :class:`ToolResult`."""
        return self


class ToolResult(Protocol):
    """What a tool gives."""

    def shown(self) -> Shown:
        """The same as text."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A piece of a source's text with where it stands: characters ``[start, end)``, lines from
    0, the last one included."""

    reference: str
    title: str
    uri: str
    start: int
    end: int
    first_line: int
    last_line: int
    text: str

    def line(self) -> str:
        """As a model reads it."""
        lines = f"line {self.first_line}"
        if self.last_line > self.first_line:
            lines = f"lines {self.first_line} - {self.last_line}"
        title = " ".join(self.title.split())
        named = title if title == self.uri or not title else f"{title} · {self.uri}"
        return f"[{self.reference}] {named} · {lines}: {self.text}"


@dataclass(frozen=True, slots=True)
class Found:
    """A result of a search. ``via`` names what led to it from another one, if anything did."""

    passage: Cited
    file_name: str
    file_type: str
    metadata: Mapping[str, str]
    query: str
    score: float
    via: str = ""

    def line(self) -> str:
        """As a model reads it."""
        told = [f"{name}={value}" for name, value in self.metadata.items()]
        if self.via:
            told.append(f"found through {self.via}")
        more = f" ({'; '.join(told)})" if told else ""
        return f"{self.passage.line()}{more}"


@dataclass(frozen=True, slots=True)
class SearchResults:
    """What several queries found, each passage once.

    ``confidence`` is that of the query whose search is surest that the evidence is there.
    """

    results: tuple[Found, ...]
    left_out: int = 0
    notes: tuple[str, ...] = ()
    confidence: float = 0.0

    def shown(self) -> Shown:
        """See :class:`ToolResult`."""
        head = f"{len(self.results)} results" if self.results else "nothing was found"
        pieces = tuple((each.passage.reference, each.line()) for each in self.results)
        hint = _left(self.left_out, "ask more narrowly")
        return Shown("\n".join([head, *self.notes]), pieces, hint)


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that a pattern found, by its words or by what it means."""

    evidence: Cited
    pattern: str
    by_meaning: bool

    def line(self) -> str:
        """As a model reads it."""
        how = " by meaning" if self.by_meaning else ""
        return f"{self.pattern!r}{how}: {self.evidence.line()}"


@dataclass(frozen=True, slots=True)
class Passages:
    """Passages of one document."""

    reference: str
    passages: tuple[FoundPassage, ...]
    left_out: int = 0

    def shown(self) -> Shown:
        """See :class:`ToolResult`."""
        head = f"{len(self.passages)} passages of [{self.reference}]"
        if not self.passages:
            head = f"[{self.reference}] has nothing of the kind: open it, or search"
        pieces = tuple((each.evidence.reference, each.line()) for each in self.passages)
        return Shown(head, pieces, _left(self.left_out, "give fewer patterns"))


@dataclass(frozen=True, slots=True)
class Window:
    """Some lines of a document, numbered from 0."""

    reference: str
    title: str
    uri: str
    first: int
    total: int
    lines: tuple[str, ...]

    @property
    def last(self) -> int:
        """The number of its last line."""
        return self.first + len(self.lines) - 1

    def shown(self) -> Shown:
        """See :class:`ToolResult`."""
        head = (
            f"[{self.reference}] {self.title} · {self.uri}\n"
            f"Viewing lines [{self.first} - {self.last}] of {self.total}"
        )
        numbered = "\n".join(f"{i}: {line}" for i, line in enumerate(self.lines, self.first))
        left = self.last + 1 < self.total
        hint = f"open [{self.reference}] at line {self.last + 1} for more" if left else ""
        return Shown(head, ((self.reference, numbered),), hint)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a summary keeps of what was read so far."""

    reasoning: str
    kept_ids: tuple[str, ...]

    def shown(self) -> Shown:
        """See :class:`ToolResult`."""
        return Shown(f"noted; kept: {', '.join(self.kept_ids) or 'nothing'}")


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An entity that another leads to in so many hops, from ``via``; ``fact`` joins them."""

    name: str
    entity_class: str
    hop: int
    via: str
    fact: str
    evidence: Cited

    def line(self) -> str:
        """As a model reads it."""
        told = f"{self.fact} – " if self.fact else ""
        kind = f" ({self.entity_class})" if self.entity_class else ""
        return f"{self.hop}. {self.via} – {self.name}{kind}: {told}{self.evidence.line()}"


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What lies around an entity, the nearest first."""

    entity: str
    neighbours: tuple[Neighbour, ...]
    left_out: int = 0

    def shown(self) -> Shown:
        """See :class:`ToolResult`."""
        head = f"{len(self.neighbours)} neighbours of {self.entity}, by hops"
        pieces = tuple((each.evidence.reference, each.line()) for each in self.neighbours)
        return Shown(head, pieces, _left(self.left_out, "ask for fewer hops"))


@dataclass(frozen=True, slots=True)
class PathFound:
    """How two entities hang together, step by step; none where nothing joins them."""

    start: str
    end: str
    steps: tuple[Neighbour, ...] = ()
    most_hops: int = 0

    def shown(self) -> Shown:
        """See :class:`ToolResult`."""
        if not self.steps:
            far = f"in {self.most_hops} hops" if self.most_hops else ""
            return Shown(f"nothing joins {self.start} and {self.end} {far}".rstrip())
        pieces = tuple((each.evidence.reference, each.line()) for each in self.steps)
        return Shown(f"from {self.start} to {self.end}", pieces)


@dataclass(frozen=True, slots=True)
class CommunityShown:
    """A community of entities, what it is about, and statements between its members."""

    id: str
    title: str
    summary: str
    parent_id: str
    members: tuple[str, ...]
    evidence: tuple[Cited, ...] = ()
    left_out: int = 0

    def shown(self) -> Shown:
        """See :class:`ToolResult`."""
        head = f"{self.title}\n{self.summary}\nmembers: {', '.join(self.members)}"
        if self.parent_id:
            head += f"\npart of community {self.parent_id}"
        pieces = tuple((each.reference, each.line()) for each in self.evidence)
        return Shown(head, pieces, _left(self.left_out, "ask for the facts of a member"))


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact in words, empty where there is only the statement, and the statement."""

    fact: str
    evidence: Cited

    def line(self) -> str:
        """As a model reads it."""
        return f"{self.fact} – {self.evidence.line()}" if self.fact else self.evidence.line()


@dataclass(frozen=True, slots=True)
class Facts:
    """What is said of an entity."""

    entity: str
    entity_class: str
    aliases: tuple[str, ...]
    facts: tuple[Fact, ...]
    left_out: int = 0

    def shown(self) -> Shown:
        """See :class:`ToolResult`."""
        head = f"{len(self.facts)} facts and statements of {self.entity} ({self.entity_class})"
        if self.aliases:
            head += f", also {', '.join(self.aliases)}"
        pieces = tuple((each.evidence.reference, each.line()) for each in self.facts)
        return Shown(head, pieces, _left(self.left_out, "search for what you want"))


def _left(count: int, advice: str) -> str:
    return f"{count} more were left out: {advice}" if count else ""


def fitting(
    items: Iterable[Item], say: Callable[[Item], str], tokens: int, count: Callable[[str], int]
) -> tuple[Sequence[Item], int]:
    """Those of some items that have room together in so many tokens, and how many have not.

    :param say: an item as it will be read.
    """
    kept: list[Item] = []
    left = 0
    for item in items:
        # A token has four characters or so: what is far too long is not counted.
        text = printable(say(item))
        cost = len(text) if len(text) > 40 * tokens else count(text)
        if cost > tokens:
            left += 1
            continue
        tokens -= cost
        kept.append(item)
    return kept, left
