"""What the command line prints: results on stdout, everything else on stderr."""

import json
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

import typer

from hlg.reports import Failure, Note, Pace, Progress
from hlg.unicode import CONTROL, printable
from hlg.unicode import one_line as one_line

if TYPE_CHECKING:
    from hlg.evaluation.tables import Table
    from hlg.graph import LexicalGraph
    from hlg.models.language.answers import Usage

_WIDTH_OF_A_FILE = 200
_ROOM_FOR_TEXT = 20
"""Characters of a line of text in a table, where it shares the screen with other columns."""
SECONDS_BETWEEN_LINES = 5.0
"""How often progress is reported where there is no terminal."""
FAILURES_SHOWN = 20
stop_asked = threading.Event()
"""Whether somebody pressed Ctrl-C in the work that :func:`hlg.cli.ending.stopping` surrounds."""


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


def print_doubt(confidence: float, unsaid: Sequence[str] = ()) -> None:
    """That what follows is the nearest, and no answer; what of the question nothing speaks of."""
    words = ", ".join(f'"{word}"' for word in unsaid)
    why = f"says {words}" if words else f"seems to answer that (confidence {confidence:.2f})"
    print_line(f"nothing that was found {why}; the nearest all the same:")
    print_line()


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


def say_failures(failures: Sequence[Failure]) -> None:
    """Each input that was left out with its reason, up to a number that can be read."""
    _say_first([f"left out: {one_line(x.uri)}: {one_line(x.reason)}" for x in failures], "")


def say_notes(notes: Sequence[Note]) -> None:
    """What is odd about inputs that were taken in, up to a number that can be read."""
    _say_first([f"note: {one_line(x.uri)}: {one_line(x.text)}" for x in notes], " notes")


def _say_first(lines: Sequence[str], what: str) -> None:
    for line in lines[:FAILURES_SHOWN]:
        say(line)
    if len(lines) > FAILURES_SHOWN:
        say(f"… and {len(lines) - FAILURES_SHOWN} more{what}; --json lists them all")


def say_usage(graph: "LexicalGraph", *others: "Usage") -> None:
    """What the language model was asked and what that cost, and each of other models; of those
    that were asked."""
    own = graph.model_usage
    if own is not None:
        say(f"language model: {own.summary()}")
    for each in dict.fromkeys(others):
        if each != own and (each.calls or each.cached or each.failed):
            say(f"language model {one_line(each.model)}: {each.summary()}")


def print_tables(tables: "Iterable[Table]") -> None:
    """Tables for a terminal; the columns that have no room follow below, beside the first again."""
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else _WIDTH_OF_A_FILE)
    for table in tables:
        # An interval goes below its mean: side by side they would not fit on a screen.
        rows = [[one_line(cell).replace(" [", "\n[") for cell in row] for row in table.rows]
        cells = list(zip(*rows, strict=True)) or [()] * len(table.headings)
        headings = list(map(_heading_above, map(one_line, table.headings), cells))
        widths = [_width_beside((each, *its)) for each, its in zip(headings, cells, strict=True)]
        title = Text(one_line(table.title))
        for part in _parts(widths, console.width):
            grid = Grid(title=title, title_justify="left")
            for at in part:
                is_whole = at > 0 and widths[at] < _ROOM_FOR_TEXT
                grid.add_column(
                    Text(headings[at]),
                    justify="right" if is_whole else "left",
                    no_wrap=is_whole,
                    overflow="fold",
                )
            for row in rows:
                grid.add_row(*(Text(row[at]) for at in part))
            console.print(grid)
            title = Text()


def _heading_above(heading: str, cells: Sequence[str]) -> str:
    """A heading in lines no wider than its column's cells, or than its longest word."""
    width = max(_width_beside(cells or ("",)), *map(len, heading.split()), 1)
    return fill(heading, width, break_long_words=False, break_on_hyphens=False)


def _width_beside(column: Iterable[str]) -> int:
    """What a column of a table needs beside others: text is broken into lines."""
    return min(max(len(line) for cell in column for line in cell.split("\n")), _ROOM_FOR_TEXT)


def _parts(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """The columns that stand beside one another, the first in each part."""
    part, taken = [0], widths[0] + 4
    for at, width in enumerate(widths[1:], start=1):
        if len(part) > 1 and taken + width + 3 > room:
            yield part
            part, taken = [0], widths[0] + 4
        part.append(at)
        taken += width + 3
    yield part


def stop_where_asked() -> None:
    """Stop at a Ctrl-C that a library took for an error of its own, as one does that is being
    imported."""
    if stop_asked.is_set():
        raise KeyboardInterrupt


class Reporter:
    """Shows progress on stderr: a bar on a terminal, now and then a line elsewhere.

    ``done`` is how far the work is. Each step of the work is a place where it can be stopped.
    """

    def __init__(self, bar: Any = None) -> None:
        self.done = 0
        self._bar, self._tasks = bar, dict[str, Any]()
        self._last = time.monotonic()
        self._pace = Pace(self._last)

    def __call__(self, progress: Progress) -> None:
        stop_where_asked()
        self.done, now = progress.done, time.monotonic()
        left = self._pace.left(progress, now)
        if self._bar is not None:
            self._draw(progress, progress.line(left, 72))
        elif now - self._last >= SECONDS_BETWEEN_LINES:
            self._last = now
            say(f"{progress.stage}: {progress.line(left, 120)}")

    def _draw(self, progress: Progress, state: str) -> None:
        if progress.stage not in self._tasks:
            self._tasks[progress.stage] = self._bar.add_task(progress.stage, state="", total=None)
        self._bar.update(
            self._tasks[progress.stage],
            completed=progress.part or 0,
            total=None if progress.part is None else 1,
            state=state,
        )


@contextmanager
def progress_reporter() -> Iterator[Reporter]:
    """What shows progress in the block."""
    if not sys.stderr.isatty():
        yield Reporter()
        return
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
        yield Reporter(bar)
