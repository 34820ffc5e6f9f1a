"""What documents, names and models hold is shown on a terminal, and never obeyed by it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from docs.commands import commands_below
from hlg import LexicalGraph
from hlg.cli.main import app
from hlg.ids import community_id
from hlg.models.language.prompts import PromptBook
from hlg.records import Community
from support.command_line import done
from support.language_model_server import Asked, ScriptedServer
from support.reading_model import reading_model

POISON = (
    "\x1b[31mred\x1b[2J",
    "\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\",
    "\x9b31mC1",
    "\u202eesrever\u202c \u2066apart\u2069",
    "nul\x00nul",
    "over\rwritten",
    "[red]markup[/red]",
    "\x7f\x08\x0b",
)
"""Each with letters of its own, so that a name of it is a name."""
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
OWN_PROMPTS = "own"
OWN_STYLE = re.compile("\x1b\\[[0-2]m")
"""Bold, faint, and neither."""


def poisoned(word: str) -> str:
    return f"{word} {' '.join(POISON)} {word}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A graph of which every text is poisoned, in the current folder, and what it is made of."""
    place = tmp_path_factory.mktemp("poisoned")
    before = Path.cwd()
    os.chdir(place)
    name = "no\x1b[31mtes\u202e.jsonl"  # a file's name has no NUL and no line break
    (place / name).write_text(
        json.dumps(
            {
                "id": poisoned("id"),
                "title": poisoned("Oake Yard"),
                "text": f"Henrike Oake founded {poisoned('Oake Yard')} in 1888. "
                "Oake Yard built the Petrel.",
                poisoned("key"): poisoned("value"),
            }
        )
    )
    (place / "triples.jsonl").write_text(
        "\n".join(
            json.dumps(
                {
                    "subject": poisoned(subject),
                    "subject_class": poisoned("Person"),
                    "predicate": poisoned("founded"),
                    "object": poisoned("Oake Yard"),
                    "object_class": poisoned(kind),
                    "document": poisoned("document"),
                }
            )
            for subject, kind in (("Henrike Oake", "Place"), ("Ada Vale", "Organization"))
        )
    )
    with LexicalGraph.open() as graph:
        graph.build(name)
        graph.import_triples("triples.jsonl")
        entities = graph.entities.most_mentioned(100)
        ids = tuple(sorted(each.id for each in entities))
        title, summary = poisoned("Yards"), poisoned("Founded")
        found = Community(community_id(0, ids), 0, title, summary, None, len(ids), ids)
        graph.store.write_communities([found], None)
    own = place / OWN_PROMPTS / "keywords.md"
    own.parent.mkdir()
    text = PromptBook().source("keywords")[0]
    own.write_text(
        text.replace("about: The", f"about: {poisoned('The')}").replace("You", POISON[0])
    )
    yield place
    os.chdir(before)


def commands(folder: Path) -> dict[str, list[list[str]]]:
    """The command lines of each command that shows what a graph or a file holds."""
    with LexicalGraph.open(read_only=True) as graph:
        entity = graph.entities.most_mentioned(1)[0]
        uris = [source.uri for source in graph.sources()]
        (community,) = graph.communities()
    missing = poisoned("missing").replace("\0", "")
    question = "Who founded Oake Yard?"
    here = [each.name for each in folder.iterdir() if each.name.endswith(".jsonl")]
    made = f"{poisoned('made')[:9]}"
    return {
        "build": [["--list", *here, "."], ["--dry-run", *here, missing], here],
        "import": [["triples.jsonl"], [missing], [f"{missing}\0"]],
        "ask": [[question], [question, "--extractive"], [poisoned("Who")]],
        "chat": [[]],
        "query": [
            [question],
            [question, "--retriever", "bm25"],
            [question, "--retriever", "statement-graph", "--explain"],
            [question, "--retriever", "entity-link"],
            [poisoned("Who"), "--explain"],
            [question, "--retriever", poisoned("none")],
        ],
        "communities list": [[]],
        "communities show": [[community.id], [entity.name], [poisoned("none")]],
        "communities status": [[]],
        "communities build": [[]],
        "context": [
            [question],
            [question, "-f", "triples"],
            [question, "-f", "json"],
            [question, "-f", "paths"],
        ],
        "view": [["--entity", entity.name, "--out", f"{poisoned('page')[:9]}.html"]],
        "status": [[]],
        "sources": [[]],
        "sources list": [[]],
        "sources show": [[uri] for uri in [*uris, poisoned("none")]],
        "entities duplicates": [[]],
        "entities merge": [[entity.name, poisoned("none")], []],
        "entities list": [[], ["--merged"]],
        "entities show": [[entity.name], [poisoned("none")]],
        "entities split": [[entity.name]],
        "browse": [[question], [question, "--print"]],
        "estimate": [[*here, "--sample", "1"], [missing], ["--communities"]],
        "init": [["--domain", here[0], "--dry-run"], ["--domain", missing, "--dry-run"]],
        "prompts list": [["--set", f"prompts={OWN_PROMPTS}"]],
        "prompts show": [["keywords", "--set", f"prompts={OWN_PROMPTS}"], [missing]],
        "prompts eject": [[f"{poisoned('own')[:8]}", "--only", "keywords"]],
        "neo4j status": [["--home", missing]],
        "neo4j stop": [["--home", missing]],
        "eval synthesize": [[made]],
        "eval run": [
            [made, "--retrievers", "bm25", "--queries", "1", "--out", "result.json"],
            [made, "--retrievers", poisoned("none")],
            [missing],
        ],
        "eval agents": [
            [made, "--queries", "1", "--judge", "correctness", "--no-build"],
            [made, "--rows", poisoned("none")],
            [missing],
        ],
        "eval statements": [[".hlg/graph.lbug", "--sample", "2"]],
        "eval answers": [
            [made, "--queries", "1", "--judge", "correctness", "--no-build"],
            [missing],
        ],
        "eval report": [[missing]],
        "eval facts": [[".hlg/graph.lbug", "--out", f"{poisoned('marks')[:10]}.txt"]],
        "eval ablation": [[missing]],
        "eval progression": [[missing]],
        "eval scenarios": [[missing]],
        "tune ranker": [[missing], []],
        "tune fusion": [[missing], []],
        "tune threshold": [[missing]],
        "export": [["-f", "mermaid"]],
        "copy": [["--to", "copied.lbug"]],
        "doctor": [[]],
        "sources delete": [[uris[0], "--yes"]],
    }


