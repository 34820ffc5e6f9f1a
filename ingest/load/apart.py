"""Reading a file in a process of its own: C code that runs for long can only be ended from outside.

One such process serves all files, one after the other. It is started with the first, and anew
after one at which it had to be ended. A file gets the seconds of its limits and
:data:`MOST_MEMORY`; whatever it does with them, this process goes on.
"""

import atexit
import os
import resource
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from hlg.errors import InputError
from hlg.ingest.load.file import File, Reader
from hlg.ingest.load.limits import MEBIBYTE
from hlg.ingest.parent import end_with
from hlg.records import Document
from hlg.reports import Failure

__all__ = ["close", "read_apart", "serve"]

MOST_MEMORY = 4096 * MEBIBYTE
"""Bytes that the process may take; Linux holds it to them, other systems may not."""
START_SECONDS = 120.0
"""It has to be there by then, on a machine however busy."""
GRACE = 0.5
"""Seconds beyond a file's own, in which a reader that looks at the clock can say so itself."""
LONGEST_WAIT = 1e6
DIED = "the process that read it died, perhaps for want of memory"

Found = list[Document | Failure]


class _Process:
    """The process, and the pipe to it."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._pipe, theirs = Pipe()
        arguments = f"{theirs.fileno()}, {self.owner}, {MOST_MEMORY}"
        # A group of its own: Ctrl-C is not for it, and what it starts is ended with it. It
        # imports from where this process does, and never from the folder that it is in (-P).
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"from {__name__} import serve; serve({arguments})"],
            stdin=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            process_group=0,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        theirs.close()

    def wait(self) -> None:
        """Until it is there: a file's time begins then.

        :raises InputError: it does not start.
        """
        try:
            if self._pipe.poll(START_SECONDS):
                self._pipe.recv()
                return
        except (EOFError, OSError):
            pass
        raise InputError("the process that should read it does not start")

    def ask(self, reader: Reader, file: File) -> tuple[Found, str]:
        """What the reader makes of the file there, or why it can't be read.

        :raises InputError: it takes too much time, or memory.
        """
        try:
            self._pipe.send((reader, file))
            if self._pipe.poll(min(file.limits.seconds + GRACE, LONGEST_WAIT)):
                found, reason = self._pipe.recv()
                return found, reason
        except (EOFError, OSError) as error:
            raise InputError(DIED) from error
        raise file.limits.out_of_time()

    def end(self) -> None:
        """End it, with what it started; a fork of its owner only lets go of it."""
        self._pipe.close()
        if self.owner == os.getpid():
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


_lock = threading.Lock()
_process: _Process | None = None


def read_apart(reader: Reader, file: File) -> Found:
    """What a reader, a function of a module, makes of a file within the file's limits.

    :raises InputError: the file can't be read, or takes too much time or memory.
    """
    with _lock:
        try:
            found, reason = _started().ask(reader, file)
        except BaseException:
            close()  # it may still be at it
            raise
    if reason:
        raise InputError(reason)
    return found


def _started() -> _Process:
    global _process
    if _process is None or _process.owner != os.getpid():
        _process = _Process()
        _process.wait()
    return _process


def close() -> None:
    """End the process, if there is one."""
    global _process
    if _process is not None:
        _process.end()
        _process = None


atexit.register(close)


def serve(handle: int, parent: int, memory: int) -> None:
    """In that process: read what comes through the pipe, until its other end is closed."""
    end_with(parent)
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with Connection(handle) as pipe, suppress(EOFError):
        pipe.send("ready")
        while True:
            try:
                reader, file = pipe.recv()
                pipe.send(_read(reader, file))
            except MemoryError:
                os._exit(1)  # the next file wants a process with room


def _read(reader: Reader, file: File) -> tuple[Found, str]:
    try:
        return list(reader(file)), ""
    except InputError as error:
        return [], str(error)
    except RecursionError:
        return [], "too deeply nested"
