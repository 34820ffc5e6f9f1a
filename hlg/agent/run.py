"""Running a loop: what it wants thought goes to the model, what it wants done to the tools."""

import json
import time
from collections.abc import Sequence
from typing import Any

from hlg.agent.batch import BatchAnswer, Plan
from hlg.agent.calling import Tool, tools_of
from hlg.agent.loop import Summary
from hlg.agent.results import Shown
from hlg.agent.steps import Act, AgentLimits, Entry, Final, Loop, Seen, Think, Thought
from hlg.agent.tools import GraphTools
from hlg.agent.trace import Recorder
from hlg.errors import ModelError, UnusableAnswer, UsageError
from hlg.models.language.answers import Answer
from hlg.models.language.conversing import ToolCall, ToolSpec
from hlg.models.language.door import ModelDoor
from hlg.models.language.fence import new_boundary
from hlg.models.tokens import language_model_tokens

NOTHING = "(nothing yet)"
_LABELS = {"question": "Asked", "notes": "Noted"}


class Runner:
    """Runs loops of one conversation on a model and a graph's tools.

    A model that takes tools is told of them; else, or once it refuses them, it is asked for JSON.
    """

    def __init__(
        self, door: ModelDoor, tools: GraphTools, limits: AgentLimits, recorder: Recorder
    ) -> None:
        self._door = door
        self._owner = tools
        self._tools = tools_of(tools)
        self._limits = limits
        self._recorder = recorder
        self._boundary = new_boundary()

    def run(self, loop: Loop) -> Final:
        """How a loop ends.

        :raises ModelError: the model does not answer.
        :raises BudgetReached: its next answer might cost too much.
        """
        started, before = time.perf_counter(), self._door.usage
        try:
            asked = next(loop)
            while True:
                begun = time.perf_counter()
                if isinstance(asked, Think):
                    answer, calls = self._think(asked)
                    used = self._door.usage - before
                    spent, passed = used.tokens_in + used.tokens_out, time.perf_counter() - started
                    thought = Thought(answer.text, calls, spent, round(passed, 3))
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

    def _think(self, think: Think) -> tuple[Answer[Any], tuple[ToolCall, ...]]:
        material = {"question": think.question, "so_far": transcript(think.entries)}
        found = {"question": think.question, "found": _pieces(think.entries)}
        ask = self._door.ask
        try:
            match think.kind:
                case "summary":
                    return self._door.ask_json("agent-summary", Summary, material), ()
                case "answer":
                    return ask("agent-answer", material), ()
                case "plan":
                    most = self._limits.queries
                    return self._door.ask_json("agent-plan", Plan, found, most=most), ()
                case "batch answer":
                    return self._door.ask_json("agent-batch-answer", BatchAnswer, found), ()
        except UnusableAnswer as error:
            if think.kind == "batch answer":
                raise
            # The loop goes on without it: what was paid for is counted by the door.
            return Answer(str(error), str(error), 0, 0, None, False, 0.0), ()
        if self._door.calls_tools:
            try:
                return self._told_of_tools(think)
            except ModelError:
                if self._door.calls_tools:
                    raise
        schemas = (f"{x.name}: {x.description} {json.dumps(x.schema())}" for x in self._offered())
        return ask("agent-json", material, tools="\n".join(schemas)), ()

    def _told_of_tools(self, think: Think) -> tuple[Answer[Any], tuple[ToolCall, ...]]:
        specs = [ToolSpec(each.name, each.description, each.arguments) for each in self._offered()]
        turns = [each.turn for each in think.entries]
        answer = self._door.converse("agent", turns, specs, boundary=self._boundary)
        return answer, answer.value

    def _offered(self) -> Sequence[Tool]:
        return list(self._tools.values())

    def _act(self, act: Act) -> Seen:
        tool = self._tools.get(act.call.name)
        if tool is None:
            known = ", ".join(self._tools)
            return Seen(Shown(""), f"no tool {act.call.name[:60]!r}; there are {known}")
        try:
            if act.known is not None and self._limits.new_documents:
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
