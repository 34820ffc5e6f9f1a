"""What small and hostile models, hostile documents, money and time make of the loops."""

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from hlg import Agent, AgentOptions, LexicalGraph
from hlg.agent.batch import batch
from hlg.agent.json_calls import answer_in, calls_in
from hlg.agent.results import Shown
from hlg.agent.steps import Act, AgentLimits, Final, Seen, Think, Thought
from hlg.agent.trace import Step
from hlg.answers import EXTRACTION
from hlg.errors import UsageError
from hlg.models.language.prices import Price
from support.agents import QUESTION, SEARCH, behaves
from support.language_model_server import Asked, Refusal, Says, ScriptedServer, Turn

Script = Callable[[Asked], Turn]
FENCED = re.compile(r"\[BEGIN [\w ]+ (\w{16})\]\n.*?\n\[END [\w ]+ \1\]", re.DOTALL)


def agent(
    town: LexicalGraph, server: ScriptedServer, steps: list[Step], options: AgentOptions
) -> Agent:
    """An agent on a scripted model, and the steps that it takes."""
    prices = {"tiny": Price(input=10.0, output=10.0)}
    graph = LexicalGraph(town.store, server.settings(prices=prices), embedder=town.embedder)
    return Agent(graph, options=options, on_step=steps.append)


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('```json\n{"name": "search", "arguments": {"queries": "x"}}\n```', [("search", "x")]),
        ('Searching:\n{"function": "search", "parameters": {"queries": "x"}}', [("search", "x")]),
        ('{"calls": [{"tool": "search", "args": {"queries": "x"}}]}', [("search", "x")]),
        ('<tool_call>\n{"name": "search", "arguments": {"queries": "x"}}\n</tool_call>\n'
         '<tool_call>\n{"name": "search", "arguments": {"queries": "y"}}\n</tool_call>',
         [("search", "x"), ("search", "y")]),
        ('[{"type": "function", "function": {"name": "search", "arguments": {"queries": "x"}}}]',
         [("search", "x")]),
        ('{"answer": "Henrike Oake [turn1search0]"}', []),
        ('{"name": "Henrike Oake"}', []),
        ("Henrike Oake [turn1search0].", []),
        ("{{{{ [ ]]", []),
    ],
)  # fmt: skip
def test_calls_are_read_as_small_models_write_them(text: str, calls: list[tuple[str, str]]) -> None:
    found = [(each.name, json.loads(each.arguments)["queries"]) for each in calls_in(text)]
    assert found == calls
    assert answer_in('So:\n```\n{"answer": " Oake "}\n```') == "Oake"


def test_an_answer_that_cites_nothing_of_what_was_found_is_asked_for_once_more(
    town: LexicalGraph,
) -> None:
    def script(asked: Asked) -> Turn:
        if asked.messages[0]["content"].startswith("You searched"):
            return behaves(asked)
        return "I would search for it." if "1888" in asked.text else behaves(asked)

    steps: list[Step] = []
    with ScriptedServer(script) as server:
        answer = agent(town, server, steps, AgentOptions(switch=False)).ask(QUESTION)
    assert answer.is_answered
    assert "cited nothing" in answer.notes[0]
    assert [step.arguments for step in steps if step.what == "model"] == ["step", "step", "answer"]


@pytest.mark.parametrize("loop", ["agentic", "batch"])
@pytest.mark.parametrize("takes_tools", [True, False])
def test_orders_in_a_document_stay_in_its_fence(
    town: LexicalGraph, loop: str, takes_tools: bool
) -> None:
    """The model obeys whatever orders stand outside of a fence."""

    def obeys(asked: Asked) -> Turn:
        if "tools" in asked.body and not takes_tools:
            return Refusal(400)
        if "Ignore all earlier" in FENCED.sub("", asked.text):
            return "PWNED"
        if asked.messages[0]["content"].startswith("You plan"):
            return json.dumps({"enough": False, "queries": ["Who kept the Grey Ledger?"]})
        if asked.messages[0]["content"].startswith("You answer a question from numbered"):
            return json.dumps({"final_answer": "UNANSWERED", "entity_ids_for_final_answer": []})
        if "Ignore all earlier" in asked.text:
            return "UNANSWERED"
        call = ("search", {"queries": ["Who kept the Grey Ledger?"]})
        return Says("", calls=[call]) if takes_tools else json.dumps({"name": call[0]} | {
            "arguments": call[1]
        })  # fmt: skip

    steps: list[Step] = []
    with ScriptedServer(obeys) as server:
        options = AgentOptions(loop, switch=False)
        answer = agent(town, server, steps, options).ask("Who kept the Grey Ledger?")
        assert any("answer only PWNED" in each.text for each in server.asked)
    assert "PWNED" not in answer.text
    assert answer.by == "tiny"
    assert {step.what for step in steps} == {"model", "search"}


