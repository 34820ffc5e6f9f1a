"""The ``hlg`` command: the commands that it is made of."""

import importlib
import logging
import os
import sys
from keyword import iskeyword
from typing import Annotated, Any

import typer
from typer.main import get_command as click_command

from hlg import __version__
from hlg.cli.command import Commands
from hlg.cli.console import print_line, say_text
from hlg.cli.ending import EndingGroup
from hlg.models.spacy_pipeline import run_in_own_process

_COMMANDS = {
    "build": "Build the graph of documents, or bring it up to date.",
    "import": "Bring triples of a predefined graph in.",
    "ask": "Answer a question, each sentence cited.",
    "chat": "Ask question after question.",
    "query": "Find the evidence for a question.",
    "communities": "Groups of entities, and what each is about.",
    "context": "Print what a model would be given for a question.",
    "serve": "Serve a page to ask in, and a JSON API.",
    "mcp": "Serve the graph to agents, by MCP.",
    "view": "Draw the evidence, or what lies around a node.",
    "browse": "Open the graph in Neo4j Browser.",
    "status": "Say what the graph holds, and where it is.",
    "sources": "List, show or delete the documents in it.",
    "entities": "Say which entities are the same thing.",
    "export": "Write the graph, or a part of it, as text.",
    "estimate": "Say what a language model will cost.",
    "prompts": "What language models are asked with.",
    "copy": "Copy the graph into another store.",
    "demo": "See it work on twelve short texts.",
    "init": "Write hlg.toml, with every setting.",
    "doctor": "Check that everything is there; say what to do.",
    "neo4j": "Run Neo4j on this machine, without Docker.",
    "eval": "Measure retrievers and answers.",
    "tune": "Fit the ranker to your questions or your graph.",
}
"""In the order of ``--help``. Each is a function of its name, or an ``app`` of several, in the
module of its name or in the one that is named below."""
_HOMES = {
    "import": "build",
    "estimate": "build",
    "chat": "ask",
    "context": "query",
    "serve": "listening",
    "mcp": "listening",
    "view": "part",
    "export": "part",
}


class HlgGroup(EndingGroup):
    """Imports a command's module when the command is wanted."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        return list(_COMMANDS)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # type: ignore[override]
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"hlg.cli.{_HOMES.get(cmd_name, cmd_name)}")
        app = getattr(module, "app", None)
        if app is None:
            app = Commands()
            app.command()(getattr(module, f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name))
        command = click_command(app)
        command.name, command.short_help = cmd_name, _COMMANDS[cmd_name]
        return command


app = Commands(
    cls=HlgGroup,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print_line(f"hlg {__version__}")
        raise typer.Exit


@app.callback()
def hlg(
    version: Annotated[bool, typer.Option(callback=_print_version, is_eager=True)] = False,
    debug: Annotated[bool, typer.Option(envvar="HLG_DEBUG")] = False,
) -> None:
    """Turn documents into a Hierarchical Lexical Graph and ask it questions.

    \b
    Start here:
      hlg demo                              see it work, in seconds
      hlg build notes/                      a graph of a folder of documents
      hlg ask "Who runs the harbour?"       an answer, cited to the character
      hlg query "Who runs the harbour?"     all the evidence for it
      hlg status                            what the graph holds

    \b
    Settings come from flags (--set NAME=VALUE for any), then HLG_* variables, then
    hlg.toml (hlg init writes one), then defaults; hlg doctor shows where each came
    from. A password is never a flag: set HLG_NEO4J_PASSWORD.

    \b
    Exit codes: 0 done, 1 some inputs failed, 2 wrong usage, 3 store not reachable
    or wrong, 4 model missing, 70 a fault in hlg, 130 stopped by Ctrl-C.

    :param version: Print the version.
    :param debug: Show tracebacks of errors.
    """
    _log_to_stderr()


class _Said(logging.Handler):
    """Says what is logged."""

    def emit(self, record: logging.LogRecord) -> None:
        say_text(f"hlg: {self.format(record)}")


def _log_to_stderr() -> None:
    """Show hlg's own warnings; what libraries warn of comes back as errors of ours."""
    logging.getLogger("hlg").handlers = [_Said()]
    logging.getLogger().addHandler(logging.NullHandler())


def _open_standard_streams() -> None:
    """Have all three, to nowhere where they are closed: a store's file would get their number."""
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != descriptor:
                os.dup2(nowhere, descriptor)
            os.set_inheritable(descriptor, True)
            setattr(sys, name, os.fdopen(descriptor, "w" if descriptor else "r", closefd=False))


def run() -> None:
    """Entry point of the ``hlg`` script."""
    _open_standard_streams()
    run_in_own_process()
    try:
        app(prog_name="hlg")
    finally:
        # A Ctrl-C that lands in a string which a library executes marks an interpreter of
        # ``python -m`` to die of the signal at its end, though it was caught; evaluating
        # anything takes the mark away.
        eval("None")


if __name__ == "__main__":
    run()
