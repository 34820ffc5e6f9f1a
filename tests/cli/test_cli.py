"""The command line: what it prints, where, and what it ends with."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

import pytest
import typer
from filelock import FileLock
from typer.testing import CliRunner

from docs.commands import reference
from hlg import __version__
from hlg import doctor as hlg_doctor
from hlg.cli.console import Reporter
from hlg.cli.ending import EndingGroup, stopping
from hlg.demo import QUESTIONS, TEXTS
from hlg.reports import BuildReport, Progress
from hlg.schema import EDGES, NODES
from hlg.store.ladybug import locks
from support.command_line import done, hlg, ran, refused
from support.language_model_server import Hangup, Refusal, Says, ScriptedServer, Sends, Turn
from support.texts import write_corpus

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def in_town(demo_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo's graph where hlg looks for it."""
    monkeypatch.chdir(demo_file.parent.parent)


def test_version() -> None:
    assert hlg("--version").stdout == f"hlg {__version__}\n"


def test_the_page_of_commands_is_current_and_none_takes_a_password() -> None:
    page = reference()
    assert (ROOT / "docs" / "cli.md").read_text("utf-8") == page
    assert "--password" not in page
    assert "--user" not in page
    assert "\\b" not in page, "a mark of formatting"


def test_a_build_of_nothing_makes_no_store(folder: Path) -> None:
    (folder / "empty").mkdir()
    for named in ("nosuchfolder", "empty"):
        result = hlg("build", named)
        assert result.exit_code == 1
        assert f"left out: {named}: " in result.stderr
        assert result.stdout.endswith("no document was read, and no graph made\n")
    assert [path.name for path in folder.iterdir()] == ["empty"]


# Build


def test_build_reports_counts_sources_failures_and_seconds(folder: Path) -> None:
    (folder / "good.md").write_text("# Ships\n\nHenrike Oake built the Petrel in 1904.\n")
    (folder / "bad.jsonl").write_text('{"text": "Ada Vale sold Tern Airways."}\n{"text": \n')

    report = done("build", "good.md", "bad.jsonl", code=1)

    when_asked_for = {"batch", "model", "relations", "stopped"}
    assert report.keys() == {each.name for each in fields(BuildReport)} - when_asked_for
    assert report["read"] == {"JSONL": 1, "Markdown": 1}
    assert report["counts"].keys() == (NODES.keys() - {"Graph"}) | EDGES.keys()
    assert (report["added"], report["counts"]["Source"]) == (2, 2)
    (failure,) = report["failed"]
    assert failure.keys() == {"uri", "reason"}
    assert "bad.jsonl" in failure["uri"] + failure["reason"]
    assert {"load", "extract", "embed", "write", "total"} <= report["seconds"].keys()


def test_build_reads_stdin(folder: Path) -> None:
    assert done("build", "-", stdin="Henrike Oake built the Petrel.")["added"] == 1


def test_a_dry_run_writes_nothing(folder: Path) -> None:
    (folder / "a.txt").write_text("Henrike Oake built the Petrel in 1904.")
    report = done("build", "a.txt", "--dry-run")
    assert (report["added"], report["dry_run"]) == (1, True)
    ran("build", "a.txt")
    assert done("status")["counts"]["Source"] == 1
    assert "nothing was written" in hlg("build", "a.txt", "--dry-run").stdout


def test_a_wrong_chunker_is_refused(folder: Path) -> None:
    (folder / "a.txt").write_text("text")
    assert "fixed" in refused("build", "a.txt", "--chunker", "fxied")
    assert refused("build", "a.txt", "--graph", "Not A Name").startswith("hlg: graph name")
    assert "local" in refused("build", "a.txt", "--extractor", "loca")


