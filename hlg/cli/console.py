"""What the command line prints: results on stdout, everything else on stderr."""

import json
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from hlg.reports import Failure, Note, Progress
from hlg.unicode import CONTROL, printable

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph

SECONDS_BETWEEN_LINES = 5.0
"""How often progress is reported where there is no terminal."""
SECONDS_OF_PACE = 60.0
SECONDS_BEFORE_A_PACE = 2.0
FURTHEST_AHEAD = 50
"""How many times as far as a stage has come in seconds it is told how far it has to go: the
first files say nothing of ten thousand others."""
SECONDS_BETWEEN_MARKS = 0.5
FAILURES_SHOWN = 20
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Styled:
    """A part of a line that a terminal shows in bold, or faintly."""

    text: str
    bold: bool = False
    dim: bool = False


def print_json(record: object) -> None:
    """The one JSON document of a ``--json`` command, on stdout in UTF-8.

    :param record: anything of which :func:`hlg.documents.document_of` makes a document.

    Only strings hold control characters, and there JSON has an escape for each.
    """
    from hlg.documents import document_of

    text = json.dumps(document_of(record), ensure_ascii=False, indent=2)
    write_stdout(CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode() + b"\n")


def write_stdout(data: bytes) -> None:
    """Bytes on stdout, whatever encoding the locale has; a terminal gets what it can show."""
    if sys.stdout.isatty():
        data = printable(data.decode("utf-8", "replace")).encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def print_line(*parts: str | Styled) -> None:
    """A line of the result, on stdout.

    Here and in :func:`print_text`, :func:`print_piece` and :func:`say` nothing but this module
    tells a terminal what to do: whatever a document, a name or a model's answer holds is shown.
    """
    typer.echo("".join(map(_shown, parts)))


def print_text(text: str) -> None:
    """Lines of the result, on stdout."""
    typer.echo(printable(text))


def print_piece(text: str) -> None:
    """A part of a text that is written as it comes, on stdout."""
    typer.echo(printable(text), nl=False)


def say(text: str) -> None:
    """A line about the work, on stderr."""
    typer.echo(_shown(text), err=True)


def say_text(text: str) -> None:
    """Lines about the work, on stderr."""
    typer.echo(printable(text), err=True)


def _shown(part: str | Styled) -> str:
    if isinstance(part, Styled):
        return typer.style(_shown(part.text), bold=part.bold or None, dim=part.dim or None)
    return printable(part).replace("\n", " ")


def one_line(text: str, width: int = 0) -> str:
    """A document's text in one line without runs of spaces, cut at ``width``."""
    line = _SPACE.sub(" ", printable(text)).strip()
    return line if not width or len(line) <= width else line[: width - 1].rstrip() + "…"


def say_failures(failures: tuple[Failure, ...]) -> None:
    """Each input that was left out with its reason, up to a number that can be read."""
    for failure in failures[:FAILURES_SHOWN]:
        say(f"left out: {one_line(failure.uri)}: {one_line(failure.reason)}")
    if len(failures) > FAILURES_SHOWN:
        say(f"… and {len(failures) - FAILURES_SHOWN} more; --json lists them all")


def say_notes(notes: tuple[Note, ...]) -> None:
    """What is odd about inputs that were taken in, up to a number that can be read."""
    for note in notes[:FAILURES_SHOWN]:
        say(f"note: {one_line(note.uri)}: {one_line(note.text)}")
    if len(notes) > FAILURES_SHOWN:
        say(f"… and {len(notes) - FAILURES_SHOWN} more notes; --json lists them all")


def say_usage(graph: "LexicalGraph") -> None:
    """What the language model was asked and what that cost, where it was asked."""
    usage = graph.model_usage
    if usage is not None:
        say(f"language model: {usage.summary()}")


@contextmanager
def progress_reporter() -> Iterator[Callable[[Progress], None]]:
    """Shows progress on stderr: a bar on a terminal, now and then a line elsewhere."""
    if sys.stderr.isatty():
        with _bar() as report:
            yield report
    else:
        yield _lines()


@contextmanager
def _bar() -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TimeElapsedColumn(),
        TextColumn("{task.fields[state]}", markup=False),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}
        pace = Pace(time.monotonic())

        def report(progress: Progress) -> None:
            if progress.stage not in tasks:
                tasks[progress.stage] = bar.add_task(progress.stage, state="", total=None)
            bar.update(
                tasks[progress.stage],
                completed=progress.part or 0,
                total=None if progress.part is None else 1,
                state=progress_state(progress, pace.left(progress, time.monotonic()), 72),
            )

        yield report


def _lines() -> Callable[[Progress], None]:
    last = time.monotonic()
    pace = Pace(time.monotonic())

    def report(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        left = pace.left(progress, now)
        if now - last < SECONDS_BETWEEN_LINES:
            return
        last = now
        say(f"{progress.stage}: {progress_state(progress, left, 120)}")

    return report


class Pace:
    """How long the rest of a stage takes, at the pace of the last minute.

    :param now: seconds of a clock that never goes back, here and below.
    """

    def __init__(self, now: float) -> None:
        self._stage = ""
        self._last = self._began = now
        self._seen: deque[tuple[float, float]] = deque()

    def left(self, progress: Progress, now: float) -> float | None:
        """Seconds until the stage's end; None where that can't be said yet."""
        if progress.stage != self._stage:
            self._stage = progress.stage
            self._began = self._last
            self._seen = deque([(self._began, 0.0)])
        self._last = now
        part = progress.part
        if part is None:
            return None
        if now - self._seen[-1][0] >= SECONDS_BETWEEN_MARKS:
            self._seen.append((now, part))
        while len(self._seen) > 2 and now - self._seen[1][0] > SECONDS_OF_PACE:
            self._seen.popleft()
        since, before = self._seen[0]
        if now - since < SECONDS_BEFORE_A_PACE or part <= before:
            return None
        left = (1 - part) * (now - since) / (part - before)
        return left if left <= FURTHEST_AHEAD * (now - self._began) else None


def progress_state(progress: Progress, left: float | None, width: int) -> str:
    """How far a stage is, in one line: counts or percent, the time left, and the message."""
    if progress.share is not None:
        parts = [f"{progress.share:.0%}"]
    else:
        parts = [f"{progress.done}" + (f" of {progress.total}" if progress.total else "")]
    if left is not None:
        parts.append(f"{_duration(left)} left")
    return ", ".join(parts) + f"  {one_line(progress.message, width)}".rstrip()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
