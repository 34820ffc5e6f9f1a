"""Scenarios 7 to 9: a model that decides itself, over tools that search documents and a graph."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Annotated, TypeVar

from pydantic import Field

from hlg.agent.answering import taken_apart
from hlg.agent.ask import besides
from hlg.agent.bounds import Queries, ReferenceId, several
from hlg.agent.results import Kept, Shown
from hlg.agent.run import Runner
from hlg.agent.steps import AgentLimits, Final
from hlg.agent.trace import LOOPS, Recorder, Step
from hlg.errors import UnusableAnswer, UsageError
from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.positions import ModelRun
from hlg.evaluation.scenarios.rows import Scenario
from hlg.evaluation.scenarios.worlds import (
    Piece,
    Worlds,
    document_pieces,
    found_pieces,
    given_in,
    path_pieces,
)
from hlg.models.language.door import ModelDoor
from hlg.models.language.providers import required
from hlg.models.tokens import language_model_tokens
from hlg.retrieval.finish.by_model import asked_order

PROMPT = "agent-scenario"
DEEPEST = 400
"""Documents that a search for new ones looks at, at most."""

T = TypeVar("T")
Names = Annotated[
    list[str], Field(description="names of persons, places and things", min_length=1, max_length=20)
]


class ScenarioTools:
    """The tools of one session. Of a row that saves, a piece is given once."""

    def __init__(self, worlds: Worlds, row: Scenario, door: ModelDoor) -> None:
        self._worlds = worlds
        self._row = row
        self._door = door
        self._references: dict[Piece, str] = {}
        self.pieces: dict[str, Piece] = {}
        """By reference what was given."""

    def search(self, queries: Queries) -> Shown:
        """Search all documents by meaning; gives the nearest of each query, whole, each with its
        reference id."""
        return self._given(self._searched(several(queries, 5, "queries")))

    def search_more(self, queries: list[str], known: Sequence[str], most: int = 0) -> Shown:
        """As :meth:`search`, for a round of batch retrieval; with subgraphs where the row has
        them. Pieces that were given are left out."""
        wanted = several(queries, 5, "queries")
        pieces = self._searched(wanted)
        if self._row.paths:
            pieces += [each for query in wanted for each in self._walked(query)]
        return self._given(pieces)

    def subgraph(self, entities: Names) -> Shown:
        """What a graph says around persons, places and things: facts within two steps, as
        subject - predicate - object, each with its reference id."""
        return self._given(path_pieces(self._worlds, self._row, entities))

    def reformulate(
        self, question: Annotated[str, Field(description="a question", min_length=1)]
    ) -> Shown:
        """Word a question anew, as a query that finds more."""
        return Shown(_told(lambda: reformulated(self._door, question)))

    def rerank(
        self,
        question: Annotated[str, Field(description="the question", min_length=1)],
        reference_ids: Annotated[list[ReferenceId], Field(min_length=2, max_length=40)],
    ) -> Shown:
        """Put results in order: those that help most with a question first."""
        wanted = list(dict.fromkeys(each.strip("[] ") for each in reference_ids))
        if unknown := [each for each in wanted if each not in self.pieces]:
            raise UsageError(f"no reference {unknown[0][:60]!r}: search first")
        texts = [self.pieces[each].text for each in wanted]
        order = _told(lambda: asked_order(self._door, question, texts))
        return Shown("best first: " + ", ".join(wanted[place] for place in order))

    def think(
        self, thought: Annotated[str, Field(description="what you know, what is missing")]
    ) -> Shown:
        """Think before you search or answer: what is known, what is missing, what to do next."""
        return Shown("noted")

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

    def _given(self, pieces: Iterable[Piece]) -> Shown:
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
        return Shown(f"{len(shown)} results{before}", tuple(shown))


def decide(
    worlds: Worlds, row: Scenario, question: Question, limits: AgentLimits, boundary: str
) -> ModelRun:
    """Let an agent answer a question, its material fenced by a boundary.

    :raises ModelError: the model does not answer.
    """
    door = required(worlds.plain.door)
    tools = ScenarioTools(worlds, row, door)
    limits = replace(limits, new_documents=row.documents if row.new else 0)
    steps: list[Step] = []
    told = Recorder(steps.append, None)
    runner = Runner(door, tools, ("search", *row.tools), limits, told, PROMPT, boundary)
    name = "batch" if row.decides == "batch" else "agentic"
    loop = LOOPS[name](
        question.text, (), besides(runner.instructions, limits), language_model_tokens
    )
    final = runner.run(loop)
    shown = [ref for each in final.entries if each.shown for ref, _ in each.shown.pieces if ref]
    selected = (tools.pieces[ref] for ref in _selected(final) if ref in tools.pieces)
    return ModelRun(
        question.id,
        tuple(dict.fromkeys(id_ for piece in selected for id_ in piece.documents)),
        given_in(tools.pieces[ref] for ref in shown),
        Counter(step.what for step in steps if step.what in ("search", *row.tools)),
        answer=final.text,
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
