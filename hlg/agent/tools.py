"""The graph as tools: what an agent may do with it, each a method with a schema of its own.

::

    tools = GraphTools(graph, where='year >= 2020')
    found = tools.search(["Who founded the yard that built the Petrel?"])
    print(found.shown().text)                        # for a model
    print(tools.open(found.results[0].passage.reference).lines)     # for a program

Nothing here reads a file, opens an address or writes: a tool sees the graph that it was opened
on, and of that the sources that fulfil the condition. What a tool can't do it says in a
:class:`~hlg.errors.UsageError` that an agent can act on. What the results hold is text of
documents: fence it (:mod:`hlg.models.language.fence`) before a model reads it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, TypeVar

import numpy as np
from pydantic import Field

from hlg.agent.bounds import (
    CommunityId,
    EntityName,
    Hops,
    Line,
    Patterns,
    Queries,
    ReferenceId,
    ToolLimits,
    several,
)
from hlg.agent.reading import (
    content,
    is_mostly,
    line_of,
    matches,
    part,
    shown_metadata,
    snippet,
    window,
)
from hlg.agent.references import PassageNames, References
from hlg.agent.results import (
    Cited,
    CommunityShown,
    Fact,
    Facts,
    Found,
    FoundPassage,
    Kept,
    Neighbour,
    Neighbours,
    Passages,
    PathFound,
    SearchResults,
    Window,
    fitting,
)
from hlg.agent.walking import EntityWalk, Link, said_of
from hlg.asking.marks import marked
from hlg.asking.search import SearchOptions, search
from hlg.errors import UsageError
from hlg.models.tokens import token_counter
from hlg.names import normalize_name
from hlg.records import Entity, Hit, Passage
from hlg.retrieval.context.knowledge import statement_passages
from hlg.store.source_text import SourceText
from hlg.subgraph import SubgraphLimits
from hlg.unicode import one_line
from hlg.where import parse_where

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph

MOST_MEMBERS = 60

Item = TypeVar("Item")


class GraphTools:
    """The tools over a graph, for one conversation: they share one counter of references.

    :param how: how ``search`` searches; its ``where`` is a condition on sources that holds for
        every tool (:mod:`hlg.where`).
    :param by_meaning: whether ``find`` also finds what is meant.
    :param references: what passages are called; numbers of one's own where not given.
    :raises UsageError: that is no condition.
    """

    def __init__(
        self,
        graph: "LexicalGraph",
        how: SearchOptions | None = None,
        *,
        limits: ToolLimits | None = None,
        by_meaning: bool = True,
        references: PassageNames | None = None,
    ) -> None:
        self._graph = graph
        self._how = how or SearchOptions()
        self.limits = limits or ToolLimits()
        self._by_meaning = by_meaning
        self._may_see = parse_where(self._how.where) if self._how.where else None
        self._walk = EntityWalk(graph, self._how.where)
        self.references: PassageNames = references or References()

    # Documents

    def search(self, queries: Queries) -> SearchResults:
        """Search all documents. Gives up to 10 results a query, each with a snippet, its title,
        file, metadata, lines and reference id. Use it first, to discover documents and to verify
        what you assume; ask for several wordings or parts of a question at once, which costs no
        more than one."""
        return self._searched(several(queries, 5, "queries"), self.limits.results)

    def search_more(self, queries: Queries, known: Sequence[str], most: int = 0) -> SearchResults:
        """As :meth:`search`, without what says the same as one of the references ``known``.

        :param most: where it isn't 0, so many new results if there are, searched for more deeply.
        """
        wanted = several(queries, 5, "queries")
        top_k = most + len(known) if most else self.limits.results
        return self._searched(wanted, top_k, known, most or None)

    def _searched(
        self, queries: Sequence[str], top_k: int, known: Sequence[str] = (), most: int | None = None
    ) -> SearchResults:
        notes: dict[str, None] = {}
        found, confidence = [], 0.0
        for query in queries:
            how = replace(self._how, top_k=top_k)
            result = marked(self._graph, search(self._graph, query, how))
            found.append([(hit, query) for hit in result.hits])
            notes |= dict.fromkeys(result.notes)
            confidence = max(confidence, result.confidence)
        # The best of each query first, as no query is worth more than another.
        ranked = sorted((pair for each in found for pair in each), key=lambda pair: pair[0].rank)
        firsts, seen = [], {content(self.references[each]) for each in known}
        for hit, query in ranked:
            said = {hit.passage.id, content(_best(hit))}
            if seen.isdisjoint(said):
                firsts.append((hit, query))
            seen |= said
        results = self._results(firsts[:most])
        kept, left = self._fitting(results, Found.line)
        return SearchResults(tuple(kept), left, tuple(notes), confidence)

    def find(self, reference_id: ReferenceId, patterns: Patterns) -> Passages:
        """Find words, or what they mean, in the one document that a reference id belongs to.
        Gives up to 2 passages a pattern. Use it when a snippet tells too little and you know
        what to look for."""
        text = self._text_of(self.references[reference_id])
        wanted = several(patterns, 10, "patterns")
        most, taken = self.limits.passages, list[tuple[int, int]]()
        found: list[tuple[Passage, str, bool]] = []
        for pattern in wanted:
            spans = list(matches(text.text, pattern, most, taken))
            taken += spans
            found += [(part(text, *span), pattern, False) for span in spans]
        if self._by_meaning:
            found += self._meant(text, wanted, found)
        once: dict[str, tuple[Passage, str, bool]] = {}
        for each in found:
            once.setdefault(content(each[0]), each)
        cited = [
            FoundPassage(self._cited(passage, text), pattern, meant)
            for passage, pattern, meant in once.values()
        ]
        tokens = min(self.limits.find_tokens, self.limits.tokens)
        kept, left = fitting(cited, FoundPassage.line, tokens, self._count)
        return Passages(reference_id.strip("[] "), tuple(kept), left)

    def open(self, reference_id: ReferenceId, line: Line = 0) -> Window:
        """Read the document that a reference id belongs to: up to 1,800 numbered lines from a
        line on. Use it when you know where to read, or want all of a promising document."""
        passage = self.references[reference_id]
        text = self._text_of(passage)
        first, lines, total = window(
            text.text, line, self.limits.lines, self.limits.tokens, self._count
        )
        title, uri = text.source.title, text.source.uri
        return Window(reference_id.strip("[] "), title, uri, first, total, tuple(lines))

    def summarize(
        self,
        reasoning: Annotated[str, Field(description="all that you found so far, with references")],
        kept_ids: Annotated[list[str], Field(description="reference ids to keep the text of")],
    ) -> Kept:
        """Note what you found and name the references whose text you still need; the text of all
        others is dropped, though find and open still take them."""
        kept = tuple(dict.fromkeys(each.strip("[] ") for each in kept_ids))
        for each in kept:
            self.references[each]
        return Kept(reasoning, kept)

    # The graph

    def facts(self, entity: EntityName) -> Facts:
        """What the sources say of a person, place or thing: facts, each with its statement."""
        named = self._walk.named(entity)
        ids = [each.id for each in named]
        said = said_of(self._walk.subgraph(ids), frozenset(ids))
        cited = self._cited_all(each.passage for each in said)
        told = [
            Fact(each.fact, cited[each.passage.id]) for each in said if each.passage.id in cited
        ]
        kept, left = self._fitting(told, Fact.line)
        aliases = () if self._may_see else _aliases(named)
        return Facts(named[0].name, named[0].entity_class, aliases, tuple(kept), left)

    def neighbours(self, entity: EntityName, hops: Hops = 1) -> Neighbours:
        """Which people, places and things one is joined with, directly or over others, each with
        the statement that says so."""
        named = self._walk.named(entity)
        if not 1 <= hops <= 3:
            raise UsageError("hops goes from 1 to 3", option="hops")
        links = self._walk.hops(named, hops)
        kept, left = self._fitting(self._neighbours(links), Neighbour.line)
        return Neighbours(named[0].name, tuple(kept), left)

    def path(self, start: EntityName, end: EntityName) -> PathFound:
        """How two people, places or things hang together: the shortest way over statements."""
        first, last = self._walk.named(start), self._walk.named(end)
        goal = frozenset(each.id for each in last)
        names = first[0].name, last[0].name
        most = self.limits.path_hops
        if goal & {each.id for each in first}:
            raise UsageError(f"{start!r} and {end!r} are the same; its facts say more")
        links = self._walk.hops(first, most, goal)
        back = {normalize_name(link.end): link for hop in links for link in hop}
        step = next((link for hop in links for link in hop if link.end_id in goal), None)
        steps: list[Link] = []
        while step is not None:
            steps.insert(0, step)
            step = back.get(normalize_name(step.start))
        return PathFound(*names, tuple(self._neighbours([[each] for each in steps])), most)

    def community(self, id: CommunityId) -> CommunityShown:
        """A group of people, places and things that belong together: its summary, its members,
        and statements between them. An id that is none names those that are nearest to it."""
        if self._may_see is not None:
            raise UsageError("communities are made of all sources, and only some may be seen here")
        found = self._graph.store.communities([id])
        if not found:
            raise UsageError(f"no community {id[:80]!r}; {self._near(id)}", option="id")
        limits = SubgraphLimits(50, 100, MOST_MEMBERS, self._graph.settings.min_confidence)
        around = self._graph.store.around("Community", [id], limits)
        cited = self._cited_all(statement_passages(around).values())
        kept, left = self._fitting(cited.values(), Cited.line)
        members = tuple(str(node.properties["name"]) for node in around.nodes_of("Entity"))
        one = found[0]
        parent = one.parent_id or ""
        return CommunityShown(id, one.title, one.summary, parent, members, tuple(kept), left)

    # What they share

    def is_seen(self, entity: Entity) -> bool:
        """Whether a source that may be seen says something of an entity."""
        return self._may_see is None or bool(self._walk.statements([entity.id]))

    def texts(self, source_ids: Sequence[str]) -> list[SourceText]:
        """Of these sources those that may be seen, with their text; in one call of the store."""
        found = self._graph.store.texts(source_ids)
        return [each for each in found if self._may_see is None or self._may_see(each.source)]

    def _text_of(self, passage: Passage) -> SourceText:
        found = self.texts([passage.source.id])
        if not found:
            raise UsageError(f"{passage.source.uri} is no longer there: search again")
        return found[0]

    def _results(self, hits: Sequence[tuple[Hit, str]]) -> list[Found]:
        texts = {
            each.source.id: each
            for each in self.texts(list({hit.passage.source.id: None for hit, _ in hits}))
        }
        results = []
        for hit, query in hits:
            text = texts.get(hit.passage.source.id)
            if text is None:
                continue
            cited = snippet(self._cited(_best(hit), text), text, self.limits.snippet)
            name = PurePosixPath(text.source.uri.partition("#")[0])
            results.append(
                Found(
                    cited,
                    name.name,
                    name.suffix.lstrip(".").lower(),
                    shown_metadata(text.source),
                    query,
                    round(hit.score, 4),
                    ", ".join(dict.fromkeys(step.via for step in hit.path if step.via)),
                )
            )
        return results

    def _meant(
        self, text: SourceText, patterns: Sequence[str], found: Sequence[tuple[Passage, str, bool]]
    ) -> list[tuple[Passage, str, bool]]:
        """The chunks nearest to patterns that have fewer passages than they may."""
        parents = {chunk.parent_id for chunk in text.chunks}
        chunks = [chunk for chunk in text.chunks if chunk.id not in parents]
        given = [pattern for _, pattern, _ in found]
        short = [each for each in patterns if given.count(each) < self.limits.passages]
        if not short or not chunks:
            return []
        vectors = self._graph.store.embeddings("Chunk", [chunk.id for chunk in chunks])
        cosines = self._graph.graph_embedder.embed(short) @ vectors.T
        order = np.argsort(-cosines, axis=1, kind="stable")
        taken = [(passage.start, passage.end) for passage, _, _ in found]
        more: list[tuple[Passage, str, bool]] = []
        for pattern, places in zip(short, order.tolist(), strict=True):
            room = self.limits.passages - given.count(pattern)
            for chunk in (chunks[place] for place in places):
                if room and not is_mostly(chunk, taken):
                    taken.append((chunk.start, chunk.end))
                    more.append((part(text, chunk.start, chunk.end), pattern, True))
                    room -= 1
        return more

    def _neighbours(self, hops: Sequence[Sequence[Link]]) -> list[Neighbour]:
        cited = self._cited_all(link.passage for links in hops for link in links)
        return [
            Neighbour(link.end, link.end_class, hop, link.start, link.fact, cited[link.passage.id])
            for hop, links in enumerate(hops, start=1)
            for link in links
            if link.passage.id in cited
        ]

    def _near(self, text: str) -> str:
        vector = self._graph.graph_embedder.embed([text])[0]
        near = self._graph.store.nearest_communities(vector, 5)
        if not near:
            return "the graph has none; facts and neighbours tell of single things"
        named = "; ".join(f"{each.id} {one_line(each.title, 60)}" for each, _ in near)
        return f"the nearest are {named}"

    def _cited_all(self, passages: Iterable[Passage]) -> dict[str, Cited]:
        """Passages by id as they are cited; those that may be seen."""
        wanted = {each.id: each for each in passages}
        ids = list({each.source.id: None for each in wanted.values()})
        texts = {each.source.id: each for each in self.texts(ids)}
        return {
            id_: self._cited(each, texts[each.source.id])
            for id_, each in wanted.items()
            if each.source.id in texts
        }

    def _cited(self, passage: Passage, text: SourceText) -> Cited:
        said = " ".join(passage.text.split())
        if passage.kind == "Statement" and passage.details and passage.details not in said:
            about = passage.details
            said = said if about == text.source.title else f"({one_line(about, 120)}) {said}"
        return Cited(
            self.references.of(passage),
            text.source.title,
            text.source.uri,
            passage.start,
            passage.end,
            line_of(text.text, passage.start),
            line_of(text.text, max(passage.start, passage.end - 1)),
            said,
        )

    def _count(self, text: str) -> int:
        return token_counter(self._graph.graph_embedder).count(text)

    def _fitting(
        self, items: Iterable[Item], say: Callable[[Item], str]
    ) -> tuple[Sequence[Item], int]:
        return fitting(items, say, self.limits.tokens, self._count)


def _best(hit: Hit) -> Passage:
    """What of a hit answers best: its marked sentence, else all of it."""
    if hit.sentence is None:
        return hit.passage
    start, end = hit.sentence
    return replace(hit.passage, text=hit.marked_text[1], start=start, end=end)


def _aliases(entities: Sequence[Entity]) -> tuple[str, ...]:
    named = {entities[0].name}
    return tuple(sorted({each for entity in entities for each in entity.aliases} - named))
