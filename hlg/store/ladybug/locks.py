"""Who may do what with a Ladybug file: one writer, and no checkpoint under a reader."""

import logging
import os
from pathlib import Path
from time import monotonic, sleep
from typing import BinaryIO

import portalocker
import psutil
from filelock import FileLock, Timeout
from portalocker import LockFlags

from hlg.errors import StoreError, StoreLocked, StoreMissing
from hlg.store.ladybug.place import denied, refused

LOCK_SECONDS = 5.0
"""How long a second writer waits for the first, and a reader for a checkpoint."""
RETRY_SECONDS = 0.05

_logger = logging.getLogger(__name__)


class Readers:
    """The lock that a file's readers share, and that a checkpoint has alone.

    What the engine opens read-only are the pages of the file, which it reads when they
    are asked for, and a checkpoint writes anew: whoever read across one saw parts of two
    states. So a checkpoint waits until nobody reads, and a reader until it has ended. The
    lock is one of the open file ``FILE.readers.lock``, and is free as soon as its process
    is gone; who may not write the file may share it all the same.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(f"{path.name}.readers.lock")
        self._file: BinaryIO | None = None

    def join(self, seconds: float) -> bool:
        """Read, from now to :meth:`leave`; whether no checkpoint was in the way so long."""
        return self._acquire(LockFlags.SHARED, seconds)

    def exclude(self) -> bool:
        """Keep readers out, from now to :meth:`leave`; whether none was there."""
        return self._acquire(LockFlags.EXCLUSIVE, 0.0)

    def leave(self) -> None:
        """Let go; nothing happens where nothing was held."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _acquire(self, how: LockFlags, seconds: float) -> bool:
        deadline = monotonic() + seconds
        try:
            self._file = self._opened()
        except OSError as error:
            # In a folder that nobody may write to, no checkpoint is made either.
            _logger.debug("%s is not locked: %s", self._path, error)
            return True
        while True:
            try:
                portalocker.lock(self._file, how | LockFlags.NON_BLOCKING)
                return True
            except portalocker.LockException:
                if monotonic() >= deadline:
                    self.leave()
                    return False
            sleep(RETRY_SECONDS)

    def _opened(self) -> BinaryIO:
        try:
            return self._path.open("rb")
        except FileNotFoundError:
            return self._path.open("a+b")


def lock_to_write(path: Path, seconds: float) -> FileLock:
    """The lock of a file's only writer, ``FILE.lock``, and in it the writer's process.

    :raises StoreLocked: another writer has it, still after so many seconds.
    :raises StoreDenied: the lock can't be made.
    """
    lock_path = _writer_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(lock_path)
        lock.acquire(timeout=seconds)
        lock_path.write_text(str(os.getpid()))
    except Timeout:
        if not lock_path.exists():
            raise denied(path, "no file can be made beside it") from None
        raise locked_by(path, _holder(lock_path)) from None
    except OSError as error:
        raise refused(path, error) from error
    return lock


def absent(path: Path) -> StoreError:
    """What says that there is no graph in a file, or that one is being built there."""
    lock_path = _writer_path(path)
    try:
        if lock_path.exists():
            with FileLock(lock_path).acquire(timeout=0):
                pass
    except Timeout:
        return StoreLocked(
            f"the graph in {path} is being built by {_described(_holder(lock_path))}; ask again "
            "when it has its first documents",
            address=str(path),
        )
    except OSError as error:
        _logger.debug("%s is not looked at: %s", lock_path, error)
    return StoreMissing(f"no graph in {path}; hlg build makes one", address=str(path))


def locked_by(path: Path, pid: int | None) -> StoreLocked:
    """What says that another process has a file open to write."""
    return StoreLocked(
        f"{path} is open for writing in {_described(pid)}; try again when it is done",
        address=str(path),
    )


def _writer_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _holder(lock_path: Path) -> int | None:
    holder = lock_path.read_text()
    return int(holder) if holder.isdecimal() else None


def _described(pid: int | None) -> str:
    if pid is None:
        return "another process"
    try:
        command = " ".join(" ".join(psutil.Process(pid).cmdline()).split())
    except psutil.Error:
        return f"process {pid}"
    return f"process {pid} ({command[:80]})"
