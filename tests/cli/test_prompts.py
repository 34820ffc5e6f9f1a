"""``hlg prompts``: what models are asked with, shown and put where it can be changed."""

import json
from pathlib import Path

import pytest

from hlg.errors import UsageError
from hlg.models.language.door import open_door
from hlg.models.language.prompts import PromptBook
from support.command_line import hlg
from support.language_model_server import ScriptedServer


def run(*arguments: str, exit_code: int = 0) -> str:
    result = hlg("prompts", *arguments)
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


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[[question]]", "[[query]]", "[[question]] is missing, nothing is filled into [[query]]"),
        ("[[question]]", "It was asked.", "[[question]] is missing"),
        ("# user", "At most {{most}}.\n# user", "nothing is filled into {{most}}"),
        ("[[question]]", "{{question}}", "is missing, nothing is filled into {{question}}"),
    ],
    ids=["renamed", "left out", "invented", "unfenced"],
)
def test_a_place_that_is_wrong_is_said_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, problem: str
) -> None:
    monkeypatch.setenv("HLG_PROMPTS", str(tmp_path))
    own = tmp_path / "keywords.md"
    own.write_text(PromptBook().source("keywords")[0].replace(old, new))
    with ScriptedServer(["no"]) as server:
        # Not of that prompt: whoever opens the door is told of all.
        with pytest.raises(UsageError) as raised:
            open_door(server.settings(prompts=str(tmp_path)))
        assert not server.asked
    assert problem in str(raised.value)
    assert str(raised.value).startswith(f"{own}: ")
    assert str(raised.value).endswith("; this prompt has [[question]]")
    assert "\n" not in str(raised.value)
    assert problem in run("list", exit_code=2)


def test_a_file_that_is_nearly_named_as_a_prompt_is_no_prompt(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("Our prompts.")
    PromptBook(str(tmp_path)).check()
    (tmp_path / "keyword.md").write_text("…")
    with pytest.raises(UsageError, match=r"keyword\.md: there is no .* is it keywords\.md\?"):
        PromptBook(str(tmp_path)).check()


def test_hlgs_own_prompts_can_all_be_ejected_and_asked_with(tmp_path: Path) -> None:
    run("eject", str(tmp_path))
    book = PromptBook(str(tmp_path))
    book.check()
    assert all(book.load(name).is_own for name in book.names())
