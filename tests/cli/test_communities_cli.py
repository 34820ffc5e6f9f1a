"""``hlg communities``: what a person types, sees, and pipes."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hlg.cli.main import app

TEXT = """# Marrow Yard

Marrow Yard built the Petrel in 1911. Edith Vale founded Marrow Yard.
Edith Vale studied with Bela Kovacs. Bela Kovacs invented the tidal lamp.
The Petrel carried mail to Skerry Island. Port Ellery lies on the Tarn river.
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("communities")
    (folder / "yard.md").write_text(TEXT)
    path = str(folder / "g.lbug")
    run("build", str(folder / "yard.md"), "--store", path)
    return path


def run(*arguments: str, exit_code: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == exit_code, result.output
    return result.stdout if exit_code == 0 else result.output


def test_without_communities_it_says_what_to_do(store: str) -> None:
    assert "hlg communities build" in run("communities", "status", "--store", store)
    assert run("communities", "list", "--store", store) == ""
    message = run("query", "Vale?", "--store", store, "--retriever", "global", exit_code=2)
    assert "hlg communities build" in message


def test_they_are_built_listed_shown_and_searched(store: str, tmp_path: Path) -> None:
    report = json.loads(run("communities", "build", "--store", store, "--json"))
    assert report["communities"] == report["new"] == sum(report["levels"]) > 0
    again = run("communities", "build", "--store", store)
    assert f"{report['communities']} communities kept, 0 new, 0 gone" in again
    listed = json.loads(run("communities", "list", "--level", "0", "--store", store, "--json"))
    assert len(listed) == report["levels"][0]
    assert listed[0]["id"] in run("communities", "list", "--store", store)
    shown = json.loads(run("communities", "show", listed[0]["id"], "--store", store, "--json"))
    assert shown[0]["title"] == listed[0]["title"]
    member = shown[0]["members"][0]["name"]
    assert listed[0]["id"] in run("communities", "show", member, "--store", store)
    assert "as it is now" in run("communities", "status", "--store", store)
    for retriever in ("local", "global", "drift"):
        arguments = ("--store", store, "--retriever", retriever, "--json")
        hits = json.loads(run("query", "Who founded Marrow Yard?", *arguments))["hits"]
        assert hits[0]["path"]
    local = ("--retriever", "local", "--hops", "0", "--store", store, "--json")
    assert json.loads(run("query", "Who founded Marrow Yard?", *local))["hits"]
    (tmp_path / "more.md").write_text("Oro trades with Tamm. Tamm lies near Kesh.")
    run("build", str(tmp_path / "more.md"), "--store", store)
    status = json.loads(run("communities", "status", "--store", store, "--json"))
    assert not status["is_current"]
    assert "has changed since" in run("communities", "status", "--store", store)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("build", "--algorithm", "louvain"), "louvain"),
        (("build", "--resolution", "0"), "resolution"),
        (("build", "--max-size", "1"), "max_size"),
        (("show", "Nobody at all"), "no community 'Nobody at all'"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    store: str, arguments: tuple[str, ...], problem: str
) -> None:
    message = run("communities", *arguments, "--store", store, exit_code=2)
    assert problem in message
    assert len(message.strip().splitlines()) == 1
