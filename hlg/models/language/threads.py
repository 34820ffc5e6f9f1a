"""Work in threads that wait for answers, in order, ahead of the reader but boundedly so.

The threads are daemons: Ctrl-C does not wait for answers that are still under way. An error
does, as they may have been paid for.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextvars import copy_context
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_threads(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[Result]:
    """``function`` of each item, in the order of the items; at most two items a thread wait.

    What it raises is raised here, at that item's place.
    """
    jobs: SimpleQueue[tuple[Future[Result], Item] | None] = SimpleQueue()

    def work() -> None:
        while (job := jobs.get()) is not None:
            future, item = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(function(item))
            except BaseException as error:
                future.set_exception(error)

    waiting: deque[Future[Result]] = deque()
    started = 0
    try:
        for item in items:
            future: Future[Result] = Future()
            waiting.append(future)
            jobs.put((future, item))
            if started < threads:
                started += 1
                Thread(
                    target=copy_context().run, args=(work,), name="hlg-model", daemon=True
                ).start()
            while waiting and (len(waiting) > 2 * threads or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except Exception:
        wait([future for future in waiting if not future.cancel()])
        raise
    finally:
        for future in waiting:
            future.cancel()
        for _ in range(started):
            jobs.put(None)
