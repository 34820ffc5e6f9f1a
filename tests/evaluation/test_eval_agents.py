"""``hlg eval agents``: its numbers worked out by hand, on a model whose every word is known."""

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from hlg import LexicalGraph
from hlg.agent.bounds import ToolLimits
from hlg.agent.one_query import OneQueryTools
from hlg.agent.tools import GraphTools
from hlg.errors import UsageError
from hlg.evaluation.studies.agents import ROWS, named_rows
from support.command_line import ran, refused
from support.language_model_server import Asked, Refusal, Says, ScriptedServer, Turn

COMMAND = ("eval", "agents", "shipyards", "--no-build", "--queries", "4")
PRICE = '{"tiny": {"input": 1.0, "output": 10.0}}'


def reference(text: str, title: str) -> str:
    """The first reference to a document of that title that a model was shown."""
    found = re.search(rf"\[(turn\d+search\d+)\] {title}", text)
    assert found, text
    return found[1]


def policy(asked: Asked) -> Turn:
    """Right on the first question, second best on the next, silent on the third; reads before it
    answers the fourth. The judge believes whatever holds the right answer."""
    text = asked.text
    if "You mark an answer" in text:
        right = asked.material("right") in asked.material("answer")
        return Says(json.dumps({"reason": "r", "correct": right}), tokens=(100, 0))
    may_call = "tools" in asked.body
    if may_call and "\n[turn1search" not in text:
        return Says("", calls=[("search", {"queries": ["Aldry Yard"]})], tokens=(1000, 100))
    own = reference(text, "Aldry Yard")
    question = asked.material("question")
    if may_call and "marry" in question and "Viewing lines" not in text:
        calls = [
            ("open", {"reference_id": own}),
            ("find", {"reference_id": own, "patterns": ["married"]}),
        ]
        return Says("", calls=calls, tokens=(1000, 100))
    return Says(said(question, text, own), tokens=(1000, 100))


def said(question: str, text: str, own: str) -> str:
    if "Who founded" in question:
        return f"Anna Aldry founded Aldry Yard [{own}].\nRelevance: {own}=0.9"
    if "born" in question:
        other = next(
            (each[1] for each in re.finditer(r"\[(turn1search\d+)\] (?!Aldry)\w+ Yard", text)), own
        )
        return (
            f"Anna Aldry was born in Port Elm [{other}][{own}].\nRelevance: {other}=0.9; {own}=0.4"
        )
    return "UNANSWERED" if "How many" in question else f"She married Jan Dask [{own}]."


