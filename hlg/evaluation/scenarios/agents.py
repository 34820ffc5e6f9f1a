"""Scenarios 7 to 9: a model that decides itself, over tools that search documents and a graph."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar

from pydantic import Field

from hlg.agent.answering import taken_apart
from hlg.agent.ask import besides
from hlg.agent.bounds import Queries, ReferenceId, several
from hlg.agent.results import Kept, Shown
from hlg.agent.run import Runner
from hlg.agent.steps import AgentLimits, Final
from hlg.agent.trace import LOOPS, Recorder
from hlg.errors import UnusableAnswer, UsageError
from hlg.evaluation.scenarios.giving import Piece, document_pieces, found_pieces, path_pieces
from hlg.evaluation.scenarios.rows import Scenario
from hlg.evaluation.scenarios.worlds import Worlds
from hlg.models.language.door import ModelDoor
from hlg.models.tokens import language_model_tokens
from hlg.retrieval.finish.listwise import asked_order

PROMPT = "agent-scenario"
DEEPEST = 400
"""Documents that a search for new ones looks at, at most."""

T = TypeVar("T")
Names = Annotated[
    list[str], Field(description="names of persons, places and things", min_length=1, max_length=20)
]


@dataclass(frozen=True, slots=True)
class Told:
    """What a tool gives: a line of its own, and pieces with their references."""

    head: str
    pieces: tuple[tuple[str, str], ...] = ()

    def shown(self) -> Shown:
        """See :class:`hlg.agent.results.ToolResult`."""
        return Shown(self.head, self.pieces)


class ScenarioTools:
    """The tools of one session. Of a row that saves, a piece is given once."""

    def __init__(self, worlds: Worlds, row: Scenario, door: ModelDoor) -> None:
        self._worlds = worlds
        self._row = row
        self._door = door
        self._references: dict[Piece, str] = {}
        self.pieces: dict[str, Piece] = {}
        """By reference what was given."""
        self.calls: Counter[str] = Counter()

    def search(self, queries: Queries) -> Told:
        """Search all documents by meaning; gives the nearest 20 of each query, whole, each with
        its reference id."""
        self.calls["search"] += 1
        return self._given(self._searched(several(queries, 5, "queries")))

    def search_more(self, queries: list[str], known: Sequence[str], most: int = 0) -> Told:
        """As :meth:`search`, for a round of batch retrieval; with subgraphs where the row has
        them. Pieces that were given are left out."""
        self.calls["search"] += 1
        wanted = several(queries, 5, "queries")
        pieces = self._searched(wanted)
        if self._row.paths:
            pieces += [each for query in wanted for each in self._walked(query)]
        return self._given(pieces)

    def subgraph(self, entities: Names) -> Told:
        """What a graph says around persons, places and things: facts within two steps, as
        subject - predicate - object, each with its reference id."""
        self.calls["subgraph"] += 1
        return self._given(path_pieces(self._worlds, self._row, entities))

    def reformulate(
        self, question: Annotated[str, Field(description="a question", min_length=1)]
    ) -> Told:
        """Word a question anew, as a query that finds more."""
        self.calls["reformulate"] += 1
        return Told(_told(lambda: reformulated(self._door, question)))

    def rerank(
        self,
        question: Annotated[str, Field(description="the question", min_length=1)],
        reference_ids: Annotated[list[ReferenceId], Field(min_length=2, max_length=40)],
    ) -> Told:
        """Put results in order: those that help most with a question first."""
        self.calls["rerank"] += 1
        wanted = list(dict.fromkeys(each.strip("[] ") for each in reference_ids))
        if unknown := [each for each in wanted if each not in self.pieces]:
            raise UsageError(f"no reference {unknown[0][:60]!r}: search first")
        texts = [self.pieces[each].text for each in wanted]
        order = _told(lambda: asked_order(self._door, question, texts))
        return Told("best first: " + ", ".join(wanted[place] for place in order))

    def think(
        self, thought: Annotated[str, Field(description="what you know, what is missing")]
    ) -> Told:
        """Think before you search or answer: what is known, what is missing, what to do next."""
        self.calls["think"] += 1
        return Told("noted")

    def summarize(self, reasoning: str, kept_ids: list[str]) -> Kept:
        """For the loop: what is kept where a conversation is too long."""
        return Kept(reasoning, tuple(kept_ids))

    def _searched(self, queries: Sequence[str]) -> list[Piece]:
        """Documents of all queries, the best of each first."""
        found = [self._documents(query) for query in queries]
        ranks = range(max(map(len, found), default=0))
        ids = dict.fromkeys(each[rank] for rank in ranks for each in found if rank < len(each))
        return document_pieces(self._worlds, ids)

    def _documents(self, query: str) -> list[str]:
        most = self._row.documents
        ids, _ = self._worlds.search(query, most)
        while self._row.new:
            wanted = most + len(ids)
            fresh = [id_ for id_ in ids if not self._is_known(id_)]
            if len(fresh) >= most or wanted > DEEPEST:
                return fresh[:most]
            deeper, _ = self._worlds.search(query, wanted)
            if len(deeper) == len(ids):
                return fresh[:most]
            ids = deeper
        return ids

    def _is_known(self, id_: str) -> bool:
        (piece,) = document_pieces(self._worlds, [id_])
        return piece in self._references

    def _walked(self, query: str) -> list[Piece]:
        found = found_pieces(self._worlds, replace(self._row, documents=self._row.entities), query)
        return [each for each in found if each.by_graph]

    def _given(self, pieces: Iterable[Piece]) -> Told:
        shown, again = [], 0
        for piece in dict.fromkeys(pieces):
            is_known = piece in self._references
            reference = self._references.setdefault(piece, f"turn1search{len(self._references)}")
            self.pieces[reference] = piece
            if is_known and self._row.once:
                again += 1
            else:
                shown.append((reference, f"[{reference}] {piece.text}"))
        before = f"; {again} more were given before" if again else ""
        return Told(f"{len(shown)} results{before}", tuple(shown))


@dataclass(frozen=True, slots=True)
class Decided:
    """What a model decided: the documents, best first, what it was given, the calls of tools."""

    documents: tuple[str, ...]
    pieces: tuple[Piece, ...]
    calls: Counter[str]
    answer: str = ""
    problem: str = ""


def decide(
    worlds: Worlds, row: Scenario, question: str, door: ModelDoor, limits: AgentLimits
) -> Decided:
    """Let an agent answer a question.

    :raises ModelError: the model does not answer.
    """
    tools = ScenarioTools(worlds, row, door)
    limits = replace(limits, new_documents=row.documents if row.new else 0)
    runner = Runner(door, tools, ("search", *row.tools), limits, Recorder(None, None), PROMPT)
    name = "batch" if row.decides == "batch" else "agentic"
    loop = LOOPS[name](question, (), besides(runner.instructions, limits), language_model_tokens)
    final = runner.run(loop)
    shown = [ref for each in final.entries if each.shown for ref, _ in each.shown.pieces if ref]
    documents = (id_ for ref in _selected(final) for id_ in _documents_of(tools, ref))
    return Decided(
        tuple(dict.fromkeys(documents)),
        tuple(tools.pieces[ref] for ref in shown),
        tools.calls,
        final.text,
    )


def reformulated(door: ModelDoor, question: str) -> str:
    """A question as a query; itself where the model gives none.

    :raises ModelError: the model does not answer.
    """
    return " ".join(door.ask("reformulate", {"question": question}).text.split()) or question


def _told(ask: Callable[[], T]) -> T:
    """What a model says to a tool; where it says nothing of use, the agent is told."""
    try:
        return ask()
    except UnusableAnswer as error:
        raise UsageError(str(error)) from error


def _selected(final: Final) -> Sequence[str]:
    """References that an answer rests on, the most relevant first."""
    if final.order is not None:
        return final.order
    said = taken_apart(final.text)
    cited = [mark.partition(":")[0] for mark in said.cited.values()]
    return sorted(dict.fromkeys([*cited, *said.scores]), key=lambda each: -said.scores.get(each, 0))


def _documents_of(tools: ScenarioTools, reference: str) -> tuple[str, ...]:
    piece = tools.pieces.get(reference)
    return piece.documents if piece is not None else ()
