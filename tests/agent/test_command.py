"""``hlg ask --agent``: what a person sees of it, and what is left where it is stopped."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from hlg import LexicalGraph
from hlg.agent.trace import replay
from hlg.demo import TEXTS
from support.agents import QUESTION, SEARCH, THREE_HOPS, behaves, three_hops
from support.command_line import done, hlg, refused
from support.language_model_server import Asked, Says, ScriptedServer, Turn


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A graph of two texts, in the folder that the commands run in."""
    folder = tmp_path_factory.mktemp("two")
    for name in ("petrel.md", "oake_yard.md"):
        (folder / name).write_text((TEXTS / name).read_text("utf-8"), "utf-8")
    with chdir(folder):
        with LexicalGraph.open(folder / ".hlg" / "graph.lbug") as graph:
            graph.build(["."])
        yield folder


def asks(server: ScriptedServer, *more: str) -> list[str]:
    """The arguments of a question to an agent on a server."""
    told = {"llm": "tiny", "llm_url": server.url, "llm_cache": "off", "llm_seconds": "30"}
    flags = [each for pair in told.items() for each in ("--set", "=".join(pair))]
    return ["ask", QUESTION, *more, *flags]


@pytest.mark.parametrize("loop", ["agentic", "batch"])
def test_each_step_is_shown_as_it_is_taken_and_kept(folder: Path, loop: str) -> None:
    trace = folder / f"{loop}.jsonl"
    with ScriptedServer(behaves) as server:
        result = hlg(*asks(server, "--agent", loop, "--agent-trace", str(trace)))
    assert result.exit_code == 0, result.output
    assert "Henrike Oake started it in 1888. [" in result.stdout
    assert "oake_yard.md" in result.stdout
    steps = result.stderr.splitlines()
    assert steps[0].startswith("  1. model ")
    assert '2. search {"queries": ["Which yard built the Petrel?"' in steps[1]
    assert "tokens, " in steps[1]
    events = [json.loads(line) for line in trace.read_text("utf-8").splitlines()]
    assert [each["event"] for each in events[:2]] == ["begin", "think"]
    acts = [each for each in events if each["event"] == "act"]
    assert all(each["tokens"] and each["took"] >= 0 and each["shown"] for each in acts)
    assert events[-1]["event"] == "end"
    assert "started it in 1888" in replay(trace)[0].text
    assert trace.stat().st_mode & 0o077 == 0


def test_the_documents_transcript_is_what_is_printed(town_file: Path) -> None:
    with ScriptedServer(three_hops) as server:
        words = asks(server, "--agent", "agentic", "--store", str(town_file))
        result = hlg("ask", THREE_HOPS, *words[2:])
    assert result.exit_code == 0, result.output
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")
    shown = re.search(rf'\$ hlg ask "{re.escape(THREE_HOPS)}"[^\n]*\n(.*?)```', page, re.DOTALL)
    assert shown
    cost = re.compile(r" \([\d,]+ tokens, [\d.]+ s\)")
    steps, answer = cost.sub("", shown[1]).split("\n\n", 1)
    assert cost.sub("", result.stderr).splitlines()[: steps.count("\n") + 1] == steps.splitlines()
    assert result.stdout.rstrip().startswith(answer.rstrip())


def test_limits_are_given_by_name(folder: Path) -> None:
    def script(asked: Asked) -> Turn:
        return Says("", calls=[SEARCH]) if "tools" in asked.body else "UNANSWERED"

    with ScriptedServer(script) as server:
        told: dict[str, Any] = done(
            *asks(server, "--agent", "agentic", "--agent-limit", "iterations=2")
        )
        assert "no answer in 2 iterations: it was asked for" in told["notes"]
        shown = hlg(*asks(server, "--agent", "agentic", "--agent-limit", "iterations=2"))
        assert shown.stdout == "no answer was found; hlg status shows what the graph holds\n"
        for wrong in ("iterations=many", "depth=2", "iterations=0", "full=2", "window=900"):
            assert refused(*asks(server, "--agent", "agentic", "--agent-limit", wrong))
        assert "--agent as well" in refused(*asks(server, "--agent-limit", "iterations=2"))
        assert "--agent as well" in refused(*asks(server, "--agent-trace", "x.jsonl"))
        assert "agentic, batch" in refused(*asks(server, "--agent", "psychic"))
    assert "needs a language model" in refused("ask", QUESTION, "--agent", "batch")


def test_ctrl_c_ends_in_a_line_and_leaves_a_whole_trace(folder: Path) -> None:
    trace = folder / "stopped.jsonl"

    def script(asked: Asked) -> Turn:
        has_searched = asked.messages[-1]["role"] == "tool"
        return Says("never", seconds=60.0) if has_searched else Says("", calls=[SEARCH])

    with ScriptedServer(script) as server:
        arguments = asks(server, "--agent", "agentic", "--agent-trace", str(trace))
        process = subprocess.Popen(
            [sys.executable, "-m", "hlg.cli.main", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"NO_COLOR": "1"},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        until = time.monotonic() + 240  # a machine may be busy
        while len(server.asked) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        answered, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert answered == ""
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith("hlg: stopped")
    events = [json.loads(line) for line in trace.read_text("utf-8").splitlines()]
    assert [each["event"] for each in events] == ["begin", "think", "act", "end"]
    assert events[-1]["how"] == "interrupted"
    assert replay(trace) == []
