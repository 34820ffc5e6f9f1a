"""Questions to an agent: the switcher, the loop, the answer, and what happens where it fails."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hlg.agent.answering import answer_of
from hlg.agent.bounds import ToolLimits
from hlg.agent.calling import TOOLS
from hlg.agent.loop import SUMMARIZE
from hlg.agent.one_query import OneQueryTools
from hlg.agent.references import References
from hlg.agent.run import Runner
from hlg.agent.steps import AgentLimits, Entry, Final
from hlg.agent.tools import GraphTools
from hlg.agent.trace import LOOPS, Recorder, Step
from hlg.answers import Answer
from hlg.arguments import one
from hlg.asking.ask import answer_from
from hlg.asking.extraction import answer_by_extraction
from hlg.asking.found import FoundEvidence, find_evidence
from hlg.asking.model import UNANSWERED
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
SWITCHED = "search"
"""The loop of a simple question; nobody asks for it by name."""
FIRST_HITS = 3
EVIDENCE_TOKENS = 3000


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """How an agent answers.

    :param loop: ``agentic`` (the model walks, call by call), ``batch`` (queries in rounds, each
        question for itself), ``single`` (one search, one answer), or ``pages`` (one search, and
        the answer from the whole of what it found).
    :param switch: a simple question that begins a conversation is answered from one search.
    :param offered: the tools that ``agentic`` may call, of :data:`hlg.agent.calling.TOOLS`; a
        small model reads less for few. ``search`` and ``summarize`` are always among them.
    :param tools: what a call of a tool gives, at most.
    :param by_meaning: whether the agent's ``find`` also finds what is meant.
    :param several_queries: whether one search of ``agentic`` takes several; else it takes one,
        and gives as much as five would.
    :param falls_back: where the model fails or may cost no more, the answer is the one by
        extraction; else that is raised.
    """

    loop: str = "agentic"
    limits: AgentLimits = field(default_factory=AgentLimits)
    switch: bool = True
    by_meaning: bool = True
    several_queries: bool = True
    falls_back: bool = True
    offered: Sequence[str] = TOOLS
    tools: ToolLimits = field(default_factory=ToolLimits)


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
        loops = [name for name in LOOPS if name != SWITCHED]
        _check("agent", [self._options.loop], loops, option="agent")
        _check("tool", self._options.offered, TOOLS, option="offered")
        self._door = required(graph.door)
        self._references = References()
        limits, tools = self._options.limits, self._options.tools
        most = max(1, limits.window // 3)
        tools = replace(
            tools, tokens=min(tools.tokens, most), find_tokens=min(tools.find_tokens, most)
        )
        kind = GraphTools if self._options.several_queries else OneQueryTools
        self._tools = kind(
            graph,
            self._how,
            limits=tools,
            by_meaning=self._options.by_meaning,
            references=self._references,
        )
        self._recorder = Recorder(on_step, Path(trace) if trace is not None else None)
        wanted = {*self._options.offered, "search", SUMMARIZE}
        wanted -= set() if limits.full else {SUMMARIZE}
        offered = [each for each in TOOLS if each in wanted]
        self._runner = Runner(self._door, self._tools, offered, limits, self._recorder)
        self._limits = besides(self._runner.instructions, limits)
        self._entries: tuple[Entry, ...] = ()

    def ask(self, question: str) -> Answer:
        """The next question's answer; by extraction, with a note, where the model fails, or may
        cost no more.

        :raises UsageError: the question is empty.
        :raises StoreError: the store fails.
        :raises ModelError: the model fails, and the options say that this is raised;
            :class:`~hlg.errors.BudgetReached` likewise.
        """
        one(question, str, "question")
        started, before = time.perf_counter(), self._door.usage
        found = find_evidence(self._graph, question, self._how)
        if self._options.switch and not self._entries and is_simple(question, found):
            answer = self._by_search(question, found)
        else:
            answer = self._by_agent(question, found)
        total = round((time.perf_counter() - started) * 1000, 2)
        return replace(
            answer,
            confidence=found.result.confidence,
            usage=self._door.usage - before,
            timings_ms={"total": total},
        )

    def _by_search(self, question: str, found: FoundEvidence) -> Answer:
        answer = answer_from(
            self._graph, question, found, tokens=EVIDENCE_TOKENS, extractive=False, on_text=None
        )
        said = " ".join(each.text for each in answer.sentences) or answer.lead
        self._run(SWITCHED, question, said or UNANSWERED)
        return answer

    def _by_agent(self, question: str, found: FoundEvidence) -> Answer:
        try:
            final = self._run(self._options.loop, question)
        except (ModelError, BudgetReached) as error:
            if not self._options.falls_back:
                raise
            answer = answer_by_extraction(question, found, self._graph.store)
            return replace(answer, notes=(*answer.notes, f"{error}; by extraction instead"))
        return replace(answer_of(question, final, self._tools), by=self._door.model)

    def _run(self, name: str, question: str, given: str = "") -> Final:
        """How a loop ends; what it found is there for the next question."""
        self._recorder.begin(name, question, self._limits)
        loop = LOOPS[name](question, self._entries, self._limits, language_model_tokens)
        try:
            final = self._runner.run(loop, given)
        except BaseException as error:
            is_stopped = isinstance(error, KeyboardInterrupt)
            self._recorder.end("interrupted" if is_stopped else "failed", str(error))
            raise
        self._recorder.end("answered", final.text)
        self._references.turn += 1
        if name != "batch":
            self._entries = final.entries
        return final


def _check(kind: str, given: Sequence[str], known: Sequence[str], *, option: str) -> None:
    for each in sorted(set(given) - set(known)):
        told = f"no {kind} {each!r}; there are {', '.join(known)}"
        raise UsageError(told, option=option, known=known)


def besides(instructions: int, limits: AgentLimits) -> AgentLimits:
    """Limits whose window is what the instructions leave of it.

    :raises UsageError: that is nothing to speak of.
    """
    if limits.window < 2 * instructions:
        raise UsageError(
            f"an agent needs a window of {2 * instructions:,} tokens at least, half of it for its "
            f"instructions and an answer, and it has {limits.window:,}",
            option="agent",
        )
    return replace(limits, window=limits.window - instructions)


def is_simple(question: str, found: FoundEvidence) -> bool:
    """Whether one search seems to have all that answers a question."""
    followed = any(len(hit.path) > 1 for hit in found.result.hits[:FIRST_HITS])
    return found.result.confidence >= SIMPLE and not followed and len(clauses(question)) <= 1