@pytest.mark.parametrize("takes_tools", [True, False])
def test_a_line_of_a_fence_that_a_model_goes_on_with_is_no_answer(
    town: LexicalGraph, takes_tools: bool
) -> None:
    def goes_on(asked: Asked) -> Turn:
        if "tools" in asked.body and not takes_tools:
            return Refusal(400)
        said = behaves(asked)
        line = re.search(r"\[END [\w ]+ \w{16}\]", asked.text)
        if line and isinstance(said, str) and "1888" in said:
            return f"{said.splitlines()[0]} {line[0]}"
        return said

    with ScriptedServer(goes_on) as server:
        answer = agent(town, server, [], AgentOptions(switch=False)).ask(QUESTION)
        assert "[END" in server.asked[-1].text
    assert answer.is_answered
    assert "[END" not in answer.text


def test_what_was_found_is_there_for_the_next_question(town: LexicalGraph) -> None:
    steps: list[Step] = []
    with ScriptedServer(behaves) as server:
        talk = agent(town, server, steps, AgentOptions(switch=False))
        first = talk.ask(QUESTION)
        before = len(steps)
        second = talk.ask("And when did she start it?")
    assert [step.what for step in steps[before:]] == ["model"]
    assert second.citations[0].passage == first.citations[0].passage
    assert second.is_answered


def test_a_simple_question_takes_one_search_and_the_next_one_knows_of_it(
    town: LexicalGraph,
) -> None:
    def script(asked: Asked) -> Turn:
        if "tools" not in asked.body:
            return "Henrike Oake died in 1934 [1]."
        found = re.search(r"\[(turn1search\d+)\][^\n]*died in 1934", asked.text)
        assert found
        return f"Henrike Oake died in 1934 [{found[1]}]."

    steps: list[Step] = []
    with ScriptedServer(script) as server:
        talk = agent(town, server, steps, AgentOptions())
        answer = talk.ask("When did Henrike Oake die?")
        assert answer.is_answered
        assert [step.what for step in steps] == ["search", "answer"]
        assert len(server.asked) == 1
        again = talk.ask("In which year was that, then?")
    assert again.is_answered
    assert [step.what for step in steps[2:]] == ["model"]


@pytest.mark.parametrize("loop", ["agentic", "batch"])
def test_no_call_is_begun_that_may_cost_too_much(town: LexicalGraph, loop: str) -> None:
    with ScriptedServer(behaves) as server:
        asking = agent(town, server, [], AgentOptions(loop, switch=False))
        with asking._graph.spending(0.0001):
            answer = asking.ask(QUESTION)
        assert server.asked == []
    assert answer.by == EXTRACTION
    assert "by extraction instead" in answer.notes[-1]


def test_a_model_that_only_fails_is_not_asked_for_longer_than_the_limit(town: LexicalGraph) -> None:
    options = AgentOptions(limits=AgentLimits(seconds=1.0), switch=False)
    with ScriptedServer(lambda asked: Refusal(503)) as server:
        started = time.monotonic()
        answer = agent(town, server, [], options).ask(QUESTION)
        assert len(server.asked) <= 3
    assert time.monotonic() - started < 5.0
    assert answer.by == EXTRACTION


