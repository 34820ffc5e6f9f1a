"""How a command ends: what is said, and the exit code, where it could not do its work."""

import errno
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.exceptions import TyperException

from hlg.cli.command import CommandGroup, usage_line
from hlg.cli.console import one_line, say, say_text, stop_asked, stop_where_asked
from hlg.errors import HlgError, UsageError

EXIT_INTERRUPTED = 128 + signal.SIGINT
EXIT_BROKEN_PIPE = 128 + signal.SIGPIPE
RUN_AGAIN = "run the same command again for the rest"
EXIT_FAULT = 70
"""``EX_SOFTWARE`` of sysexits.h: hlg itself is at fault."""
_UNWRITTEN = {errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


class EndingGroup(CommandGroup):
    """Commands that end with one line on stderr; with ``--debug``, a traceback before it."""

    def make_context(self, *args: Any, **more: Any) -> Any:
        try:
            return super().make_context(*args, **more)
        except TyperException as error:
            if line := usage_line(error):
                _end(None, line, error.exit_code)
            raise
        except OSError as error:
            _end_unwritten(None, error)
            raise

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort):
            raise
        except TyperException as error:
            if line := usage_line(error):
                _end(ctx, line, error.exit_code)
            raise
        except KeyboardInterrupt:
            _end(ctx, "stopped", EXIT_INTERRUPTED)
        except HlgError as error:
            _end(ctx, str(error), error.exit_code)
        except Exception as error:
            if isinstance(error, OSError):
                _end_unwritten(ctx, error)
            fault = f"a fault in hlg: {type(error).__name__}: {error}"
            _end(ctx, f"{fault}; hlg --debug … shows where", EXIT_FAULT)


@contextmanager
def stopping(told: Callable[[], str]) -> Iterator[None]:
    """Work that Ctrl-C stops: what is left of it is told, and the exit code is that of a stop.

    It stops as well where a library takes the interrupt for an error of its own.
    """
    try:
        with _remembering_ctrl_c():
            try:
                yield
            finally:
                stop_where_asked()
    except KeyboardInterrupt as error:
        say(f"hlg: stopped; {told()}")
        raise typer.Exit(EXIT_INTERRUPTED) from error


@contextmanager
def _remembering_ctrl_c() -> Iterator[None]:
    """Note that Ctrl-C was pressed, besides raising the interrupt where Python would raise it."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop_asked.clear()


def _stop(*_: object) -> None:
    stop_asked.set()
    raise KeyboardInterrupt


def _end_unwritten(ctx: typer.Context | None, error: OSError) -> None:
    """End where the standard output takes no more, or a file that was not named; others say
    which."""
    if error.filename is not None or error.errno not in _UNWRITTEN:
        return
    # The interpreter's last flush must not complain either.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == errno.EPIPE:  # nobody reads on
        raise typer.Exit(EXIT_BROKEN_PIPE) from None
    _end(ctx, f"nothing more can be written: {error.strerror}", UsageError.exit_code)


def _end(ctx: typer.Context | None, text: str, exit_code: int) -> None:
    if ctx is not None and ctx.params.get("debug"):
        say_text(traceback.format_exc().rstrip())
    say(f"hlg: {one_line(text)}")
    raise typer.Exit(exit_code)
