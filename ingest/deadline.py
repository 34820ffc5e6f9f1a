"""A bound on the time that a piece of work takes, however it passes it."""

import ctypes
import signal
import threading
import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

TICK = 0.05
"""Seconds between two looks at the clock."""
STEPS_TO_ARRIVE = 16
"""Python looks for what another thread has raised in it at the end of each round of a loop."""


class OutOfTime(BaseException):
    """The time for a piece of work is over. No ``except Exception`` on its way takes it."""


class Deadline:
    """Gives each piece of work in this process the same number of seconds.

    A thread watches the clock and raises :class:`OutOfTime` in the one that works, as
    soon as that runs Python again.

    :param end_process: let the kernel end this process ``TICK`` and a tenth of the time
        later, where the work is still on: a regular expression or a model's code lets
        nothing of Python run before it is done. Needs the main thread.
    """

    def __init__(self, seconds: float, *, end_process: bool = False) -> None:
        self.seconds = seconds
        self._end_process = end_process
        self._lock = threading.Lock()
        self._thread = 0
        self._ends: float | None = None
        self._watch: threading.Thread | None = None
        self._closed = threading.Event()

    def close(self) -> None:
        """Stop watching."""
        self._closed.set()

    def run(self, work: Callable[[], Result]) -> Result:
        """What ``work`` gives.

        :raises OutOfTime: it took too long.
        """
        try:
            try:
                self._start()
                return work()
            finally:
                self._stop()
        except OutOfTime:
            self._stop()  # it may have come before the work was called done
            raise

    def _start(self) -> None:
        if self._watch is None:
            self._watch = threading.Thread(target=self._look, name="hlg-deadline", daemon=True)
            self._watch.start()
        if self._end_process:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, 1.1 * self.seconds + 10 * TICK)
        self._thread = threading.get_ident()
        self._ends = time.monotonic() + self.seconds

    def _stop(self) -> None:
        """Call the work done; what was raised for it and is still on its way is let arrive.

        Taken back (``SetAsyncExc`` with NULL), it would leave CPython 3.11
        looking for it at every step of all that follows, and never end under a trace function.
        """
        late = False
        while True:
            try:
                with self._lock:
                    self._ends = None
                for _ in range(STEPS_TO_ARRIVE):
                    pass
                break
            except OutOfTime:
                late = True
        if self._end_process:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if late:
            raise OutOfTime

    def _look(self) -> None:
        while not self._closed.wait(TICK):
            with self._lock:
                if self._ends is not None and time.monotonic() > self._ends:
                    # Once more a second later, if the work went on all the same.
                    self._ends += 1.0
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._thread), ctypes.py_object(OutOfTime)
                    )
