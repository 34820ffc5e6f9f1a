"""The command line itself: what is misspelt is said with what was meant, and values complete."""

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from hlg.cli.console import print_tables
from hlg.cli.main import app
from hlg.doctor import REGISTRIES, choices
from hlg.evaluation.tables import Table
from hlg.registry import options_of
from hlg.retrieval.registry import RETRIEVERS
from support.command_line import hlg, ran, refused


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bild", "notes/"], "hlg: no command 'bild'; did you mean 'build'? hlg --help lists them"),
        (["xyz"], "hlg: no command 'xyz'; hlg --help lists them"),
        (
            ["entities", "lst"],
            "hlg: no command 'lst'; did you mean 'list'? hlg entities --help lists them",
        ),
        (
            ["query", "--retreiver", "x", "y"],
            "hlg: no option --retreiver; did you mean --retriever? see hlg query --help",
        ),
        (["--debgu"], "hlg: no option --debgu; did you mean --debug? see hlg --help"),
        (["query", "--qqq"], "hlg: no option --qqq; see hlg query --help"),
        (["query"], "hlg: TEXT is missing; see hlg query --help"),
        (["copy"], "hlg: --to is missing; see hlg copy --help"),
        (
            ["query", "x", "-k", "many"],
            "hlg: --top-k: it has to be a whole number; see hlg query --help",
        ),
        (
            ["ask", "x", "--tokens", "5"],
            "hlg: --tokens: it has to be 100 or more; see hlg ask --help",
        ),
        (["query", "x", "y"], "hlg: nothing more is taken: y; see hlg query --help"),
        (["query", "x", "-k"], "hlg: -k has no value"),
    ],
)
def test_what_is_misspelt_is_said_in_a_line(arguments: list[str], said: str) -> None:
    assert refused(*arguments) == said


def every_command(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    if hasattr(command, "list_commands"):
        for name in command.list_commands(None):
            yield from every_command(command.get_command(None, name), (*words, name))


@pytest.mark.parametrize("words", list(every_command(get_command(app))), ids=" ".join)
def test_a_help_is_whole_and_plain(words: tuple[str, ...]) -> None:
    shown = ran(*words, "--help")
    assert "\\b" not in shown.stdout
    assert "\b" not in shown.stdout
    assert not re.search(r"\w\.\.\.$", shown.stdout, re.MULTILINE), "a summary was cut"


def test_a_table_is_whole_on_a_narrow_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    headings = ("stage", *(f"metric_{number} %" for number in range(14)))
    rows = (("hierarchical:parent_tokens=2000@500/0.1 + rerank", *["0.611 [0.520 0.702]"] * 14),)
    monkeypatch.setenv("TERM", "dumb")  # 80 columns, and no colours
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    print_tables([Table("means by stage", headings, rows)])
    shown = capsys.readouterr().out
    assert all(re.search(rf"\b{word}\b", shown) for each in headings for word in each.split()[:1])
    assert shown.count("[0.520 0.702]") == 14
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_heading_takes_no_more_lines_than_it_must(capsys: pytest.CaptureFixture[str]) -> None:
    headings = ("weights", "recall@5 less α = 0.7", "US$ per 1,000")
    print_tables([Table("by weight", headings, (("α = 1", "-0.016 [-0.031 -0.001]", "2"),))])
    lines = capsys.readouterr().out.splitlines()
    above = lines[2 : next(at for at, line in enumerate(lines) if line.startswith("┡"))]
    assert [[cell.strip() for cell in line.strip("┃").split("┃")] for line in above] == [
        ["", "", "US$"],
        ["", "recall@5 less α", "per"],
        ["weights", "= 0.7", "1,000"],
    ]


def test_text_in_a_table_begins_at_the_left(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("Who founded the yard that built the Petrel?", "Who sold it?")
    print_tables(
        [
            Table(
                "worst",
                ("stage", "lead", "question"),
                (("a", "-1", asked[0]), ("b", "-0.5", asked[1])),
            )
        ]
    )
    lines = capsys.readouterr().out.splitlines()
    assert {line.index("Who") for line in lines if "Who" in line} == {lines[2].index("question")}


def offered(line: str) -> list[str]:
    """What a shell offers at the end of a line."""
    variables = {"_HLG_COMPLETE": "complete_fish", "_TYPER_COMPLETE_ARGS": line}
    done = CliRunner().invoke(
        app,
        [],
        prog_name="hlg",
        env=variables | {"_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    )
    return [each.partition("\t")[0] for each in done.stdout.split("\n") if each]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("hlg query --retriever ", list(RETRIEVERS)),
        ("hlg query --retriever stat", ["statements", "statement-graph"]),
        ("hlg query --rerank ", ["path", "none", "llm", "llm-relevance", "cascade"]),
        ("hlg export --format g", ["graphml"]),
        ("hlg context --format t", ["triples"]),
        ("hlg build --chunker h", ["hierarchical"]),
        ("hlg build --chunker l", ["llama_index:"]),
        ("hlg build --chunker semantic:", ["semantic:percentile=", "semantic:window="]),
        ("hlg build --extractor l", ["local", "llm", "llm-facts", "local-all"]),
        ("hlg query --retriever local -o hop", ["hops="]),
        ("hlg query -o depth", []),
        ("hlg status --set chunk_", ["chunk_tokens=", "chunk_overlap="]),
        ("hlg query --retriever nonesuch -o ", []),
        ("hlg bro", ["browse"]),
    ],
)
def test_values_complete(line: str, values: list[str]) -> None:
    assert offered(line) == values


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("build", "chunkers"),
        ("build", "extractors"),
        ("query", "retrievers"),
        ("context", "context formats"),
        ("export", "export formats"),
    ],
)
def test_help_names_all_that_can_be_chosen(command: str, kind: str) -> None:
    told = " ".join(hlg(command, "--help").stdout.split())
    for name in choices()[kind]:
        assert re.search(rf"\b{re.escape(name)}\b", told), name


def test_everything_that_can_be_chosen_says_what_it_is() -> None:
    for kind, named in choices().items():
        assert len(set(named.values())) > 1, kind
        assert all(named.values()), kind
    told = hlg("doctor", "--json").stdout
    assert json.loads(told)["choices"] == choices()


@pytest.mark.parametrize("place", REGISTRIES.values())
def test_every_row_leads_to_something(place: str) -> None:
    module, _, name = place.partition(":")
    for row in getattr(import_module(module), name).values():
        assert row.load() is not None
        assert row.summary
        assert all(option.summary for option in options_of(row.options_type()))