@pytest.mark.slow
def test_ctrl_c_says_what_is_kept_and_the_next_build_finishes(folder: Path) -> None:
    corpus = write_corpus(folder / "corpus.jsonl", 20)
    process = subprocess.Popen(
        [sys.executable, "-m", "hlg.cli.main", "build", str(corpus), "--set", "workers=1"],
        stderr=subprocess.PIPE,
        text=True,
        # A shell's background job ignores Ctrl-C, and so would what the tests start from there.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not (folder / ".hlg" / "graph.lbug").exists():
        time.sleep(0.1)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.strip().splitlines()[-1].startswith("hlg: stopped")
    assert "run the same command again" in said
    assert "Traceback" not in said
    report = done("build", str(corpus))
    assert report["added"] + report["skipped"] == report["counts"]["Source"] == 20


@pytest.fixture
def interruptible() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs
    yield
    signal.signal(signal.SIGINT, before)


def _goes_on() -> None:
    Reporter()(Progress("reading", 1, 2))
    raise AssertionError("the next step was done")


def _fails() -> None:
    raise ImportError("initialization failed")


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("then", [lambda: None, _goes_on, _fails], ids=["ends", "goes on", "fails"])
def test_ctrl_c_that_a_library_takes_for_its_own_error_still_stops(
    then: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def work() -> None:
        with suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        then()

    with pytest.raises(typer.Exit) as ended, stopping(lambda: "the rest is for later"):
        work()
    assert ended.value.exit_code == 130
    assert capsys.readouterr().err == "hlg: stopped; the rest is for later\n"
    with stopping(lambda: "never"):
        Reporter()(Progress("reading", 1, 2))


def test_ctrl_c_in_a_string_that_a_library_executes_is_no_death_by_signal(tmp_path: Path) -> None:
    (tmp_path / "stopped.py").write_text(
        """
import hlg.cli.main as main

def stopped(prog_name):
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        raise SystemExit(130)

main.app = stopped
main.run()
""",
        "utf-8",
    )
    run = subprocess.run([sys.executable, "-m", "stopped"], cwd=tmp_path, check=False)
    assert run.returncode == 130


# Query


@pytest.mark.usefixtures("in_town")
def test_query_prints_the_documented_json() -> None:
    answer = done("query", "Who kept Skarn Light?", "--top-k", "3")

    assert list(answer) == ["query", "retriever", "hits", "store_calls", "timings_ms", "confidence"]
    assert (answer["query"], answer["retriever"]) == ("Who kept Skarn Light?", "auto")
    assert answer["store_calls"] <= 4  # one to mark sentences
    assert [hit["rank"] for hit in answer["hits"]] == [1, 2, 3]
    assert "Jonas Wiek" in " ".join(hit["text"] for hit in answer["hits"])
    for hit in answer["hits"]:
        text = (TEXTS / Path(hit["source"]["uri"]).name).read_text("utf-8")
        assert text[hit["start"] : hit["end"]] == hit["text"]
        start, end = hit["sentence"]
        assert hit["start"] <= start < end <= hit["end"]
        assert 0 < hit["confidence"] < 1
    start, end = answer["hits"][0]["sentence"]
    keeper = (TEXTS / "skarn_light.md").read_text("utf-8")
    assert "Jonas Wiek" in keeper[start:end]


@pytest.mark.usefixtures("in_town")
def test_query_marks_the_sentence_that_answers() -> None:
    shown = hlg("query", "When was the Petrel launched?", "-k", "1").stdout
    assert "»She was built at Oake Yard and launched on 3 May 1904 before" in shown
    plain = hlg("query", "When was the Petrel launched?", "-k", "1", "-o", "form=statements").stdout
    assert "»" not in plain


@pytest.mark.usefixtures("in_town")
def test_a_question_comes_from_stdin() -> None:
    assert done("query", "-", stdin="Who kept Skarn Light?\n")["query"] == "Who kept Skarn Light?"


@pytest.mark.parametrize("question", ["", "   ", "\n"])
@pytest.mark.parametrize("command", ["query", "ask", "context"])
def test_an_empty_question_is_refused(command: str, question: str) -> None:
    assert f"the question is empty; ask one: hlg {command}" in refused(command, question)


@pytest.mark.usefixtures("in_town")
@pytest.mark.parametrize(
    "question", ["x' }) DETACH DELETE n //", "\x00", "漢字", "?", "a" * 20_000]
)
def test_any_question_is_data(question: str) -> None:
    before = done("status")
    assert done("query", question)["query"] == question
    assert done("status") == before


@pytest.mark.usefixtures("in_town")
def test_a_wrong_retriever_or_number_is_refused() -> None:
    line = refused("query", "Who?", "--retriever", "statments")
    assert "statements" in line
    assert "bm25" in line
    assert "--top-k: 0 is not valid" in refused("query", "Who?", "--top-k", "0")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("query", "Who?"), "hlg build"),
        (("status", "--graph", "nope"), "no graph in"),
        (("status", "--store", "bolt://127.0.0.1:9"), "127.0.0.1:9"),
    ],
)
def test_what_is_no_graph_is_said_and_none_is_made(
    folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert said in refused(*arguments, code=3)
    assert list(folder.iterdir()) == []


# Status and sources


@pytest.mark.usefixtures("in_town")
def test_status_counts_by_label_and_type() -> None:
    status = done("status")
    assert status["counts"].keys() == (NODES.keys() - {"Graph"}) | EDGES.keys()
    assert status["counts"]["Source"] == 12
    assert status["dimensions"] == 384
    assert status["embedder"].startswith("all-MiniLM-L6-v2")
    assert status["revision"]
    shown = hlg("status").stdout
    assert f"{status['counts']['Statement']:,}" in shown
    assert "next: hlg query" in shown


def test_a_question_during_the_first_build_is_told_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "LOCK_SECONDS", 0.1)
    (folder / "g.lbug.lock").write_text(str(os.getpid()))
    with FileLock(folder / "g.lbug.lock"):
        line = refused("query", "Who?", "--store", "g.lbug", code=3)
    assert re.search(rf"g\.lbug is being built by process {os.getpid()} .*ask again", line)


