"""``hlg prompts``: what models are asked with, shown and put where it can be changed."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hlg.cli.main import app
from hlg.models.language.prompts import PromptBook


def run(*arguments: str, exit_code: int = 0) -> str:
    result = CliRunner().invoke(app, ["prompts", *arguments])
    assert result.exit_code == exit_code, result.output
    return result.output


def test_one_of_ones_own_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "wrote" in run("eject", str(tmp_path), "--only", "keywords")
    own = tmp_path / "keywords.md"
    assert run("show", "keywords").rstrip() == own.read_text().rstrip()
    own.write_text(own.read_text().replace("version: 1", "version: 7"))
    assert "stays as it is" in run("eject", str(tmp_path))
    monkeypatch.setenv("HLG_PROMPTS", str(tmp_path))
    assert "version: 7" in run("show", "keywords")
    listed = {each["name"]: each for each in json.loads(run("list", "--json"))}
    assert (listed["keywords"]["version"], listed["keywords"]["place"]) == (7, str(own))
    own.write_text("nothing")
    assert f"{own}: it should begin with" in run("list", exit_code=2)


def test_an_unknown_one_is_answered_with_all() -> None:
    known = ", ".join(PromptBook().names())
    assert f"there are {known}" in run("show", "keyword", exit_code=2)
