"""A process that works for another one ends when that is gone, whatever it is at."""

import os
import signal
import threading
import time

DIED = "the process that read it died, perhaps for want of memory"
LONGEST_TIMER = 1e6
"""Seconds; timers of the system take no more than some years."""
TICK = 0.1
"""Seconds between two looks at the parent."""


def end_with(parent: int) -> None:
    """End this process within a few ``TICK`` of its parent's end, killed or not.

    One that has a group of its own takes along what it started. Code that lets no Python run
    is waited for: who may meet such code bounds its time (:class:`~hlg.ingest.deadline.Deadline`).

    :param parent: the parent's number, as that knows it: it may be gone already.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(TICK)
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, name="hlg-parent", daemon=True).start()
