"""Reading files in a process of its own, that a file can cost no more than itself.

C code that runs for long can only be ended from outside, and a library that wants all memory
takes its process with it. So all files are read in one process, one after the other, a few of
them ahead of what is asked for. A file gets the seconds of its limits and :data:`MOST_MEMORY`;
one at which the process has to be ended, or dies, is left out with the reason, and the process
is started anew for those behind it.
"""

import atexit
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

from hlg.errors import HlgError
from hlg.folders import cache_folder
from hlg.ingest.load.file import FileRequest, Found
from hlg.ingest.load.limits import MEBIBYTE
from hlg.ingest.parent import DIED, LONGEST_TIMER, end_with
from hlg.records import Document
from hlg.reports import Failure, LeftOut

MOST_MEMORY = 4096 * MEBIBYTE
"""Bytes that the process may take; Linux holds it to them, other systems may not."""
START_SECONDS = 120.0
"""It has to be there by then, on a machine however busy."""
GRACE = 0.5
"""Seconds beyond a file's own, in which a reader that looks at the clock can say so itself."""
AHEAD = 8
"""Files that it is told of before they are asked for: their paths fit the pipe, however long."""
CHARACTERS_A_MESSAGE = 64_000


class _OutOfTime(Exception):
    """A file's seconds are over."""


class _Process:
    """The process, and the pipe to it."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self.files = 0
        """How many it has read."""
        self._ready = False
        self._pipe, theirs = Pipe()
        # It watches its parent before it takes seconds to import the rest.
        code = (
            f"from {end_with.__module__} import end_with; end_with({self.owner}); "
            f"from {__name__} import serve; serve({theirs.fileno()}, {MOST_MEMORY})"
        )
        # A group of its own: Ctrl-C is not for it, and what it starts is ended with it. It
        # imports from where this process does, and never from the folder that it is in (-P),
        # which is none that could be deleted while it reads.
        folders = [str(Path(folder).absolute()) for folder in sys.path if folder]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            process_group=0,
            cwd=Path.cwd().anchor,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(folders),
                "HLG_CACHE": str(cache_folder().absolute()),
            },
        )
        theirs.close()

    def tell(self, file: FileRequest) -> None:
        """Let it read a file after those that it was told of before."""
        with suppress(OSError):  # it is dead; that shows where its answer is waited for
            self._pipe.send(file)

    def answer(self, file: FileRequest) -> Iterator[list[Found]]:
        """What it finds in the file, bit by bit.

        :raises HlgError: it does not start.
        :raises _OutOfTime: it takes longer than the file may; of records, longer for a few.
        :raises EOFError: it died.
        """
        self._wait_until_there()
        left = whole = min(file.limits.seconds + GRACE, LONGEST_TIMER)
        try:
            while True:
                begun = time.monotonic()
                if not self._pipe.poll(max(left, 0)):
                    raise _OutOfTime
                found, is_all = self._pipe.recv()
                left = whole if file.is_stream else left - (time.monotonic() - begun)
                yield found
                if is_all:
                    self.files += 1
                    return
        except OSError as error:
            raise EOFError from error

    def _wait_until_there(self) -> None:
        """A file's time begins when the process is there."""
        if self._ready:
            return
        with suppress(EOFError, OSError):
            if self._pipe.poll(START_SECONDS):
                self._pipe.recv()
                self._ready = True
                return
        raise HlgError("the process that reads files does not start; is there memory enough?")

    def end(self) -> None:
        """End it, with what it started; a fork of its owner only lets go of it."""
        self._pipe.close()
        if self.owner == os.getpid():
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


_idle: list[_Process] = []
"""The process that is kept for the next files, if there is one."""


class _Reading:
    """Files on their way through the process, which is another one after each that ended it."""

    def __init__(self) -> None:
        self.waiting: deque[FileRequest | Failure | LeftOut] = deque()
        self._process: _Process | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._process is None:
            return
        if error is None and not _idle:
            _idle.append(self._process)
        else:
            self._process.end()  # it may still be at a file

    def add(self, item: FileRequest | Failure | LeftOut) -> None:
        """Have a file read, or something told, behind what was added before."""
        self.waiting.append(item)
        if self._process is not None and isinstance(item, FileRequest):
            self._process.tell(item)

    def take(self) -> Iterator[Found]:
        """What there is of the first that waits."""
        first = self.waiting[0]
        if isinstance(first, FileRequest):
            yield from self._found_in(first)
        else:
            yield first
        self.waiting.popleft()

    def _found_in(self, file: FileRequest) -> Iterator[Found]:
        given = 0
        while True:
            process = self._started()
            again = given
            try:
                for bit in process.answer(file):
                    for found in bit[again:]:
                        given += 1
                        yield found
                    again = max(0, again - len(bit))
                return
            except _OutOfTime:
                self._end()
                yield Failure(file.uri, str(file.limits.out_of_time()))
                return
            except EOFError:
                self._end()
                if not process.files:  # it can't have been for another file
                    yield Failure(file.uri, DIED)
                    return

    def _started(self) -> _Process:
        if self._process is None:
            usable = [each for each in _idle if each.owner == os.getpid()]
            self._process = usable[0] if usable else _Process()
            _idle.clear()
            for item in self.waiting:
                if isinstance(item, FileRequest):
                    self._process.tell(item)
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


def read_files(items: Iterable[FileRequest | Failure | LeftOut]) -> Iterator[Found]:
    """The documents of files, and what else is among ``items``, in their order.

    What can't be read, or takes too much time or memory, is a failure with its reason.

    :raises HlgError: no process can be started to read them.
    """
    with _Reading() as reading:
        for item in items:
            reading.add(item)
            if len(reading.waiting) > AHEAD:
                yield from reading.take()
        while reading.waiting:
            yield from reading.take()


def close() -> None:
    """End the process that is kept, if there is one."""
    while _idle:
        _idle.pop().end()


atexit.register(close)


def serve(handle: int, memory: int) -> None:
    """In that process: read what comes through the pipe, until its other end is closed."""
    _bound(memory)
    with Connection(handle) as pipe, suppress(EOFError, BrokenPipeError):
        pipe.send("ready")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # libraries talk
        while True:
            try:
                file = pipe.recv()
                # For code that lets no Python run, once nobody is left to end this process.
                longest = min(2 * (file.limits.seconds + GRACE), LONGEST_TIMER)
                signal.setitimer(signal.ITIMER_REAL, longest)
                for message in _messages(file):
                    signal.setitimer(signal.ITIMER_REAL, 0)  # whoever asked may be busy
                    pipe.send(message)
                    signal.setitimer(signal.ITIMER_REAL, longest)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except MemoryError:
                os._exit(1)  # the next file wants a process with room


def _bound(memory: int) -> None:
    """Hold this process to so many bytes, where the system can do that."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        bytes_ = memory if most == resource.RLIM_INFINITY else min(memory, most)
        resource.setrlimit(resource.RLIMIT_DATA, (bytes_, bytes_))


def _messages(file: FileRequest) -> Iterator[tuple[list[Found], bool]]:
    """What a file holds, some of it at a time; each with whether that is the last of it."""
    from hlg.ingest.load.reading import read_file

    found: list[Found] = []
    characters = 0
    for each in read_file(file):
        found.append(each)
        characters += len(each.text) if isinstance(each, Document) else 0
        if characters >= CHARACTERS_A_MESSAGE:
            yield found, False
            found, characters = [], 0
    yield found, True
