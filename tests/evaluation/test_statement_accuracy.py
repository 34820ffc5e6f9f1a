"""``hlg eval statements``: statements against their text, by a judge."""

import json
from pathlib import Path

import pytest

from support.command_line import ran, refused
from support.language_model_server import Asked, Refusal, ScriptedServer, Turn

STORE = ".hlg/eval/shipyards.lbug"


def judge(asked: Asked) -> Turn:
    """Strict with numbers, and dumb where a statement is about Brenn's star."""
    statement = asked.material("statement")
    if "Brenn Star visited" in statement:
        return Refusal(400)
    accurate = "boats" not in statement and asked.material("passage") != ""
    return json.dumps({"reason": "the number", "accurate": accurate})


def test_the_share_of_accurate_statements_is_told_and_paid_for_once(
    shipyards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shipyards)
    assert "this needs a language model: set llm" in refused("eval", "statements", STORE)
    command = ("eval", "statements", STORE, "--out", str(tmp_path / "all.json"))
    with ScriptedServer(judge) as server:
        server.tell_commands(monkeypatch, llm_cache=str(tmp_path / "answers.sqlite"))
        told = ran(*command)
        verdicts = json.loads((tmp_path / "all.json").read_text("utf-8"))
        marks = [each["accurate"] for each in verdicts]
        wrong = [each["drawn"]["statement"] for each in verdicts if each["accurate"] is False]
        assert len(wrong) == 10  # one a yard
        assert all("boats" in each for each in wrong)
        assert marks.count(None) == 1
        right, judged = marks.count(True), len(marks) - 1
        assert f"{right} of {judged} statements are accurate ({right / judged:.3f}" in told.stdout
        assert f"not judged: 1 of {len(marks)}" in told.stderr
        assert "the number" in told.stdout
        asked = len(server.asked)
        ran(*command)
        assert len(server.asked) <= asked + 2  # the one that failed, with a schema and without
        assert len(json.loads(ran_few(command))) == 3


def ran_few(command: tuple[str, ...]) -> str:
    """The verdicts of three statements."""
    ran(*command, "--sample", "3")
    return Path(command[-1]).read_text("utf-8")