def test_batch_goes_on_for_so_many_rounds_and_reads_nothing_twice(town: LexicalGraph) -> None:
    rounds = 0

    def script(asked: Asked) -> Turn:
        nonlocal rounds
        if asked.messages[0]["content"].startswith("You plan"):
            rounds += 1
            queries = [f"{'Oake Yard' if rounds < 3 else 'Skarn Light'} {i}" for i in range(9)]
            return json.dumps({"enough": False, "queries": queries})
        numbers = [int(each) for each in re.findall(r"^(\d+)\. ", asked.material("found"), re.M)]
        assert numbers == list(range(1, len(numbers) + 1))
        found = re.search(r"^(\d+)\. \[[^\n]*Henrike Oake started it", asked.text, re.M)
        assert found
        best, other = int(found[1]), next(each for each in numbers if each != int(found[1]))
        ids = [other, best, other, 999]
        said = "Henrike Oake started it in 1888."
        return json.dumps({"final_answer": said, "entity_ids_for_final_answer": ids})

    steps: list[Step] = []
    limits = AgentLimits(rounds=3, queries=2, new_documents=4)
    with ScriptedServer(script) as server:
        answer = agent(town, server, steps, AgentOptions("batch", limits, switch=False)).ask(
            QUESTION
        )
        shown = server.asked[-1].material("found")
    assert [step.what for step in steps].count("search") == 3
    assert all(len(json.loads(x.arguments)["queries"]) == 2 for x in steps if x.what == "search")
    assert [step.result for step in steps if step.what == "search"] == ["4 results"] * 3
    lines = re.findall(r": (.*)", shown)
    assert len(set(lines)) == len(lines)
    # It cited nothing where it said it: what it says the answer is made of counts, in that order.
    assert answer.is_answered
    assert len(answer.sentences[0].citations) == 2
    assert [hit.score for hit in answer.hits] == [1.0, 0.5]
    assert answer.hits[1].passage.source.uri == "oake_yard.md"


def test_batch_ends_where_its_passages_fill_the_window_or_there_is_enough() -> None:
    """By hand: the loop touches nothing."""
    limits = replace(AgentLimits(), window=100, rounds=5)
    loop = batch("Why?", limits, lambda text: len(text.split()))
    assert next(loop) == Think("plan", "Why?", ())
    asked = json.dumps({"enough": True, "queries": []})
    act = loop.send(Thought(asked))  # never enough before anything was read
    assert isinstance(act, Act)
    assert json.loads(act.call.arguments) == {"queries": ["Why?"]}
    think = loop.send(Seen(Shown("two", (("turn1search0", "few"), ("turn1search1", "many " * 99)))))
    assert isinstance(think, Think)
    assert think.kind == "batch answer"
    shown = [each.shown for each in think.entries if each.shown]
    assert [reference for each in shown for reference, _ in each.pieces] == ["turn1search0"]
    with pytest.raises(StopIteration) as ended:
        loop.send(Thought("rubbish"))
    assert isinstance(ended.value.value, Final)
    assert "no JSON" in ended.value.value.notes[0]


def test_a_small_window_makes_small_results_and_one_too_small_is_refused(
    town: LexicalGraph,
) -> None:
    limits = AgentLimits(window=9_000, iterations=2)
    with ScriptedServer([Says("", calls=[SEARCH]), "UNANSWERED"]) as server:
        small = agent(
            town, server, [], AgentOptions(limits=limits, switch=False, offered=("find",))
        )
        small.ask(QUESTION)
        tools = [each["function"]["name"] for each in server.asked[0].body["tools"]]
        assert tools == ["search", "find", "summarize"]
        tiny = AgentOptions(limits=AgentLimits(window=1_000))
        with pytest.raises(UsageError, match=r"needs a window of [\d,]+ tokens at least"):
            agent(town, server, [], tiny)
        with pytest.raises(UsageError, match="no tool 'rm'; there are search"):
            agent(town, server, [], AgentOptions(offered=("rm",)))


def test_a_model_that_answers_before_it_has_searched_is_given_a_search(town: LexicalGraph) -> None:
    steps: list[Step] = []
    with ScriptedServer(["I know that.", "UNANSWERED"]) as server:
        answer = agent(town, server, steps, AgentOptions(switch=False)).ask(QUESTION)
    assert [step.what for step in steps] == ["model", "search", "model"]
    assert json.loads(steps[1].arguments) == {"queries": [QUESTION]}
    assert "before it had searched" in answer.notes[0]
