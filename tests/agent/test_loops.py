"""The loops: models that behave, models that don't, and every limit."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from hlg import Agent, AgentOptions, LexicalGraph
from hlg.agent.loop import agentic
from hlg.agent.results import Shown
from hlg.agent.steps import Act, AgentLimits, Final, Seen, Think, Thought
from hlg.agent.trace import Step
from hlg.answers import EXTRACTION, Answer
from hlg.errors import UsageError
from hlg.models.language.conversing import ToolCall
from support.agents import QUESTION, SEARCH, behaves
from support.language_model_server import Asked, Refusal, Says, ScriptedServer, Turn


def ask(
    town: LexicalGraph, script: Callable[[Asked], Turn], limits: AgentLimits | None = None
) -> tuple[Answer, list[Step], list[Asked]]:
    steps: list[Step] = []
    with ScriptedServer(script) as server:
        graph = LexicalGraph(town.store, server.settings(), embedder=town.embedder)
        options = AgentOptions(limits=limits or AgentLimits(), switch=False)
        answer = Agent(graph, options=options, on_step=steps.append).ask(QUESTION)
        return answer, steps, server.asked


def test_a_model_that_refuses_tools_is_asked_for_json(town: LexicalGraph) -> None:
    answer, steps, asked = ask(
        town, lambda each: Refusal(400) if "tools" in each.body else behaves(each)
    )
    assert answer.is_answered
    assert [each.text for each in answer.sentences] == ["Henrike Oake started it in 1888."]
    assert answer.hits[0].passage == answer.citations[0].passage
    assert [step.what for step in steps] == ["model", "facts", "model"]
    assert sum("tools" in each.body for each in asked) == 1


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ([("rm", {"path": "/"})], "no tool 'rm'; there are search, find"),
        ([("search", {"q": 1})], "search: queries: Field required"),
        ([("search", "{")], "its arguments are no JSON object"),
        ([("open", {"reference_id": "turn9search9"})], "no reference 'turn9search9'"),
        ([("facts", {"entity": f"Nobody {i}"}) for i in range(40)], "at most 8 tools at once"),
        ([SEARCH, SEARCH], "you called this before"),
    ],
)
def test_a_call_that_is_wrong_is_told_so(
    town: LexicalGraph, calls: list[tuple[str, object]], told: str
) -> None:
    def script(asked: Asked) -> Turn:
        return "UNANSWERED" if "error: " in asked.text else Says("", calls=calls)

    answer, _, asked = ask(town, script)
    assert told in asked[-1].text
    assert not answer.is_answered


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("Henrike Oake started it [turn7search1].", "cites"),
        ("Henrike Oake started it in 1888.", "not cited"),
        ("]]}{ %% 42", "not cited"),
    ],
)
def test_an_answer_that_rests_on_nothing_says_so(
    town: LexicalGraph, said: str, problem: str
) -> None:
    answer, _, _ = ask(town, lambda asked: said)
    assert not answer.is_answered
    assert not answer.citations
    assert all(each.problem for each in answer.sentences)


def test_where_the_model_fails_the_answer_is_by_extraction(town: LexicalGraph) -> None:
    answer, _, _ = ask(town, lambda asked: Refusal(401))
    assert answer.by == EXTRACTION
    assert "by extraction instead" in answer.notes[-1]


@pytest.mark.parametrize(
    ("limits", "note"),
    [
        (AgentLimits(iterations=3), "no answer in 3 iterations"),
        (AgentLimits(tokens=200), "tokens were used, of 200"),
        (AgentLimits(seconds=0.0), "s passed, of 0"),
    ],
)
def test_a_loop_ends_at_its_limits(town: LexicalGraph, limits: AgentLimits, note: str) -> None:
    def script(asked: Asked) -> Turn:
        return Says("", calls=[SEARCH]) if "tools" in asked.body else "UNANSWERED"

    answer, steps, _ = ask(town, script, limits=limits)
    assert any(note in each for each in answer.notes)
    assert sum(step.what == "model" for step in steps) <= 4


def test_what_is_not_kept_is_dropped_from_what_tools_said_alone() -> None:
    """By hand: the loop touches nothing."""
    limits = replace(AgentLimits(), window=200)
    loop = agentic("Why?", (), limits, lambda text: len(text.split()))
    assert isinstance(next(loop), Think)
    act = loop.send(Thought("", (ToolCall("a", "search", "{}"),)))
    assert isinstance(act, Act)
    pieces = (("turn1search0", "kept " * 20), ("turn1search1", "gone " * 140))
    think = loop.send(Seen(Shown("two", pieces)))
    assert isinstance(think, Think)
    assert think.kind == "summary"
    told = json.dumps({"reasoning": "so far", "kept_ids": ["turn1search0", "made up"]})
    act = loop.send(Thought(told))
    assert isinstance(act, Act)
    assert json.loads(act.call.arguments)["kept_ids"] == ["turn1search0"]
    think = loop.send(Seen(Shown("noted")))
    assert isinstance(think, Think)
    said = " ".join(each.turn.text for each in think.entries)
    assert "Why?" in said
    assert "kept" in said
    assert "so far" in said
    assert "gone" not in said
    act = loop.send(Thought("", (ToolCall("b", "open", "{}"),)))
    think = loop.send(Seen(Shown("x " * 200)))
    assert isinstance(think, Think)
    assert "context window overflow" in think.entries[-1].turn.text
    with pytest.raises(StopIteration) as ended:
        loop.send(Thought("Because [turn1search0]."))
    assert isinstance(ended.value.value, Final)


def test_an_agent_needs_a_model_and_a_loop_that_there_is(town: LexicalGraph) -> None:
    with pytest.raises(UsageError, match="needs a language model"):
        town.ask(QUESTION, agent="agentic")
    with pytest.raises(UsageError, match="there are agentic, batch"):
        town.ask(QUESTION, agent="psychic")
