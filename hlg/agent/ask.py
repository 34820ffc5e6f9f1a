"""Questions to an agent: the switcher, the loop, the answer, and what happens where it fails."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hlg.agent.answering import answer_of
from hlg.agent.references import References
from hlg.agent.run import Runner
from hlg.agent.steps import AgentLimits, Entry
from hlg.agent.tools import GraphTools
from hlg.agent.trace import LOOPS, Recorder, Step, loop_of
from hlg.answers import Answer
from hlg.arguments import one
from hlg.asking.ask import answer_from
from hlg.asking.extraction import answer_by_extraction
from hlg.asking.found import FoundEvidence, find_evidence
from hlg.asking.search import SearchOptions
from hlg.errors import BudgetReached, ModelError, UsageError
from hlg.models.language.providers import required
from hlg.models.tokens import language_model_tokens
from hlg.retrieval.question.clauses import clauses

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph

__all__ = ["Agent", "AgentOptions"]

SIMPLE = 0.8
"""A question of one clause, whose search is so confident and followed no link, is simple."""
FIRST_HITS = 3
EVIDENCE_TOKENS = 3000


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """How an agent answers.

    :param loop: ``agentic`` (the model walks, call by call) or ``batch`` (queries in rounds).
    :param switch: a simple question is answered from one search.
    :param by_meaning: whether the agent's ``find`` also finds what is meant.
    """

    loop: str = "agentic"
    limits: AgentLimits = field(default_factory=AgentLimits)
    switch: bool = True
    by_meaning: bool = True


class Agent:
    """A conversation with an agent: what was found for one question is there for the next.

    ::

        agent = Agent(graph)
        print(agent.ask("Who founded the yard that built the Petrel?").text)
        print(agent.ask("When did she die?").text)

    :param how: how its searches search; ``where`` holds for all that it sees.
    :param on_step: is told of each call of the model and of each tool.
    :param trace: a file that each step is added to, as a JSON line
        (:func:`hlg.agent.trace.replay`).
    :raises UsageError: there is no language model, or no such loop.
    """

    def __init__(
        self,
        graph: "LexicalGraph",
        how: SearchOptions | None = None,
        options: AgentOptions | None = None,
        *,
        on_step: Callable[[Step], None] | None = None,
        trace: str | Path | None = None,
    ) -> None:
        self._graph = graph
        self._how = how or SearchOptions()
        self._options = options or AgentOptions()
        if self._options.loop not in LOOPS:
            raise UsageError(
                f"no agent {self._options.loop!r}; there are {', '.join(LOOPS)}",
                option="agent",
                known=LOOPS,
            )
        self._door = required(graph.door)
        self._references = References()
        self._tools = GraphTools(
            graph,
            self._how,
            by_meaning=self._options.by_meaning,
            references=self._references,
        )
        self._recorder = Recorder(on_step, Path(trace) if trace is not None else None)
        self._runner = Runner(self._door, self._tools, self._options.limits, self._recorder)
        self._entries: tuple[Entry, ...] = ()

    def ask(self, question: str) -> Answer:
        """The next question's answer; by extraction, with a note, where the model fails, or may
        cost no more.

        :raises UsageError: the question is empty.
        :raises StoreError: the store fails.
        """
        one(question, str, "question")
        started, before = time.perf_counter(), self._door.usage
        found = find_evidence(self._graph, question, self._how)
        if self._options.switch and not self._entries and is_simple(question, found):
            answer = answer_from(
                self._graph,
                question,
                found,
                tokens=EVIDENCE_TOKENS,
                extractive=False,
                on_text=None,
            )
        else:
            answer = self._by_agent(question, found)
        total = round((time.perf_counter() - started) * 1000, 2)
        return replace(
            answer,
            confidence=found.result.confidence,
            usage=self._door.usage - before,
            timings_ms={"total": total},
        )

    def _by_agent(self, question: str, found: FoundEvidence) -> Answer:
        limits = self._options.limits
        self._recorder.begin(self._options.loop, question, limits)
        count = language_model_tokens
        loop = loop_of(self._options.loop, question, self._entries, limits, count)
        try:
            final = self._runner.run(loop)
        except (ModelError, BudgetReached) as error:
            self._recorder.end("failed", str(error))
            answer = answer_by_extraction(question, found, self._graph.store)
            return replace(answer, notes=(*answer.notes, f"{error}; by extraction instead"))
        except BaseException:
            self._recorder.end("interrupted", "")
            raise
        self._recorder.end("answered", final.text)
        self._references.turn += 1
        if self._options.loop == "agentic":
            self._entries = final.entries
        return replace(answer_of(question, final, self._tools), by=self._door.model)


def is_simple(question: str, found: FoundEvidence) -> bool:
    """Whether one search seems to have all that answers a question."""
    followed = any(len(hit.path) > 1 for hit in found.result.hits[:FIRST_HITS])
    return found.result.confidence >= SIMPLE and not followed and len(clauses(question)) <= 1
