"""What a loop did, step by step: shown as it happens, kept as JSON lines, and run again from them
without a model or a graph."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from hlg.agent.batch import batch
from hlg.agent.loop import agentic, one_search
from hlg.agent.steps import Act, AgentLimits, Count, Entry, Final, Loop, Seen, Think, Thought
from hlg.errors import InputError
from hlg.models.language.trace import CallTrace
from hlg.models.tokens import language_model_tokens
from hlg.unicode import one_line

LOOPS: dict[str, Callable[[str, tuple[Entry, ...], AgentLimits, Count], Loop]] = {
    "agentic": agentic,
    "batch": lambda question, _, *rest: batch(question, *rest),
    "single": one_search,
    "pages": partial(one_search, opens=True),
    "search": partial(one_search, kind="given"),
}


_THOUGHT: TypeAdapter[Thought | Seen] = TypeAdapter(Thought)
_SEEN: TypeAdapter[Thought | Seen] = TypeAdapter(Seen)


@dataclass(frozen=True, slots=True)
class Step:
    """A call of the model or of a tool, and what it gave."""

    number: int
    what: str
    arguments: str
    result: str
    tokens: int
    seconds: float
    error: str = ""

    def line(self) -> str:
        """For a person."""
        gave = f"error: {self.error}" if self.error else self.result
        return (
            f"{self.number:>3}. {self.what} {one_line(self.arguments, 160)} → "
            f"{one_line(gave, 100)} ({self.tokens:,} tokens, {self.seconds:.1f} s)"
        )


class Recorder:
    """Tells of each step, and keeps all that a replay needs.

    :param path: of the trace, which is added to; None keeps none.
    """

    def __init__(self, on_step: Callable[[Step], None] | None, path: Path | None) -> None:
        self._on_step = on_step or (lambda step: None)
        self._trace = CallTrace(path) if path is not None else None
        self._steps = 0

    def begin(self, loop: str, question: str, limits: AgentLimits) -> None:
        """A question is asked."""
        self._write(event="begin", loop=loop, question=question, limits=asdict(limits))

    def thought(self, think: Think, thought: Thought, tokens: int, seconds: float) -> None:
        """The model said something."""
        names = ", ".join(call.name for call in thought.calls)
        who = "answer" if think.kind == "given" else "model"
        self._tell(who, think.kind, names or thought.text, tokens, seconds)
        told = {"tokens": tokens, "took": round(seconds, 3)}
        self._write(event="think", kind=think.kind, **asdict(thought), **told)

    def seen(self, act: Act, seen: Seen, tokens: int, seconds: float) -> None:
        """A tool was called."""
        call, head = act.call, seen.shown.head.partition("\n")[0]
        self._tell(call.name, call.arguments, head, tokens, seconds, seen.error)
        told = {"tokens": tokens, "took": round(seconds, 3)}
        self._write(event="act", call=asdict(call), **asdict(seen), **told)

    def end(self, how: str, text: str) -> None:
        """The loop ended: ``answered``, or why it did not come to that."""
        self._write(event="end", how=how, text=text)

    def _tell(
        self, what: str, given: str, result: str, tokens: int, seconds: float, error: str = ""
    ) -> None:
        self._steps += 1
        self._on_step(Step(self._steps, what, given, result, tokens, seconds, error))

    def _write(self, **event: Any) -> None:
        if self._trace is not None:
            self._trace.write(event)


def replay(path: Path) -> list[Final]:
    """How each loop of a trace ended, by running it again on what was recorded.

    A loop that was interrupted, or that the model failed, is left out.

    :raises InputError: the file can't be read, is no trace, or not one of these loops.
    """
    finals: list[Final] = []
    entries: tuple[Entry, ...] = ()
    for begun, *rest in _recorded(path):
        if not rest or rest[-1]["event"] != "end" or rest[-1]["how"] != "answered":
            continue
        try:
            limits = AgentLimits(**begun["limits"])
            loop = LOOPS[begun["loop"]](begun["question"], entries, limits, language_model_tokens)
            final = _run(loop, iter(rest))
        except (KeyError, TypeError, ValueError, StopIteration) as error:
            raise InputError(f"{path}: is no trace of this hlg's agents ({error!r})") from error
        entries = final.entries
        finals.append(final)
    return finals


def _run(loop: Loop, events: Iterator[dict[str, Any]]) -> Final:
    try:
        asked = next(loop)
        while True:
            event = next(events)
            if event["event"] != ("think" if isinstance(asked, Think) else "act"):
                raise KeyError(event["event"])
            kind = _THOUGHT if isinstance(asked, Think) else _SEEN
            asked = loop.send(kind.validate_python(event))
    except StopIteration as ended:
        if not isinstance(ended.value, Final):
            raise
        return ended.value


def _recorded(path: Path) -> list[list[dict[str, Any]]]:
    """The events of each loop."""
    try:
        lines = path.read_text("utf-8").splitlines()
        events = [json.loads(line) for line in lines]
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: can't be read as a trace: {error}") from error
    loops: list[list[dict[str, Any]]] = []
    for event in events:
        if not isinstance(event, dict) or "event" not in event:
            raise InputError(f"{path}: is no trace of an agent")
        if event["event"] == "begin":
            loops.append([])
        if loops:
            loops[-1].append(event)
    return loops
