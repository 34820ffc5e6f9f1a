"""Running a loop: what it wants thought goes to the model, what it wants done to the tools."""

import json
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol

from hlg.agent.batch import BatchAnswer, Plan
from hlg.agent.calling import tools_of
from hlg.agent.loop import SUMMARIZE, Summary
from hlg.agent.results import Shown, ToolResult
from hlg.agent.steps import Act, AgentLimits, Entry, Final, Loop, Seen, Think, Thought
from hlg.agent.trace import Recorder
from hlg.errors import ModelError, UnusableAnswer, UsageError
from hlg.models.language.answers import Answer
from hlg.models.language.conversing import ToolCall, ToolSpec
from hlg.models.language.door import ModelDoor
from hlg.models.language.fence import new_boundary, unfenced
from hlg.models.tokens import language_model_tokens

NOTHING = "(nothing yet)"
_LABELS = {"question": "Asked", "notes": "Noted"}


class Searching(Protocol):
    """What batch retrieval needs of tools."""

    def search_more(self, queries: list[str], known: Sequence[str], most: int = 0) -> ToolResult:
        """Results that are none of the references ``known``, ``most`` new ones if not 0."""


class Runner:
    """Runs loops of one conversation on a model and tools.

    A model that takes tools is told of them; else, or once it refuses them, it is asked for JSON.

    :param tools: has each of the ``offered`` as a method, and ``summarize`` for the loop itself.
    :param prompt: what a model that takes tools is told first.
    :param boundary: what fences its material; by default one of its own.
    """

    def __init__(
        self,
        door: ModelDoor,
        tools: Searching,
        offered: Sequence[str],
        limits: AgentLimits,
        recorder: Recorder,
        prompt: str = "agent",
        boundary: str = "",
    ) -> None:
        self._door = door
        self._owner = tools
        self._tools = tools_of(tools, list(dict.fromkeys((*offered, SUMMARIZE))))
        self._offered = [self._tools[name] for name in offered]
        self._prompt = prompt
        self._limits = limits
        self._recorder = recorder
        self._boundary = boundary or new_boundary()

    @property
    def instructions(self) -> int:
        """Tokens of what a model is told besides the conversation, and of its answer, about."""
        prompt = self._door.prompts.load(self._prompt)
        return language_model_tokens(prompt.system + self._schemas()) + prompt.answer_tokens

    def run(self, loop: Loop, given: str = "") -> Final:
        """How a loop ends.

        :param given: the answer, for a loop that takes one.
        :raises ModelError: the model does not answer.
        :raises BudgetReached: its next answer might cost too much.
        """
        started, before = time.perf_counter(), self._door.usage
        try:
            asked = next(loop)
            while True:
                begun = time.perf_counter()
                if isinstance(asked, Think):
                    left = self._limits.seconds - (begun - started)
                    answer, calls = self._think(asked, given, max(0.0, left))
                    used = self._door.usage - before
                    spent, passed = used.tokens_in + used.tokens_out, time.perf_counter() - started
                    text = unfenced(answer.text, self._boundary)
                    thought = Thought(text, calls, spent, round(passed, 3))
                    tokens = answer.tokens_in + answer.tokens_out
                    self._recorder.thought(asked, thought, tokens, time.perf_counter() - begun)
                    asked = loop.send(thought)
                else:
                    seen = self._act(asked)
                    tokens = language_model_tokens(seen.shown.text)
                    self._recorder.seen(asked, seen, tokens, time.perf_counter() - begun)
                    asked = loop.send(seen)
        except StopIteration as ended:
            final: Final = ended.value
            return final

    def _think(
        self, think: Think, given: str, seconds: float
    ) -> tuple[Answer[Any], tuple[ToolCall, ...]]:
        """What the model says, which is asked again for so many seconds at most."""
        material = {"question": think.question, "so_far": transcript(think.entries)}
        found = {"question": think.question, "found": _pieces(think.entries)}
        patience = min(seconds, self._door.wait_seconds)
        ask = partial(self._door.ask, boundary=self._boundary, patience=patience)
        ask_json = partial(self._door.ask_json, boundary=self._boundary, patience=patience)
        try:
            match think.kind:
                case "given":
                    return Answer(given, given, 0, 0, None, False, 0.0), ()
                case "summary":
                    return ask_json("agent-summary", Summary, material), ()
                case "answer":
                    return ask("agent-answer", material), ()
                case "plan":
                    return ask_json("agent-plan", Plan, found, most=self._limits.queries), ()
                case "batch answer":
                    return ask_json("agent-batch-answer", BatchAnswer, found), ()
        except UnusableAnswer as error:
            if think.kind == "batch answer":
                raise
            # The loop goes on without it: what was paid for is counted by the door.
            return Answer(str(error), str(error), 0, 0, None, False, 0.0), ()
        if self._door.calls_tools:
            try:
                return self._told_of_tools(think, patience)
            except ModelError:
                if self._door.calls_tools:
                    raise
        return ask("agent-json", material, tools=self._schemas()), ()

    def _told_of_tools(
        self, think: Think, patience: float
    ) -> tuple[Answer[Any], tuple[ToolCall, ...]]:
        specs = [ToolSpec(x.name, x.description, x.arguments) for x in self._offered]
        turns = [each.turn for each in think.entries]
        answer = self._door.converse(
            self._prompt, turns, specs, boundary=self._boundary, patience=patience
        )
        return answer, answer.value

    def _schemas(self) -> str:
        return "\n".join(
            f"{each.name}: {each.description} {json.dumps(each.schema())}" for each in self._offered
        )

    def _act(self, act: Act) -> Seen:
        tool = self._tools.get(act.call.name)
        if tool is None:
            known = ", ".join(each.name for each in self._offered)
            return Seen(Shown(""), f"no tool {act.call.name[:60]!r}; there are {known}")
        try:
            if act.known is not None:  # a round of batch retrieval, which only searches
                queries = json.loads(act.call.arguments)["queries"]
                most = self._limits.new_documents
                return Seen(self._owner.search_more(queries, act.known, most).shown())
            return Seen(tool.call(act.call.arguments).shown())
        except UsageError as error:
            return Seen(Shown(""), str(error))


def transcript(entries: Sequence[Entry]) -> str:
    """A conversation as a text."""
    lines = []
    for each in entries:
        turn = each.turn
        if turn.role == "assistant":
            lines += [f"Called {call.name} {call.arguments}" for call in turn.calls]
            lines += [f"Said: {turn.text}"] if turn.text else []
        else:
            lines.append(f"{_LABELS.get(turn.name, f'Result of {turn.name}')}: {turn.text}")
    return "\n\n".join(lines) or NOTHING


def _pieces(entries: Sequence[Entry]) -> str:
    return "\n".join(each.turn.text for each in entries) or NOTHING
