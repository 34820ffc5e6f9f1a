"""Matrix products in one thread while something is searched for.

A search multiplies many small matrices. Threads of the linear algebra library wait for each
other at the end of each product: on a machine with other work that costs more than the products
themselves.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

from threadpoolctl import ThreadpoolController

_lock = Lock()
_limits: list[Any] = []
"""One a block that is running; the first holds what the library had before."""


@contextmanager
def products_in_one_thread() -> Iterator[None]:
    """Let the library have one thread until the last of such blocks, in any thread, has ended."""
    with _lock:
        _limits.append(None if _limits else _controller().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _lock:
            if len(_limits) == 1:
                _limits[0].restore_original_limits()
            _limits.pop()


@cache
def _controller() -> ThreadpoolController:
    import numpy as np  # noqa: F401  (its library is found once it is loaded)

    return ThreadpoolController()
