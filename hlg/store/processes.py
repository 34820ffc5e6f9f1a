"""A store stays with the process that opened it: what a forked child may not do with it."""

import ctypes
import os
from weakref import WeakSet

from hlg.errors import StoreError


class OfOneProcess:
    """What has threads, locks and connections that a fork does not copy.

    A child keeps its copy for ever: to free it would be to wait for threads that the child
    has not got, or to end a connection that is the parent's.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._process = os.getpid()
        _opened.add(self)

    def is_of_this_process(self) -> bool:
        """Whether it was made here, and not before a fork."""
        return self._process == os.getpid()

    def check_process(self) -> None:
        """See that it was made in this process.

        :raises StoreError: it came here by a fork.
        """
        if not self.is_of_this_process():
            raise StoreError(
                f"{self._address} was opened by process {self._process}, and this one was forked "
                "from it since: open the graph anew here, or fork before it is opened",
                address=self._address,
            )


_opened: WeakSet[OfOneProcess] = WeakSet()


def _keep_for_ever() -> None:
    for each in list(_opened):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(each))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_keep_for_ever)
