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

from hlg import LexicalGraph
from hlg.cli.main import app
from hlg.cli.reference import commands_below
from hlg.ids import community_id
from hlg.records import Community
from support.command_line import done

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
    return {
        "build": [["--list", *here, "."], ["--dry-run", *here, missing], here],
        "import": [["triples.jsonl"], [missing], [f"{missing}\0"]],
        "ask": [[question], [question, "--extractive"], [poisoned("Who")]],
        "chat": [[]],
        "query": [
            [question],
            [question, "--retriever", "bm25"],
            [question, "--retriever", "statement-graph", "--explain"],
            [question, "--retriever", "entity-link", "--mermaid"],
            [poisoned("Who"), "--explain"],
            [question, "--retriever", poisoned("none")],
        ],
        "communities list": [[]],
        "communities show": [[community.id], [entity.name], [poisoned("none")]],
        "communities status": [[]],
        "communities build": [[]],
        "context": [[question], [question, "-f", "triples"], [question, "-f", "json"]],
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
        "export": [["-f", "mermaid"]],
        "copy": [["--to", "copied.lbug"]],
        "doctor": [[]],
        "sources delete": [[uris[0], "--yes"]],
    }


SHOW_NO_TEXT = ("browse", "demo", "domain", "estimate", "eval", "init", "neo4j", "prompts", "tune")
"""Commands that print none of a graph's texts, or print them as those above do."""
WITHOUT_JSON = ("chat", "export", "view")


def test_no_command_prints_what_a_terminal_obeys(folder: Path) -> None:
    lines = commands(folder)
    names = {" ".join(words) for words in commands_below(get_command(app), ())}
    for name in names - lines.keys():
        is_group = any(other.startswith(f"{name} ") for other in names)
        assert not name or is_group or name.split()[0] in SHOW_NO_TEXT, name
    for command, argument_lists in lines.items():
        for arguments in argument_lists:
            words = [*command.split(), *arguments]
            shown = OWN_STYLE.sub("", run(words, on_terminal=True))
            assert not CONTROL.search(shown), (words, shown)
            if command not in WITHOUT_JSON and "--mermaid" not in words:
                document = run([*words, "--json"])
                assert not CONTROL.search(document), (words, document)


def run(words: list[str], *, on_terminal: bool = False) -> str:
    """What a command prints on stdout and stderr; on a terminal with the styles of its own."""
    stdin = f"Who founded Oake Yard?\n/sources\n{poisoned('/no')}\n"
    result = CliRunner().invoke(app, words, color=on_terminal, input=stdin, prog_name="hlg")
    assert result.exit_code in (0, 1, 2), (words, result.output)
    if "--json" in words and result.stdout:
        json.loads(result.stdout)
    return result.stdout + result.stderr


def test_json_holds_what_is_escaped_as_it_was(folder: Path) -> None:
    source = next(each for each in done("sources", "list") if each["uri"].startswith("triples:"))
    assert source["metadata"]["document"] == poisoned("document")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
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
