"""Builds whose questions go off in batches: what is sent, taken in, lost and found again."""

from pathlib import Path
from typing import Any

import pytest

from hlg.errors import ModelError, UsageError
from hlg.graph import LexicalGraph
from hlg.reports import BatchReport, BuildReport
from support.command_line import hlg, ran
from support.language_model_server import Asked, Hangup, Refusal, Says, ScriptedServer, Turn
from support.model_builds import build, notes
from support.reading_model import reading_model

__all__ = ["notes"]


def batch_of(report: BuildReport) -> BatchReport:
    assert report.batch is not None
    return report.batch


def direct(server: ScriptedServer) -> int:
    """How often it was asked outside of batches."""
    return sum(bool(each.key) for each in server.asked)


def test_two_rounds_of_batches_make_the_graph_that_asking_makes(notes: Path) -> None:
    with ScriptedServer(reading_model) as server:
        first = build(server, notes, batch=True)
        assert [each.questions for each in batch_of(first).sent] == [2]
        assert (first.added, first.model and first.model.calls) == (0, 0)
        assert build(server, notes, batch=True).batch == BatchReport(
            out=(batch_of(first).sent[0].__class__("batch_1", "in_progress", 2),)
        ), "what is out is not sent again"
        server.batches.status = "completed"
        second = build(server, notes, batch=True)
        assert [each.answered for each in batch_of(second).out] == [2]
        assert [each.questions for each in batch_of(second).sent] == [2]
        assert second.model is not None
        assert second.model.money == pytest.approx(0.5 * 2 * 110 * 10e-6)
        last = build(server, notes, batch=True)
        assert (last.added, last.failed, batch_of(last).sent) == (2, (), ())
        assert direct(server) == 0
        assert len(server.batches.batches) == 2
        after = build(server, notes)
        assert (after.skipped, after.batch) == (2, None)
    with ScriptedServer(reading_model) as server:
        build(server, notes, "asked.lbug")
    assert counts(notes, "g.lbug") == counts(notes, "asked.lbug")


def counts(notes: Path, store: str) -> dict[str, int]:
    with LexicalGraph.open(notes.parent / store) as graph:
        return dict(graph.store.counts())


def test_a_plain_build_takes_in_what_is_ready_and_leaves_out_what_is_not(notes: Path) -> None:
    with ScriptedServer(reading_model) as server:
        build(server, notes, batch=True)
        (notes / "ship.md").write_text("Mara Quill sold the Gannet.")
        report = build(server, notes)
        assert [each.status for each in batch_of(report).out] == ["in_progress"]
        assert report.added == 1
        assert {each.reason for each in report.failed} == {
            "it waits for answers of a batch; run the same command again later"
        }
        assert direct(server) == 2, "of the new document alone"
        server.batches.status = "completed"
        report = build(server, notes)
        assert (report.added, report.failed) == (2, ())
        assert direct(server) == 2 + 2, "what the answers of the batch led to"


@pytest.mark.parametrize("extractor", ["local", "llm-facts"])
def test_contexts_and_facts_go_in_one_round(notes: Path, extractor: str) -> None:
    def script(asked: Asked) -> Turn:
        return reading_model(asked) if asked.schema else "In the yard's papers."

    given = {"chunker": "contextual", "extractor": extractor}
    with ScriptedServer(script) as server:
        server.batches.status = "completed"
        sent = batch_of(build(server, notes, batch=True, **given)).sent
        assert sum(each.questions for each in sent) == (2 if extractor == "local" else 4)
        assert build(server, notes, batch=True, **given).added == 2
        assert direct(server) == 0


def test_killed_after_it_was_sent_a_batch_is_found_again(notes: Path) -> None:
    with ScriptedServer(reading_model, loses_batches=True) as server:
        with pytest.raises(ModelError, match="batches can't be used"):
            build(server, notes, batch=True)
        server.loses_batches = False
        again = build(server, notes, batch=True)
        assert [(each.id, each.status) for each in batch_of(again).out] == [
            ("batch_1", "validating")
        ]
        assert batch_of(again).sent == ()
        server.batches.status = "completed"
        build(server, notes, batch=True)
        assert build(server, notes, batch=True).added == 2
        keys = [each["custom_id"] for each in server.batches.lines]
        assert len(keys) == len(set(keys)) == 4


def test_one_that_never_got_there_is_sent_anew(notes: Path) -> None:
    with ScriptedServer(reading_model, loses_batches=True) as server:
        with pytest.raises(ModelError):
            build(server, notes, batch=True)
        server.loses_batches = False
        server.batches.batches.clear()
        again = build(server, notes, batch=True)
        assert [each.status for each in batch_of(again).out] == ["never sent"]
        assert [each.questions for each in batch_of(again).sent] == [2]