def test_sources_are_listed_shown_and_deleted(folder: Path, demo_file: Path) -> None:
    shutil.copytree(demo_file.parent, folder / ".hlg")
    listed = done("sources", "list")
    assert [source["uri"] for source in listed] == sorted(source["uri"] for source in listed)
    assert len(hlg("sources").stdout.splitlines()) == len(listed)

    wanted = next(source for source in listed if source["uri"].endswith("petrel.md"))
    shown = done("sources", "show", wanted["uri"])
    assert shown["title"] == "The Petrel"
    assert "Oake Yard" in " ".join(statement["text"] for statement in shown["statements"])
    assert "statements" in hlg("sources", "show", wanted["id"]).stdout

    assert "--yes" in refused("sources", "delete", wanted["uri"])
    assert done("sources", "delete", wanted["uri"], "--yes")["deleted"] == 1
    assert wanted["uri"] not in hlg("sources").stdout
    assert wanted["uri"] in refused("sources", "show", wanted["uri"])


@pytest.mark.usefixtures("in_town")
def test_options_of_sources_stand_behind_the_command() -> None:
    assert "put options after" in refused("sources", "--store", "x", "list")


# Export and copy


@pytest.mark.usefixtures("in_town")
def test_export_and_copy_bring_the_same_graph(tmp_path: Path) -> None:
    for format_ in ("jsonl", "graphml", "cypher"):
        ran("export", "--format", format_, "--out", str(tmp_path / format_))
        printed = hlg("export", "-f", format_, "--out", "-").stdout_bytes
        assert (tmp_path / format_).read_bytes() == printed
    for wrong in (("--format", "xml"), ("--out", str(tmp_path / "nowhere" / "a"))):
        assert refused("export", *wrong)
    assert not {each.name for each in tmp_path.iterdir()} - {"jsonl", "graphml", "cypher"}
    target = str(tmp_path / "copy.lbug")
    assert done("copy", "--to", target)["copied"] == 12
    assert "12 were there" in hlg("copy", "--to", target).stdout
    copied = hlg("export", "--store", target, "--vectors")
    assert copied.stdout_bytes == hlg("export", "--vectors").stdout_bytes


