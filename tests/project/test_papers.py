"""Every command that the papers' page names is one, with the options that it names."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from hlg.cli.main import app
from hlg.evaluation.studies.agents import named_rows
from hlg.evaluation.synthesis.recipes import RECIPES
from hlg.retrieval.registry import RETRIEVERS

PAGE = (Path(__file__).parents[2] / "docs" / "papers.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(hlg [^`]+)`", PAGE)))


@pytest.mark.parametrize("line", NAMED)
def test_a_command_of_the_page_exists(line: str) -> None:
    _, *words = shlex.split(line)
    command: Any = get_command(app)
    for word in words:
        if not hasattr(command, "list_commands"):
            break
        command = command.get_command(None, word)
        assert command is not None, word
    known = {option for each in command.params for option in each.opts}
    given = dict(zip(words, [*words[1:], ""], strict=True))
    assert {word for word in words if word.startswith("--")} <= known
    if "--rows" in given:
        named_rows(given["--rows"])
    if "--recipe" in given:
        RECIPES.named(given["--recipe"].partition(":")[0])
    for retriever in given.get("--retrievers", "").split(","):
        assert retriever in ("", *RETRIEVERS)
