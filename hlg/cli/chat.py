"""``hlg chat``: a conversation with the graph."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from hlg.cli.ask import print_answer, streaming
from hlg.cli.command import opened
from hlg.cli.console import Styled, one_line, print_line, say
from hlg.cli.options import (
    EVIDENCE_TOKENS,
    BudgetOption,
    ExtractiveOption,
    RetrieverOptions,
    SearchSettings,
    TokensOption,
    WhereOption,
    retriever_options,
)
from hlg.errors import HlgError

if TYPE_CHECKING:
    from hlg.asking.chat import Chat

_COMMANDS = "/sources what the last answer cites, /new forget what was said, /exit end"


def chat(
    settings: SearchSettings,
    options: RetrieverOptions = None,
    where: WhereOption = "",
    extractive: ExtractiveOption = False,
    tokens: TokensOption = EVIDENCE_TOKENS,
    budget: BudgetOption = None,
) -> None:
    """Ask question after question; each may build on those before: "and his wife?"

    A question a line, from the terminal or from a pipe. What a question only points to is
    filled in before it is searched for: by the language model where there is one, else by
    rule. Lines that begin with / are commands: /sources, /new, /exit; Ctrl-D ends as well.

    \b
    Examples:
      hlg chat
      printf 'Who kept Skarn Light?\\nAnd his wife?\\n' | hlg chat
    """
    from hlg.asking.chat import Chat
    from hlg.asking.search import SearchOptions

    how = SearchOptions(options=retriever_options(options), where=where)
    with opened(settings, budget=budget) as graph:
        graph.status()
        talk = Chat(graph, how, tokens=tokens, extractive=extractive)
        if sys.stdin.isatty():
            say(_COMMANDS)
        for line in _lines():
            if line in ("/exit", "/quit"):
                break
            _follow(talk, line)


def _lines() -> Iterator[str]:
    """Lines that say something, until the input ends or Ctrl-C is pressed at the prompt."""
    is_terminal = sys.stdin.isatty()
    if is_terminal:
        with suppress(ImportError):
            import readline  # noqa: F401  (input() then has a line to edit, and a history)
    while True:
        try:
            line = input("? ") if is_terminal else sys.stdin.readline()
        except (EOFError, KeyboardInterrupt):
            print_line()
            return
        if not is_terminal and not line:
            return
        if line.strip():
            yield line.strip()


def _follow(talk: "Chat", line: str) -> None:
    """Do what a line says; a question that fails, or that Ctrl-C stops, ends nothing else."""
    if line == "/new":
        talk.new()
        say("forgotten")
    elif line == "/sources":
        _print_sources(talk)
    elif line.startswith("/"):
        say(f"no command {one_line(line, 40)}; {_COMMANDS}")
    else:
        _answer(talk, line)


def _answer(talk: "Chat", question: str) -> None:
    try:
        with streaming() as stream:
            turn = talk.ask(question, stream)
    except KeyboardInterrupt:
        say("stopped")
        return
    except HlgError as error:
        say(f"hlg: {one_line(str(error))}")
        return
    if turn.question != question:
        print_line(Styled(f"({one_line(turn.question)})", dim=True))
    print_answer(turn.answer, streamed=stream is not None and stream.has_written)
    print_line()


def _print_sources(talk: "Chat") -> None:
    cited = talk.turns[-1].answer.citations if talk.turns else ()
    if not cited:
        say("nothing was cited yet")
    for citation in cited:
        print_line(citation.line())
        print_line(f"    {one_line(citation.passage.text)}")