SHOW_NO_TEXT = {"demo", "mcp", "neo4j start", "serve"}
"""Commands that print texts of hlg's own alone, or speak to programs."""
NAMES = {" ".join(words) for words in commands_below(get_command(app), ())}
GROUPS = {"", *(name.rpartition(" ")[0] for name in NAMES)}
WALKED = sorted(
    NAMES - GROUPS - SHOW_NO_TEXT | {"sources"},
    key=lambda name: (name == "sources delete", name != "eval synthesize", name),
)
"""The data set that is evaluated is made first, and a source deleted last."""


def model(asked: Asked) -> str:
    """A language model of which every word that it may choose is poisoned."""
    if asked.schema == "_Found":
        return json.dumps({"classes": ["Ship", poisoned("Yard")], "topics": [poisoned("Sales")]})
    return str(reading_model(asked)) if asked.schema else poisoned("Henrike Oake did [1].")


@pytest.fixture(scope="module")
def lines(folder: Path) -> dict[str, list[list[str]]]:
    return commands(folder)


@pytest.mark.parametrize("command", WALKED)
def test_no_command_prints_what_a_terminal_obeys(
    command: str, lines: dict[str, list[list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    has_json = "--json" in run([*command.split(), "--help"])
    with ScriptedServer(model) as server:
        server.tell_commands(monkeypatch)
        for arguments in lines[command]:
            words = [*command.split(), *arguments]
            shown = OWN_STYLE.sub("", run(words, on_terminal=True))
            assert not CONTROL.search(shown), (words, shown)
            if has_json:
                document = run([*words, "--json"])
                assert not CONTROL.search(document), (words, document)


def run(words: list[str], *, on_terminal: bool = False) -> str:
    """What a command prints on stdout and stderr; on a terminal with the styles of its own."""
    stdin = f"Who founded Oake Yard?\n/sources\n{poisoned('/no')}\n"
    result = CliRunner().invoke(app, words, color=on_terminal, input=stdin, prog_name="hlg")
    assert result.exit_code in range(5), (words, result.output)
    if "--json" in words and result.stdout:
        json.loads(result.stdout)
    return result.stdout + result.stderr


def test_json_holds_what_is_escaped_as_it_was(folder: Path) -> None:
    source = next(each for each in done("sources", "list") if each["uri"].startswith("triples:"))
    assert source["metadata"]["document"] == poisoned("document")


def test_an_export_to_a_terminal_is_shown_and_one_to_a_pipe_is_whole(folder: Path) -> None:
    command = [sys.executable, "-m", "hlg.cli.main", "export"]
    piped = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    ours, theirs = os.openpty()
    with subprocess.Popen(command, stdout=theirs) as export:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # Linux ends a terminal that nobody writes to any more so
            while piece := os.read(ours, 65_536):
                shown += piece
    os.close(ours)
    assert export.returncode == 0
    assert not CONTROL.search(shown.decode().replace("\r\n", "\n"))
    assert "\x9b" in piped.decode()