@pytest.fixture
def server(shipyards: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    monkeypatch.chdir(shipyards)
    with ScriptedServer(policy) as server:
        for name, value in (
            *(("LLM", "tiny"), ("LLM_URL", server.url), ("LLM_CACHE", "off")),
            *(("LLM_WAIT_SECONDS", "0.1"), ("PRICES", PRICE)),
        ):
            monkeypatch.setenv(f"HLG_{name}", value)
        yield server


def tables(folder: Path) -> dict[str, dict[str, list[str]]]:
    """The report's tables: cells by row, by the first words of the title."""
    found: dict[str, dict[str, list[str]]] = {}
    title = ""
    for line in (folder / "report.md").read_text("utf-8").splitlines():
        if line and not line.startswith(("|", "#")):
            title = line.partition(";")[0].partition(",")[0]
            found[title] = {}
        elif line.startswith("|") and "---" not in line:
            name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            found[title][name] = [cell.partition(" ±")[0] for cell in cells]
    return found


def test_recall_calls_tokens_and_answers_are_those_worked_out_by_hand(
    server: ScriptedServer, tmp_path: Path
) -> None:
    rows = "single-shot,agentic,oracle"
    ran(*COMMAND, "--rows", rows, "--judge", "correctness", "--out", str(tmp_path))
    found = tables(tmp_path)
    # Aldry first, Aldry second, nothing, Aldry: of 2 single questions, a number, a bridge.
    assert found["shipyards: recall@1"]["row"] == [
        "all (4)",
        "bridge (1)",
        "number (1)",
        "single (2)",
    ]
    assert found["shipyards: recall@1"]["agentic"] == ["50.0", "100.0", "0.0", "50.0"]
    assert found["shipyards: recall@3"]["agentic"] == ["75.0", "100.0", "0.0", "100.0"]
    # Of one question there is no interval.
    report = (tmp_path / "report.md").read_text("utf-8")
    assert re.search(r"^\| agentic \| 50\.0 ±[\d.]+ \| 100\.0 \| 0\.0 \| 50\.0 ±", report, re.M)
    # What one search finds for a question, whatever its answer cites.
    assert found["shipyards: recall@3"]["single-shot"][0] == "100.0"
    calls = found["calls a question"]
    assert calls["row"] == ["tools", "search", "open", "find", "summarize", "model's calls"]
    assert calls["agentic"] == ["1.50", "1.00", "0.25", "0.25", "–", "2.25"]
    assert calls["single-shot"] == ["1.00", "1.00", "–", "–", "–", "1.00"]
    assert calls["oracle"][:3] == ["2.00", "1.00", "1.00"]
    # 1,100 tokens a call of the model: 9 of 4 questions.
    tokens = found["tokens a question"]
    assert tokens["single-shot"] == ["1.1 (1.0×)"] * 4
    assert tokens["agentic"] == ["2.5 (2.2×)", "3.3 (3.0×)", "2.2 (2.0×)", "2.2 (2.0×)"]
    answers = found["answers"]
    assert answers["row"][:4] == ["holds", "correctness", "answered", "borne out"]
    assert answers["agentic"][:3] == ["50.0", "50.0", "75.0"]
    # 2.25 calls of 1,000 tokens at 1 and 100 at 10 dollars a million.
    assert answers["agentic"][-2:] == ["4.50", "0"]
    given = [
        each for each in server.asked if "Viewing lines" in each.text and "tools" not in each.body
    ]
    assert given
    assert all("Brenn Yard ·" not in each.text for each in given)


def test_nothing_is_asked_or_judged_twice(server: ScriptedServer, tmp_path: Path) -> None:
    command = (*COMMAND, "--rows", "agentic,dense", "--out", str(tmp_path))
    ran(*command)
    asked = len(server.asked)
    first = (tmp_path / "report.md").read_text("utf-8")
    ran(*command)
    assert len(server.asked) == asked
    assert (tmp_path / "report.md").read_text("utf-8") == first
    ran(*command, "--judge", "correctness")
    judged = len(server.asked) - asked
    assert judged == 6  # what was left unanswered is wrong unasked
    ran(*command, "--judge", "correctness")
    assert len(server.asked) == asked + judged
    # The same question in another row is another run, and a further model an agent alone.
    models = ("--model", "tiny", "--model", "other")
    told = ran(*COMMAND, "--rows", "agentic,bm25", *models, *command[-2:])
    # What each of them was asked is said, and not of the first alone.
    assert "language model tiny: 4 calls" in told.stderr
    assert "language model other: 9 calls" in told.stderr
    rows = tables(tmp_path)["calls a question"]
    assert list(rows) == ["row", "agentic (tiny)", "agentic (other)", "bm25"]
    asked_of = [each.body["model"] for each in server.asked[asked + judged :]]
    assert (asked_of.count("other"), asked_of.count("tiny")) == (9, 4)
    told = ran(*COMMAND, "--rows", "agentic,bm25", *models, *command[-2:], "--judge", "correctness")
    assert "judged by tiny: " in told.stderr
    assert "language model" not in told.stderr


def test_without_a_part_is_without_it(server: ScriptedServer, tmp_path: Path) -> None:
    def tools(row: str) -> dict[str, dict[str, object]]:
        before = len(server.asked)
        ran(*COMMAND[:-1], "1", "--rows", row, "--out", str(tmp_path / row))
        found = server.asked[before].body["tools"]
        return {each["function"]["name"]: each["function"]["parameters"] for each in found}

    assert set(tools("agentic")) == {"search", "find", "open", "summarize"}
    assert set(tools("no-summarize")) == {"search", "find", "open"}
    assert "facts" in tools("graph-tools")
    queries = json.dumps(tools("no-multi-query")["search"])
    assert '"maxItems": 1' in queries
    with LexicalGraph.open(".hlg/eval/shipyards.lbug", read_only=True) as graph:
        few = ToolLimits(results=1)
        assert len(GraphTools(graph, limits=few).search(["Aldry Yard"]).results) == 1
        assert len(OneQueryTools(graph, limits=few).search(["Aldry Yard"]).results) == 5
        with pytest.raises(UsageError, match="give 1 to 1 queries"):
            OneQueryTools(graph).search(["Aldry", "Brenn"])
    assert not ROWS["no-semantic-find"].options.by_meaning


def test_a_budget_and_ctrl_c_leave_what_was_asked(server: ScriptedServer, tmp_path: Path) -> None:
    command = (*COMMAND, "--rows", "agentic", "--out", str(tmp_path))
    ended = ran(*command, "--budget", "0.03")
    assert "ended early" in ended.stderr
    kept = (tmp_path / "runs.jsonl").read_text("utf-8").splitlines()[1:]
    assert 0 < len(kept) < 4
    asked = len(server.asked)

    def stopped(each: Asked) -> Turn:
        os.kill(os.getpid(), signal.SIGINT)
        return Says("late", seconds=1.0)

    server.script = stopped
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a background job
    try:
        told = ran(*command, code=130)
    finally:
        signal.signal(signal.SIGINT, before)
    assert "what was asked is kept in" in told.stderr
    server.script = policy
    ran(*command)
    assert len((tmp_path / "runs.jsonl").read_text("utf-8").splitlines()) == 5
    assert len(server.asked) <= asked + 9


def test_where_the_model_fails_it_is_counted_and_asked_again(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = lambda asked: Refusal(400) if "Where was Anna" in asked.text else policy(asked)
    command = (*COMMAND, "--rows", "dense", "--out", str(tmp_path))
    assert "the model failed 1 times" in ran(*command).stderr
    assert tables(tmp_path)["answers"]["dense"][-1] == "1"
    server.script = policy
    asked = len(server.asked)
    ran(*command)
    assert len(server.asked) == asked + 1
    assert tables(tmp_path)["answers"]["dense"][-1] == "0"


def test_what_is_missing_or_wrong_is_said_first(
    shipyards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shipyards)
    assert "this needs a language model: set llm" in refused(*COMMAND)
    with pytest.raises(UsageError, match="no row 'agnetic'; there are single-shot, agentic"):
        named_rows("dense, agnetic")
