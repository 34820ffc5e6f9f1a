"""Where a Ladybug file is or is going to be: what is there, and whether there is room."""

import errno
import stat
from pathlib import Path
from shutil import disk_usage

from hlg.errors import StoreDenied, StoreError

ROOM_BYTES = 1 << 26
"""The engine ends the process where it can't write its log, so it is not asked to where less
than this is free: as much as a log holds before it is moved into the file."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_KINDS = (
    (stat.S_ISDIR, "folder"),
    (stat.S_ISFIFO, "named pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)


def denied(path: Path, problem: str) -> StoreDenied:
    """What says that a file can't be opened or made."""
    return StoreDenied(
        f"{path} can't be opened: {problem}; check the path and its permissions",
        address=str(path),
    )


def refused(path: Path, error: OSError) -> StoreError:
    """What says that the system does not let a file be opened or made, or its disk is full."""
    problem = error.strerror or str(error)
    return unwritten(path, problem) if error.errno in _FULL else denied(path, problem)


def unwritten(path: Path, problem: str) -> StoreError:
    """What says that the disk takes no more."""
    return StoreError(
        f"{path} can't be written: {problem}; make room on its disk, then run the same again: "
        "what was written stays",
        address=str(path),
    )


def is_there(path: Path) -> bool:
    """Whether there is a file at a path.

    :raises StoreDenied: something else is there, or nobody can tell.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise refused(path, error) from error
    except ValueError as error:
        raise denied(path, str(error)) from error
    for is_kind, kind in _KINDS:
        if is_kind(mode):
            raise StoreDenied(
                f"{path} is a {kind}, and a graph is kept in a file; choose another --store",
                address=str(path),
            )
    return True


def check_room(path: Path) -> None:
    """See that there is room beside a file for what is going to be written.

    :raises StoreError: the disk is full, or nearly so.
    """
    free = disk_usage(path.parent).free
    if free < ROOM_BYTES:
        raise unwritten(
            path, f"{free / 1e6:.0f} MB are free, and {ROOM_BYTES / 1e6:.0f} MB are wanted"
        )
