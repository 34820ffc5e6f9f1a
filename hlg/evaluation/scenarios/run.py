"""Running rows of scenarios: each question once, what came of it kept as soon as it is known.

Question by question and with one boundary, as the rows of a question give a model much the same:
a server that keeps the beginnings of prompts reads them once. In scenarios 7 to 9 a model decides
itself, over tools that search documents and a graph.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field

from hlg import __version__
from hlg.agent.answering import taken_apart
from hlg.agent.ask import besides
from hlg.agent.batch import BatchAnswer
from hlg.agent.bounds import Queries, ReferenceId, several
from hlg.agent.results import Kept, Shown
from hlg.agent.run import Runner
from hlg.agent.steps import AgentLimits, Final
from hlg.agent.trace import LOOPS, Recorder, Step
from hlg.errors import UnusableAnswer, UsageError
from hlg.evaluation.data.questions import Question
from hlg.evaluation.experiment import paid
from hlg.evaluation.journal import ask_in_turn, open_journal
from hlg.evaluation.metrics.positions import MODEL, ModelRun
from hlg.evaluation.scenarios.report import ScenarioReport
from hlg.evaluation.scenarios.rows import Scenario
from hlg.evaluation.scenarios.worlds import (
    Piece,
    Worlds,
    document_pieces,
    found_pieces,
    given_in,
    path_pieces,
)
from hlg.ids import content_id
from hlg.models.language.door import ModelDoor
from hlg.models.language.fence import new_boundary
from hlg.models.language.providers import required
from hlg.models.language.recording import recorded
from hlg.models.tokens import language_model_tokens
from hlg.reports import OnProgress
from hlg.retrieval.finish.by_model import asked_order
from hlg.retrieval.question.keywords import asked_keywords

PROMPT, ANSWER = "agent-scenario", "agent-batch-answer"
PROMPTS = (
    *(ANSWER, PROMPT, "agent-json", "agent-plan", "agent-answer", "agent-summary"),
    *("keywords", "reformulate", "rerank"),
)
DEEPEST = 400
"""Documents that a search for new ones looks at, at most."""

T = TypeVar("T")
Names = Annotated[
    list[str], Field(description="names of persons, places and things", min_length=1, max_length=20)
]


def run_scenarios(
    worlds: Worlds,
    rows: Sequence[Scenario],
    limits: AgentLimits,
    journal_path: Path,
    on_progress: OnProgress,
) -> ScenarioReport:
    """Ask every answerable question of every row, until all are asked or the budget ends.

    :param limits: how far an agent goes; what a model is given in one answer fills at most their
        window.

    Interrupted at any moment, the same call asks only what was not answered yet. Of another
    model, prompt or limit runs are kept apart, and what the model was asked before, word for
    word, comes from the cache of its answers. An answer that can't be used counts as none.

    :raises UsageError: a row needs a language model, and there is none.
    :raises ModelError: the model does not answer.
    :raises BudgetReached: the first question might cost too much.
    """
    door = worlds.plain.door if any(row.needs_model for row in rows) else None
    told = door.identity(*PROMPTS) if door is not None else ""
    key = content_id("scenarios", __version__, worlds.identity)
    keys = {row: content_id(repr(row), told, repr(limits)) for row in rows}
    boundary = new_boundary()
    with open_journal(journal_path, key, ModelRun) as journal:

        def ask(row: Scenario, question: Question) -> bool:
            if question.id in journal.outcomes[keys[row]]:
                return False
            journal.add(keys[row], run_question(worlds, row, question, limits, boundary))
            return True

        asks = {row.label: partial(ask, row) for row in rows}
        asked, ended = ask_in_turn(worlds.dataset.answerable(), asks, on_progress)
        runs = {row: journal.found(kept_as, asked) for row, kept_as in keys.items()}
    model = worlds.plain.door.model if worlds.plain.door is not None else ""
    walked = "the predefined graph" if worlds.triples else "the computed graph"
    return ScenarioReport(worlds.dataset.name, asked, runs, model, walked, worlds.title, ended)


def run_question(
    worlds: Worlds, row: Scenario, question: Question, limits: AgentLimits, boundary: str
) -> ModelRun:
    """One question by one row, its material fenced by a boundary; errors as
    :func:`run_scenarios` has them."""
    worlds.ready(row)
    before, started = paid(worlds.plain), time.perf_counter()
    with recorded() as calls:
        try:
            run = _DECIDE[row.decides](worlds, row, question, limits, boundary)
        except UnusableAnswer as error:
            run = ModelRun(question.id, problem=str(error))
    return replace(
        run,
        calls={**run.calls, MODEL: len(calls)},
        tokens_in=sum(call.tokens_in for call in calls),
        tokens_out=sum(call.tokens_out for call in calls),
        seconds=round(time.perf_counter() - started, 4),
        money=paid(worlds.plain) - before,
    )


def _by_retrieval(
    worlds: Worlds, row: Scenario, question: Question, limits: AgentLimits, boundary: str
) -> ModelRun:
    pieces = found_pieces(worlds, row, question.text)
    documents = (id_ for each in pieces if not each.by_graph for id_ in each.documents)
    return ModelRun(question.id, tuple(documents), given_in(pieces), Counter(search=1))


def _by_answer(
    worlds: Worlds, row: Scenario, asked: Question, limits: AgentLimits, boundary: str
) -> ModelRun:
    door = required(worlds.plain.door)
    calls: Counter[str] = Counter(search=int(row.documents > 0), subgraph=int(row.paths > 0))
    query = question = asked.text
    if row.reformulates:
        query = reformulated(door, question)
        calls["reformulate"] += 1
    if row.documents:
        pieces = found_pieces(worlds, row, query)
    else:
        pieces = path_pieces(worlds, row, _usable(lambda: asked_keywords(door, question), []))
    if row.reranks and len(pieces) > 1:
        texts = [each.text for each in pieces]
        order = _usable(lambda: asked_order(door, question, texts), [*range(len(texts))])
        pieces = [pieces[place] for place in order]
        calls["rerank"] += 1
    pieces = _fitting(pieces, round(limits.window * limits.full))
    numbered = "\n".join(f"{n}. {each.text}" for n, each in enumerate(pieces, start=1))
    material = {"question": question, "found": numbered or "(nothing was found)"}
    run = ModelRun(asked.id, given=given_in(pieces), calls=calls)
    try:
        said = door.ask_json(ANSWER, BatchAnswer, material, boundary=boundary).value
    except UnusableAnswer as error:
        return replace(run, problem=str(error))
    chosen = [n for n in said.entity_ids_for_final_answer if 1 <= n <= len(pieces)]
    documents = dict.fromkeys(id_ for n in chosen for id_ in pieces[n - 1].documents)
    return replace(run, selected=tuple(documents), answer=said.final_answer)


def _usable(ask: Callable[[], T], otherwise: T) -> T:
    """What a model says, or something else where that can't be used."""
    try:
        return ask()
    except UnusableAnswer:
        return otherwise


def _fitting(pieces: Sequence[Piece], tokens: int) -> list[Piece]:
    """The first pieces that have room together in so many tokens."""
    kept = []
    for piece in pieces:
        tokens -= language_model_tokens(piece.text)
        if tokens < 0:
            break
        kept.append(piece)
    return kept


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
            row = replace(self._row, documents=self._row.entities)
            found = (found_pieces(self._worlds, row, query) for query in wanted)
            pieces += [each for of_query in found for each in of_query if each.by_graph]
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
            found = document_pieces(self._worlds, ids)
            fresh = [each.documents[0] for each in found if each not in self._references]
            if len(fresh) >= most or wanted > DEEPEST:
                return fresh[:most]
            deeper, _ = self._worlds.search(query, wanted)
            if len(deeper) == len(ids):
                return fresh[:most]
            ids = deeper
        return ids

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


_DECIDE = {"retrieval": _by_retrieval, "answer": _by_answer, "agent": decide, "batch": decide}
"""By who decides, what asks a question of a row."""
