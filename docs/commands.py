"""The page of all commands' help: ``python docs/commands.py > docs/cli.md``."""

import sys
from collections.abc import Iterator
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from hlg.cli.main import app

WIDTH = 90
_HEADER = """\
# Commands

Made by `python docs/commands.py`; a test checks that it is current.
"""


def reference() -> str:
    """The help of hlg and of every command below it, in Markdown."""
    return _HEADER + "".join(
        f"\n## {' '.join(words)}\n\n```text\n{_help(words[1:])}\n```\n"
        for words in commands_below(get_command(app), ("hlg",))
    )


def commands_below(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words of a command, and of each below it."""
    yield words
    if hasattr(command, "list_commands"):
        for name in command.list_commands(None):
            yield from commands_below(command.get_command(None, name), (*words, name))


def _help(words: tuple[str, ...]) -> str:
    shown = CliRunner(env={"COLUMNS": str(WIDTH), "HLG_DEBUG": ""}).invoke(
        app, [*words, "--help"], prog_name="hlg", terminal_width=WIDTH
    )
    return shown.stdout.strip()


if __name__ == "__main__":
    sys.stdout.write(reference())