@pytest.mark.usefixtures("in_town")
def test_a_reader_that_leaves_ends_the_export_quietly() -> None:
    export = subprocess.Popen(
        [sys.executable, "-m", "hlg.cli.main", "export"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert export.stdout is not None
    assert export.stderr is not None
    export.stdout.read(10)
    export.stdout.close()
    assert export.stderr.read() == b""
    assert export.wait() == 128 + signal.SIGPIPE


@pytest.mark.usefixtures("in_town")
@pytest.mark.parametrize("command", [["export"], ["status", "--json"], ["build", "-h"], ["-h"]])
def test_a_standard_output_that_is_full_or_closed_is_no_fault_of_hlg(command: list[str]) -> None:
    hlg_command = [sys.executable, "-m", "hlg.cli.main", *command]
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(hlg_command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert ended.stderr == "hlg: nothing more can be written: No space left on device\n"
    assert ended.returncode == 2
    closed = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *hlg_command], stderr=subprocess.PIPE)
    assert (closed.returncode, closed.stderr) == (0, b"")


def test_a_build_without_a_standard_error_is_a_build(folder: Path) -> None:
    (folder / "a.txt").write_text("Ada Thorne built the mill of Corven in 1904.")
    build = [sys.executable, "-m", "hlg.cli.main", "build", "a.txt", "--set", "workers=1"]
    assert subprocess.run(["sh", "-c", '"$@" 2>&- <&-', "sh", *build]).returncode == 0
    assert done("status")["counts"]["Source"] == 1


# Demo, init, doctor


def test_the_demo_finds_both_documents_of_each_question_and_keeps_its_graph(folder: Path) -> None:
    demo = done("demo", "--store", "demo.lbug")
    assert [question["query"] for question in demo["questions"]] == list(QUESTIONS)
    wanted = (
        {"petrel", "oake_yard"},
        {"tide_organ", "lotte_wiek"},
        {"tide_organ", "hallam_signals"},
    )
    for question, documents in zip(demo["questions"], wanted, strict=True):
        found = {Path(hit["source"]["uri"]).stem for hit in question["hits"]}
        assert documents <= found, question["query"]
    assert done("status", "--store", "demo.lbug")["counts"]["Source"] == 12


def test_init_writes_a_file_once(folder: Path) -> None:
    ran("init")
    assert "# top_k = 10" in (folder / "hlg.toml").read_text()
    (folder / "hlg.toml").write_text("top_k = 3\n")
    assert "--force" in refused("init")
    assert (folder / "hlg.toml").read_text() == "top_k = 3\n"
    ran("init", "--force")


def test_a_wrong_settings_file_stops_every_command(folder: Path) -> None:
    (folder / "hlg.toml").write_text("stroe = 'x'\n")
    for command in (["status"], ["query", "Who?"], ["build", "."], ["doctor"], ["export"]):
        assert "did you mean 'store'?" in refused(*command)


@pytest.mark.usefixtures("in_town")
def test_doctor_is_content_and_says_where_settings_come_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HLG_TOP_K", "7")
    report = done("doctor")
    assert report["ok"] is True
    assert {check["name"] for check in report["checks"]} >= {
        "python",
        "packages",
        "language model",
        "embedder",
        "store",
        "vectors",
        "permissions",
    }
    assert report["settings"]["top_k"] == {"value": "7", "origin": "environment"}
    assert "all is well" in hlg("doctor").stdout


def test_doctor_says_what_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "hlg.toml").write_text("neo4j_password = 'abc'\n")
    (folder / "hlg.toml").chmod(0o644)
    monkeypatch.setenv("HLG_STOER", "x")
    report = done("doctor", "--store", "bolt://127.0.0.1:9", code=2)
    advice = {check["name"]: check["advice"] for check in report["checks"] if not check["ok"]}
    assert advice["settings file"] == "chmod 600 hlg.toml"
    assert advice["environment"] == "rename or unset HLG_STOER"
    assert "127.0.0.1:9" in advice["store"]
    assert report["settings"]["neo4j_password"]["value"] == "********"


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        (Says("ready \x1b[2J"), r"tiny at http://127.0.0.1:\d+/v1 answers 'ready \\x1b\[2J' after"),
        (Refusal(401), "401.* set its key as HLG_LLM_API_KEY"),
        (Says("late", seconds=3), r"no whole answer after 0.5 s"),
        (Sends(b"<html>"), "is llm_url right"),
        (Hangup(), "Connection error"),
    ],
)
@pytest.mark.usefixtures("in_town")
def test_doctor_asks_the_language_model(
    turn: Turn, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hlg_doctor, "ENDPOINT_SECONDS", 0.5)
    with ScriptedServer([turn]) as server:
        server.tell_commands(monkeypatch)
        report = done("doctor", code=0 if "answers" in said else 4)
    (check,) = (each for each in report["checks"] if each["name"] == "endpoint")
    assert re.search(said, check["detail"] + check["advice"])
    assert "\n" not in check["advice"]
    assert len(server.asked) == 1


# Faults


def test_a_fault_in_hlg_is_one_line_with_a_hint_and_a_traceback_when_asked_for() -> None:
    faulty = typer.Typer(cls=EndingGroup)

    @faulty.callback()
    def start(debug: bool = False) -> None: ...

    @faulty.command()
    def divide() -> None:
        1 / 0  # noqa: B018

    plain = CliRunner().invoke(faulty, ["divide"])
    assert (plain.exit_code, plain.stdout) == (70, "")
    assert plain.stderr == (
        "hlg: a fault in hlg: ZeroDivisionError: division by zero; hlg --debug … shows where\n"
    )
    traced = CliRunner().invoke(faulty, ["--debug", "divide"])
    assert traced.exit_code == 70
    assert "Traceback" in traced.stderr


def test_a_ranker_is_not_trained_without_lightgbm(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hlg.evaluation.training.ranker.find_spec", lambda name: None)
    assert "training needs LightGBM" in refused("tune", "ranker", "no/such/folder")
    assert not (folder / ".hlg").exists()
