"""``hlg ask`` and ``hlg chat``: answers to questions, cited to the character."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from hlg.cli.command import opened
from hlg.cli.console import Styled, one_line, print_doubt, print_json, print_line, print_piece, say
from hlg.cli.options import (
    EVIDENCE_TOKENS,
    Budget,
    RetrieverOptions,
    SearchSettings,
    Tokens,
    named_values,
    question_of,
    retriever_options,
)
from hlg.errors import HlgError, UsageError
from hlg.registry import checked_options
from hlg.unicode import counted

if TYPE_CHECKING:
    from hlg.agent.steps import AgentLimits
    from hlg.answers import Answer
    from hlg.asking.chat import Chat

_CHAT_COMMANDS = "/sources what the last answer cites, /new forget what was said, /exit end"


def ask(
    text: str,
    settings: SearchSettings,
    options: RetrieverOptions = None,
    where: str = "",
    extractive: bool = False,
    tokens: Tokens = EVIDENCE_TOKENS,
    budget: Budget = None,
    agent: str | None = None,
    agent_trace: Path | None = None,
    agent_limit: list[str] | None = None,
    as_json: bool = False,
) -> None:
    """Answer a question from the graph, with where each sentence stands.

    By the language model that the settings name (llm): each sentence is checked against the
    statements that it cites, and marked where they do not bear it out. Without a model, or
    where it fails, by the statements that answer, as they stand in their sources; a question
    for a name, a place, a date or a number then leads with it. Where nothing in the graph seems
    to answer, that is said, and no model is asked.

    With --agent the model searches for itself: agentic, call by call, with tools to search, find,
    open and walk the graph; batch, with several queries at once in up to three rounds. Each step
    is shown as it is taken.

    \b
    Examples:
      hlg ask "Who built the lighthouse?"
      hlg ask "When was it first lit?" --json | jq -r .lead
      echo "Who built the lighthouse?" | hlg ask -
      hlg ask "Who taught the inventor of the tide organ?" --agent agentic

    :param LOOP agent: Let the model search for itself: agentic or batch; single and pages are what
        hlg eval agents measures them against.
    :param FILE agent_trace: Add the agent's steps to it, a JSON line each.
    """
    question = question_of(text, "ask")
    if (agent_trace or agent_limit) and not agent:
        raise UsageError("--agent-trace and --agent-limit are an agent's: give --agent as well")
    stream: Streamer | None = None
    if agent:
        from hlg.agent.ask import Agent, AgentOptions
        from hlg.asking.search import SearchOptions

        with opened(settings, budget=budget) as graph:
            how = SearchOptions(options=retriever_options(options), where=where)
            chosen = AgentOptions(agent, agent_limits(agent_limit or ()))
            answer = Agent(
                graph, how, chosen, on_step=lambda step: say(step.line()), trace=agent_trace
            ).ask(question)
    else:
        with opened(settings, budget=budget) as graph, streaming(is_wanted=not as_json) as stream:
            answer = graph.ask(
                question,
                options=retriever_options(options),
                where=where,
                tokens=tokens,
                extractive=extractive,
                on_text=stream,
            )
    if as_json:
        print_json(answer)
    else:
        print_answer(answer, stream)


def agent_limits(given: Sequence[str]) -> "AgentLimits":
    """An agent's limits from ``NAME=VALUE``.

    :raises UsageError: one is none, or out of its range.
    """
    from hlg.agent.steps import AgentLimits

    limits = named_values(given, "agent-limit", "iterations=5")
    return checked_options("--agent-limit", AgentLimits, limits) or AgentLimits()


class Streamer:
    """Writes a model's answer to the terminal as it comes."""

    def __init__(self) -> None:
        self.has_written = False

    def __call__(self, piece: str) -> None:
        self.has_written = True
        print_piece(piece)


@contextmanager
def streaming(*, is_wanted: bool = True) -> Iterator[Streamer | None]:
    """Writes an answer as it comes where stdout is a terminal, else None; one that Ctrl-C or an
    error breaks off ends its line, so that what is said of it has one of its own."""
    stream = Streamer() if is_wanted and sys.stdout.isatty() else None
    try:
        yield stream
    except BaseException:
        if stream is not None and stream.has_written:
            print_line()
        raise


def print_answer(answer: "Answer", stream: Streamer | None) -> None:
    """An answer for a person: what answers, the sentences, where they stand.

    :param stream: what may have written a model's sentences already, as they came.
    """
    from hlg.answers import EXTRACTION, cited

    is_by_model = answer.by != EXTRACTION
    is_streamed = stream is not None and stream.has_written
    if is_streamed:
        print_piece("\n\n")
    for note in answer.notes:
        say(one_line(note))
    if not answer.sentences:
        # A model that gives no answer has read what there is.
        found = "no answer was" if is_by_model else "nothing was"
        print_line(f"{found} found; hlg status shows what the graph holds")
        return
    if not answer.is_answered:
        print_doubt(answer.confidence, answer.unsaid)
    elif answer.lead:
        lead = one_line(answer.lead)
        over = f" ({one_line(answer.lead_over)})" if answer.lead_over else ""
        print_line(Styled(lead, bold=True), over + cited(answer.lead_citations))
        print_line()
    if not (is_streamed and is_by_model and answer.is_answered):
        for sentence in answer.sentences:
            mark = f"  ({one_line(sentence.problem)})" if sentence.problem else ""
            *lines, last = sentence.text.split("\n")
            for line in lines:
                print_line(one_line(line))
            print_line(one_line(last) + cited(sentence.citations) + mark)
        print_line()
    else:
        for sentence in filter(lambda each: each.problem, answer.sentences):
            print_line(f"not borne out ({sentence.problem}): {one_line(sentence.text, 120)}")
    for citation in answer.citations:
        print_line(citation.line())
    print_line()
    print_line(_how(answer))


def _how(answer: "Answer") -> str:
    total = answer.timings_ms.get("total", 0.0)
    paid = f"; {answer.usage.summary()}" if answer.usage.calls or answer.usage.cached else ""
    return (
        f"by {one_line(answer.by)} from {counted('hit', len(answer.hits))} in {total:.0f} ms, "
        f"confidence {answer.confidence:.2f}{paid}; all evidence with hlg query, for a program "
        "with --json"
    )


def chat(
    settings: SearchSettings,
    options: RetrieverOptions = None,
    where: str = "",
    extractive: bool = False,
    tokens: Tokens = EVIDENCE_TOKENS,
    budget: Budget = None,
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
            say(_CHAT_COMMANDS)
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
        say(f"no command {one_line(line, 40)}; {_CHAT_COMMANDS}")
    else:
        _reply(talk, line)


def _reply(talk: "Chat", question: str) -> None:
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
    print_answer(turn.answer, stream)
    print_line()


def _print_sources(talk: "Chat") -> None:
    cited = talk.turns[-1].answer.citations if talk.turns else ()
    if not cited:
        say("nothing was cited yet")
    for citation in cited:
        print_line(citation.line())
        print_line(f"    {one_line(citation.passage.text)}")
