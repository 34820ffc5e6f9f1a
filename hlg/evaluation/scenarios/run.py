"""Running rows of scenarios: each question once, what came of it kept as soon as it is known.

Question by question and with one boundary, as the rows of a question give a model much the same:
a server that keeps the beginnings of prompts reads them once.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from hlg import __version__
from hlg.agent.batch import BatchAnswer
from hlg.agent.steps import AgentLimits
from hlg.errors import UnusableAnswer
from hlg.evaluation.data.questions import Question
from hlg.evaluation.experiment import paid
from hlg.evaluation.journal import ask_in_turn, open_journal
from hlg.evaluation.metrics.positions import MODEL, ModelRun
from hlg.evaluation.scenarios.agents import PROMPT, decide, reformulated
from hlg.evaluation.scenarios.report import ScenarioReport
from hlg.evaluation.scenarios.rows import Scenario
from hlg.evaluation.scenarios.worlds import Piece, Worlds, found_pieces, given_in, path_pieces
from hlg.ids import content_id
from hlg.models.language.fence import new_boundary
from hlg.models.language.providers import required
from hlg.models.language.recording import recorded
from hlg.models.tokens import language_model_tokens
from hlg.reports import OnProgress
from hlg.retrieval.finish.listwise import asked_order
from hlg.retrieval.question.keywords import asked_keywords

T = TypeVar("T")
ANSWER = "agent-batch-answer"
PROMPTS = (
    *(ANSWER, PROMPT, "agent-json", "agent-plan", "agent-answer", "agent-summary"),
    *("keywords", "reformulate", "rerank"),
)


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

        def ask(row: Scenario, question: Question) -> None:
            if question.id not in journal.outcomes[keys[row]]:
                journal.add(keys[row], run_question(worlds, row, question, limits, boundary))

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


_DECIDE = {"retrieval": _by_retrieval, "answer": _by_answer, "agent": decide, "batch": decide}


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
