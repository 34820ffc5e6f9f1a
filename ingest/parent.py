"""A process that works for another one ends when that is gone, whatever it is at."""

import os
import threading
import time

__all__ = ["end_with"]


def end_with(parent: int) -> None:
    """End this process within a second of its parent's end, killed or not.

    :param parent: the parent's number, as that knows it: it may be gone already.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, name="hlg-parent", daemon=True).start()