def test_lines_with_errors_are_named_and_sent_again(notes: Path) -> None:
    broken = True

    def script(asked: Asked) -> Turn:
        return Refusal(500) if broken and "Wiek" in asked.text else reading_model(asked)

    with ScriptedServer(script) as server:
        server.batches.status = "completed"
        build(server, notes, batch=True)
        report = batch_of(build(server, notes, batch=True))
        assert [(each.answered, each.reasons) for each in report.out] == [(1, {"no": 1})]
        assert [each.questions for each in report.sent] == [2], "one again, one that follows"
        broken = False
        for _ in range(2):
            last = build(server, notes, batch=True)
        assert last.added == 2


def test_an_expired_batch_gives_what_it_has_and_a_failed_one_nothing(notes: Path) -> None:
    with ScriptedServer(lambda x: Hangup() if "Wiek" in x.text else reading_model(x)) as server:
        server.batches.status = "expired"
        build(server, notes, batch=True)
        report = batch_of(build(server, notes, batch=True))
        assert [(each.status, each.answered) for each in report.out] == [("expired", 1)]
        assert [each.questions for each in report.sent] == [2]
        server.batches.status = "failed"
        report = batch_of(build(server, notes, batch=True))
        assert [(each.answered, each.reasons) for each in report.out] == [(0, {"no such model": 2})]
        assert [each.questions for each in report.sent] == [2]


@pytest.mark.parametrize(
    "body",
    [
        {"choices": 3},
        {"choices": [{"message": {"content": 7}}]},
        {"choices": [{"message": None}], "usage": [1]},
        {"error": "quota"},
        [1],
    ],
)
def test_a_line_that_is_no_answer_costs_its_batch_nothing(notes: Path, body: Any) -> None:
    with ScriptedServer(reading_model) as server:
        answer = server.batches.answer
        server.batches.answer = lambda x: (200, body) if "Wiek" in str(x) else answer(x)
        server.batches.status = "completed"
        build(server, notes, batch=True)
        (out,) = batch_of(build(server, notes, batch=True)).out
    assert (out.answered, sum(out.reasons.values())) == (1, 1)


def test_an_answer_that_cant_be_used_is_asked_for_directly(notes: Path) -> None:
    in_batch = True

    def script(asked: Asked) -> Turn:
        return "I am sorry." if in_batch and "Wiek" in asked.text else reading_model(asked)

    with ScriptedServer(script) as server:
        server.batches.status = "completed"
        build(server, notes, batch=True)
        report = batch_of(build(server, notes, batch=True))
        assert report.unusable == 1
        assert [each.questions for each in report.sent] == [1], "only what the other led to"
        build(server, notes)
        in_batch = False
        assert build(server, notes).failed == ()


def test_a_budget_holds_back_what_might_pass_it(notes: Path) -> None:
    with ScriptedServer(reading_model) as server:
        # The longest answer of the first prompt costs 0.03, half of that in a batch.
        report = batch_of(build(server, notes, batch=True, budget=0.02))
        assert ([each.questions for each in report.sent], report.held_back) == ([1], 1)
        server.batches.status = "completed"
        report = batch_of(build(server, notes, batch=True, budget=1.0))
        assert ([each.questions for each in report.sent], report.held_back) == ([2], 0)


def test_the_requests_are_those_of_asking(notes: Path) -> None:
    with ScriptedServer(reading_model) as server:
        build(server, notes, batch=True)
        build(server, notes, "other.lbug", llm_cache=str(notes.parent / "b.sqlite"))
    lines = {line["body"]["messages"][1]["content"]: line["body"] for line in server.batches.lines}
    asked = [each.body for each in server.asked if each.schema == "Propositions"]
    for body, line in zip(
        sorted(asked, key=lambda x: "Wiek" in str(x)),
        sorted(lines.values(), key=lambda x: "Wiek" in str(x)),
        strict=True,
    ):
        told = {name: value for name, value in body.items() if name not in ("messages", "stream")}
        assert {name: value for name, value in line.items() if name != "messages"} == told


def test_what_cant_be_batched_is_refused(notes: Path) -> None:
    with ScriptedServer([Says("")]) as server:
        with pytest.raises(UsageError, match="neither extractor nor chunker asks"):
            build(server, notes, extractor="local", batch=True)
        with pytest.raises(UsageError, match="llm_cache is off"):
            build(server, notes, llm_cache="off", batch=True)


def test_the_command_says_what_was_sent_and_what_to_do(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(notes.parent)
    command = ["build", "notes", "--extractor", "llm", "--batch"]
    with ScriptedServer(reading_model) as server:
        for name, value in (("LLM", "tiny"), ("LLM_URL", server.url), ("LLM_CACHE", "a.sqlite")):
            monkeypatch.setenv(f"HLG_{name}", value)
        first = ran(*command)
        assert "sent batch batch_1: 2 questions\nnext: the same command again" in first.output
        second = hlg(*command)
        assert "batch batch_1: in_progress, 2 questions are out" in second.output
        server.batches.status = "completed"
        third = hlg(*command)
        assert "batch batch_1: completed, 2 of 2 questions answered" in third.output
        assert "sent batch batch_2: 2 questions" in third.output
        last = ran(*command)
        assert "sources: 2 added" in last.output
